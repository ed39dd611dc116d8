//! Differences in strength, with error bars.

use std::fmt;

use serde::Serialize;

use super::Sample;
use super::normal::{Z_95, cumulative};

/// Normalised Elo for each standard deviation (of a game's score) by which the mean score exceeds ½: 800 / ln
/// 10.
///
/// Chosen so that it agrees with Elo between near-equals who never draw. Unlike Elo it says how many games it
/// takes to see the difference, whatever the openings and the rate of draws (M. Van den Bergh, "Normalized
/// Elo").
pub const NELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

/// A number with its 95 % confidence interval.
///
/// No field is ever NaN; any may be infinite, which JSON writes as `null`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// An interval of 1.96 standard errors to both sides.
    pub(super) fn symmetric(value: f64, standard_error: f64) -> Estimate {
        let margin = Z_95 * standard_error;
        Estimate { value, low: value - margin, high: value + margin }
    }

    /// What goes behind the `±`: half the width of the interval, infinite if an end is.
    pub fn error(&self) -> f64 {
        if self.low.is_finite() && self.high.is_finite() {
            (self.high - self.low) / 2.0
        } else {
            f64::INFINITY
        }
    }

    /// Whether the interval holds `x`.
    pub fn covers(&self, x: f64) -> bool {
        (self.low..=self.high).contains(&x)
    }
}

impl fmt::Display for Estimate {
    /// `12.3 ± 4.5`, with one decimal or as many as the format asks for; the end that is known if the best guess is infinite.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        if self.value == f64::INFINITY {
            return write!(f, "above {:.decimals$}", self.low);
        }
        if self.value == f64::NEG_INFINITY {
            return write!(f, "below {:.decimals$}", self.high);
        }
        write!(f, "{:.decimals$} ± {:.decimals$}", self.value, self.error())
    }
}

/// The Elo difference at which this score, between 0 and 1, is expected; infinite at both ends.
pub fn elo_from_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score to expect at this Elo difference: the logistic curve, 1 / (1 + 10^(-elo/400)).
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference that a match shows; `None` before the first trial.
///
/// The interval holds every difference that a likelihood ratio test at the 5 % level would not reject, by the
/// same likelihood that the SPRT uses: all means `s` with `2 n Σ p̂ᵢ ln(p̂ᵢ / pᵢ(s)) ≤ 1.96²` (Owen 2001,
/// theorem 2.2), taken through the Elo curve. It agrees with `score ± 1.96 standard errors` in long and even
/// matches. Unlike that, and unlike the delta method, it never leaves the possible scores, and it still says
/// something when every game was won or every game was drawn, where the observed variance is 0: after ten
/// wins in ten games the estimate is infinite and at least 269.
pub fn elo_of(sample: impl Into<Sample>) -> Option<Estimate> {
    let sample = sample.into();
    let value = elo_from_score(sample.score()?);
    let (low, high) = score_interval(&sample)?;
    Some(Estimate { value, low: elo_from_score(low), high: elo_from_score(high) })
}

/// The ends of the likelihood interval for the mean score; `None` without trials.
fn score_interval(sample: &Sample) -> Option<(f64, f64)> {
    let score = sample.score()?;
    let (trials, observed) = sample.frequencies()?;
    let rejected =
        |mean: f64| 2.0 * trials * observed.log_ratio(&observed, &observed.with_mean(mean)) > Z_95 * Z_95;
    // Bisection: the likelihood falls to both sides of the observed mean.
    let end = |mut inside: f64, mut outside: f64| {
        if score == outside {
            return outside;
        }
        const PRECISION: f64 = 1e-12;
        while (outside - inside).abs() > PRECISION {
            let middle = inside.midpoint(outside);
            if rejected(middle) { outside = middle } else { inside = middle }
        }
        inside
    };
    Some((end(score, 0.0), end(score, 1.0)))
}

/// The normalised Elo difference that a match shows; `None` if its trials do not differ, hence have no spread
/// to measure in.
///
/// The standard error is that of the ratio `t = (mean - ½) / σ` by the delta method, `√(v / n)` with
/// `v = 1 - t γ + t² (κ - 1) / 4`, `γ` the skewness and `κ` the kurtosis of a trial's score: the familiar
/// `1 / √n` between near-equals. It is never taken below that, as `v` vanishes for some one-sided results
/// (two pairs with 1½ points to one with 2), which says more about the method than about the players.
pub fn nelo_of(sample: impl Into<Sample>) -> Option<Estimate> {
    let sample = sample.into();
    let variance = sample.variance().filter(|&variance| variance > 0.0)?;
    let t = (sample.score()? - 0.5) / variance.sqrt();
    let skewness = sample.central_moment(3)? / variance.powf(1.5);
    let kurtosis = sample.central_moment(4)? / variance.powi(2);
    let spread = (1.0 - t * skewness + t * t * (kurtosis - 1.0) / 4.0).max(1.0);
    let error = (spread / sample.trials()).sqrt();
    let scale = NELO_PER_T / sample.games_per_trial().sqrt();
    Some(Estimate::symmetric(scale * t, scale * error))
}

