//! Distributions of a trial's score, and the likeliest one that fulfils a hypothesis.
//!
//! A hypothesis such as "five Elo better" fixes the mean of the distribution and leaves the rest open. Its
//! likelihood is that of the most favourable distribution with this mean. With `p̂` the frequencies observed,
//! and the hypothesis written as `Σ pᵢ bᵢ = 0`, Lagrange's method gives that distribution as
//!
//! ```text
//! pᵢ = p̂ᵢ / (1 + x bᵢ)     where x solves the secular equation     Σ p̂ᵢ bᵢ / (1 + x bᵢ) = 0
//! ```
//!
//! (A. B. Owen, "Empirical Likelihood", 2001, chapter 2; M. Van den Bergh, "A practical introduction to the
//! GSPRT".)

/// Probabilities of the scores of a trial. None of them is zero where a hypothesis is put to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Distribution {
    support: &'static [f64],
    probabilities: [f64; 5],
}

/// One number for each score of the support; those beyond it are not used.
type PerScore = [f64; 5];

impl Distribution {
    /// The probabilities sum up to 1.
    pub(super) fn new(support: &'static [f64], probabilities: PerScore) -> Distribution {
        Distribution { support, probabilities }
    }

    /// The expected value of a function of the score.
    fn expectation(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.support.iter().zip(self.probabilities).map(|(&score, p)| p * f(score)).sum()
    }

    pub(super) fn mean(&self) -> f64 {
        self.expectation(|score| score)
    }

    pub(super) fn standard_deviation(&self) -> f64 {
        let mean = self.mean();
        self.expectation(|score| (score - mean).powi(2)).sqrt()
    }

    /// The mean log-likelihood ratio of `b` to `a` when this distribution is what was observed: for each
    /// trial, how much `b` explains it better.
    pub(super) fn log_ratio(&self, b: &Distribution, a: &Distribution) -> f64 {
        let observed = self.probabilities.iter().zip(b.probabilities.iter().zip(a.probabilities));
        observed.take(self.support.len()).map(|(p, (b, a))| p * (b / a).ln()).sum()
    }

    /// The likeliest distribution with this mean, which is strictly between 0 and 1.
    pub(super) fn with_mean(&self, mean: f64) -> Distribution {
        self.with_zero_expectation(|score| score - mean)
    }

    /// The likeliest distribution whose mean exceeds ½ by `t` standard deviations.
    ///
    /// The standard deviation `σ` is the smallest value of `(c + E[(s - m)²] / c) / 2` over all `m` and `c`,
    /// reached where these are the mean and the standard deviation. For fixed `m` and `c` the hypothesis is
    /// one of the linear kind that the secular equation answers, so the two are found in turn until they
    /// stand still. (The same iteration as in M. Van den Bergh, "Normalized Elo", seen as a coordinate
    /// ascent.)
    pub(super) fn with_t_value(&self, t: f64) -> Distribution {
        let excess =
            |m: f64, c: f64| move |score: f64| (score - 0.5) - t / 2.0 * (c + (score - m).powi(2) / c);
        let (mut m, mut c) = (self.mean(), self.standard_deviation());
        if !self.straddles_zero(excess(m, c)) {
            // So far from the observation nothing fits these m and c; the far end of the scores fits these.
            c = 0.25 / t.abs();
            m = if t > 0.0 { 1.0 - c } else { c };
        }
        const PRECISION: f64 = 1e-13;
        const MOST_ROUNDS: usize = 200;
        let mut likeliest = *self;
        for _ in 0..MOST_ROUNDS {
            likeliest = self.with_zero_expectation(excess(m, c));
            let (mean, deviation) = (likeliest.mean(), likeliest.standard_deviation());
            let change = (mean - m).abs().max((deviation - c).abs());
            (m, c) = (mean, deviation);
            if change < PRECISION {
                break;
            }
        }
        likeliest
    }

    fn straddles_zero(&self, b: impl Fn(f64) -> f64) -> bool {
        self.support.iter().any(|&score| b(score) < 0.0) && self.support.iter().any(|&score| b(score) > 0.0)
    }

    /// The likeliest distribution in which `b`, which takes both signs, is 0 on average.
    fn with_zero_expectation(&self, b: impl Fn(f64) -> f64) -> Distribution {
        let mut values = [0.0; 5];
        for (value, &score) in values.iter_mut().zip(self.support) {
            *value = b(score);
        }
        let x = secular_root(&self.probabilities, &values);
        let mut probabilities = self.probabilities;
        for (p, value) in probabilities.iter_mut().zip(values) {
            *p /= 1.0 + x * value;
        }
        Distribution { probabilities, ..*self }
    }
}

