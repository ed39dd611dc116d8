//! When to stop: one chain of stoppers for every search.
//!
//! A [`Stopper`] sees the statistics of the search and says stop with a reason. Stoppers are asked in order; the
//! first that speaks is named in the final report. They may also leave hints, above all how long it is safe not to
//! ask again, which keeps the chain out of the hot path.

mod chain;
mod signals;

pub use chain::stoppers_for;
pub use signals::Signals;

use std::time::Duration;

use crate::{Meaning, StopReason};

/// What the stoppers know of a search.
#[derive(Clone, Copy, Debug)]
pub struct Statistics {
    /// Nodes so far.
    pub nodes: u64,
    /// How the search goes about it.
    pub pace: Pace,
    /// The iteration that was just completed; `None` in the middle of one.
    pub completed: Option<Completed>,
}

/// How a search uses its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// All at once: an answer is there at the end, or a poor one when it is cut off.
    AtOnce,
    /// In iterations, each much longer than the last; the first is always finished, and none is begun that has little
    /// hope to be.
    Iterations,
    /// In small steps: an answer is there at any time.
    Steps,
}

/// A completed iteration of a search that deepens, or a stage of one that goes in steps.
#[derive(Clone, Copy, Debug)]
pub struct Completed {
    /// Its depth in plies.
    pub depth: u32,
    /// The value of the best move.
    pub value: Meaning,
    /// Whether every line was followed to the end of the game, so that a deeper search would find the same.
    pub exact: bool,
}

/// What stoppers tell each other and the search.
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    /// No stopper that counts nodes has anything to say before this count.
    pub quiet_until: u64,
    /// The time that is left, if time is limited.
    pub remaining_time: Option<Duration>,
}

/// One reason to stop.
pub trait Stopper: Send {
    /// Whether to stop now, and why.
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason>;
}
