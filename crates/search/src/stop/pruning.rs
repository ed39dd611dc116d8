//! Smart pruning: stops when more search cannot change the move.

use std::time::Duration;

use super::{Hints, Statistics, StopOptions, Stopper};
use crate::StopReason;

/// For so long after the first node, no speed is believed.
const WARM_UP: Duration = Duration::from_millis(200);
/// So many nodes are added when the speed is estimated: rather search on than stop by a poor estimate.
const TOLERANCE: u64 = 300;

/// Stops when the choice is made. Has to be last in the chain: it reads what the others hint.
pub struct SmartPruning {
    factor: f64,
    least_batches: u64,
}

impl SmartPruning {
    /// With the factor and the batches of the settings.
    pub fn new(options: &StopOptions) -> SmartPruning {
        SmartPruning {
            factor: options.smart_pruning_factor,
            least_batches: options.smart_pruning_minimum_batches,
        }
    }

    /// The playouts still to come, as far as the limits allow to tell; `None` if they do not, or not yet.
    fn remaining_playouts(statistics: &Statistics, hints: &mut Hints) -> Option<u64> {
        let Some(time) = hints.remaining_time else { return hints.remaining_playouts };
        if statistics.since_first_node < WARM_UP {
            return None;
        }
        let measured =
            || (statistics.progress.nodes + TOLERANCE) as f64 / statistics.since_first_node.as_secs_f64();
        let speed = *hints.nodes_per_second.get_or_insert_with(measured);
        let by_time = (time.as_secs_f64() * speed) as u64;
        Some(hints.remaining_playouts.map_or(by_time, |by_count| by_count.min(by_time)))
    }
}

