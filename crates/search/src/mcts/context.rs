//! What searches share, and one search as its playouts see it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use outplay_core::{Game, Line, Move, MoveList};

use super::cache::Cache;
use super::encode::LeafEncoder;
use super::evaluate::{EvaluationError, LeafEvaluator};
use super::gumbel::ValueScale;
use super::learning::MoveHistory;
use super::options::MctsOptions;
use super::path::Path;
use super::root_rule::RootPlan;
use super::state::MOST_MOVES;
use super::tree::{EdgeId, Tree};
use super::uct::PlainUct;
use super::utility::Utility;
use super::wdl::Rescale;

/// What all searches by the same settings and the same evaluator share, however many there are. Nothing of it changes.
pub struct SearchContext<'e, G: Game> {
    pub(super) options: MctsOptions,
    /// The settings as they are at the root.
    pub(super) root_options: MctsOptions,
    /// How moves are chosen, if nothing is asked for but plain UCT.
    pub(super) plain_uct: Option<PlainUct>,
    /// What counts besides wins and losses.
    pub(super) utility: Utility,
    /// How evaluations are changed before they go into the tree.
    pub(super) rescale: Option<Rescale>,
    pub(super) evaluator: &'e dyn LeafEvaluator<G>,
    /// Whether it says how good the moves look.
    pub(super) wants_moves: bool,
    /// How many past positions it wants to see of a leaf; `None` if leaves are not encoded.
    pub(super) encodes_past: Option<usize>,
    pub(super) cache: Option<&'e Cache>,
    /// How many lines playouts are steered to; 1 if they go where they like.
    pub(super) steered_lines: usize,
    /// How values count, if moves are chosen so that visits follow the improved policy.
    pub(super) improved: Option<ValueScale>,
    /// Whether leaves are evaluated as soon as they are found.
    pub(super) evaluates_at_once: bool,
    /// Whether nothing can halt a playout at a node that is ready.
    pub(super) is_free: bool,
}

impl<'e, G: Game> SearchContext<'e, G> {
    /// For searches by these settings, whose leaves somebody hands to this evaluator. Contempt counts only if the settings say for
    /// which player.
    pub fn new(options: &MctsOptions, evaluator: &'e dyn LeafEvaluator<G>) -> SearchContext<'e, G> {
        let utility = Utility::new(options, evaluator.tells_moves_left());
        SearchContext {
            options: *options,
            root_options: options.at_root(),
            plain_uct: PlainUct::new(options, &utility),
            utility,
            rescale: Rescale::new(options, evaluator.tells_draws()),
            evaluator,
            wants_moves: evaluator.wants_moves(),
            encodes_past: evaluator.encoder().map(LeafEncoder::past_positions),
            cache: None,
            steered_lines: 1,
            improved: None,
            evaluates_at_once: false,
            is_free: !(options.dag || options.ram_limit_recycles || G::REPEATS && options.two_fold_draws),
        }
    }

    /// Has moves chosen so that visits follow the improved policy, with values that count like this: everywhere but at roots with a
    /// [rule](super::RootRule) of their own. In place of PUCT and UCT, and of all that belongs to them.
    #[must_use]
    pub fn with_improved_policy(self, scale: ValueScale) -> SearchContext<'e, G> {
        SearchContext { improved: Some(scale), plain_uct: None, ..self }
    }

    /// Who evaluates the leaves.
    pub fn evaluator(&self) -> &'e dyn LeafEvaluator<G> {
        self.evaluator
    }
}

/// One search of a tree, as its playouts see it.
pub(super) struct Run<'a, G: Game> {
    pub context: &'a SearchContext<'a, G>,
    pub tree: &'a Tree,
    /// The game so far; the search begins at its end.
    pub line: &'a Line<G>,
    pub root: EdgeId,
    /// The moves that are looked at from the root; `None` for all.
    pub root_moves: Option<&'a [Move]>,
    /// How playouts leave the root, if not as everywhere else.
    pub root_plan: Option<&'a RootPlan>,
    /// What is known of moves wherever they are made, if anybody asks.
    pub move_history: Option<&'a MoveHistory>,
    pub signs: &'a Signs,
}

/// What playouts of all threads look at. It seldom changes, so that no thread waits for it.
pub(super) struct Signs {
    /// How many playouts are still to come, as far as anybody knows.
    pub to_come: AtomicU64,
    /// A move of the root that is further behind the best one than so many visits needs no more of them.
    pub out_of_reach: AtomicU64,
    /// The tree has no room for more.
    pub full: AtomicBool,
    /// Leaves cannot be evaluated any more, and why: the flag is what playouts look at.
    failed: AtomicBool,
    failure: Mutex<Option<EvaluationError>>,
}

impl Signs {
    /// Leaves cannot be evaluated any more: the search is to end with what it knows.
    #[cold]
    pub fn fail(&self, error: EvaluationError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.failed.store(true, Ordering::Release);
    }

    /// Whether they cannot be evaluated any more.
    #[inline]
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// And why not.
    pub fn failure(&self) -> Option<EvaluationError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Default for Signs {
    fn default() -> Signs {
        Signs {
            to_come: AtomicU64::new(u64::MAX),
            out_of_reach: AtomicU64::new(u64::MAX),
            full: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            failure: Mutex::default(),
        }
    }
}

impl<G: Game> Run<'_, G> {
    /// The positions before the one at the end of a path, the latest first: at most so many.
    pub fn past(&self, path: &Path, most: usize) -> Vec<G> {
        let mut positions = self.line.positions().to_vec();
        for &edge in path.edges.iter().skip(1) {
            let position = positions[positions.len() - 1].after(self.tree.link(edge).m);
            positions.push(position);
        }
        // The last one is the leaf itself.
        positions.pop();
        positions.into_iter().rev().take(most).collect()
    }

    /// Calls `see` with each move that is looked at from a position.
    #[inline]
    pub fn for_each_move(&self, position: &G, is_root: bool, see: impl FnMut(Move)) {
        match self.root_moves.filter(|_| is_root) {
            Some(moves) => moves.iter().copied().for_each(see),
            None => position.legal_moves().each().take(MOST_MOVES).for_each(see),
        }
    }
}
