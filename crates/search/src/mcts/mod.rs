//! Monte Carlo tree search: one search for UCT with random games and for PUCT with a policy.
//!
//! A playout goes down the tree, at each position to the move that looks best by value, prior and visits; the leaf that it
//! reaches is evaluated; the value goes back up. Playouts are sent in batches: at each position, as many as will go to the same
//! move are sent there together, so that a batch goes through the upper tree once. Those on their way count as visits
//! without a value, which sends others elsewhere; those that meet at a leaf which is not evaluated yet are called back.

mod amaf;
mod arena;
mod batch;
mod bounds;
mod cache;
mod chance;
mod check;
mod collisions;
mod context;
mod copy;
mod counters;
mod delayed;
mod encode;
mod evaluate;
mod forced;
mod graph;
mod grown;
mod growth;
mod gumbel;
mod improved;
mod informed;
mod knowledge;
mod learning;
mod marks;
mod options;
mod path;
mod pause;
mod playouts;
mod pool;
mod prefetch;
mod prior;
mod proofs;
mod recycle;
mod release;
mod report;
mod rollout;
mod root;
mod root_rule;
mod saved;
mod score_type;
mod sealed;
mod search_root;
mod search_tree;
mod select;
mod service;
mod snapshot;
mod standing;
mod state;
mod tally;
#[cfg(test)]
mod tests;
mod threads;
mod transpositions;
mod tree;
mod turns;
mod uct;
mod utility;
mod view;
mod wdl;
mod worker;

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use outplay_core::{Game, Line, Move};

pub use batch::Batch;
pub use chance::add_noise;
pub use context::SearchContext;
pub use delayed::Delayed;
pub use encode::{Encoded, LeafEncoder};
pub use evaluate::{
    BatchEvaluator, EvaluationError, HashRandom, Leaf, LeafEvaluator, LeafValue, LeftOut, Static, Uniform,
};
pub use gumbel::ValueScale;
pub use knowledge::{KnowledgeEvaluator, KnowledgeUse};
pub use options::{
    ContemptMode, EvaluatorKind, FinalMove, FpuStrategy, MctsOptions, RolloutKind, RootFpuStrategy, Selection,
};
pub use playouts::Scratch;
pub use pool::TreePool;
pub use rollout::Rollouts;
pub use root_rule::{GumbelChoice, RootRule};
pub use score_type::ScoreType;
pub use search_root::RootMove;
pub use search_tree::SearchTree;
pub use select::exploration_bonus;
pub use service::{Client, Gone, Service, Ticket, WaitMode};
pub use standing::StandingService;
pub use turns::{Groups, TurnCounts};

use crate::knowledge::{SOLVER_SHARE, solver_budget};
use crate::stop::Granularity;
use crate::textbook::root_moves;
use crate::{
    Control, ForcedWin, GrownMove, Knowledge, OptionSet, Oracle, Report, Search, Solved, SolverQuestion,
    StopReason, TreeFileError,
};

/// Mebibytes that a game's solver may take at the root.
const MEBIBYTES_OF_SOLVER: usize = 16;
/// Nodes of a game's solver that count as a simulation.
const SOLVER_NODES_A_SIMULATION: u64 = 100;
use cache::KeptCache;
use context::{Run, Signs};
use counters::{Padded, SharedCounters};
use grown::Grown;
use growth::Grower;
use informed::Informed;
use learning::MoveHistory;
use pause::Pause;
use threads::{MOST_PLAYOUTS, Shared, grow};
use tree::{EdgeId, Tree};
use view::View;
use wdl::Rescale;

/// Monte Carlo tree search; `K` is what the game knows, for the evaluator that asks for it.
pub struct Mcts<G: Game, K> {
    knowledge: K,
    options: MctsOptions,
    tree: Tree,
    grown: Option<Grown<G>>,
    cache: KeptCache,
    named_evaluator: Option<NamedEvaluator<G>>,
    shared_service: Option<Arc<Service<'static, G>>>,
}

/// Who evaluates leaves in place of the settings, and what trees that are grown by it are known by.
struct NamedEvaluator<G: Game> {
    evaluator: Arc<dyn LeafEvaluator<G>>,
    name: String,
}

impl<G: Game, K: Knowledge<G>> Mcts<G, K> {
    /// A search with its usual settings.
    pub fn new(knowledge: K) -> Mcts<G, K> {
        let options = MctsOptions::default();
        let (tree, cache) = (Tree::new(&options, bounds::Scale::of::<G>()), KeptCache::default());
        Mcts { knowledge, tree, options, grown: None, cache, named_evaluator: None, shared_service: None }
    }

    /// Has all leaves evaluated by this evaluator, such as a network, whatever the settings say; what the game's oracle is certain of it is not
    /// asked. Saved trees go with its name.
    #[must_use]
    pub fn with_evaluator(self, evaluator: Arc<dyn LeafEvaluator<G>>, name: String) -> Mcts<G, K> {
        Mcts { named_evaluator: Some(NamedEvaluator { evaluator, name }), ..self }
    }