impl Stopper for SmartPruning {
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason> {
        statistics.own_time?;
        let root = statistics.progress.root?;
        if statistics.visits() == 0 {
            return None;
        }
        if root.winning {
            return Some(StopReason::WinProven);
        }
        if root.visits.len() == 1 {
            return Some(StopReason::OnlyMove);
        }
        if root.losing + 1 >= root.visits.len() {
            return Some(StopReason::OthersLose);
        }
        if root.beyond_visits || statistics.progress.batches < self.least_batches {
            return None;
        }
        let remaining = SmartPruning::remaining_playouts(statistics, hints)?;
        let remaining = (remaining as f64 / self.factor) as u64;
        hints.limit_playouts(remaining);
        hints.out_of_reach = Some(remaining);
        (remaining < root.lead()).then_some(StopReason::Unassailable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::{Progress, RootMoves};

    /// A search well under way, without a clock.
    fn with(root: RootMoves) -> Statistics {
        let progress = Progress { nodes: 1_000, batches: 10, root: Some(root), ..Progress::default() };
        Statistics { progress, own_time: Some(Duration::from_secs(1)), ..Statistics::default() }
    }

    fn visits(visits: &[u64]) -> RootMoves<'_> {
        RootMoves { visits, ..RootMoves::default() }
    }

    fn pruning(factor: f64, batches: u64) -> SmartPruning {
        SmartPruning::new(&StopOptions {
            smart_pruning_factor: factor,
            smart_pruning_minimum_batches: batches,
            ..StopOptions::default()
        })
    }

    fn ask(statistics: &Statistics) -> Option<StopReason> {
        pruning(1.33, 0).stop(statistics, &mut Hints::default())
    }

    #[test]
    fn a_choice_that_is_no_choice_needs_no_search() {
        assert_eq!(ask(&with(visits(&[1]))), Some(StopReason::OnlyMove));
        let three = [5, 2, 1];
        assert_eq!(ask(&with(RootMoves { winning: true, ..visits(&three) })), Some(StopReason::WinProven));
        for losing in 0..=3 {
            let reason = ask(&with(RootMoves { losing, ..visits(&three) }));
            assert_eq!(reason, (losing >= 2).then_some(StopReason::OthersLose), "{losing} losing");
        }
    }

    #[test]
    fn a_lead_in_visits_settles_nothing_where_more_is_asked_for() {
        let far_ahead = [900, 2, 1];
        let ask = |beyond_visits| {
            let mut hints = Hints { remaining_playouts: Some(10), ..Hints::default() };
            let root = RootMoves { beyond_visits, ..visits(&far_ahead) };
            pruning(1.33, 0).stop(&with(root), &mut hints)
        };
        assert_eq!([false, true].map(ask), [Some(StopReason::Unassailable), None]);
    }

    #[test]
    fn it_is_silent_before_the_first_visit_while_pondering_and_without_visits() {
        let only_move = with(visits(&[1]));
        let nothing = Statistics { progress: Progress { nodes: 0, ..only_move.progress }, ..only_move };
        let silent = [
            nothing,
            Statistics { own_time: None, ..only_move },
            Statistics { progress: Progress { root: None, ..only_move.progress }, ..only_move },
        ];
        assert!(silent.iter().all(|statistics| ask(statistics).is_none()));
        assert_eq!(ask(&Statistics { reused: 1, ..nothing }), Some(StopReason::OnlyMove), "a tree was kept");
    }

    #[test]
    fn a_lead_counts_against_the_playouts_left_by_the_factor() {
        // A lead of 300: at 1.5, it holds against up to 449 playouts, of which 299 are believed in.
        let statistics = with(visits(&[500, 200, 100]));
        for (left, hinted, stops) in
            [(449, 299, true), (450, 300, false), (451, 300, false), (10_000, 6_666, false)]
        {
            let mut hints = Hints { remaining_playouts: Some(left), ..Hints::default() };
            let reason = pruning(1.5, 0).stop(&statistics, &mut hints);
            assert_eq!(reason, stops.then_some(StopReason::Unassailable), "{left}");
            assert_eq!(
                (hints.remaining_playouts, hints.out_of_reach),
                (Some(hinted), Some(hinted)),
                "{left}"
            );
        }
        let mut hints = Hints { remaining_playouts: Some(100), ..Hints::default() };
        assert_eq!(pruning(0.5, 0).stop(&statistics, &mut hints), Some(StopReason::Unassailable));
        assert_eq!(hints.remaining_playouts, Some(100), "a limit is a limit, whatever the factor");
        assert_eq!(ask(&statistics), None, "without a limit, anything can be overtaken");
    }

    #[test]
    fn the_batches_asked_for_come_first() {
        let statistics = with(visits(&[500, 200]));
        let ask = |batches| {
            let mut hints = Hints { remaining_playouts: Some(10), ..Hints::default() };
            pruning(1.33, batches).stop(&statistics, &mut hints)
        };
        assert_eq!((ask(10), ask(11)), (Some(StopReason::Unassailable), None));
    }

    #[test]
    fn time_counts_by_the_speed_of_the_search_once_that_is_known() {
        // 1,000 nodes and the tolerance in a second: what is left of the time is good for 1,300 a second.
        let statistics =
            Statistics { since_first_node: Duration::from_secs(1), ..with(visits(&[700, 200, 100])) };
        let after = |left_ms, statistics: &Statistics| {
            let remaining_time = Some(Duration::from_millis(left_ms));
            let mut hints = Hints { remaining_time, ..Hints::default() };
            (pruning(1.0, 0).stop(statistics, &mut hints), hints)
        };
        let (reason, hints) = after(384, &statistics);
        assert_eq!(reason, Some(StopReason::Unassailable));
        assert_eq!((hints.remaining_playouts, hints.nodes_per_second), (Some(499), Some(1_300.0)));
        assert_eq!(after(385, &statistics).0, None);
        let early = Statistics { since_first_node: Duration::from_millis(199), ..statistics };
        assert_eq!(after(1, &early).0, None, "too early to tell");

        let mut known_speed = Hints {
            remaining_time: Some(Duration::from_secs(1)),
            nodes_per_second: Some(10.0),
            ..Hints::default()
        };
        assert_eq!(pruning(1.0, 0).stop(&statistics, &mut known_speed), Some(StopReason::Unassailable));
    }

    #[test]
    fn a_node_limit_alone_asks_no_clock() {
        let hints = Hints { remaining_playouts: Some(100), ..Hints::default() };
        for time in [Duration::ZERO, Duration::from_nanos(1), Duration::from_secs(1_000)] {
            let statistics =
                Statistics { since_first_node: time, own_time: Some(time), ..with(visits(&[500, 200])) };
            let mut hints = hints;
            assert_eq!(pruning(1.33, 0).stop(&statistics, &mut hints), Some(StopReason::Unassailable));
            assert_eq!((hints.remaining_playouts, hints.nodes_per_second), (Some(75), None));
        }
    }
}
