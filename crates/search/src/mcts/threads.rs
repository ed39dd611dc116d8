//! The threads of one search: all send playouts down the same tree, and the first one says when to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;

use outplay_core::{Game, Move};

use super::context::Run;
use super::counters::{Padded, SharedCounters, ThreadCounters};
use super::options::FinalMove;
use super::pause::Pause;
use super::report;
use super::service::Service;
use super::snapshot::Watch;
use super::state::Stage;
use super::tree::EdgeId;
use super::worker::Worker;
use crate::stop::{Completed, MemoryUse, Progress, RootMoves};
use crate::{BatchUse, CacheUse, Control, StopReason};

/// For each playout that a thread sends through the top of the tree at a time, the root has so many visits for each thread: so these playouts
/// are too few to go another way than one after the other.
const BULK_VISITS: u64 = 256;
/// As many as a thread sends at a time.
const MOST_IN_BULK: u64 = 32;

/// What all threads of a search see.
pub(super) struct Shared<'a, G: Game> {
    pub run: Run<'a, G>,
    /// The moves that are looked at from the root.
    pub root_moves: &'a [Move],
    /// The root and those of earlier searches, which are kept.
    pub roots: Vec<EdgeId>,
    /// How many leaves are gathered at a time; `None` if leaves are evaluated one by one, so that it makes no difference to the evaluator.
    pub batch_size: Option<u64>,
    /// Where leaves are evaluated; `None` if each thread evaluates its own.
    pub service: Option<&'a Service<'a, G>>,
    /// What the service had done before.
    pub counted_before: BatchUse,
    /// As many playouts as can be counted.
    pub most_playouts: u64,
    /// Playouts that may still be begun, and that no thread has reserved.
    pub remaining: Padded<AtomicU64>,
    pub counters: SharedCounters,
    pub stop: AtomicBool,
    pub pause: Pause,
}

impl<G: Game> Shared<'_, G> {
    /// How many threads there are.
    pub fn threads(&self) -> u64 {
        self.run.context.options.threads as u64
    }

    /// How many leaves are gathered at a time. Where it makes no difference to the evaluator, several threads send more than one playout through the top
    /// of a large tree at a time, so that they seldom meet there.
    pub fn leaves_at_once(&self) -> u64 {
        match (self.batch_size, self.threads()) {
            (Some(size), _) => size,
            (None, 1) => 1,
            (None, threads) => (u64::from(self.run.tree.visits(self.run.root)) / (threads * BULK_VISITS))
                .clamp(1, MOST_IN_BULK),
        }
    }

    /// What the cache has done so far; `None` if there is none.
    pub fn cache_use(&self) -> Option<CacheUse> {
        self.run.context.cache.map(|_| self.counters.sum().cache)
    }
}

/// Lets the tree grow, with as many threads as the settings say, until the search is to end.
pub(super) fn grow<G: Game>(shared: &Shared<G>, control: &mut Control) {
    let mut leader = Worker::new(shared, 0);
    leader.evaluate_root();
    std::thread::scope(|scope| {
        let stopping = Stopping(&shared.stop);
        let spawn = |number| {
            scope.spawn(move || {
                let _stopping = Stopping(&shared.stop);
                let mut worker = Worker::new(shared, number);
                while !shared.stop.load(Ordering::Relaxed) {
                    if shared.wants_pause() {
                        worker.wait();
                    } else if worker.run_batches() == 0 {
                        std::thread::yield_now();
                    }
                }
                worker.finish();
            })
        };
        let others: Vec<_> = (1..shared.threads() as usize).map(spawn).collect();
        lead(shared, &mut leader, control);
        drop(stopping);
        leader.finish();
        others.into_iter().for_each(join);
    });
}

/// Waits for a thread, and passes its panic on.
pub(super) fn join(thread: ScopedJoinHandle<()>) {
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
pub(super) const MOST_PLAYOUTS: u64 = 1 << 31;

/// The first thread asks all stoppers after so many playouts, and then whenever their number has grown by a sixteenth: at the same
/// playouts every time, so that one thread is stopped at the same one.
const FIRST_STEP: u64 = 64;

/// What the first thread does besides its own playouts: it reports and says when to stop.
fn lead<G: Game>(shared: &Shared<G>, worker: &mut Worker<G>, control: &mut Control) {
    let (mut next_step, mut next_report) = (1, 256);
    let mut watch = Watch::default();
    loop {
        let ended = worker.run_batches();
        let playouts = shared.counters.playouts();
        let is_proven =
            shared.run.tree.state(shared.run.tree.link(shared.run.root).node).stage() == Stage::Settled;
        let is_full = shared.run.signs.full.load(Ordering::Relaxed);
        if playouts >= next_step || is_proven || is_full {
            next_step = playouts + (playouts / 16).max(FIRST_STEP);
            if ask_all(shared, control, worker.batches, is_proven) {
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
        if is_full && !worker.recycle() {
            control.finish(StopReason::Memory);
            return;
        }
        // Nobody will evaluate any more, or another thread has panicked.
        if shared.stop.load(Ordering::Relaxed) {
            let has_failed = shared.run.signs.has_failed()
                || shared.service.is_some_and(|service| service.failure().is_some());
            control.finish(if has_failed { StopReason::EvaluatorFailed } else { StopReason::Stopped });
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
    let ThreadCounters { playouts, plies, .. } = shared.counters.sum();
    let depth = plies as f64 / playouts.max(1) as f64;
    let exact = is_proven.then_some(Completed {
        depth: depth as u32,
        wins_seen: 0,
        value: root.value,
        exact: true,
        patience: 1.0,
    });
    let limit =
        shared.run.context.options.ram_limit().filter(|_| !shared.run.context.options.ram_limit_recycles);
    let stops = control.should_stop_at(&Progress {
        nodes: playouts,
        batches,
        average_depth: Some(depth),
        shortest_win: root.shortest_win,
        memory: limit.map(|limit| MemoryUse { used: shared.run.tree.bytes(), limit }),
        root: Some(RootMoves {
            visits: &root.visits,
            losing: root.losing,
            winning: root.winning,
            disputed: root.disputed,
            beyond_visits: shared.run.context.options.final_move != FinalMove::Visits
                || shared.run.context.steered_lines > 1,
        }),
        completed: exact,
    });
    let hints = control.hints();
    shared.run.signs.to_come.store(hints.remaining_playouts.unwrap_or(u64::MAX), Ordering::Relaxed);
    shared.run.signs.out_of_reach.store(hints.out_of_reach.unwrap_or(u64::MAX), Ordering::Relaxed);
    stops
}
