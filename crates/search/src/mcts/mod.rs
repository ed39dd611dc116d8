//! Monte Carlo tree search: one search for UCT with random games and for PUCT with a policy.
//!
//! A playout goes down the tree, at each position to the move that looks best by value, prior and visits; the leaf that it
//! reaches is judged; the value goes back up. Playouts are sent in batches: at each position, as many as will go to the same
//! move are sent there together, so that a batch walks through the upper tree once. Those on their way count as visits
//! without a value, which sends others elsewhere; those that meet at a leaf which is not judged yet are called back.

mod amaf;
mod arena;
mod bounds;
mod cache;
mod chance;
mod check;
mod collisions;
mod delayed;
mod evaluate;
mod graph;
mod grown;
mod growth;
mod learning;
mod marks;
mod options;
mod pause;
mod prior;
mod proofs;
mod release;
mod report;
mod rollout;
mod room;
mod root;
mod saved;
mod score_type;
mod sealed;
mod select;
mod service;
mod shared;
mod sighted;
mod snapshot;
mod state;
mod tally;
#[cfg(test)]
mod tests;
mod transpositions;
mod tree;
mod uct;
mod utility;
mod view;
mod wdl;
mod worker;

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use outplay_core::{Game, Line, Move};

pub use delayed::Delayed;
pub use evaluate::{
    BatchEvaluator, EvaluationError, HashRandom, Judgement, Leaf, LeafEvaluator, LeftOut, Static, Uniform,
};
pub use options::{
    ContemptMode, FinalMove, FpuStrategy, Judge, MctsOptions, RolloutKind, RootFpuStrategy, Selection,
};
pub use rollout::Rollouts;
pub use score_type::ScoreType;
pub use service::{Client, Gone, Patience, Service, Ticket};
pub use sighted::{Sight, Sighted};

use crate::stop::{Completed, MemoryUse, Pace, Progress, RootMoves};
use crate::textbook::root_moves;
use crate::{
    Control, ForcedWin, GrownMove, Knowledge, OptionSet, Oracle, Report, Search, StopReason, TreeFileError,
};
use cache::KeptCache;
use grown::Grown;
use growth::Grower;
use learning::MoveHistory;
use pause::Pause;
use shared::Shared;
use snapshot::Watch;
use state::Stage;
use tree::{EdgeId, Tree};
use uct::PlainUct;
use utility::Utility;
use view::View;
use wdl::Rescale;
use worker::Worker;

/// Monte Carlo tree search; `K` is what the game knows, for the judge who asks for it.
pub struct Mcts<G: Game, K> {
    knowledge: K,
    options: MctsOptions,
    tree: Tree,
    grown: Option<Grown<G>>,
    cache: KeptCache,
    shared_service: Option<Arc<Service<'static, G>>>,
}

impl<G: Game, K: Knowledge<G>> Mcts<G, K> {
    /// A search with its usual settings.
    pub fn new(knowledge: K) -> Mcts<G, K> {
        let options = MctsOptions::default();
        let (tree, cache) = (Tree::new(&options), KeptCache::default());
        Mcts { knowledge, tree, options, grown: None, cache, shared_service: None }
    }

    /// Has all leaves judged by a service that others may use too, whatever the settings say; `None` to go back to them. A search ends when
    /// the service does, and panics if that was because of a panic.
    pub fn share_service(&mut self, service: Option<Arc<Service<'static, G>>>) {
        self.shared_service = service;
        self.clear();
    }

