//! Plain UCT: the upper confidence bound of wins and losses, with nothing that could be added to it. The inner loop of a search with rollouts, so it is
//! written out; [`Choice`](super::select::Choice) would choose the same.

use std::sync::LazyLock;

use outplay_core::Player;

use super::bounds::Known;
use super::options::{MctsOptions, Selection};
use super::select::Step;
use super::state::State;
use super::tree::{EdgeId, NodeId, Tree};
use super::utility::Utility;
use crate::{Attribute, Declared};

/// What the formula takes from numbers of visits, for as few as most moves have: looked up, because the next move is waited for.
struct Roots {
    /// √ln N.
    of_ln: [f32; FEW],
    /// 1/√n.
    inverse: [f32; FEW],
}

const FEW: usize = 1 << 12;

static ROOTS: LazyLock<Roots> = LazyLock::new(|| Roots {
    of_ln: std::array::from_fn(|visits| (visits.max(1) as f32).ln().sqrt()),
    inverse: std::array::from_fn(|visits| 1.0 / (visits as f32).sqrt()),
});

impl Roots {
    #[inline]
    fn of_ln(&self, visits: u32) -> f32 {
        let known = self.of_ln.get(visits as usize);
        known.copied().unwrap_or_else(|| (visits as f32).ln().sqrt())
    }

    #[inline]
    fn inverse(&self, visits: u32) -> f32 {
        let known = self.inverse.get(visits as usize);
        known.copied().unwrap_or_else(|| 1.0 / (visits as f32).sqrt())
    }
}

/// √ln N.
#[inline]
pub(super) fn root_of_ln(visits: u32) -> f32 {
    ROOTS.of_ln(visits)
}

/// The choice of plain UCT.
#[derive(Clone, Copy)]
pub(super) struct PlainUct {
    exploration: f32,
    roots: &'static Roots,
}

impl PlainUct {
    /// `None` if the settings ask for anything else, or for anything more.
    pub fn new(options: &MctsOptions, utility: &Utility) -> Option<PlainUct> {
        let is_plain = options.selection == Selection::Uct
            && !options.differs(Attribute::AddsToUct, &MctsOptions::default())
            && utility.is_plain();
        is_plain.then(|| PlainUct { exploration: options.exploration as f32, roots: &ROOTS })
    }

    /// What to do with one playout at the node behind an edge. `None` where there is more to it: a policy, a graph, a certain result, or playouts on
    /// their way, unless those are of other threads.
    #[inline]
    pub fn step(self, tree: &Tree, edge: EdgeId, (node, state): (NodeId, State)) -> Option<Step> {
        if state.has_new() {
            return Some(Step::TryNew(state.edges()));
        }
        let exploration = self.exploration * self.roots.of_ln(tree.visits(edge));
        let best = match tree.is_alone() {
            true => self.most_promising(tree, (node, state), exploration),
            false => self.most_promising_of_threads(tree, (node, state), exploration),
        };
        best.map(Step::Follow)
    }

    /// The edge with the highest bound; all moves have been tried.
    #[inline]
    fn most_promising(self, tree: &Tree, (node, state): (NodeId, State), exploration: f32) -> Option<EdgeId> {
        let sign = if state.to_move() == Player::First { 1.0 } else { -1.0 };
        let (mut best, mut best_score, mut more) = (EdgeId(0), f32::NEG_INFINITY, 0);
        for edge in tree.edges_without_policy(node, state.edges()) {
            let (sum, visits, more_here) = edge.sum_of_visits();
            more |= more_here;
            let root = self.roots.inverse(visits);
            let score = (sign * sum * root + exploration) * root;
            // No branch, because nobody could predict it.
            let is_better = score > best_score;
            best = if is_better { edge.id } else { best };
            best_score = if is_better { score } else { best_score };
        }
        (best != EdgeId(0) && more >> 32 == 0).then_some(best)
    }

