//! A running search's line to the outside: when to stop, and where its reports go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use outplay_core::Player;

use crate::stop::{
    Budget, Completed, Granularity, Hints, Progress, Signals, Spent, Statistics, StopOptions, Stopper,
    TimeManager, Turn, stoppers_for,
};
use crate::trace::Watcher;
use crate::{Limits, Report, StopReason};

/// Nodes between two looks at the clock while the speed of the search is not known yet.
const FIRST_CHECK: u64 = 16;
/// The clock and the stop signal are looked at about this often.
const CHECK_EVERY: Duration = Duration::from_micros(500);

/// Handed to a search for one run.
pub struct Control<'a> {
    /// The limits of this run.
    pub limits: &'a Limits,
    /// How the search goes about its work; it says so itself, before it begins.
    pub granularity: Granularity,
    /// Visits that the search's tree holds from earlier searches; it says so itself, before it begins.
    pub reused: u64,
    /// Who wants to see the tree, if anybody does.
    pub watcher: Option<Watcher<'a>>,
    begun: Instant,
    first_node: Option<Instant>,
    signals: Arc<Signals>,
    stoppers: Vec<Box<dyn Stopper>>,
    /// What the search should take and what it may take at the very most, if time is limited.
    time: Option<[Duration; 2]>,
    hints: Hints,
    next_check: u64,
    reason: Option<StopReason>,
    sink: &'a mut dyn FnMut(Report),
}

impl<'a> Control<'a> {
    /// For a search by itself that begins now for `mover`; reports go to `sink`.
    pub fn new(
        mover: Player,
        limits: &'a Limits,
        options: &StopOptions,
        signals: &Arc<Signals>,
        sink: &'a mut dyn FnMut(Report),
    ) -> Control<'a> {
        let turn = Turn { mover, ply: 0 };
        let budget = limits.clock.map(|clock| TimeManager::default().budget(&clock, turn, options));
        Control::within(budget, limits, options, signals, sink)
    }

    /// For a search in a game, which begins now with its part of the game's clock, if there is one.
    pub fn within(
        budget: Option<Budget>,
        limits: &'a Limits,
        options: &StopOptions,
        signals: &Arc<Signals>,
        sink: &'a mut dyn FnMut(Report),
    ) -> Control<'a> {
        Control {
            limits,
            granularity: Granularity::default(),
            reused: 0,
            watcher: None,
            begun: Instant::now(),
            first_node: None,
            signals: signals.clone(),
            stoppers: stoppers_for(limits, budget, options, signals),
            time: budget
                .map(|budget| [budget.share(0), budget.most])
                .or(limits.move_time.map(|time| [time, time]))
                .filter(|_| !limits.infinite),
            hints: Hints::default(),
            next_check: 0,
            reason: None,
            sink,
        }
    }

    /// Whether to stop; to be asked at every node, after counting it. Once true, always true.
    #[inline]
    pub fn should_stop(&mut self, nodes: u64) -> bool {
        nodes >= self.next_check && self.ask(Progress { nodes, ..Progress::default() })
    }

    /// Whether to stop instead of beginning another iteration.
    pub fn should_stop_after(&mut self, nodes: u64, completed: Completed) -> bool {
        self.ask(Progress { nodes, completed: Some(completed), ..Progress::default() })
    }

    /// Whether to stop, for a search that goes in steps and has more to tell. All stoppers are asked, however soon; one
    /// that calls this at fixed numbers of nodes is stopped at the same node every time, unless time is limited.
    pub fn should_stop_at(&mut self, progress: &Progress) -> bool {
        self.ask(*progress)
    }

    /// What the stoppers hinted when they were last asked; nothing before that.
    pub fn hints(&self) -> &Hints {
        &self.hints
    }

    /// Stops the search for a reason of its own.
    pub fn finish(&mut self, reason: StopReason) {
        self.reason.get_or_insert(reason);
        self.next_check = 0;
    }

    /// Why the search stops; `None` while it goes on.
    pub fn reason(&self) -> Option<StopReason> {
        self.reason
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether so large a part of its time is gone, or somebody has told it to stop: for what is done before the search itself begins, which will
    /// have something to say in any case.
    pub fn has_used(&self, part: f64) -> bool {
        self.is_past(|[share, _]| share.mul_f64(part))
    }

    /// So large a part of its time; none if time is not limited, or not its own yet.
    pub(crate) fn share_of_time(&self, part: f64) -> Option<Duration> {
        self.own_time()?;
        self.time.map(|[share, _]| share.mul_f64(part))
    }

    /// Whether all of its time is gone, or somebody has told it to stop: for what takes long within a node.
    pub fn is_out_of_time(&self) -> bool {
        self.is_past(|[_, most]| most)
    }

    fn is_past(&self, limit: impl Fn([Duration; 2]) -> Duration) -> bool {
        let is_late = |(time, used): ([Duration; 2], Duration)| used >= limit(time);
        self.signals.stopped() || self.time.zip(self.own_time()).is_some_and(is_late)
    }

    /// What the search has used, with so many nodes in all; `None` if it only pondered.
    pub fn spent(&self, nodes: u64) -> Option<Spent> {
        self.own_time().map(|time| Spent { time, nodes, reused: self.reused })
    }

    /// Sends a report.
    pub fn report(&mut self, report: Report) {
        (self.sink)(report);
    }

    /// The time since the search's own time began; `None` while it ponders.
    fn own_time(&self) -> Option<Duration> {
        self.signals.own_time_since(self.begun).map(|began| began.elapsed())
    }

    #[cold]
    fn ask(&mut self, progress: Progress) -> bool {
        if self.reason.is_some() {
            return true;
        }
        let nodes = progress.nodes;
        if nodes > 0 {
            self.first_node.get_or_insert_with(Instant::now);
        }
        let statistics = Statistics {
            progress,
            reused: self.reused,
            own_time: self.own_time(),
            since_first_node: self.first_node.map_or(Duration::ZERO, |first| first.elapsed()),
            granularity: self.granularity,
        };
        // The pace follows the speed of the search: slow simulations are watched more closely.
        let per_check = nodes as f64 * CHECK_EVERY.as_secs_f64() / self.elapsed().as_secs_f64().max(1e-9);
        let pace = if nodes < FIRST_CHECK { FIRST_CHECK } else { (per_check as u64).clamp(1, 1 << 16) };
        let mut hints = Hints { quiet_until: nodes + pace, ..Hints::default() };
        self.reason = self.stoppers.iter_mut().find_map(|stopper| stopper.stop(&statistics, &mut hints));
        if let Some(left) = hints.remaining_time.filter(|&left| left < 4 * CHECK_EVERY) {
            let share = left.as_secs_f64() / (4.0 * CHECK_EVERY.as_secs_f64());
            hints.quiet_until = hints.quiet_until.min(nodes + 1 + (pace as f64 * share) as u64);
        }
        self.next_check = if self.reason.is_some() { 0 } else { hints.quiet_until };
        self.hints = hints;
        self.reason.is_some()
    }
}
