//! What stoppers and searches tell each other.

use std::time::Duration;

use crate::Meaning;

/// What a search says of itself when it asks whether to stop. It fills in what it has; the rest is `default()`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Progress<'a> {
    /// Nodes of this search so far: playouts, for a search that grows a tree.
    pub nodes: u64,
    /// Batches evaluated in this search so far.
    pub batches: u64,
    /// The mean depth of the playouts, in plies.
    pub average_depth: Option<f64>,
    /// The length in plies of the shortest win that is proven for the player at the root.
    pub shortest_win: Option<u32>,
    /// The memory in use, if it is limited.
    pub memory: Option<MemoryUse>,
    /// What is known of the moves at the root; `None` for searches that do not count visits.
    pub root: Option<RootMoves<'a>>,
    /// The iteration or stage that was just completed; `None` in the middle of one.
    pub completed: Option<Completed>,
}

/// Memory, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryUse {
    /// In use.
    pub used: u64,
    /// Allowed.
    pub limit: u64,
}

/// The moves at the root of a tree that counts visits.
#[derive(Clone, Copy, Default, Debug)]
pub struct RootMoves<'a> {
    /// The visits of each move that is considered, 0 for those not tried yet, in any fixed order. Visits from earlier
    /// searches count, visits in flight do not.
    pub visits: &'a [u64],
    /// How many of the moves are proven to lose.
    pub losing: usize,
    /// Whether one of the moves is proven to win.
    pub winning: bool,
    /// Whether the most visited move is not the one with the best value: more time may well change the answer.
    pub disputed: bool,
    /// Whether more is asked for than the most visited move: then a lead in visits settles nothing.
    pub beyond_visits: bool,
}

impl RootMoves<'_> {
    /// The index of the most visited move, the first of equals.
    pub fn most_visited(&self) -> Option<usize> {
        (0..self.visits.len()).rev().max_by_key(|&index| self.visits[index])
    }

    /// By how many visits the most visited move is ahead of the second.
    pub fn lead(&self) -> u64 {
        let (first, second) = self.visits.iter().fold((0, 0), |(first, second), &visits| {
            if visits > first { (visits, first) } else { (first, second.max(visits)) }
        });
        first - second
    }
}

/// A completed iteration of a search that deepens, or a stage of one that goes in steps.
#[derive(Clone, Copy, Debug)]
pub struct Completed {
    /// Its depth in plies.
    pub depth: u32,
    /// So many plies deep no forced win can have been missed, or hardly any: less than the depth where moves are left out.
    pub wins_seen: u32,
    /// The value of the best move.
    pub value: Meaning,
    /// Whether every line was followed to the end of the game, so that a deeper search would find the same.
    pub exact: bool,
    /// What part of its share of the clock the search would take: 1 if it has no opinion, less if its answer is clear, more if it is in doubt.
    pub patience: f64,
}

/// How a search uses its time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Granularity {
    /// All at once: an answer is there at the end, or a poor one when it is cut off.
    #[default]
    AtOnce,
    /// In iterations, each much longer than the last; the first is always finished, and none is begun that has little
    /// hope to be.
    Iterations,
    /// In small steps: an answer is there at any time after the first.
    Steps,
}

/// What the stoppers know: what the search says, and what its control adds.
#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics<'a> {
    /// What the search says.
    pub progress: Progress<'a>,
    /// Visits that the tree held when the search began.
    pub reused: u64,
    /// The time since the search's own time began; `None` while it ponders.
    pub own_time: Option<Duration>,
    /// The time since the search counted its first node.
    pub since_first_node: Duration,
    /// How the search goes about its work.
    pub granularity: Granularity,
}

impl Statistics<'_> {
    /// All visits of the tree: those of this search and those from earlier ones.
    pub fn visits(&self) -> u64 {
        self.reused + self.progress.nodes
    }
}

/// What stoppers tell each other and the search.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Hints {
    /// No stopper that counts nodes has anything to say before this count of nodes.
    pub quiet_until: u64,
    /// The time that is left, if time is limited.
    pub remaining_time: Option<Duration>,
    /// How many more playouts can still matter, if that is limited; never more than the limits allow. While smart pruning
    /// estimates it, this is already divided by its factor.
    pub remaining_playouts: Option<u64>,
    /// A root move that is further behind the most visited one than so many visits need not be visited any more; only smart
    /// pruning says so.
    pub out_of_reach: Option<u64>,
    /// The speed that the estimates assume.
    pub nodes_per_second: Option<f64>,
}

impl Hints {
    /// No more time than this is left.
    pub fn limit_time(&mut self, left: Duration) {
        self.remaining_time = Some(self.remaining_time.map_or(left, |other| other.min(left)));
    }

    /// No more playouts than this can matter.
    pub fn limit_playouts(&mut self, left: u64) {
        self.remaining_playouts = Some(self.remaining_playouts.map_or(left, |other| other.min(left)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_is_that_over_the_second() {
        for (visits, most_visited, lead) in [
            (&[][..], None, 0),
            (&[7], Some(0), 7),
            (&[3, 9, 5], Some(1), 4),
            (&[9, 3, 9], Some(0), 0),
            (&[0, 0], Some(0), 0),
        ] {
            let root = RootMoves { visits, ..RootMoves::default() };
            assert_eq!((root.most_visited(), root.lead()), (most_visited, lead), "{visits:?}");
        }
    }
}
