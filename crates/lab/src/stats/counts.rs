//! Counting results: single games and pairs of games.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use outplay_core::{Outcome, Player};
use serde::{Deserialize, Serialize};

/// One game as the player under test sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// The player under test lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The player under test won.
    Win,
}

impl GameResult {
    /// What an outcome is for the player under test, who had this side. Margins do not count.
    pub const fn of(outcome: Outcome, side: Player) -> GameResult {
        match outcome.for_player(side) {
            0 => GameResult::Draw,
            1.. => GameResult::Win,
            _ => GameResult::Loss,
        }
    }

    /// The same game as the opponent sees it.
    #[must_use]
    pub const fn reversed(self) -> GameResult {
        match self {
            GameResult::Loss => GameResult::Win,
            GameResult::Draw => GameResult::Draw,
            GameResult::Win => GameResult::Loss,
        }
    }

    const fn half_points(self) -> usize {
        self as usize
    }
}

/// How many games were won, drawn and lost: the trinomial count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts in the order of the name: won, drawn, lost.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    /// Counts one more game.
    pub fn record(&mut self, result: GameResult) {
        match result {
            GameResult::Loss => self.losses += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Win => self.wins += 1,
        }
    }

    /// All games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: a win is one, a draw is half of one.
    pub const fn points(self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Drawn games among all games; `None` before the first game.
    pub fn draw_ratio(self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games as the opponent sees them.
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for Wdl {
    type Output = Wdl;

    fn add(self, other: Wdl) -> Wdl {
        Wdl::new(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        *self = *self + other;
    }
}

impl Sum for Wdl {
    fn sum<I: Iterator<Item = Wdl>>(counts: I) -> Wdl {
        counts.fold(Wdl::default(), Add::add)
    }
}

/// How many pairs of games brought 0, ½, 1, 1½ and 2 points.
///
/// With a pair's two results as letters that is `[LL, LD+DL, LW+DD+WL, DW+WD, WW]`, the order that all the
/// tools of the field print.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair.
    pub fn record(&mut self, first: GameResult, second: GameResult) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    /// All pairs.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// Pairs won (more than one point) for each pair lost (less than one).
    ///
    /// Infinite if some were won and none lost; `None` if every pair was level.
    pub fn pairs_ratio(self) -> Option<f64> {
        let [lost_both, lost_one, _, won_one, won_both] = self.0;
        let (won, lost) = (won_one + won_both, lost_one + lost_both);
        (won + lost > 0).then(|| won as f64 / lost as f64)
    }

    /// The same pairs as the opponent sees them.
    #[must_use]
    pub const fn reversed(self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;

    fn add(self, other: Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        *self = *self + other;
    }
}

/// The count of a match in which every opening is played with both colours.
///
/// Takes whole pairs only, so that its two counts always speak of the same games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PairTally {
    games: Wdl,
    pairs: Pentanomial,
}

impl PairTally {
    /// Counts one more pair.
    pub fn record(&mut self, first: GameResult, second: GameResult) {
        self.games.record(first);
        self.games.record(second);
        self.pairs.record(first, second);
    }

    /// The games of all pairs, one by one.
    pub const fn games(&self) -> Wdl {
        self.games
    }

    /// The pairs. Not to be had from the games alone: two draws and a win with a loss are the same here.
    pub const fn pairs(&self) -> Pentanomial {
        self.pairs
    }
}

impl Add for PairTally {
    type Output = PairTally;

    fn add(self, other: PairTally) -> PairTally {
        PairTally { games: self.games + other.games, pairs: self.pairs + other.pairs }
    }
}

#[cfg(test)]
mod tests {
    use super::GameResult::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn a_pair_is_counted_by_its_points() {
        let mut tally = PairTally::default();
        for (first, second) in [
            (Loss, Loss),
            (Loss, Draw),
            (Draw, Loss),
            (Win, Loss),
            (Draw, Draw),
            (Loss, Win),
            (Win, Draw),
            (Win, Win),
        ] {
            tally.record(first, second);
        }
        assert_eq!(tally.pairs(), Pentanomial([1, 2, 3, 1, 1]));
        assert_eq!(tally.games(), Wdl::new(5, 5, 6));
        assert_eq!(tally.pairs().pairs() * 2, tally.games().games());
        assert_eq!((tally + tally).pairs(), Pentanomial([2, 4, 6, 2, 2]));
    }

    #[test]
    fn an_outcome_becomes_a_result_whatever_its_margin() {
        let outcome = Outcome::from_margin(12, Player::Second);
        assert_eq!(GameResult::of(outcome, Player::Second), Win);
        assert_eq!(GameResult::of(outcome, Player::First), Loss);
        assert_eq!(GameResult::of(Outcome::DRAW, Player::First), Draw);
        assert_eq!(GameResult::of(outcome, Player::First).reversed(), Win);
    }

    #[test]
    fn ratios_have_no_value_without_games() {
        assert_eq!(Wdl::default().draw_ratio(), None);
        assert_eq!(Wdl::new(1, 3, 0).draw_ratio(), Some(0.75));
        assert_eq!(Pentanomial([0, 0, 9, 0, 0]).pairs_ratio(), None);
        assert_eq!(Pentanomial([1, 1, 9, 3, 2]).pairs_ratio(), Some(2.5));
        assert_eq!(Pentanomial([0, 0, 9, 3, 2]).pairs_ratio(), Some(f64::INFINITY));
    }
}