    fn judge(&self) -> Box<dyn LeafEvaluator<G> + '_> {
        let options = &self.options;
        let judge = Static { knowledge: &self.knowledge, scale: options.static_scale as f32 };
        match options.evaluator {
            Judge::Rollouts => Box::new(Rollouts {
                judge,
                kind: options.rollout,
                plies: options.rollout_plies as u32,
                tactical_plies: options.tactical_plies as u32,
                policy: options.rollout_policy,
                keeps_moves: options.learns_from_moves(),
            }),
            Judge::Static => Box::new(Sighted { judge, sight: options.sight() }),
            Judge::Uniform => self.delayed(Uniform),
            Judge::Random => self.delayed(HashRandom { seed: options.seed as u64 }),
        }
    }

    fn delayed(&self, evaluator: impl LeafEvaluator<G> + 'static) -> Box<dyn LeafEvaluator<G>> {
        match self.options.evaluator_delay_us.unsigned_abs() {
            0 => Box::new(evaluator),
            delay => Box::new(Delayed { evaluator, delay: Duration::from_micros(delay) }),
        }
    }

    /// The static evaluation whose values may be in the tree.
    fn evaluation_name(&self) -> Option<&'static str> {
        matches!(self.options.evaluator, Judge::Static | Judge::Rollouts).then(std::any::type_name::<K>)
    }

    /// A win by force that the game's knowledge finds before the search begins, if that is all that is asked.
    fn forced_win(&self, line: &Line<G>, control: &Control) -> Option<ForcedWin> {
        let options = &self.options;
        let is_asked = control.limits.ask_for_best_alone()
            && self.shared_service.is_none()
            && options.evaluator == Judge::Static
            && options.forced_wins
            && options.forced_win_nodes > 0;
        let nodes = options.forced_win_nodes as u64;
        let is_late = || control.has_used(ForcedWin::MOST_TIME);
        let oracle = self.knowledge.oracle();
        is_asked.then(|| oracle.forced_win(&mut oracle.state(), line.position(), nodes, &is_late))?
    }

    /// Bytes of memory that the tree uses.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes()
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Mcts<G, K> {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        control.pace = Pace::Steps;
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
        let view = View::new(&self.tree, &grown.options);
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

/// Whether all that was begun has come to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Complete,
    /// Some positions of the tree will never be judged.
    Abandoned,
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
        let tells_moves_left = match &self.shared_service {
            Some(service) => service.evaluator().tells_moves_left(),
            None => self.judge().tells_moves_left(),
        };
        self.tree.prepare(self.options.threads == 1, tells_moves_left);
        self.tree.set_amaf(self.options.rave);
        self.cache.prepare(&self.options);
        // A tree with positions that nobody has come back to judge is of no use to later searches.
        let grown = self.grown.take();
        let roots = grown.as_ref().map_or_else(Vec::new, Grown::roots);
        let (report, ending) = self.search_below((root, roots), &moves, &options, line, control);
        if ending == Ending::Complete {
            self.grown = grown;
        }
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
    ) -> (Report, Ending) {
        let judge = self.judge();
        let shared_service = self.shared_service.as_deref();
        let threads = if shared_service.is_some() { 0 } else { options.evaluation_threads as usize };
        let own_service = (threads > 0).then(|| Service::new(&*judge));
        let service = shared_service.or(own_service.as_ref());
        let evaluator = service.map_or(&*judge, |service| service.evaluator());
        control.reused = u64::from(self.tree.stats(root).visits);
        let most = MOST_PLAYOUTS.saturating_sub(control.reused);
        let nodes = control.limits.nodes.unwrap_or(most).min(most);
        let visits =
            control.limits.visits.map_or(MOST_PLAYOUTS, |most| most.saturating_sub(control.reused).max(1));
        let utility = Utility::new(options, evaluator.tells_moves_left());
        let shared = Shared {
            tree: &self.tree,
            options,
            root_options: options.at_root(),
            plain_uct: PlainUct::new(options, &utility),
            utility,
            rescale: Rescale::new(options),
            evaluator,
            wants_moves: evaluator.wants_moves(),
            leaves_at_once: options.leaves_at_once(evaluator.batch_size()),
            service,
            counted_before: service.map(|service| service.counted()).unwrap_or_default(),
            cache: self.cache.get(),
            cache_lookups: AtomicU64::new(0),
            cache_hits: AtomicU64::new(0),
            move_history: options.history_ordering.then(MoveHistory::new),
            line,
            root_moves: moves,
            root,
            roots,
            steered_lines: if options.multipv_steers { control.limits.lines.max(1) } else { 1 },
            to_come: AtomicU64::new(u64::MAX),
            out_of_reach: AtomicU64::new(u64::MAX),
            remaining: AtomicU64::new(nodes.min(visits)),
            playouts: AtomicU64::new(0),
            most_playouts: most,
            judged: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            deepest: AtomicU64::new(0),
            full: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            pause: Pause::default(),
            failure: Mutex::default(),
        };
        match &own_service {
            Some(service) => service.serve(threads, options.seed as u64, || grow(&shared, control)),
            None => grow(&shared, control),
        }
        assert!(
            !service.is_some_and(|service| service.is_broken()),
            "the evaluator of a service has panicked"
        );
        snapshot::show(&shared, control, true);
        let ending =
            if shared.abandoned.load(Ordering::Relaxed) { Ending::Abandoned } else { Ending::Complete };
        (report::final_report(&shared, control), ending)
    }
}

