//! The stoppers that limits and settings ask for.

use std::sync::Arc;

use super::counts::{MemoryLimit, NodeLimit, VisitLimit};
use super::goals::{DepthLimit, NothingLeft, WinWithin};
use super::pruning::SmartPruning;
use super::settled::Settled;
use super::time::TimeLimit;
use super::{Budget, Hints, Signals, Statistics, StopOptions, Stopper};
use crate::{Limits, StopReason};

/// The chain for a search that begins now, with its part of the clock if there is one. Smart pruning comes last: it reads
/// the hints of those before it.
pub fn stoppers_for(
    limits: &Limits,
    budget: Option<Budget>,
    options: &StopOptions,
    signals: &Arc<Signals>,
) -> Vec<Box<dyn Stopper>> {
    let mut chain: Vec<Box<dyn Stopper>> = vec![Box::new(Told(signals.clone())), Box::new(MemoryLimit)];
    if limits.infinite {
        chain.push(Box::new(NothingLeft));
        return chain;
    }
    if let Some(most) = limits.nodes {
        chain.push(Box::new(NodeLimit(most)));
    }
    if let Some(most) = limits.visits {
        chain.push(Box::new(VisitLimit(most)));
    }
    if let Some(time) = limits.move_time {
        let most = time.saturating_sub(options.overhead());
        chain.push(Box::new(TimeLimit::new(Budget::fixed(most, most), options)));
    }
    if let Some(budget) = budget {
        chain.push(Box::new(TimeLimit::new(budget, options)));
    }
    if let Some(moves) = limits.mate {
        chain.push(Box::new(WinWithin::moves(moves)));
    }
    if let Some(most) = limits.depth {
        chain.push(Box::new(DepthLimit(most)));
    }
    chain.push(Box::new(NothingLeft));
    // Who asks for a mate wants that and not just the best move.
    if limits.mate.is_none() {
        chain.extend(Settled::new(options).map(|settled| Box::new(settled) as Box<dyn Stopper>));
        let is_limited = limits.nodes.is_some()
            || limits.visits.is_some()
            || limits.move_time.is_some()
            || budget.is_some();
        if is_limited && options.smart_pruning_factor > 0.0 {
            chain.push(Box::new(SmartPruning::new(options)));
        }
    }
    chain
}

/// Stops when told to.
struct Told(Arc<Signals>);

impl Stopper for Told {
    fn stop(&mut self, _: &Statistics, _: &mut Hints) -> Option<StopReason> {
        self.0.stopped().then_some(StopReason::Stopped)
    }
}