/// The likelihood of superiority: how sure it is that the player under test is the better one, from 0 to 1.
///
/// `Φ((mean - ½) / √(E[(score - ½)²] / n))`, the spread being taken around ½ because equality is what is to
/// be refuted. For single games that is the classical `Φ((wins - losses) / √(wins + losses))`, in which draws
/// do not count; for pairs it is the same idea. ½ as long as nothing speaks for either player.
pub fn likelihood_of_superiority(sample: impl Into<Sample>) -> f64 {
    let sample = sample.into();
    match (sample.score(), sample.moment(|score| (score - 0.5).powi(2))) {
        (Some(score), Some(spread)) if spread > 0.0 => {
            cumulative((score - 0.5) / (spread / sample.trials()).sqrt())
        }
        _ => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Wdl};
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for tenths in -9_000..=9_000 {
            let elo = f64::from(tenths) / 10.0;
            assert!(close(elo_from_score(score_from_elo(elo)), elo, 1e-9), "{elo}");
        }
        assert_eq!(elo_from_score(0.5), 0.0);
        assert!(close(elo_from_score(0.75), 190.848_501_887_864_97, 1e-12));
        assert_eq!((elo_from_score(0.0), elo_from_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!((score_from_elo(f64::NEG_INFINITY), score_from_elo(f64::INFINITY)), (0.0, 1.0));
    }

    #[test]
    fn a_long_match_has_the_error_bars_of_the_textbook() {
        let sample = Sample::from(Pentanomial([1_000, 5_000, 10_000, 6_000, 1_200]));
        let (score, error) = (sample.score().unwrap(), sample.standard_error().unwrap());
        let elo = elo_of(sample).unwrap();
        assert!(close(elo.low, elo_from_score(score - Z_95 * error), 0.002), "{elo:?}");
        assert!(close(elo.high, elo_from_score(score + Z_95 * error), 0.002), "{elo:?}");
        let nelo = nelo_of(sample).unwrap();
        assert!(close(
            nelo.value,
            NELO_PER_T * (score - 0.5) / sample.variance_per_game().unwrap().sqrt(),
            1e-9
        ));
        assert!(close(nelo.error(), Z_95 * NELO_PER_T / sample.games().sqrt(), 0.01), "{nelo:?}");
    }

    #[test]
    fn all_won_is_infinite_with_a_finite_lower_end() {
        // Ten wins have the likelihood s^10, which is 1.96² / 2 below its best in the logarithm at s =
        // e^(-0.192).
        let won = elo_of(Wdl::new(10, 0, 0)).unwrap();
        assert_eq!((won.value, won.high, won.error()), (f64::INFINITY, f64::INFINITY, f64::INFINITY));
        assert!(close(won.low, elo_from_score((-Z_95 * Z_95 / 20.0).exp()), 1.0), "{won:?}");
        let lost = elo_of(Pentanomial([10, 0, 0, 0, 0])).unwrap();
        assert_eq!((lost.value, lost.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(close(lost.high, -won.low, 1.0), "{lost:?}");
        assert_eq!(nelo_of(Wdl::new(10, 0, 0)), None);
    }

    #[test]
    fn all_drawn_is_zero_with_an_interval_that_shrinks() {
        let few = elo_of(Pentanomial([0, 0, 10, 0, 0])).unwrap();
        let many = elo_of(Pentanomial([0, 0, 1_000, 0, 0])).unwrap();
        assert_eq!(few.value, 0.0);
        assert!(close(few.low, -few.high, 1e-6) && few.high > 50.0 && few.high < 90.0, "{few:?}");
        assert!(many.high > 0.5 && many.high < 0.9, "{many:?}");
        assert_eq!(nelo_of(Pentanomial([0, 0, 10, 0, 0])), None);
    }

    #[test]
    fn normalised_elo_is_never_certain() {
        let one_sided = nelo_of(Pentanomial([0, 0, 0, 20, 10])).unwrap();
        assert!(close(one_sided.error(), Z_95 * NELO_PER_T / 60f64.sqrt(), 1e-9), "{one_sided}");
    }

    #[test]
    fn nothing_played_is_nothing_known() {
        assert_eq!(elo_of(Wdl::default()), None);
        assert_eq!(nelo_of(Pentanomial::default()), None);
        assert_eq!(likelihood_of_superiority(Wdl::default()), 0.5);
    }

    #[test]
    fn superiority_is_the_classical_formula_for_games() {
        for (wins, draws, losses) in [(10, 5, 3), (100, 900, 130), (1, 0, 0), (0, 7, 2)] {
            let classical = cumulative((wins as f64 - losses as f64) / ((wins + losses) as f64).sqrt());
            let computed = likelihood_of_superiority(Wdl::new(wins, draws, losses));
            assert!(close(computed, classical, 1e-14), "{computed} {classical}");
        }
        assert_eq!(likelihood_of_superiority(Wdl::new(0, 9, 0)), 0.5);
        assert!(likelihood_of_superiority(Pentanomial([0, 0, 0, 0, 500])) > 1.0 - 1e-15);
    }

    #[test]
    fn an_estimate_prints_as_people_write_it() {
        let estimate = Estimate { value: 12.34, low: 7.0, high: 18.0 };
        assert_eq!(estimate.to_string(), "12.3 ± 5.5");
        assert_eq!(format!("{estimate:.2}"), "12.34 ± 5.50");
        let won = elo_of(Wdl::new(3, 0, 0)).unwrap();
        assert_eq!(won.to_string(), format!("above {:.1}", won.low));
        let lost = elo_of(Wdl::new(0, 0, 3)).unwrap();
        assert_eq!(lost.to_string(), format!("below {:.1}", lost.high));
    }
}
