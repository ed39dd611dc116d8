//! How many moves are worth a try, by experience: what the searches before in a game have shown.

use super::AlphaBetaOptions;
use crate::Counters;

/// Searches with fewer cutoffs than this have shown nothing.
const TELLING: u64 = 500;

/// What a game has taught.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Adjustment {
    /// By how much more is tried than the settings say.
    factor: f64,
}

impl Default for Adjustment {
    fn default() -> Adjustment {
        Adjustment { factor: 1.0 }
    }
}

impl Adjustment {
    /// How many moves to try, as a share of what the game's knowledge thinks worth it.
    pub fn share(&self, options: &AlphaBetaOptions) -> f64 {
        let factor = if options.adjust_candidates { self.factor } else { 1.0 };
        options.candidate_share * factor
    }

    /// Takes note of a search. Where the first move is nearly always the one that refutes, the others are looked at in vain; where it often is
    /// not, the right one may not be among them.
    pub fn learn(&mut self, counters: &Counters, options: &AlphaBetaOptions) {
        let Some(cutoffs) = counters.cutoffs.filter(|cutoffs| cutoffs.all >= TELLING) else { return };
        let at_first_move = cutoffs.at_first_move as f64 / cutoffs.all as f64;
        let factor = if at_first_move >= options.adjust_narrower_from {
            self.factor / options.adjust_step
        } else if at_first_move < options.adjust_wider_below {
            self.factor * options.adjust_step
        } else {
            self.factor
        };
        self.factor = factor.clamp(1.0 / options.adjust_most, options.adjust_most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cutoffs;

    fn searched(all: u64, at_first_move: u64) -> Counters {
        Counters { cutoffs: Some(Cutoffs { all, at_first_move }), ..Counters::default() }
    }

    #[test]
    fn widths_follow_how_often_the_first_move_was_enough_and_stay_within_bounds() {
        let options = AlphaBetaOptions { adjust_candidates: true, ..AlphaBetaOptions::default() };
        let mut adjustment = Adjustment::default();
        adjustment.learn(&searched(10_000, 9_900), &options);
        assert!((adjustment.share(&options) - 1.0 / options.adjust_step).abs() < 1e-9);
        adjustment.learn(&searched(10_000, 9_000), &options);
        assert!((adjustment.share(&options) - 1.0 / options.adjust_step).abs() < 1e-9, "neither");
        adjustment.learn(&searched(100, 0), &options);
        assert!(adjustment.share(&options) < 1.0, "too few to tell");
        for _ in 0..20 {
            adjustment.learn(&searched(10_000, 5_000), &options);
        }
        assert_eq!(adjustment.share(&options), options.adjust_most);
        let off = AlphaBetaOptions { adjust_candidates: false, candidate_share: 0.7, ..options };
        assert_eq!(adjustment.share(&off), 0.7);
    }
}