/// Lets the tree grow, with as many threads as the settings say, until the search is to end.
fn grow<G: Game>(shared: &Shared<G>, control: &mut Control) {
    let mut leader = Worker::new(shared, 0);
    leader.judge_root();
    std::thread::scope(|scope| {
        let stopping = Stopping(&shared.stop);
        let spawn = |number| {
            scope.spawn(move || {
                let _stopping = Stopping(&shared.stop);
                let mut worker = Worker::new(shared, number);
                while !shared.stop.load(Ordering::Relaxed) {
                    if shared.wants_pause() {
                        worker.wait();
                    } else if worker.run_batch() == 0 {
                        std::thread::yield_now();
                    }
                }
                worker.finish();
            })
        };
        let others: Vec<_> = (1..shared.options.threads as u64).map(spawn).collect();
        lead(shared, &mut leader, control);
        drop(stopping);
        leader.finish();
        others.into_iter().for_each(join);
    });
}

/// Waits for a thread, and passes its panic on.
fn join(thread: ScopedJoinHandle<()>) {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// Stops all threads when one of them ends, in whatever way: they wait for each other.
struct Stopping<'a>(&'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// As many playouts as an edge can count.
const MOST_PLAYOUTS: u64 = 1 << 31;

/// The first thread asks all stoppers after so many playouts, and then whenever their number has grown by a sixteenth: at the same
/// playouts every time, so that one thread is stopped at the same one.
const FIRST_STEP: u64 = 64;

/// What the first thread does besides its own playouts: it reports and says when to stop.
fn lead<G: Game>(shared: &Shared<G>, worker: &mut Worker<G>, control: &mut Control) {
    let (mut next_step, mut next_report, mut batches) = (1, 256, 0);
    let mut watch = Watch::default();
    loop {
        let ended = worker.run_batch();
        batches += u64::from(ended > 0);
        let playouts = shared.playouts.load(Ordering::Relaxed);
        let is_proven = shared.tree.state(shared.tree.link(shared.root).node).stage() == Stage::Settled;
        let is_full = shared.full.load(Ordering::Relaxed);
        if playouts >= next_step || is_proven || is_full {
            next_step = playouts + (playouts / 16).max(FIRST_STEP);
            if ask_all(shared, control, batches, is_proven) {
                return;
            }
        }
        if playouts >= next_report {
            next_report = 2 * playouts;
            let report = report::report(shared, control);
            control.report(report);
        }
        watch.look(shared, control);
        if control.should_stop(playouts) {
            return;
        }
        if is_full && !worker.make_room() {
            control.finish(StopReason::Memory);
            return;
        }
        // Nobody will judge any more, or another thread has panicked.
        if shared.stop.load(Ordering::Relaxed) {
            control.finish(StopReason::Stopped);
            return;
        }
        if ended == 0 {
            if playouts >= shared.most_playouts {
                control.finish(StopReason::Playouts);
                return;
            }
            // All that may be begun has been begun: others are at it.
            std::thread::yield_now();
        }
    }
}

/// Tells all stoppers how the search stands.
fn ask_all<G: Game>(shared: &Shared<G>, control: &mut Control, batches: u64, is_proven: bool) -> bool {
    let root = report::RootSummary::new(shared);
    let playouts = shared.playouts.load(Ordering::Relaxed);
    let depth = shared.plies.load(Ordering::Relaxed) as f64 / playouts.max(1) as f64;
    let exact = is_proven.then_some(Completed {
        depth: depth as u32,
        wins_seen: 0,
        value: root.value,
        exact: true,
        patience: 1.0,
    });
    let limit = shared.options.ram_limit().filter(|_| !shared.options.ram_limit_recycles);
    let stops = control.should_stop_at(&Progress {
        nodes: playouts,
        batches,
        average_depth: Some(depth),
        shortest_win: root.shortest_win,
        memory: limit.map(|limit| MemoryUse { used: shared.tree.bytes(), limit }),
        root: Some(RootMoves {
            visits: &root.visits,
            losing: root.losing,
            winning: root.winning,
            disputed: root.disputed,
            beyond_visits: shared.options.final_move != FinalMove::Visits || shared.steered_lines > 1,
        }),
        completed: exact,
    });
    let hints = control.hints();
    shared.to_come.store(hints.remaining_playouts.unwrap_or(u64::MAX), Ordering::Relaxed);
    shared.out_of_reach.store(hints.out_of_reach.unwrap_or(u64::MAX), Ordering::Relaxed);
    stops
}
