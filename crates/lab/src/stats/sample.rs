//! A match as a sample of independent trials.

use super::distribution::Distribution;
use super::{Pentanomial, Wdl};

/// Trials of a match, each of which scored between 0 and 1 for the player under test.
///
/// A trial is a game ([`Wdl`]) or a pair of games from one opening ([`Pentanomial`]), whose score is then the
/// mean of the two. Everything statistical takes `impl Into<Sample>`, hence either count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The scores that a trial may have.
    support: &'static [f64],
    /// How often each of them came up; as many as there are scores.
    counts: [u64; 5],
}

/// Stands in for a count of zero where a likelihood is computed: an outcome that has not been seen yet is
/// rare, not impossible. The value is the one in common use, so that verdicts agree with those of other
/// tools.
const UNSEEN: f64 = 1e-3;

impl From<Wdl> for Sample {
    fn from(Wdl { wins, draws, losses }: Wdl) -> Sample {
        Sample { support: &[0.0, 0.5, 1.0], counts: [losses, draws, wins, 0, 0] }
    }
}

impl From<Pentanomial> for Sample {
    fn from(Pentanomial(counts): Pentanomial) -> Sample {
        Sample { support: &[0.0, 0.25, 0.5, 0.75, 1.0], counts }
    }
}

impl Sample {
    /// How many trials there were.
    pub fn trials(&self) -> f64 {
        self.counts.iter().sum::<u64>() as f64
    }

    /// How many games a trial is: 1 or 2.
    pub fn games_per_trial(&self) -> f64 {
        (self.support.len() - 1) as f64 / 2.0
    }

    /// How many games there were.
    pub fn games(&self) -> f64 {
        self.trials() * self.games_per_trial()
    }

    /// The mean score; `None` without trials.
    pub fn score(&self) -> Option<f64> {
        self.moment(|score| score)
    }

    /// The variance of a trial's score (the one that divides by `n`); `None` without trials.
    pub fn variance(&self) -> Option<f64> {
        self.central_moment(2)
    }

    /// The variance of a game's score as far as it shows in the mean: for pairs, twice that of the pair's
    /// mean.
    ///
    /// Equal to the plain variance of games if the games of a pair are independent, smaller if openings
    /// favour one colour, which is what makes pairs worth playing.
    pub fn variance_per_game(&self) -> Option<f64> {
        self.variance().map(|variance| variance * self.games_per_trial())
    }

    /// The standard error of [`Sample::score`].
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.trials()).sqrt())
    }

    /// The mean of the `n`-th power of a trial's deviation from the mean score; `None` without trials.
    pub(super) fn central_moment(&self, n: i32) -> Option<f64> {
        let mean = self.score()?;
        self.moment(|score| (score - mean).powi(n))
    }

    /// The mean over all trials of a function of the score; `None` without trials.
    pub(super) fn moment(&self, f: impl Fn(f64) -> f64) -> Option<f64> {
        let total: f64 = self.support.iter().zip(self.counts).map(|(&s, n)| n as f64 * f(s)).sum();
        (self.trials() > 0.0).then(|| total / self.trials())
    }

    /// The frequencies of the scores with none of them at zero, and how many trials they stand for; `None`
    /// without trials.
    pub(super) fn frequencies(&self) -> Option<(f64, Distribution)> {
        if self.trials() == 0.0 {
            return None;
        }
        let mut weights = self.counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        weights[self.support.len()..].fill(0.0);
        let trials: f64 = weights.iter().sum();
        Some((trials, Distribution::new(self.support, weights.map(|weight| weight / trials))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_games_and_pairs_are_those_computed_by_hand() {
        // Scores 1, 1, ½, 0: mean 5/8, squared deviations (2·9 + 1 + 25) / 64 over 4.
        let games = Sample::from(Wdl::new(2, 1, 1));
        assert_eq!((games.trials(), games.games(), games.score()), (4.0, 4.0, Some(0.625)));
        assert_eq!(games.variance(), Some(44.0 / 256.0));
        assert_eq!(games.variance_per_game(), games.variance());
        assert_eq!(games.standard_error(), Some((44.0f64 / 1024.0).sqrt()));

        // Pair scores ½, 1: mean ¾, squared deviation 1/16.
        let pairs = Sample::from(Pentanomial([0, 0, 1, 0, 1]));
        assert_eq!((pairs.trials(), pairs.games(), pairs.score()), (2.0, 4.0, Some(0.75)));
        assert_eq!(pairs.variance(), Some(1.0 / 16.0));
        assert_eq!(pairs.variance_per_game(), Some(1.0 / 8.0));
    }

    #[test]
    fn frequencies_count_the_unseen_but_not_the_impossible() {
        let (games, _) = Sample::from(Wdl::new(3, 0, 1)).frequencies().unwrap();
        assert!((games - 4.001).abs() < 1e-12, "{games}");
        let (pairs, frequencies) = Sample::from(Pentanomial([0, 2, 0, 2, 0])).frequencies().unwrap();
        assert!((pairs - 4.003).abs() < 1e-12, "{pairs}");
        assert!((frequencies.mean() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn no_trials_have_no_moments() {
        let none = Sample::from(Pentanomial::default());
        assert_eq!(none.score(), None);
        assert_eq!(none.variance_per_game(), None);
        assert_eq!(none.standard_error(), None);
        assert!(none.frequencies().is_none());
    }

    #[test]
    fn colour_biased_openings_make_pairs_less_spread_than_games() {
        // White wins every game: as single games the score varies, as pairs it never does.
        let games = Sample::from(Wdl::new(50, 0, 50));
        let pairs = Sample::from(Pentanomial([0, 0, 50, 0, 0]));
        assert_eq!(games.variance_per_game(), Some(0.25));
        assert_eq!(pairs.variance_per_game(), Some(0.0));
    }
}