    /// Has all leaves evaluated by a service that others may use too, whatever the settings say; `None` to go back to them. A search ends when
    /// the service does, and panics if that was because of a panic.
    pub fn share_service(&mut self, service: Option<Arc<Service<'static, G>>>) {
        self.shared_service = service;
        self.clear();
    }

    fn leaf_evaluator(&self) -> Box<dyn LeafEvaluator<G> + '_> {
        let options = &self.options;
        if let Some(NamedEvaluator { evaluator, .. }) = &self.named_evaluator {
            return Box::new(Informed {
                knowledge: &self.knowledge,
                evaluator,
                uses: options.knowledge_use(),
            });
        }
        let base = Static { knowledge: &self.knowledge, scale: options.static_scale as f32 };
        match options.evaluator {
            EvaluatorKind::Rollouts => Box::new(Rollouts {
                base,
                kind: options.rollout,
                plies: options.rollout_plies,
                tactical_plies: options.tactical_plies,
                policy: options.rollout_policy,
                keeps_moves: options.learns_from_moves(),
            }),
            EvaluatorKind::Static => Box::new(KnowledgeEvaluator { base, uses: options.knowledge_use() }),
            EvaluatorKind::Uniform => self.delayed(Uniform),
            EvaluatorKind::Random => self.delayed(HashRandom { seed: options.seed }),
        }
    }

    /// Asks whoever evaluates the leaves.
    fn asks<R>(&self, question: impl FnOnce(&dyn LeafEvaluator<G>) -> R) -> R {
        match &self.shared_service {
            Some(service) => question(service.evaluator()),
            None => question(&*self.leaf_evaluator()),
        }
    }

    fn delayed(&self, evaluator: impl LeafEvaluator<G> + 'static) -> Box<dyn LeafEvaluator<G>> {
        match self.options.evaluator_delay_us {
            0 => Box::new(evaluator),
            delay => Box::new(Delayed { evaluator, delay: Duration::from_micros(delay) }),
        }
    }

    /// The static evaluation whose values may be in the tree.
    fn evaluation_name(&self) -> Option<&str> {
        if let Some(NamedEvaluator { name, .. }) = &self.named_evaluator {
            return Some(name);
        }
        matches!(self.options.evaluator, EvaluatorKind::Static | EvaluatorKind::Rollouts)
            .then(std::any::type_name::<K>)
    }

    /// A win by force that the game's knowledge finds before the search begins, if that is all that is asked.
    fn forced_win(&self, line: &Line<G>, control: &Control) -> Option<ForcedWin> {
        let options = &self.options;
        let is_asked = control.limits.ask_for_best_alone()
            && (self.named_evaluator.is_some()
                || self.shared_service.is_none() && options.evaluator == EvaluatorKind::Static)
            && options.forced_wins
            && options.forced_win_nodes > 0;
        let nodes = options.forced_win_nodes;
        let is_late = || control.has_used(ForcedWin::MOST_TIME);
        let oracle = self.knowledge.oracle();
        is_asked.then(|| oracle.forced_win(&mut oracle.state(), line.position(), nodes, &is_late))?
    }

    /// What the game's solver finds, if the end is near enough for it.
    fn solved(&self, line: &Line<G>, control: &Control, moves: &[Move]) -> Option<Solved> {
        let (options, oracle, position) = (&self.options, self.knowledge.oracle(), line.position());
        let expected = oracle.solver_nodes(position).filter(|_| {
            let is_played_out = self.named_evaluator.is_none()
                && self.shared_service.is_none()
                && options.evaluator == EvaluatorKind::Rollouts;
            options.endgame_solver
                && options.oracle
                && !is_played_out
                && options.contempt == 0.0
                && options.temperature == 0.0
                && !moves.is_empty()
        })?;
        let visits = control.limits.nodes.into_iter().chain(control.limits.visits).min();
        let nodes = solver_budget(
            expected,
            visits.map(|visits| visits.saturating_mul(SOLVER_NODES_A_SIMULATION)),
            control,
        )?;
        let is_late = || control.has_used(SOLVER_SHARE);
        let (lines, threads) = (control.limits.lines.max(1), options.threads);
        let mebibytes = MEBIBYTES_OF_SOLVER;
        let question = SolverQuestion { moves, lines, threads, mebibytes, nodes, is_late: &is_late };
        Some(oracle.solve(position, &question))
    }

    /// Bytes of memory that the tree uses.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes()
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Mcts<G, K> {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        control.granularity = Granularity::Steps;
        self.knowledge.search_begins();
        let report = self.run(line, control);
        self.knowledge.search_ends();
        report
    }

    fn options(&self) -> &dyn OptionSet {
        &self.options
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.options
    }

    fn grown_tree(&self, plies: usize, least_visits: u64) -> Option<GrownMove> {
        let grown = self.grown.as_ref()?;
        let rescale = Rescale::new(&grown.options, self.asks(|evaluator| evaluator.tells_draws()));
        let view = View::new(&self.tree, &grown.options, rescale);
        Some(report::grown_tree(&view, grown.last, plies, least_visits))
    }

    fn save_tree(&self, to: &mut dyn Write) -> Result<(), TreeFileError> {
        let grown = self.grown.as_ref().ok_or(TreeFileError::NothingGrown)?;
        saved::save(&self.tree, grown, self.evaluation_name(), to)
    }

    fn load_tree(&mut self, start: &G, from: &mut dyn Read) -> Result<(), TreeFileError> {
        let (tree, grown) = saved::load(start, self.evaluation_name(), &self.options, from)?;
        (self.tree, self.grown) = (tree, Some(grown));
        Ok(())
    }

    fn clear(&mut self) {
        self.grown = None;
        self.cache.clear();
    }
}

