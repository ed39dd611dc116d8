//! What the threads of a search share, and the ways that their playouts take.

use std::sync::atomic::{AtomicBool, AtomicU64};

use outplay_core::{Game, Line, Move};

use super::evaluate::LeafEvaluator;
use super::options::MctsOptions;
use super::tree::{EdgeId, NodeId, Tree};

/// What all threads of a search see.
pub(super) struct Shared<'a, G: Game> {
    pub tree: &'a Tree,
    pub options: &'a MctsOptions,
    /// The settings as they are at the root.
    pub root_options: MctsOptions,
    pub evaluator: &'a dyn LeafEvaluator<G>,
    pub line: &'a Line<G>,
    /// The moves that are looked at from the root.
    pub root_moves: &'a [Move],
    pub root: EdgeId,
    /// Playouts that may still be begun.
    pub remaining: AtomicU64,
    /// Playouts of this search that have ended.
    pub playouts: AtomicU64,
    /// Leaves that were judged for them.
    pub judged: AtomicU64,
    /// The sum of their depths.
    pub plies: AtomicU64,
    pub deepest: AtomicU64,
    /// The tree has no room for more.
    pub full: AtomicBool,
    pub stop: AtomicBool,
}

/// A leaf on its way to the judge and back.
pub(super) struct Flight {
    pub route: Route,
    pub node: NodeId,
}

/// The way of playouts through the tree.
#[derive(Clone, Default)]
pub(super) struct Route {
    /// The edges from the root on.
    pub path: Vec<EdgeId>,
    /// From which of them on the playouts count. Those that look for a proof beside a move that is certain already do not count
    /// above it.
    pub counts_from: usize,
}

impl Route {
    /// The edges through which the playouts were sent.
    pub fn counted(&self) -> &[EdgeId] {
        &self.path[self.counts_from..]
    }

    /// Becomes a copy of another, without new memory if it has enough.
    pub fn copy(&mut self, other: &Route) {
        self.path.clone_from(&other.path);
        self.counts_from = other.counts_from;
    }
}
