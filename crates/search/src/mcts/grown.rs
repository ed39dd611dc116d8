//! What is kept of the tree from search to search.

use outplay_core::{Game, Line, Move};

use super::bounds::Scale;
use super::graph::Place;
use super::growth::Grower;
use super::options::MctsOptions;
use super::state::Stage;
use super::tree::{EdgeId, Tree};
use crate::{Attribute, Declared};

/// The roots of the latest searches. A tree forgets nothing until it begins anew, unless its nodes are recycled, so that a game may go on, and also
/// back.
pub(super) struct Grown<G> {
    pub start: G,
    /// The settings of the last search in it.
    pub options: MctsOptions,
    /// The latest one last.
    pub roots: Vec<Root>,
    /// Where the last search began.
    pub last: EdgeId,
}

/// Where a search began.
pub(super) struct Root {
    /// The moves from the start of the game.
    pub moves: Vec<Move>,
    pub edge: EdgeId,
}

/// A tree that is fuller than this is not searched again: little could be added.
const FULL: f64 = 0.75;
/// As many roots are kept as one goes back in a game.
const MOST_ROOTS: usize = 32;

impl<G: Game> Grown<G> {
    /// The edge that stands for the end of `line`, with what earlier searches have learned about it if `kept` was grown for the same game by settings
    /// that mean the same; otherwise the tree begins anew. `None` if there is not even room for that.
    ///
    /// A search that begins below an earlier root has an edge of its own: its playouts do not count for the move that led there.
    pub fn root(
        kept: &mut Option<Grown<G>>,
        tree: &mut Tree,
        line: &Line<G>,
        moves: &[Move],
        options: &MctsOptions,
        grower: &mut Grower,
    ) -> Option<EdgeId> {
        let is_usable = |grown: &Grown<G>| {
            let is_full =
                !options.ram_limit_recycles && tree.arena.used() as f64 > FULL * tree.arena.capacity() as f64;
            options.tree_reuse
                && grown.start == *line.start()
                && options.can_take_over(&grown.options)
                && !is_full
        };
        // A search of some moves only leaves behind, and takes over, nothing.
        let is_all = moves.len() == line.position().legal_count();
        if let Some(grown) = kept.as_mut().filter(|grown| is_all && is_usable(grown))
            && grown.has_room(tree)
            && let Some(edge) = grown.find(tree, line.moves())
            && let Some(root) = grown.adopt(tree, edge, line.moves(), grower)
        {
            grown.options = *options;
            return Some(root);
        }
        if kept.as_ref().is_none_or(|grown| grown.options.differs(Attribute::Layout, options)) {
            *tree = Tree::new(options, Scale::of::<G>());
        }
        tree.clear();
        let edge = tree.new_root(Place::of(line.position(), line.history(), tree.is_graph()), grower)?;
        let root = Root { moves: line.moves().to_vec(), edge };
        let roots = if is_all { vec![root] } else { Vec::new() };
        *kept = Some(Grown { start: line.start().clone(), options: *options, roots, last: edge });
        Some(edge)
    }

    /// Makes the position behind an edge a root, with an edge of its own unless it was one before; `None` if there is no room.
    fn adopt(&mut self, tree: &Tree, edge: EdgeId, moves: &[Move], grower: &mut Grower) -> Option<EdgeId> {
        let edge = match self.roots.iter().position(|root| root.edge == edge) {
            Some(place) => self.roots.remove(place).edge,
            None => tree.second_edge(edge, grower)?,
        };
        self.roots.push(Root { moves: moves.to_vec(), edge });
        let too_many = self.roots.len().saturating_sub(MOST_ROOTS);
        self.roots.drain(..too_many);
        self.last = edge;
        Some(edge)
    }

    /// The edge for these moves: an earlier root, or one that is reached from the nearest above.
    fn find(&self, tree: &Tree, moves: &[Move]) -> Option<EdgeId> {
        let above = self.roots.iter().filter(|root| moves.starts_with(&root.moves));
        let nearest = above.max_by_key(|root| root.moves.len())?;
        let mut edge = nearest.edge;
        for &m in &moves[nearest.moves.len()..] {
            let node = tree.link(edge).node;
            edge = tree.edge_of(node, m)?;
        }
        can_be_root(tree, edge).then_some(edge)
    }

    /// Whether there is room for another root, if need be after some has been made.
    fn has_room(&self, tree: &Tree) -> bool {
        tree.arena.has_room(tree.layout.edge) || tree.recycle(&self.roots())
    }

    /// Everything from which the tree is reached.
    pub fn roots(&self) -> Vec<EdgeId> {
        self.roots.iter().map(|root| root.edge).chain([self.last]).collect()
    }
}

/// Whether a search can begin behind an edge with what is known there.
fn can_be_root(tree: &Tree, edge: EdgeId) -> bool {
    let state = tree.state(tree.link(edge).node);
    match state.stage() {
        Stage::Ready | Stage::Forgotten => true,
        // What is certain stays so, as long as it is known by which moves.
        Stage::Settled => state.edges() > 0,
        Stage::Pending => false,
    }
}

/// The edge of a move from a root, if a search can begin behind it with what is known there.
pub(super) fn edge_after(tree: &Tree, root: EdgeId, m: Move) -> Option<EdgeId> {
    tree.edge_of(tree.link(root).node, m).filter(|&edge| can_be_root(tree, edge))
}
