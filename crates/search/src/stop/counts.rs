//! Stoppers that compare a count with a limit.

use super::{Hints, Statistics, Stopper};
use crate::StopReason;

/// So many nodes in this search.
pub struct NodeLimit(pub u64);

impl Stopper for NodeLimit {
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason> {
        hints.quiet_until = hints.quiet_until.min(self.0);
        hints.limit_playouts(self.0.saturating_sub(statistics.progress.nodes));
        (statistics.progress.nodes >= self.0).then_some(StopReason::Nodes)
    }
}

/// So many visits in the tree, those from earlier searches included.
pub struct VisitLimit(pub u64);

impl Stopper for VisitLimit {
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason> {
        hints.quiet_until = hints.quiet_until.min(self.0.saturating_sub(statistics.reused));
        hints.limit_playouts(self.0.saturating_sub(statistics.visits()));
        (statistics.visits() >= self.0).then_some(StopReason::Visits)
    }
}

/// As much memory as the search says it may use.
pub struct MemoryLimit;

impl Stopper for MemoryLimit {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        statistics.progress.memory.filter(|memory| memory.used >= memory.limit).map(|_| StopReason::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::{MemoryUse, Progress};

    fn at(nodes: u64, reused: u64) -> Statistics<'static> {
        Statistics { progress: Progress { nodes, ..Progress::default() }, reused, ..Statistics::default() }
    }

    fn ask(stopper: &mut dyn Stopper, statistics: &Statistics) -> (Option<StopReason>, Hints) {
        let mut hints = Hints { quiet_until: 1 << 16, ..Hints::default() };
        (stopper.stop(statistics, &mut hints), hints)
    }

    #[test]
    fn nodes_count_from_the_start_of_the_search() {
        let (reason, hints) = ask(&mut NodeLimit(100), &at(99, 5_000));
        assert_eq!((reason, hints.quiet_until, hints.remaining_playouts), (None, 100, Some(1)));
        assert_eq!(ask(&mut NodeLimit(100), &at(100, 0)).0, Some(StopReason::Nodes));
    }

    #[test]
    fn visits_count_what_was_kept_too() {
        let (reason, hints) = ask(&mut VisitLimit(100), &at(39, 60));
        assert_eq!((reason, hints.quiet_until, hints.remaining_playouts), (None, 40, Some(1)));
        assert_eq!(ask(&mut VisitLimit(100), &at(40, 60)).0, Some(StopReason::Visits));
        assert_eq!(ask(&mut VisitLimit(100), &at(0, 500)).0, Some(StopReason::Visits));
    }

    #[test]
    fn the_smallest_limit_is_what_remains() {
        let mut hints = Hints::default();
        for limit in [500, 200, 300] {
            NodeLimit(limit).stop(&at(50, 0), &mut hints);
        }
        assert_eq!(hints.remaining_playouts, Some(150));
    }

    #[test]
    fn memory_is_limited_for_those_who_measure_it() {
        let with = |memory| Statistics {
            progress: Progress { nodes: 1, memory, ..Progress::default() },
            ..Statistics::default()
        };
        let used = |used| with(Some(MemoryUse { used, limit: 1_000 }));
        assert_eq!(ask(&mut MemoryLimit, &used(1_000)).0, Some(StopReason::Memory));
        assert_eq!(ask(&mut MemoryLimit, &used(999)).0, None);
        assert_eq!(ask(&mut MemoryLimit, &with(None)).0, None);
    }
}
