//! The stoppers that limits ask for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use outplay_core::{Game, Player};

use super::{Hints, Signals, Statistics, Stopper};
use crate::{Limits, Meaning, StopReason};

/// The chain for a search that begins now: the stop signal first, then what the limits set.
pub fn stoppers_for<G: Game>(
    limits: &Limits,
    mover: Player,
    overhead: Duration,
    signals: &Arc<Signals>,
) -> Vec<Box<dyn Stopper>> {
    let mut chain: Vec<Box<dyn Stopper>> = vec![Box::new(Told(signals.clone()))];
    if limits.infinite {
        chain.push(Box::new(NothingLeft));
        return chain;
    }
    if let Some(most) = limits.nodes {
        chain.push(Box::new(NodeLimit(most)));
    }
    let budget = limits.clock.map(|clock| clock.budget(mover, overhead));
    let (target, most) = match (limits.move_time.map(|time| time.saturating_sub(overhead)), budget) {
        (Some(time), Some(budget)) => (Some(budget.target.min(time)), Some(budget.most.min(time))),
        (Some(time), None) => (None, Some(time)),
        (None, budget) => (budget.map(|b| b.target), budget.map(|b| b.most)),
    };
    if let Some(most) = most {
        let begun = Instant::now();
        chain.push(Box::new(TimeLimit {
            begun,
            target: target.unwrap_or(most),
            most,
            signals: signals.clone(),
        }));
    }
    if let Some(most) = limits.mate {
        chain
            .push(Box::new(WinWithin::<G> { plies: most.saturating_mul(2), game: std::marker::PhantomData }));
    }
    if let Some(most) = limits.depth {
        chain.push(Box::new(DepthLimit(most)));
    }
    chain.push(Box::new(NothingLeft));
    chain
}

struct Told(Arc<Signals>);

impl Stopper for Told {
    fn stop(&mut self, _: &Statistics, _: &mut Hints) -> Option<StopReason> {
        self.0.stopped().then_some(StopReason::Stopped)
    }
}

struct NodeLimit(u64);

impl Stopper for NodeLimit {
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason> {
        hints.quiet_until = hints.quiet_until.min(self.0);
        (statistics.nodes >= self.0).then_some(StopReason::Nodes)
    }
}

struct TimeLimit {
    begun: Instant,
    target: Duration,
    most: Duration,
    signals: Arc<Signals>,
}

impl Stopper for TimeLimit {
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason> {
        let used = self.signals.own_time_since(self.begun)?.elapsed();
        hints.remaining_time = Some(self.most.saturating_sub(used));
        let limit = if statistics.completed.is_some() { self.target } else { self.most };
        (used >= limit).then_some(StopReason::Time)
    }
}

struct DepthLimit(u32);

impl Stopper for DepthLimit {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        statistics.completed.filter(|completed| completed.depth >= self.0).map(|_| StopReason::Depth)
    }
}

struct WinWithin<G> {
    plies: u32,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Game> Stopper for WinWithin<G> {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        match statistics.completed?.score.meaning::<G>() {
            Meaning::WinIn(plies) if plies < self.plies => Some(StopReason::Mate),
            _ => None,
        }
    }
}

struct NothingLeft;

impl Stopper for NothingLeft {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        statistics.completed.filter(|completed| completed.exact).map(|_| StopReason::Solved)
    }
}
