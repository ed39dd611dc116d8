//! Stops when more visits teach nothing: by the Kullback-Leibler divergence between the visits of then and now.

use super::{Hints, RootMoves, Statistics, StopOptions, Stopper};
use crate::StopReason;

/// Stops when the distribution of the root's visits has gained too little a visit since it was last looked at.
pub struct Settled {
    least_gain: f64,
    interval: u64,
    /// What was seen when it was last looked at.
    seen: Vec<u64>,
}

impl Settled {
    /// As the settings ask for; `None` if they do not.
    pub fn new(options: &StopOptions) -> Option<Settled> {
        let interval = options.kld_interval;
        (options.minimum_kld_gain > 0.0).then_some(Settled {
            least_gain: options.minimum_kld_gain,
            interval,
            seen: Vec::new(),
        })
    }
}

impl Stopper for Settled {
    fn stop(&mut self, statistics: &Statistics, _: &mut Hints) -> Option<StopReason> {
        statistics.own_time?;
        let RootMoves { visits, .. } = statistics.progress.root?;
        let (before, now) = (self.seen.iter().sum::<u64>(), visits.iter().sum::<u64>());
        if before == 0 || self.seen.len() != visits.len() {
            self.seen = visits.to_vec();
            return None;
        }
        let new = now.saturating_sub(before);
        if new < self.interval {
            return None;
        }
        let gain = divergence(&self.seen, visits) / new as f64;
        self.seen.copy_from_slice(visits);
        (gain < self.least_gain).then_some(StopReason::Settled)
    }
}

/// How much is gained from `before` to `now`: Σ p·ln(p/q) over the shares p before and q now. Infinite where a move has
/// lost all of its visits.
fn divergence(before: &[u64], now: &[u64]) -> f64 {
    let total = |visits: &[u64]| visits.iter().sum::<u64>().max(1) as f64;
    let (all_before, all_now) = (total(before), total(now));
    (before.iter().zip(now).filter(|&(&before, _)| before > 0))
        .map(|(&before, &now)| {
            let (p, q) = (before as f64 / all_before, now as f64 / all_now);
            p * (p / q).ln()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::Progress;
    use std::time::Duration;

    fn settled(gain: f64) -> Settled {
        let options = StopOptions { minimum_kld_gain: gain, kld_interval: 100, ..StopOptions::default() };
        Settled::new(&options).expect("a gain is asked for")
    }

    fn ask(stopper: &mut Settled, visits: &[u64], own_time: Option<Duration>) -> Option<StopReason> {
        let root = Some(RootMoves { visits, ..RootMoves::default() });
        let progress = Progress { nodes: visits.iter().sum(), root, ..Progress::default() };
        stopper.stop(&Statistics { progress, own_time, ..Statistics::default() }, &mut Hints::default())
    }

    const NOW: Option<Duration> = Some(Duration::ZERO);

    #[test]
    fn the_divergence_is_that_of_the_textbook() {
        assert_eq!(divergence(&[1, 1], &[50, 50]), 0.0);
        // 1/2 ln (1/2 / 3/4) + 1/2 ln (1/2 / 1/4) = ln 2 - 1/2 ln 3
        let expected = 2f64.ln() - 3f64.ln() / 2.0;
        assert!((divergence(&[10, 10], &[300, 100]) - expected).abs() < 1e-12);
        assert_eq!(divergence(&[1, 0], &[1, 1]), 2f64.ln());
        assert_eq!(divergence(&[1, 1], &[2, 0]), f64::INFINITY);
    }

    #[test]
    fn visits_that_stay_as_they_are_end_the_search() {
        let mut stopper = settled(1e-5);
        assert_eq!(ask(&mut stopper, &[60, 40], NOW), None, "nothing to compare with");
        assert_eq!(ask(&mut stopper, &[119, 80], NOW), None, "one visit short of the interval");
        assert_eq!(ask(&mut stopper, &[120, 80], NOW), Some(StopReason::Settled));
    }

    #[test]
    fn visits_that_still_move_do_not() {
        let mut stopper = settled(1e-5);
        for visits in [[60, 40], [90, 110], [200, 210], [500, 220]] {
            assert_eq!(ask(&mut stopper, &visits, NOW), None);
        }
        // The same visits with a threshold that no gain reaches.
        let mut strict = settled(1.0);
        assert_eq!(ask(&mut strict, &[60, 40], NOW), None);
        assert_eq!(ask(&mut strict, &[90, 110], NOW), Some(StopReason::Settled));
    }

    #[test]
    fn it_is_silent_while_pondering_without_visits_and_when_not_asked_for() {
        let mut stopper = settled(1.0);
        for visits in [[60, 40], [120, 80], [240, 160]] {
            assert_eq!(ask(&mut stopper, &visits, None), None);
        }
        let no_root = Statistics { own_time: NOW, ..Statistics::default() };
        assert_eq!(stopper.stop(&no_root, &mut Hints::default()), None);
        assert!(Settled::new(&StopOptions::default()).is_none());
    }
}
