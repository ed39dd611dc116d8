//! The stopper that keeps time.

use super::doubt::Doubt;
use super::{Budget, Granularity, Hints, Statistics, StopOptions, Stopper};
use crate::StopReason;

/// So much of the search's own time.
pub struct TimeLimit {
    budget: Budget,
    doubt: Doubt,
    has_answer: bool,
}

impl TimeLimit {
    /// A limit that keeps to this budget.
    pub fn new(budget: Budget, options: &StopOptions) -> TimeLimit {
        TimeLimit { budget, doubt: Doubt::new(options), has_answer: false }
    }
}

impl Stopper for TimeLimit {
    fn stop(&mut self, statistics: &Statistics, hints: &mut Hints) -> Option<StopReason> {
        let used = statistics.own_time?;
        let completed = statistics.progress.completed;
        self.has_answer |= completed.is_some();
        let share = self.budget.share(statistics.reused);
        let stretched = share.saturating_add(self.budget.reserve);
        let limit = match statistics.granularity {
            Granularity::Steps
                if !self.budget.reserve.is_zero() && self.doubt.is_there(statistics, stretched) =>
            {
                stretched
            }
            Granularity::Steps => share,
            Granularity::AtOnce => self.budget.most,
            // The first iteration is short, and without it there is nothing to say.
            Granularity::Iterations if !self.has_answer => return None,
            Granularity::Iterations => match completed.filter(|_| share < self.budget.most) {
                // An iteration that is begun with half of the share gone will hardly end within it.
                Some(completed) => (share / 2).mul_f64(completed.patience).min(self.budget.most),
                None => self.budget.most,
            },
        };
        hints.limit_time(limit.saturating_sub(used));
        hints.nodes_per_second = hints.nodes_per_second.or(self.budget.nodes_per_second);
        // Nor is there anything to say before the first step.
        let is_empty = statistics.granularity == Granularity::Steps && statistics.visits() == 0;
        (used >= limit && !is_empty).then_some(StopReason::Time)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Meaning;
    use crate::stop::{Completed, Progress, RootMoves};

    const SHARE: Duration = Duration::from_millis(1_000);
    const MOST: Duration = Duration::from_millis(3_000);

    fn limit() -> TimeLimit {
        TimeLimit::new(Budget::fixed(SHARE, MOST), &StopOptions::default())
    }

    fn after(used_ms: u64, granularity: Granularity, completed: bool) -> Statistics<'static> {
        let stage =
            Completed { depth: 1, wins_seen: 1, value: Meaning::Opinion(0), exact: false, patience: 1.0 };
        let progress = Progress { nodes: 100, completed: completed.then_some(stage), ..Progress::default() };
        Statistics {
            progress,
            granularity,
            own_time: Some(Duration::from_millis(used_ms)),
            ..Statistics::default()
        }
    }

    fn ask(limit: &mut TimeLimit, statistics: &Statistics) -> Option<StopReason> {
        limit.stop(statistics, &mut Hints::default())
    }

    #[test]
    fn each_pace_has_its_limit() {
        for (granularity, completed, last_ms) in [
            (Granularity::Steps, false, 999),
            (Granularity::AtOnce, false, 2_999),
            (Granularity::Iterations, true, 499),
            (Granularity::Iterations, false, 2_999),
        ] {
            let mut limit = limit();
            ask(&mut limit, &after(1, granularity, true));
            assert_eq!(ask(&mut limit, &after(last_ms, granularity, completed)), None, "{granularity:?}");
            assert_eq!(
                ask(&mut limit, &after(last_ms + 1, granularity, completed)),
                Some(StopReason::Time),
                "{granularity:?}"
            );
        }
    }

    #[test]
    fn nothing_stops_before_there_is_an_answer_nor_while_pondering() {
        assert_eq!(ask(&mut limit(), &after(10_000, Granularity::Iterations, false)), None);
        let late = after(10_000, Granularity::Steps, false);
        let empty = Statistics { progress: Progress::default(), ..late };
        assert_eq!(ask(&mut limit(), &empty), None);
        assert_eq!(ask(&mut limit(), &Statistics { own_time: None, ..late }), None);
    }

    #[test]
    fn the_time_left_is_hinted_and_the_nearest_limit_counts() {
        let mut hints = Hints { remaining_time: Some(Duration::from_millis(900)), ..Hints::default() };
        limit().stop(&after(300, Granularity::Steps, false), &mut hints);
        assert_eq!(hints.remaining_time, Some(Duration::from_millis(700)));
        limit().stop(&after(50, Granularity::Steps, false), &mut hints);
        assert_eq!(hints.remaining_time, Some(Duration::from_millis(700)));
    }

    #[test]
    fn a_search_in_doubt_may_use_the_reserve_and_no_more() {
        let mut budget = Budget::fixed(SHARE, MOST);
        budget.reserve = SHARE;
        let visits = [100, 10];
        for (disputed, last_ms) in [(false, 999), (true, 1_999)] {
            let mut limit = TimeLimit::new(
                budget,
                &StopOptions { smooth_force_piggybank_ms: 0, ..StopOptions::default() },
            );
            let root = Some(RootMoves { visits: &visits, disputed, ..RootMoves::default() });
            let mut ask_after = |ms| {
                let statistics = after(ms, Granularity::Steps, false);
                let progress = Progress { root, ..statistics.progress };
                ask(&mut limit, &Statistics { progress, ..statistics })
            };
            assert_eq!(ask_after(last_ms), None, "disputed: {disputed}");
            assert_eq!(ask_after(last_ms + 1), Some(StopReason::Time), "disputed: {disputed}");
        }
    }
}