    /// The same where other threads have playouts on their way, which count as visits without a value.
    fn most_promising_of_threads(
        self,
        tree: &Tree,
        (node, state): (NodeId, State),
        exploration: f32,
    ) -> Option<EdgeId> {
        let sign = if state.to_move() == Player::First { 1.0 } else { -1.0 };
        let mut best = None;
        for edge in tree.edges_without_policy(node, state.edges()) {
            let stats = edge.stats();
            if stats.visits == 0 || edge.link().known != Known::NOTHING {
                return None;
            }
            let score = sign * stats.q + exploration * self.roots.inverse(stats.visits + stats.in_flight);
            if best.is_none_or(|(_, best)| score > best) {
                best = Some((edge.id, score));
            }
        }
        best.map(|(edge, _)| edge)
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::{Move, Rng};

    use super::super::graph::Place;
    use super::super::growth::{Addition, Grower};
    use super::super::prior::Prior;
    use super::super::select::Choice;
    use super::super::state::{Sum, Value};
    use super::super::utility::Outlook;
    use super::*;
    use crate::OptionSet;

    fn options() -> MctsOptions {
        MctsOptions { selection: Selection::Uct, exploration: 1.3, ..MctsOptions::default() }
    }

    /// A tree without a policy in which a player has moves with these visits and values, and the edge of its root.
    fn tree_of(to_move: Player, replies: &[(u32, f32)]) -> (Tree, EdgeId) {
        let (mut tree, mut grower) =
            (Tree::new(&options(), crate::mcts::bounds::Scale::Distance), Grower::default());
        tree.prepare(true, false);
        let place = |to_move| Place { to_move, key: None };
        let root = tree.new_root(place(to_move), &mut grower).expect("room");
        let node = tree.link(root).node;
        tree.set_ready(node);
        let moves = |list: &mut Vec<(Prior, Move)>| {
            list.extend((0..replies.len() as u16).map(|m| (Prior::ONE, Move::new(m))));
        };
        for (number, &(visits, wl)) in (0..).zip(replies) {
            let added = tree.add_edge((node, number), &mut grower, moves, |_| (), |_| place(!to_move));
            let Addition::Added(edge, _) = added else { panic!("{added:?}") };
            for edge in [edge, root] {
                tree.send(edge, visits);
                tree.back_up(edge, &Sum::of(Value::new(wl, 0.0, 0.0), visits));
            }
        }
        (tree, root)
    }

    fn both_steps(tree: &Tree, root: EdgeId) -> (Option<Step>, Step) {
        both_steps_by(&options(), tree, root).expect("plain settings")
    }

    /// What plain UCT and the choice with everything do; `None` if the settings are not plain.
    fn both_steps_by(options: &MctsOptions, tree: &Tree, root: EdgeId) -> Option<(Option<Step>, Step)> {
        let node = tree.link(root).node;
        let (utility, state) = (Utility::new(options, false), tree.state(node));
        let plain = PlainUct::new(options, &utility)?;
        let outlook = Outlook::new(tree, &utility, root, node);
        Some((plain.step(tree, root, (node, state)), Choice::one(tree, options, (node, state), outlook)))
    }

    fn random_replies(rng: &mut Rng, most: usize) -> Vec<(u32, f32)> {
        (0..1 + rng.below(30)).map(|_| (1 + rng.below(most) as u32, 2.0 * rng.unit() as f32 - 1.0)).collect()
    }

    #[test]
    fn the_best_bound_is_the_one_that_the_choice_with_everything_finds() {
        let mut rng = Rng::new(5);
        for round in 0..500 {
            let most = [5, 100, 20_000][round % 3];
            let replies = random_replies(&mut rng, most);
            let (mut tree, root) = tree_of(Player::BOTH[round % 2], &replies);
            let are_several = round % 4 == 0;
            tree.prepare(!are_several, false);
            for _ in 0..if are_several { 3 } else { 0 } {
                let m = Move::new(rng.below(replies.len()) as u16);
                let edge = tree.edge_of(tree.link(root).node, m).expect("an edge");
                tree.send(edge, 1 + rng.below(5) as u32);
            }
            let (plain, full) = both_steps(&tree, root);
            assert_eq!(plain, Some(full), "{replies:?}");
        }
    }

    #[test]
    fn where_there_is_more_to_it_nothing_is_said() {
        let new_tree = || tree_of(Player::First, &[(3, 0.5), (4, 0.1)]);
        let (tree, root) = new_tree();
        let edge = tree.edge_of(tree.link(root).node, Move::new(0)).expect("an edge");
        assert_eq!(both_steps(&tree, root), (Some(Step::Follow(edge)), Step::Follow(edge)));
        // A playout on its way, one that is the first, and a certain result.
        tree.send(edge, 1);
        assert_eq!(both_steps(&tree, root).0, None);
        let (tree, root) = tree_of(Player::First, &[(0, 0.0), (4, 0.1)]);
        tree.send(tree.edge_of(tree.link(root).node, Move::new(0)).expect("an edge"), 1);
        assert_eq!(both_steps(&tree, root).0, None);
        let (tree, root) = new_tree();
        tree.set_known(edge, Known::DRAW);
        assert_eq!(both_steps(&tree, root).0, None);
    }

    #[test]
    fn settings_that_do_not_say_so_add_nothing_to_the_formula() {
        let mut rng = Rng::new(6);
        let trees: Vec<_> = (0..40).map(|_| tree_of(Player::First, &random_replies(&mut rng, 100))).collect();
        let mut compared = 0;
        for (index, row) in options().rows().into_iter().enumerate() {
            for value in row.samples() {
                let mut options = options();
                options.assign(index, value.clone());
                for (tree, root) in &trees {
                    let Some((plain, full)) = both_steps_by(&options, tree, *root) else { continue };
                    assert_eq!(plain, Some(full), "{}={value}", row.name);
                    compared += 1;
                }
            }
        }
        assert!(compared > 100 * trees.len(), "most settings are plain");
    }

    #[test]
    fn settings_that_add_something_are_not_plain() {
        let is_plain = |options: &MctsOptions| PlainUct::new(options, &Utility::new(options, true)).is_some();
        let plain = MctsOptions { moves_left_max_effect: 0.0, ..options() };
        assert!(is_plain(&plain));
        for options in [
            MctsOptions { selection: Selection::Puct, ..plain },
            MctsOptions { rave: true, ..plain },
            MctsOptions { progressive_widening: true, ..plain },
            MctsOptions { progressive_bias: 0.1, ..plain },
            MctsOptions { draw_score: 0.1, ..plain },
            options(),
        ] {
            assert!(!is_plain(&options), "{options:?}");
        }
    }
}
