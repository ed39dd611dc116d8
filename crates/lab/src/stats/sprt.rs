//! The sequential probability ratio test: play until the question is answered, and no longer.
//!
//! Two hypotheses, "the difference is `elo0`" and "the difference is `elo1`", are compared by the logarithm
//! of the ratio of their likelihoods. The test ends as soon as this leaves the interval `(ln(β / (1 - α)),
//! ln((1 - β) / α))`, which keeps the chance of accepting a wrong one at about `α` and `β` (A. Wald,
//! "Sequential Tests of Statistical Hypotheses", 1945). As the hypotheses leave the rest of the distribution
//! open, each is given its likeliest one: the generalised SPRT.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

use super::elo::{NELO_PER_T, score_from_elo};
use super::sample::Sample;

/// The scale on which the bounds of a test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EloModel {
    /// Plain Elo: the bounds are mean scores.
    Logistic,
    /// Normalised Elo: the bounds are mean scores in standard deviations of a game, so that the length of a
    /// test does not depend on how many games are drawn.
    Normalised,
}

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Not enough games yet.
    Continue,
    /// The difference is `elo0` rather than `elo1`: for a change on trial, rejected.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`: for a change on trial, accepted.
    AcceptH1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Decision::Continue => "undecided",
            Decision::AcceptH0 => "H0 accepted",
            Decision::AcceptH1 => "H1 accepted",
        })
    }
}

/// A sequential probability ratio test of `elo0` against `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why a test cannot be set up.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The bounds are out of order, equal, beyond reason or no numbers.
    #[error(
        "SPRT bounds [{elo0}, {elo1}]: expected two numbers within ±{}, the smaller one first",
        Sprt::LARGEST_BOUND
    )]
    Bounds {
        /// The lower bound given.
        elo0: f64,
        /// The upper bound given.
        elo1: f64,
    },
    /// An error rate out of range.
    #[error("SPRT {name} {value}: expected a probability above 0 and below 0.5")]
    ErrorRate {
        /// Which rate: `alpha` or `beta`.
        name: &'static str,
        /// The rate given.
        value: f64,
    },
}

impl Sprt {
    /// The largest bound of a test, on either scale. Nobody needs a test to see such a difference.
    pub const LARGEST_BOUND: f64 = 500.0;

    /// A test that wrongly accepts `elo1` in a share `alpha` of all cases, and wrongly accepts `elo0` in a
    /// share `beta`.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let bounds = -Sprt::LARGEST_BOUND..=Sprt::LARGEST_BOUND;
        if !(bounds.contains(&elo0) && bounds.contains(&elo1) && elo0 < elo1) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorRate { name, value });
            }
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }

    /// The scale of the bounds.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The two differences that are compared: the null hypothesis and the alternative.
    pub const fn elo_bounds(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// Below the first of these log-likelihood ratios the null hypothesis is accepted, above the second the
    /// alternative.
    pub fn llr_bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the alternative to the null hypothesis; 0 before the first trial.
    ///
    /// Pairs are judged by the pentanomial model, single games by the trinomial one.
    pub fn llr(&self, sample: impl Into<Sample>) -> f64 {
        let sample = sample.into();
        let Some((trials, observed)) = sample.frequencies() else { return 0.0 };
        let likeliest = |elo: f64| match self.model {
            EloModel::Logistic => observed.with_mean(score_from_elo(elo)),
            EloModel::Normalised => observed.with_t_value(elo / NELO_PER_T * sample.games_per_trial().sqrt()),
        };
        trials * observed.log_ratio(&likeliest(self.elo1), &likeliest(self.elo0))
    }

    /// A formula that comes close to [`Sprt::llr`] in long and even matches; 0 while all trials are alike.
    ///
    /// With `s` the mean score and `t` its excess over ½ in standard deviations of a game:
    /// `n (s₁ - s₀)(2s - s₀ - s₁) / (2 σ²)` on the logistic scale, and
    /// `games/2 · ln((1 + (t - t₀)²) / (1 + (t - t₁)²))` on the normalised one.
    pub fn approximate_llr(&self, sample: impl Into<Sample>) -> f64 {
        let sample = sample.into();
        let (Some(score), Some(variance)) = (sample.score(), sample.variance_per_game()) else { return 0.0 };
        if variance == 0.0 {
            return 0.0;
        }
        match self.model {
            EloModel::Logistic => {
                let (s0, s1) = (score_from_elo(self.elo0), score_from_elo(self.elo1));
                sample.games() * (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * variance)
            }
            EloModel::Normalised => {
                let t = (score - 0.5) / variance.sqrt();
                let misfit = |nelo: f64| (t - nelo / NELO_PER_T).powi(2).ln_1p();
                sample.games() / 2.0 * (misfit(self.elo0) - misfit(self.elo1))
            }
        }
    }

    /// What a log-likelihood ratio means for the test.
    pub fn decision(&self, llr: f64) -> Decision {
        let (lower, upper) = self.llr_bounds();
        if llr <= lower {
            Decision::AcceptH0
        } else if llr >= upper {
            Decision::AcceptH1
        } else {
            Decision::Continue
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let scale = match self.model {
            EloModel::Logistic => "Elo",
            EloModel::Normalised => "nElo",
        };
        write!(f, "[{}, {}] {scale}, α {}, β {}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}
