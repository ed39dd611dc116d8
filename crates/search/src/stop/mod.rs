//! When to stop: one chain of stoppers for every search.
//!
//! A [`Stopper`] sees the [`Statistics`] of the search and says stop with a reason. Stoppers are asked in the order of
//! this table; the first that speaks is named in the final report. They may also leave [`Hints`], above all how long it
//! is safe not to ask again, which keeps the chain out of the hot path.
//!
//! | reason | stops as soon as | there if |
//! |---|---|---|
//! | `Stopped` | [`Signals::stop`] was called | always |
//! | `Memory` | the search uses as much memory as it may, by its own measure | always, for searches that measure |
//! | `Nodes` | nodes of this search ≥ [`Limits::nodes`] | not infinite |
//! | `Visits` | nodes of this search + visits kept from earlier ones ≥ [`Limits::visits`] | not infinite |
//! | `Time` | own time ≥ [`Limits::move_time`] − overhead, or what the [`TimeManager`] grants of [`Limits::clock`] (see [`Granularity`]) | not infinite; sleeps while pondering |
//! | `Mate` | a win is proven within [`Limits::mate`] moves (two plies a move) | not infinite |
//! | `NoMate` | no win of that length can have been missed ([`Completed::wins_seen`]) | likewise; not for searches in steps |
//! | `Depth` | an iteration of [`Limits::depth`] is complete, or the average depth of a tree is as large | not infinite |
//! | `Solved` | the value is exact | always |
//! | `Settled` | over the last `kld_interval` visits or more, the root's visits p have changed to q with Σ p·ln(p/q) < `minimum_kld_gain` a visit | `minimum_kld_gain` > 0; neither infinite nor mate; sleeps while pondering |
//! | `WinProven` | a root move is proven to win | smart pruning |
//! | `OnlyMove` | there is one root move | smart pruning |
//! | `OthersLose` | all root moves but one are proven to lose | smart pruning |
//! | `Unassailable` | playouts left ÷ `smart_pruning_factor` < lead of the most visited root move over the second, after `smart_pruning_minimum_batches` batches and, where time is limited, 200 ms after the first node | smart pruning |
//!
//! Smart pruning is there if `smart_pruning_factor` > 0 and time, nodes or visits are limited, but neither in an infinite
//! search nor in one for a mate; it sleeps while pondering. It and `Settled` read the visits of the root's moves, so that
//! only searches that tell them ([`Progress::root`]) are stopped so. Where nodes or visits are limited and time is not,
//! nothing in the chain reads the clock: such a search stops at the same node every time.
//!
//! The other reasons ([`StopReason`]) are those that a search finds itself.
//!
//! [`Limits::nodes`]: crate::Limits::nodes
//! [`Limits::visits`]: crate::Limits::visits
//! [`Limits::move_time`]: crate::Limits::move_time
//! [`Limits::clock`]: crate::Limits::clock
//! [`Limits::mate`]: crate::Limits::mate
//! [`Limits::depth`]: crate::Limits::depth

mod chain;
mod counts;
mod doubt;
mod goals;
mod manager;
mod options;
mod pruning;
mod settled;
mod signals;
mod statistics;
mod time;

pub use chain::stoppers_for;
pub use manager::{Budget, Spent, TimeManager, Turn};
pub use options::{StopOptions, TimeManagement};
pub use signals::Signals;
pub use statistics::{Completed, Granularity, Hints, MemoryUse, Progress, RootMoves, Statistics};

use crate::StopReason;

/// One reason to stop.
pub trait Stopper: Send {
    /// Whether to stop now, and why.
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason>;
}
