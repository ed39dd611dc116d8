//! Whether words that come from outside are a tree.
//!
//! Everything is gone through along the moves of the game. What is found has to lie within the words, nothing in the same place as anything
//! else; the moves have to be those of the position. After that the search may rely on the tree as on one that it has grown itself.

use std::sync::atomic::Ordering::Relaxed;

use outplay_core::{Game, History, Line, Move, MoveList};

use super::evaluate::LeftOut;
use super::graph::Place;
use super::marks::Marks;
use super::state::{MOST_MOVES, Stage, State, UNIT};
use super::tree::{EdgeId, NodeId, Tree};

/// What is wrong.
type Fault = &'static str;

/// No more visits than this can be counted.
const MOST_VISITS: u32 = 1 << 31;

/// A position with its past.
#[derive(Clone)]
struct At<G> {
    position: G,
    history: History,
}

/// A check of a tree on its way.
pub(super) struct Check<'a> {
    tree: &'a Tree,
    /// The words that belong to something.
    owned: Marks,
    /// Where nodes begin.
    nodes: Marks,
}

impl<'a> Check<'a> {
    pub fn new(tree: &'a Tree) -> Check<'a> {
        let words = tree.arena.used();
        Check { tree, owned: Marks::new(words), nodes: Marks::new(words) }
    }

    /// Checks everything below some roots with their lines. In a graph, positions are put into the table and told what leads to them.
    pub fn roots<'l, G: Game>(
        &self,
        roots: impl Iterator<Item = (EdgeId, &'l Line<G>)>,
    ) -> Result<(), Fault> {
        let (mut open, mut begun) = (Vec::new(), Vec::new());
        for (edge, line) in roots {
            self.own(edge.0, self.tree.layout.edge)?;
            if self.move_bits(edge) == Move::RESERVED_BITS {
                return Err("a root has an impossible move");
            }
            let at = At { position: line.position().clone(), history: line.history().clone() };
            let node = self.follow(edge, None, &at, &begun, &mut open)?;
            begun.push((node, at));
        }
        while let Some((node, at)) = open.pop() {
            self.node(node, at, &begun, &mut open)?;
        }
        Ok(())
    }

    /// Notes that some words belong to something.
    fn own(&self, index: u32, words: u32) -> Result<(), Fault> {
        match self.tree.arena.holds(index, words) {
            false => Err("something lies outside of it"),
            true if !self.owned.mark(index, words) => Err("two things lie in one place"),
            true => Ok(()),
        }
    }

    /// The bits of an edge's move, which may be anything.
    fn move_bits(&self, edge: EdgeId) -> u16 {
        (self.tree.arena.word(edge.0 + 2).load(Relaxed) >> 32) as u16
    }

    /// Goes along an edge to the node of a position; nodes that are new are left open.
    fn follow<G: Game>(
        &self,
        edge: EdgeId,
        from: Option<NodeId>,
        at: &At<G>,
        begun: &[(NodeId, At<G>)],
        open: &mut Vec<(NodeId, At<G>)>,
    ) -> Result<NodeId, Fault> {
        let (tree, stats) = (self.tree, self.tree.stats(edge));
        let sum = tree.arena.word(edge.0 + 1).load(Relaxed) as i64;
        if stats.visits >= MOST_VISITS || stats.in_flight > 0 || !is_sum_of(sum, stats.visits) {
            return Err("the numbers of a move make no sense");
        }
        let node = tree.link(edge).node;
        let is_known = tree.arena.holds(node.0, 1) && self.nodes.contains(node.0);
        if !is_known {
            self.own(node.0, tree.layout.node)?;
            self.nodes.mark(node.0, 1);
            open.push((node, at.clone()));
        }
        if tree.is_graph() {
            if Some(tree.key(node)) != Place::of(&at.position, &at.history, true).key {
                return Err("a move leads to another position");
            }
            if !is_known {
                tree.forget_parent_edges(node);
            }
            tree.add_parent_edge(edge, from, node);
        } else if is_known && !begun.iter().any(|(root, of)| *root == node && of.position == at.position) {
            return Err("two moves lead to one node");
        }
        Ok(node)
    }

    /// Checks a node of a position and goes along its edges.
    fn node<G: Game>(
        &self,
        node: NodeId,
        mut at: At<G>,
        begun: &[(NodeId, At<G>)],
        open: &mut Vec<(NodeId, At<G>)>,
    ) -> Result<(), Fault> {
        let position = at.position.clone();
        let (tree, state) = (self.tree, self.tree.state(node));
        let blocks = tree.arena.word(node.0 + 1).load(Relaxed);
        let (has_priors, has_edges) = (blocks >> 32 != 0, blocks as u32 != 0);
        let is_possible = state.to_move() == position.to_move()
            && state.bounds().is_possible()
            && state.0 & State::LOCKED == 0
            && state.stage() != Stage::Pending
            && state.is_sorted() == has_edges
            && state.edges() <= state.moves()
            && (has_edges || state.edges() == 0);
        if !is_possible {
            return Err("the state of a position makes no sense");
        }
        if tree.is_graph() {
            let visits = tree.node_visits(node);
            if visits >= MOST_VISITS || !is_sum_of(tree.node_sums(node).wl, visits) {
                return Err("the numbers of a position make no sense");
            }
            tree.note_in_table(node);
        }
        let mut legal: Vec<u16> = position.legal_moves().each().take(MOST_MOVES).map(Move::bits).collect();
        let may_miss_moves = state.left_out() != LeftOut::Nothing;
        let has_right_count = match may_miss_moves {
            // Which ones are missing is known by the others.
            true => has_edges && (1..=legal.len()).contains(&(state.moves() as usize)),
            false => !(has_priors || has_edges) || state.moves() as usize == legal.len(),
        };
        if !has_right_count {
            return Err("a position has not the moves of the game");
        }
        let (mut owned, mut room) = (Ok(()), 0);
        tree.for_each_block(node, state, |block| {
            owned = self.own(block.index, block.words);
            room += block.edges;
            owned.is_ok()
        });
        owned?;
        if room < state.edges() {
            return Err("a position has more moves than there is room for");
        }
        let ordered = (0..state.moves()).map(|number| tree.sorted_move_bits(tree.moves_block(node), number));
        let ordered: Vec<u16> = ordered.take(if has_edges { legal.len() } else { 0 }).collect();
        let mut sorted = ordered.clone();
        sorted.sort_unstable();
        legal.sort_unstable();
        if may_miss_moves {
            legal.retain(|m| sorted.binary_search(m).is_ok());
        }
        if has_edges && sorted != legal {
            return Err("a position has not the moves of the game");
        }
        at.history.push(&position);
        let (mut moves, mut result) = (ordered.iter(), Ok(()));
        tree.for_each_edge(node, state.edges(), |edge| {
            let bits = self.move_bits(edge.id);
            if result.is_ok() && moves.next() != Some(&bits) {
                result = Err("a move is not where it belongs");
            }
            if result.is_ok() {
                at.position = position.after(Move::new(bits));
                result = self.follow(edge.id, Some(node), &at, begun, open).map(|_| ());
            }
        });
        result
    }
}

/// Whether a sum can be that of so many values between -1 and 1. Where threads have met, it may be off by a few of them.
fn is_sum_of(sum: i64, visits: u32) -> bool {
    sum.unsigned_abs() <= 2 * (u64::from(visits) + 1) * UNIT as u64
}
