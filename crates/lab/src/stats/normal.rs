//! The normal distribution.

use std::f64::consts::PI;

/// How many standard deviations to either side of the mean hold 95 % of a normal distribution.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is at most `x`, to nearly full precision in both tails.
///
/// Near the middle by the series `½ + φ(x) (x + x³/3 + x⁵/(3·5) + ...)`, in the tails by the continued
/// fraction of Mills' ratio, `φ(x) / (x + 1/(x + 2/(x + 3/(x + ...))))`; Abramowitz and Stegun, 26.2.11 and
/// 26.2.14.
pub(super) fn cumulative(x: f64) -> f64 {
    const TAIL: f64 = 4.0;
    const TAIL_TERMS: u32 = 60;
    let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
    if x.abs() < TAIL {
        let mut term = x;
        let mut sum = 0.0;
        let mut odd = 1.0;
        while term.abs() > f64::EPSILON * f64::EPSILON {
            sum += term;
            odd += 2.0;
            term *= x * x / odd;
        }
        return 0.5 + density * sum;
    }
    let distance = x.abs();
    let fraction = (1..=TAIL_TERMS).rev().fold(distance, |below, k| distance + f64::from(k) / below);
    let tail = density / fraction;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_the_tabulated_ones() {
        // By the complementary error function of a C library.
        for (x, expected) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (1.0, 0.841_344_746_068_542_9),
            (Z_95, 0.975),
            (3.0, 0.998_650_101_968_369_9),
            (4.5, 0.999_996_602_326_875_3),
            (-1.0, 0.158_655_253_931_457_07),
            (-3.0, 0.001_349_898_031_630_095_7),
            (-6.0, 9.865_876_450_377_012e-10),
            (-10.0, 7.619_853_024_160_593e-24),
            (-30.0, 4.906_713_927_148_764e-198),
        ] {
            let computed = cumulative(x);
            assert!((computed / expected - 1.0).abs() < 1e-12, "{x}: {computed} instead of {expected}");
        }
    }

    #[test]
    fn the_two_ways_of_computing_agree_where_they_meet() {
        let (below, above) = (cumulative(-4.0 - 1e-12), cumulative(-4.0 + 1e-12));
        assert!(below < above && above - below < 1e-13 * below / 1e-8, "{below} {above}");
        assert_eq!(cumulative(f64::NEG_INFINITY), 0.0);
        assert_eq!(cumulative(f64::INFINITY), 1.0);
    }
}
