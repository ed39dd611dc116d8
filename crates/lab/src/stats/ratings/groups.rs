//! Who is joined to whom.

/// Divides `nodes` into groups whose members reach each other along `edges`: the number of each node's group.
///
/// Groups are numbered in the order of their first members. Plain searches from each group's first member,
/// forwards and backwards: pools are small.
pub(super) fn mutually_reachable(
    nodes: usize,
    edges: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<usize> {
    let mut forwards = vec![Vec::new(); nodes];
    let mut backwards = vec![Vec::new(); nodes];
    for (from, to) in edges {
        forwards[from].push(to);
        backwards[to].push(from);
    }
    const NONE: usize = usize::MAX;
    let mut group_of = vec![NONE; nodes];
    let mut groups = 0;
    for first in 0..nodes {
        if group_of[first] != NONE {
            continue;
        }
        let (ahead, behind) = (reachable(first, &forwards), reachable(first, &backwards));
        for node in first..nodes {
            if ahead[node] && behind[node] {
                group_of[node] = groups;
            }
        }
        groups += 1;
    }
    group_of
}

/// Which nodes can be reached from `start`, itself included.
fn reachable(start: usize, neighbours: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; neighbours.len()];
    reached[start] = true;
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for &next in &neighbours[node] {
            if !reached[next] {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_who_can_go_there_and_back() {
        // A cycle of three, a one-way street to a pair, and a hermit.
        let edges = [(0, 2), (2, 4), (4, 0), (4, 1), (1, 3), (3, 1)];
        assert_eq!(mutually_reachable(6, edges), [0, 1, 0, 1, 0, 2]);
        assert!(mutually_reachable(0, []).is_empty());
        assert_eq!(mutually_reachable(2, [(1, 0)]), [0, 1]);
    }
}
