//! What a score means in chances, and the other way round. This is the one place that says so.
//!
//! The chance to win grows with the score `s`, in hundredths of a pawn, as a logistic curve: `1 / (1 + e^((EVEN - s) / SPREAD))`. The
//! chance to lose is that of the opponent, who sees `-s`; what is left is drawn. At `EVEN` a win is as likely as not. The two
//! constants are those under which the results of our own games are most likely: 416,000 quiet positions of `outplay tune games`,
//! at 1,500 nodes a move. Between stronger players scores mean more, and more games are drawn.

use outplay_search::Meaning;

/// The score with which a game is won as often as not.
const EVEN: f64 = 94.0;
/// How far from there the chance is almost three in four.
const SPREAD: f64 = 130.0;
/// No mean result is shown as more than this: more would look like a known win.
const MOST_CENTI: f64 = 9_999.0;
/// What a forced result is worth beside scores.
const DECIDED: i32 = 100_000;

/// A value in hundredths of a pawn, forced results far beyond all others.
pub fn centipawns(score: Meaning) -> i32 {
    match score {
        Meaning::Opinion(centi) => centi,
        Meaning::WinIn(_) => DECIDED,
        Meaning::LossIn(_) => -DECIDED,
        Meaning::Margin(margin) => margin.signum() * DECIDED,
        Meaning::Expected(mean) => score_of(mean),
    }
}

/// The chances to win, to draw and to lose of a player with this score.
pub fn of_score(centi: i32) -> [f64; 3] {
    let win = |centi: f64| 1.0 / (1.0 + ((EVEN - centi) / SPREAD).exp());
    let (won, lost) = (win(centi.into()), win(-f64::from(centi)));
    [won, (1.0 - won - lost).max(0.0), lost]
}

/// The score whose chance to win minus the chance to lose is this: the inverse of [`of_score`].
pub fn score_of(mean: f64) -> i32 {
    // With a = e^(EVEN/SPREAD) and y = e^(s/SPREAD), the mean is 1/(1 + a/y) - 1/(1 + a·y): quadratic in y.
    let (a, mean) = ((EVEN / SPREAD).exp(), mean.clamp(-1.0, 1.0));
    let linear = mean * (1.0 + a * a);
    let root = (linear * linear + 4.0 * a * a * (1.0 - mean * mean)).sqrt();
    // The form without cancellation on either side.
    let y = if mean >= 0.0 {
        (linear + root) / (2.0 * a * (1.0 - mean))
    } else {
        2.0 * a * (1.0 + mean) / (root - linear)
    };
    (SPREAD * y.ln()).clamp(-MOST_CENTI, MOST_CENTI).round() as i32
}

/// Chances in thousandths that add up to a thousand.
pub fn per_mille([win, _, loss]: [f64; 3]) -> [u32; 3] {
    let thousandths = |chance: f64| (1000.0 * chance).round().clamp(0.0, 1000.0) as u32;
    let win = thousandths(win);
    let loss = thousandths(loss).min(1000 - win);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_chances_and_mirror_each_other() {
        for centi in (-20_000..=20_000).step_by(50) {
            let [win, draw, loss] = of_score(centi);
            assert!([win, draw, loss].iter().all(|chance| (0.0..=1.0).contains(chance)), "{centi}");
            assert!((win + draw + loss - 1.0).abs() < 1e-12);
            let mirrored = of_score(-centi);
            assert!((mirrored[0] - loss).abs() < 1e-12 && (mirrored[2] - win).abs() < 1e-12);
            assert_eq!(per_mille([win, draw, loss]).iter().sum::<u32>(), 1000);
        }
        assert!((of_score(EVEN as i32)[0] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_mean_result_has_the_score_that_it_comes_from() {
        for centi in -900..=900 {
            let [win, _, loss] = of_score(centi);
            assert_eq!(score_of(win - loss), centi);
        }
        assert_eq!((score_of(1.0), score_of(-1.0), score_of(0.0)), (9_999, -9_999, 0));
        assert_eq!(score_of(f64::NAN), 0);
    }
}
