//! A running search's line to the outside: when to stop, and where its reports go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use outplay_core::Player;

use crate::stop::{Completed, Hints, Pace, Signals, Statistics, Stopper, stoppers_for};
use crate::{Limits, Report, StopReason, TimeOptions};

/// Nodes between two looks at the clock while the speed of the search is not known yet.
const FIRST_CHECK: u64 = 16;
/// The clock and the stop signal are looked at about this often.
const CHECK_EVERY: Duration = Duration::from_micros(500);

/// Handed to a search for one run.
pub struct Control<'a> {
    /// The limits of this run.
    pub limits: &'a Limits,
    /// How the search goes about its work; it says so itself, before it begins.
    pub pace: Pace,
    begun: Instant,
    stoppers: Vec<Box<dyn Stopper>>,
    next_check: u64,
    reason: Option<StopReason>,
    sink: &'a mut dyn FnMut(Report),
}

impl<'a> Control<'a> {
    /// For a search that begins now for `mover`; reports go to `sink`.
    pub fn new(
        mover: Player,
        limits: &'a Limits,
        options: &TimeOptions,
        signals: &Arc<Signals>,
        sink: &'a mut dyn FnMut(Report),
    ) -> Control<'a> {
        let stoppers = stoppers_for(limits, mover, options, signals);
        Control {
            limits,
            pace: Pace::AtOnce,
            begun: Instant::now(),
            stoppers,
            next_check: 0,
            reason: None,
            sink,
        }
    }

    /// Whether to stop; to be asked at every node, after counting it. Once true, always true.
    #[inline]
    pub fn should_stop(&mut self, nodes: u64) -> bool {
        nodes >= self.next_check && self.ask(nodes, None)
    }

    /// Whether to stop instead of beginning another iteration.
    pub fn should_stop_after(&mut self, nodes: u64, completed: Completed) -> bool {
        self.ask(nodes, Some(completed))
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

    /// Sends a report.
    pub fn report(&mut self, report: Report) {
        (self.sink)(report);
    }

    #[cold]
    fn ask(&mut self, nodes: u64, completed: Option<Completed>) -> bool {
        if self.reason.is_some() {
            return true;
        }
        let elapsed = self.elapsed();
        let statistics = Statistics { nodes, pace: self.pace, completed };
        // The pace follows the speed of the search: slow simulations are watched more closely.
        let per_check = nodes as f64 * CHECK_EVERY.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
        let pace = if nodes < FIRST_CHECK { FIRST_CHECK } else { (per_check as u64).clamp(1, 1 << 16) };
        let mut hints = Hints { quiet_until: nodes + pace, remaining_time: None };
        self.reason = self.stoppers.iter_mut().find_map(|stopper| stopper.stop(&statistics, &mut hints));
        if let Some(left) = hints.remaining_time.filter(|&left| left < 4 * CHECK_EVERY) {
            let share = left.as_secs_f64() / (4.0 * CHECK_EVERY.as_secs_f64());
            hints.quiet_until = hints.quiet_until.min(nodes + 1 + (pace as f64 * share) as u64);
        }
        self.next_check = if self.reason.is_some() { 0 } else { hints.quiet_until };
        self.reason.is_some()
    }
}