impl<G: Game, K: Knowledge<G>> Mcts<G, K> {
    /// Searches below a root that earlier searches may have known.
    fn run(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        let moves = root_moves(line, control.limits);
        if !moves.is_empty()
            && let Some(win) = self.forced_win(line, control)
        {
            control.finish(StopReason::Solved);
            return report::won::<G>(win, control);
        }
        if let Some(solved) = self.solved(line, control, &moves).filter(|solved| !solved.lines.is_empty()) {
            control.finish(StopReason::Solved);
            return report::solved::<G>(solved, control);
        }
        let mut grower = Grower::default();
        let options = self.options.with_contempt_for(line.position().to_move(), control.limits.infinite);
        let root = match moves.is_empty() {
            true => None,
            false => Grown::root(&mut self.grown, &mut self.tree, line, &moves, &options, &mut grower),
        };
        let Some(root) = root else {
            control.finish(StopReason::GameOver);
            return report::nothing(control);
        };
        let tells_moves_left = self.asks(|evaluator| evaluator.tells_moves_left());
        self.tree.prepare(self.options.threads == 1, tells_moves_left);
        self.tree.set_amaf(self.options.rave);
        self.cache.prepare(&self.options);
        // Should a thread panic, nobody comes back to the positions it has left.
        let grown = self.grown.take();
        let roots = grown.as_ref().map_or_else(Vec::new, Grown::roots);
        let report = self.search_below((root, roots), &moves, &options, line, control);
        self.grown = grown;
        report
    }

    /// Searches from a root in the tree, with all threads; with the roots that are kept.
    fn search_below(
        &self,
        (root, roots): (EdgeId, Vec<EdgeId>),
        moves: &[Move],
        options: &MctsOptions,
        line: &Line<G>,
        control: &mut Control,
    ) -> Report {
        let own = self.leaf_evaluator();
        let shared_service = self.shared_service.as_deref();
        let threads = if shared_service.is_some() { 0 } else { options.evaluation_threads };
        let own_service = (threads > 0).then(|| Service::new(&*own));
        let service = shared_service.or(own_service.as_ref());
        let evaluator = service.map_or(&*own, |service| service.evaluator());
        control.reused = u64::from(self.tree.stats(root).visits);
        let most = MOST_PLAYOUTS.saturating_sub(control.reused);
        let nodes = control.limits.nodes.unwrap_or(most).min(most);
        let visits =
            control.limits.visits.map_or(MOST_PLAYOUTS, |most| most.saturating_sub(control.reused).max(1));
        let (batch_size, cache) = (options.leaves_at_once(evaluator.batch_size()), self.cache.get());
        let evaluates_at_once = batch_size == 1 && service.is_none() && cache.is_none();
        let context = SearchContext {
            cache,
            steered_lines: if options.multipv_steers { control.limits.lines.max(1) } else { 1 },
            evaluates_at_once,
            ..SearchContext::new(options, evaluator)
        };
        let (signs, move_history) = (Signs::default(), options.history_ordering.then(MoveHistory::new));
        let run = Run {
            context: &context,
            tree: &self.tree,
            line,
            root,
            root_moves: Some(moves),
            root_plan: None,
            move_history: move_history.as_ref(),
            signs: &signs,
        };
        let shared = Shared {
            run,
            root_moves: moves,
            roots,
            batch_size: (!evaluates_at_once).then_some(batch_size),
            service,
            counted_before: service.map(|service| service.counted()).unwrap_or_default(),
            most_playouts: most,
            remaining: Padded(AtomicU64::new(nodes.min(visits))),
            counters: SharedCounters::new(options.threads),
            stop: AtomicBool::new(false),
            pause: Pause::default(),
        };
        match &own_service {
            Some(service) => service.serve(threads, options.seed, || grow(&shared, control)),
            None => grow(&shared, control),
        }
        let failure = service.and_then(Service::failure);
        assert!(
            failure.is_some() || !service.is_some_and(|service| service.is_broken()),
            "the evaluator of a service has panicked"
        );
        failure.into_iter().for_each(|error| signs.fail(error));
        snapshot::show(&shared, control, true);
        report::final_report(&shared, control)
    }
}
