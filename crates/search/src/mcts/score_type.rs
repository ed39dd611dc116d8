//! In which numbers people want to see a value.

use super::wdl::Logistic;
use crate::{ShownScore, choices};

choices! {
    /// In which number a value is shown beside the mean result. Names and formulas are lc0's, except for the first.
    pub enum ScoreType {
        /// None: the mean result says it all.
        Expected = "expected",
        /// Hundredths of a pawn from wins minus losses.
        Centipawn = "centipawn",
        /// The same from the value with draws.
        CentipawnWithDrawscore = "centipawn_with_drawscore",
        /// As lc0 showed them from 2019 on.
        Centipawn2019 = "centipawn_2019",
        /// As lc0 showed them in 2018.
        Centipawn2018 = "centipawn_2018",
        /// The expected score in hundredths of a percent.
        WinPercentage = "win_percentage",
        /// The value with draws, times 10,000.
        Q = "Q",
        /// Wins minus losses, times 10,000.
        WinMinusLoss = "W-L",
        /// The advantage of the logistic curve with these chances, in hundredths; at 100, half of the games are won.
        WdlMu = "WDL_mu",
    }
}

/// Beyond such numbers, hundredths of a pawn say nothing.
const MOST: f64 = 1e6;
/// From this sum of |wins minus losses| and draws on, one side has no chance at all, and the curve is not known.
const ONE_SIDED: f64 = 0.996;

impl ScoreType {
    /// The number for these chances and the value with draws, all for the same player.
    pub fn shown(self, wl: f64, draws: f64, q: f64) -> Option<ShownScore> {
        let number = match self {
            ScoreType::Expected => return None,
            ScoreType::Centipawn => 90.0 * (1.563_754_189_7 * wl).tan(),
            ScoreType::CentipawnWithDrawscore => 90.0 * (1.563_754_189_7 * q).tan(),
            ScoreType::Centipawn2019 => 295.0 * wl / (1.0 - 0.976_953_126 * wl.powi(14)),
            ScoreType::Centipawn2018 => 290.680_623_072 * (1.548_090_806 * wl).tan(),
            ScoreType::WinPercentage => 5_000.0 * wl + 5_000.0,
            ScoreType::Q => 10_000.0 * q,
            ScoreType::WinMinusLoss => 10_000.0 * wl,
            ScoreType::WdlMu => advantage(wl, draws),
        };
        Some(ShownScore { kind: self.word(), value: number.clamp(-MOST, MOST).round() as i32 })
    }
}

/// The advantage in hundredths, from wins minus losses alone if the chances do not tell it.
fn advantage(wl: f64, draws: f64) -> f64 {
    let by_wl = 45.0 * (1.567_280_716_28 * wl).tan();
    let is_known = |mu: f64| mu != 0.0 && (mu.abs() < 1.0 || by_wl.abs() < 100.0 * mu.abs());
    match Logistic::of(wl, draws).map(|curve| curve.mu) {
        Some(mu) if wl.abs() + draws < ONE_SIDED && is_known(mu) => 100.0 * mu,
        _ => by_wl,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ScoreType; 8] = [
        ScoreType::Centipawn,
        ScoreType::CentipawnWithDrawscore,
        ScoreType::Centipawn2019,
        ScoreType::Centipawn2018,
        ScoreType::WinPercentage,
        ScoreType::Q,
        ScoreType::WinMinusLoss,
        ScoreType::WdlMu,
    ];

    fn number(kind: ScoreType, wl: f64, draws: f64) -> i32 {
        kind.shown(wl, draws, wl).expect("a number").value
    }

    #[test]
    fn every_number_grows_with_the_value_and_is_even_at_even_chances() {
        for kind in ALL {
            let numbers: Vec<i32> = (-19..=19).map(|wl| number(kind, f64::from(wl) / 20.0, 0.0)).collect();
            assert!(numbers.is_sorted_by(|a, b| a < b), "{kind:?}");
            let even = if kind == ScoreType::WinPercentage { 5_000 } else { 0 };
            assert_eq!(number(kind, 0.0, 0.4), even, "{kind:?}");
            for wl in [0.2, 0.7, 1.0] {
                assert_eq!(number(kind, wl, 0.0) - even, even - number(kind, -wl, 0.0), "{kind:?}");
            }
        }
    }

    #[test]
    fn the_numbers_are_those_of_the_formulas() {
        // Computed apart from this program.
        for (kind, expected) in ALL.into_iter().zip(NUMBERS) {
            assert_eq!([0.25, 0.9].map(|wl| number(kind, wl, 0.0)), expected, "{kind:?}");
        }
        // An advantage of half, blurred by a half: W = σ(-1), L = σ(-3).
        let (win, loss) = (1.0 / (1.0 + 1f64.exp()), 1.0 / (1.0 + 3f64.exp()));
        assert_eq!(number(ScoreType::WdlMu, win - loss, 1.0 - win - loss), 50);
        assert_eq!(ScoreType::Q.shown(0.1, 0.5, -0.15).expect("a number").value, -1_500);
        assert_eq!(ScoreType::CentipawnWithDrawscore.shown(0.1, 0.5, 0.25).expect("a number").value, 37);
        assert_eq!(ScoreType::Expected.shown(0.1, 0.5, 0.1), None);
        assert_eq!(ScoreType::WinMinusLoss.shown(0.1, 0.0, 0.1).expect("a number").kind, "W-L");
    }

    /// For W - L of 0.25 and 0.9 without draws, in the order of `ALL`.
    const NUMBERS: [[i32; 2]; 8] = [
        [37, 546],
        [37, 546],
        [74, 342],
        [118, 1_620],
        [6_250, 9_500],
        [2_500, 9_000],
        [2_500, 9_000],
        [19, 278],
    ];
}
