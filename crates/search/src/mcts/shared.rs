//! What the threads of a search share, and the ways that their playouts take.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use outplay_core::{Game, Line, Move};

use super::cache::Cache;
use super::evaluate::{EvaluationError, LeafEvaluator};
use super::learning::MoveHistory;
use super::options::MctsOptions;
use super::pause::Pause;
use super::service::Service;
use super::state::Value;
use super::tree::{EdgeId, NodeId, Tree};
use super::uct::PlainUct;
use super::utility::Utility;
use super::wdl::Rescale;
use crate::{BatchUse, CacheUse};

/// What all threads of a search see.
pub(super) struct Shared<'a, G: Game> {
    pub tree: &'a Tree,
    pub options: &'a MctsOptions,
    /// The settings as they are at the root.
    pub root_options: MctsOptions,
    /// How moves are chosen, if nothing is asked for but plain UCT.
    pub plain_uct: Option<PlainUct>,
    /// What counts besides wins and losses.
    pub utility: Utility,
    /// How judgements are changed before they go into the tree.
    pub rescale: Option<Rescale>,
    pub evaluator: &'a dyn LeafEvaluator<G>,
    /// Whether it says how good the moves look.
    pub wants_moves: bool,
    /// How many leaves are gathered for it.
    pub leaves_at_once: u64,
    /// Where leaves are judged; `None` if each thread judges its own.
    pub service: Option<&'a Service<'a, G>>,
    /// What the service had done before.
    pub counted_before: BatchUse,
    pub cache: Option<&'a Cache>,
    pub cache_lookups: AtomicU64,
    pub cache_hits: AtomicU64,
    /// What is known of moves wherever they are made, if anybody asks.
    pub move_history: Option<MoveHistory>,
    pub line: &'a Line<G>,
    /// The moves that are looked at from the root.
    pub root_moves: &'a [Move],
    pub root: EdgeId,
    /// How many lines playouts are steered to; 1 if they go where they like.
    pub steered_lines: usize,
    /// How many playouts are still to come, as far as anybody knows.
    pub to_come: AtomicU64,
    /// A move of the root that is further behind the best one than so many visits needs no more of them.
    pub out_of_reach: AtomicU64,
    /// It and the roots of earlier searches, which are kept.
    pub roots: Vec<EdgeId>,
    /// As many playouts as can be counted.
    pub most_playouts: u64,
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
    /// The service has ended before the search: some positions of the tree will never be judged.
    pub abandoned: AtomicBool,
    pub pause: Pause,
    /// Why leaves cannot be judged any more.
    pub failure: Mutex<Option<EvaluationError>>,
}

impl<G: Game> Shared<'_, G> {
    /// Leaves cannot be judged any more: the search ends with what it knows.
    #[cold]
    pub fn fail(&self, error: EvaluationError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.abandoned.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What the cache has done so far; `None` if there is none.
    pub fn cache_use(&self) -> Option<CacheUse> {
        self.cache.map(|_| CacheUse {
            lookups: self.cache_lookups.load(Ordering::Relaxed),
            hits: self.cache_hits.load(Ordering::Relaxed),
        })
    }
}

/// A leaf on its way to the judge and back.
pub(super) struct Flight {
    pub route: Route,
    pub node: NodeId,
    /// What the playout brings back whatever the judge says.
    pub counts_as: Option<Value>,
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

    /// Whether the playouts count all the way up.
    pub fn counts_at_root(&self) -> bool {
        self.counts_from == 0
    }

    /// Becomes a copy of another, without new memory if it has enough.
    pub fn copy(&mut self, other: &Route) {
        self.path.clone_from(&other.path);
        self.counts_from = other.counts_from;
    }
}
