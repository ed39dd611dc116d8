//! Whether the best move of a tree is still in doubt, so that a search should use time that was laid aside.

use std::time::Duration;

use super::{RootMoves, Statistics, StopOptions};

/// Watches how the root's moves gain visits.
pub struct Doubt {
    /// So long, nothing is beyond doubt.
    forced: Duration,
    period: Duration,
    /// How much of its pace the best move is believed to keep.
    optimism_for_best: f64,
    /// How much of their pace the others are believed to have.
    optimism_for_others: f64,
    /// What was seen one to two periods ago, from which on the gains are counted.
    before: Option<Glance>,
    /// What was seen up to a period ago; the next `before`.
    recent: Option<Glance>,
    /// The last answer, which stands while the search does not tell its visits.
    is_there: bool,
}

/// The visits at some time.
struct Glance {
    at: Duration,
    visits: Vec<u64>,
}

impl Doubt {
    /// With the settings of the smooth time manager.
    pub fn new(options: &StopOptions) -> Doubt {
        Doubt {
            forced: Duration::from_millis(options.smooth_force_piggybank_ms),
            period: Duration::from_millis(options.smooth_trend_nps_update_period_ms),
            optimism_for_best: options.smooth_bestmove_optimism,
            optimism_for_others: options.smooth_overtaker_optimism,
            before: None,
            recent: None,
            is_there: false,
        }
    }

    /// Whether the best move may be another by the time `end`, all of it counted in the search's own time.
    pub fn is_there(&mut self, statistics: &Statistics, end: Duration) -> bool {
        let now = statistics.own_time.unwrap_or_default();
        if let Some(root) = &statistics.progress.root {
            self.look(now, root);
            self.is_there = root.disputed || self.is_being_overtaken(now, end, root);
        }
        self.is_there || now < self.forced
    }

    fn look(&mut self, now: Duration, root: &RootMoves) {
        let glance = || Glance { at: now, visits: root.visits.to_vec() };
        match &self.recent {
            None => {
                self.before = Some(glance());
                self.recent = Some(glance());
            }
            Some(recent) if now.saturating_sub(recent.at) >= self.period => {
                self.before = self.recent.replace(glance());
            }
            Some(_) => {}
        }
    }

    fn is_being_overtaken(&self, now: Duration, end: Duration, root: &RootMoves) -> bool {
        let (Some(before), Some(best)) = (&self.before, root.most_visited()) else { return false };
        let watched = now.saturating_sub(before.at).as_secs_f64();
        if watched == 0.0 || before.visits.len() != root.visits.len() {
            return false;
        }
        let periods_to_come = end.saturating_sub(now).as_secs_f64() / watched;
        let at_end = |index: usize, optimism: f64| {
            let gained = root.visits[index].saturating_sub(before.visits[index]) as f64;
            root.visits[index] as f64 + optimism * gained * periods_to_come
        };
        let best_at_end = at_end(best, self.optimism_for_best);
        (0..root.visits.len())
            .any(|index| index != best && at_end(index, self.optimism_for_others) > best_at_end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::Progress;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn doubt() -> Doubt {
        Doubt::new(&StopOptions::default())
    }

    fn ask(doubt: &mut Doubt, at: f64, visits: &[u64], disputed: bool) -> bool {
        let root = Some(RootMoves { visits, disputed, ..RootMoves::default() });
        let progress = Progress { nodes: visits.iter().sum(), root, ..Progress::default() };
        let statistics = Statistics { progress, own_time: Some(seconds(at)), ..Statistics::default() };
        doubt.is_there(&statistics, seconds(10.0))
    }

    #[test]
    fn nothing_is_beyond_doubt_in_the_first_second() {
        assert!(ask(&mut doubt(), 0.9, &[100, 1], false));
        assert!(!ask(&mut doubt(), 1.0, &[100, 1], false));
        assert!(ask(&mut doubt(), 5.0, &[100, 1], true), "the best move is not the most visited");
    }

    #[test]
    fn a_move_that_gains_fast_enough_to_be_first_raises_doubt() {
        // Seen at 1 s and 3 s, with 7 s to come: four times 3.5 periods' gain brings the second from 500 beyond 1,900.
        for (gain, overtakes) in [(90, false), (110, true)] {
            let mut doubt = doubt();
            ask(&mut doubt, 1.0, &[1_900, 500 - gain], false);
            assert_eq!(ask(&mut doubt, 3.0, &[1_900, 500], false), overtakes, "{gain}");
        }
        // The best move gains too, at a fifth of its pace.
        let mut doubt = doubt();
        ask(&mut doubt, 1.0, &[1_700, 390], false);
        assert!(!ask(&mut doubt, 3.0, &[1_900, 500], false));
    }

    #[test]
    fn what_happened_long_ago_does_not_count() {
        let mut doubt = doubt();
        ask(&mut doubt, 1.0, &[1_000, 0], false);
        assert!(ask(&mut doubt, 3.0, &[1_000, 500], false), "it gains");
        for at in [4.5, 8.0] {
            ask(&mut doubt, at, &[1_000, 900], false);
        }
        assert!(!ask(&mut doubt, 9.0, &[1_000, 900], false), "it has gained nothing since");
    }

    #[test]
    fn the_last_answer_stands_while_nothing_is_told() {
        let mut doubt = doubt();
        let silent = Statistics { own_time: Some(seconds(4.0)), ..Statistics::default() };
        assert!(!doubt.is_there(&silent, seconds(10.0)));
        ask(&mut doubt, 5.0, &[100, 1], true);
        assert!(doubt.is_there(&silent, seconds(10.0)));
    }
}
