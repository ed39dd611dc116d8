//! The stoppers that limits ask for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use outplay_core::Player;

use super::{Hints, Pace, Signals, Statistics, Stopper};
use crate::{Limits, Meaning, StopReason, TimeOptions};

/// The chain for a search that begins now: the stop signal first, then what the limits set.
pub fn stoppers_for(
    limits: &Limits,
    mover: Player,
    options: &TimeOptions,
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
    if let Some(time) = limits.move_time {
        let most = time.saturating_sub(options.overhead());
        chain.push(Box::new(TimeLimit::new(most, most, signals)));
    }
    if let Some(budget) = limits.clock.map(|clock| clock.budget(mover, options)) {
        chain.push(Box::new(TimeLimit::new(budget.share, budget.most, signals)));
    }
    if let Some(moves) = limits.mate {
        chain.push(Box::new(WinWithin { plies: moves.saturating_mul(2) }));
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
    share: Duration,
    most: Duration,
    has_answer: bool,
    signals: Arc<Signals>,
}

impl TimeLimit {
    fn new(share: Duration, most: Duration, signals: &Arc<Signals>) -> TimeLimit {
        TimeLimit { begun: Instant::now(), share, most, has_answer: false, signals: signals.clone() }
    }
}

impl Stopper for TimeLimit {
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason> {
        let used = self.signals.own_time_since(self.begun)?.elapsed();
        self.has_answer |= statistics.completed.is_some();
        let limit = match statistics.pace {
            Pace::Steps => self.share,
            Pace::AtOnce => self.most,
            // The first iteration is short, and without it there is nothing to say.
            Pace::Iterations if !self.has_answer => return None,
            // An iteration that is begun with half of the share gone will hardly end within it.
            Pace::Iterations if statistics.completed.is_some() && self.share < self.most => self.share / 2,
            Pace::Iterations => self.most,
        };
        let left = limit.saturating_sub(used);
        hints.remaining_time = Some(hints.remaining_time.map_or(left, |other| other.min(left)));
        (used >= limit).then_some(StopReason::Time)
    }
}

struct DepthLimit(u32);

impl Stopper for DepthLimit {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        statistics.completed.filter(|completed| completed.depth >= self.0).map(|_| StopReason::Depth)
    }
}

struct WinWithin {
    plies: u32,
}

impl Stopper for WinWithin {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        let completed = statistics.completed?;
        match completed.value {
            Meaning::WinIn(plies) if plies < self.plies => Some(StopReason::Mate),
            // All that could be such a win has been looked at.
            _ if statistics.pace != Pace::Steps && completed.depth + 1 >= self.plies => {
                Some(StopReason::NoMate)
            }
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