/// The `x` at which `Σ pᵢ bᵢ / (1 + x bᵢ)` is 0 on its way from +∞ to -∞, between the poles to both sides
/// of 0.
///
/// Newton's method, with a bisection wherever it would leave what is known to hold the root.
fn secular_root(p: &PerScore, b: &PerScore) -> f64 {
    let smallest = b.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = b.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    debug_assert!(smallest < 0.0 && largest > 0.0, "no distribution has expectation 0 of {b:?}");
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let nearest_pole = high.min(-low);
    let mut x = 0.0;
    const MOST_ROUNDS: usize = 200;
    for _ in 0..MOST_ROUNDS {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, b) in p.iter().zip(b) {
            let term = b / (1.0 + x * b);
            value += p * term;
            slope -= p * term * term;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        // What rounding in the sums allows.
        if (newton - x).abs() <= 4.0 * f64::EPSILON * x.abs().max(nearest_pole) {
            break;
        }
        x = if low < newton && newton < high { newton } else { low.midpoint(high) };
    }
    x
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    const HALVES: &[f64] = &[0.0, 0.5, 1.0];
    const QUARTERS: &[f64] = &[0.0, 0.25, 0.5, 0.75, 1.0];

    /// Weights over many orders of magnitude, as regularised counts have.
    fn random_distribution(rng: &mut Rng) -> Distribution {
        let weights: PerScore = std::array::from_fn(|_| 10f64.powf(-6.0 * rng.unit()));
        let total: f64 = weights.iter().sum();
        Distribution::new(QUARTERS, weights.map(|weight| weight / total))
    }

    fn log_likelihood(observed: &Distribution, model: &Distribution) -> f64 {
        observed.probabilities.iter().zip(model.probabilities).map(|(p, q)| p * q.ln()).sum()
    }

    #[test]
    fn equal_frequencies_are_tilted_as_algebra_says() {
        let thirds = Distribution::new(HALVES, [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0]);
        let tilted = thirds.with_mean(0.6);
        let [loss, draw, win, ..] = tilted.probabilities;
        assert!((loss + draw + win - 1.0).abs() < 1e-14);
        assert!((tilted.mean() - 0.6).abs() < 1e-14);
        // 1/p is linear in the score, so that of the draw is the mean of the other two.
        assert!((1.0 / draw - 0.5 * (1.0 / loss + 1.0 / win)).abs() < 1e-12);
        // Nothing to tilt: nothing changes.
        assert!((thirds.with_mean(0.5).probabilities[0] - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn hypotheses_are_fulfilled_wherever_the_observation_lies() {
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            let observed = random_distribution(&mut rng);
            let mean = 0.001 + 0.998 * rng.unit();
            let with_mean = observed.with_mean(mean);
            assert!((with_mean.expectation(|_| 1.0) - 1.0).abs() < 1e-9, "{observed:?} {mean}");
            assert!((with_mean.mean() - mean).abs() < 1e-9, "{observed:?} {mean}");

            let t = 4.2 * rng.unit() - 2.1;
            let with_t = observed.with_t_value(t);
            assert!((with_t.expectation(|_| 1.0) - 1.0).abs() < 1e-9, "{observed:?} {t}");
            let reached = (with_t.mean() - 0.5) / with_t.standard_deviation();
            assert!((reached - t).abs() < 1e-6, "{observed:?} {t}: {reached}");
        }
    }

    #[test]
    fn no_neighbour_that_fulfils_the_hypothesis_is_likelier() {
        let mut rng = Rng::new(2);
        for _ in 0..2_000 {
            let observed = random_distribution(&mut rng);
            let mean = 0.05 + 0.9 * rng.unit();
            let likeliest = observed.with_mean(mean);
            // The directions that keep both the sum and the mean: second differences of neighbours.
            for first in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut other = likeliest;
                    let room = (first..first + 3).map(|i| other.probabilities[i]).fold(1.0, f64::min);
                    for (i, weight) in [1.0, -2.0, 1.0].into_iter().enumerate() {
                        other.probabilities[first + i] += sign * weight * 0.01 * room;
                    }
                    assert!(log_likelihood(&observed, &other) < log_likelihood(&observed, &likeliest));
                }
            }
        }
    }

    #[test]
    fn nothing_with_the_same_t_value_is_likelier() {
        // With three outcomes, e = win + loss and f = win - loss, the hypothesis says f² = t² (e - f²), which
        // leaves one free number.
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let [loss, draw] = [(); 2].map(|()| 0.01 + 0.44 * rng.unit());
            let observed = Distribution::new(HALVES, [loss, draw, 1.0 - loss - draw, 0.0, 0.0]);
            let t = 3.0 * rng.unit() - 1.5;
            let log_likelihood = |[loss, draw, win]: [f64; 3]| {
                let [p_loss, p_draw, p_win, ..] = observed.probabilities;
                p_loss * loss.ln() + p_draw * draw.ln() + p_win * win.ln()
            };
            const STEPS: u32 = 10_000;
            let least_e = t * t / (1.0 + t * t);
            let best = (1..STEPS).map(|step| {
                let e = least_e + (1.0 - least_e) * f64::from(step) / f64::from(STEPS);
                let f = t * (e / (1.0 + t * t)).sqrt();
                log_likelihood([(e - f) / 2.0, 1.0 - e, (e + f) / 2.0])
            });
            let best = best.fold(f64::NEG_INFINITY, f64::max);
            let [loss, draw, win, ..] = observed.with_t_value(t).probabilities;
            let found = log_likelihood([loss, draw, win]);
            assert!((found - best).abs() < 1e-5, "{observed:?} {t}: {found} instead of {best}");
        }
    }
}
