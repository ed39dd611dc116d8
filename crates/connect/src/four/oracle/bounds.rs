//! Scores, and what is known of one.

use outplay_core::{Game, Outcome};
use outplay_search::Certainty;

use crate::four::ConnectFour;

/// The least and the most that a position is worth to the player to move.
///
/// A score tells who wins and how soon: 0 is a draw; 1 a win with the player's last stone of a full board, 2 with the one before, and so
/// on; a loss has the opponent's score with a minus. (This is the scale of the public test sets.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    least: i8,
    most: i8,
    stones: u8,
    cells: u8,
}

/// The score of whoever wins with the stone that makes it so many.
pub(super) const fn score_of_win(cells: i32, stones_at_end: i32) -> i32 {
    (cells + 2 - stones_at_end) / 2
}

impl Bounds {
    /// What can be said of any position that is not over: nobody wins sooner than with the next stone.
    pub(super) fn of_anything(position: &ConnectFour) -> Bounds {
        let (stones, cells) = counts(position);
        let win = |plies: i32| score_of_win(i32::from(cells), i32::from(stones) + plies) as i8;
        Bounds { least: -win(2), most: win(1), stones, cells }
    }

    /// What the end of the game is worth to the player who would be next.
    pub(super) fn of_outcome(outcome: Outcome, position: &ConnectFour) -> Bounds {
        let (stones, cells) = counts(position);
        let win = score_of_win(i32::from(cells), i32::from(stones)) as i8;
        let score = match outcome.winner() {
            None => 0,
            Some(winner) if winner == position.to_move() => win,
            Some(_) => -win,
        };
        Bounds { least: score, most: score, stones, cells }
    }

    /// The same for the player who made the last move, at the position before it.
    pub(super) fn before_move(self) -> Bounds {
        Bounds { least: -self.most, most: -self.least, stones: self.stones - 1, ..self }
    }

    pub(super) fn raise(&mut self, least: i32) {
        self.least = self.least.max(least as i8);
    }

    pub(super) fn lower(&mut self, most: i32) {
        self.most = self.most.min(most as i8);
    }

    /// The least score that is possible.
    pub fn least(self) -> i32 {
        i32::from(self.least)
    }

    /// The greatest score that is possible.
    pub fn most(self) -> i32 {
        i32::from(self.most)
    }

    /// The score, if it is certain.
    pub fn exact(self) -> Option<i32> {
        (self.least == self.most).then_some(self.least())
    }

    /// In how many plies the game ends with best play, if the score is certain: a win as soon as possible, a loss as late as possible, a draw when the
    /// board is full.
    pub fn plies(self) -> Option<u32> {
        let score = self.exact()?;
        let (stones, cells) = (i32::from(self.stones), i32::from(self.cells));
        if score == 0 {
            return Some((cells - stones) as u32);
        }
        // Two numbers of stones have this score. The winner's turn tells which it is.
        let latest = cells + 2 - 2 * score.abs() - stones;
        let is_odd = latest % 2 != 0;
        Some((if is_odd == (score > 0) { latest } else { latest - 1 }) as u32)
    }

    /// The same as other searches say it; `None` if anything is possible. Distances are told if the score is certain.
    pub fn certainty(self) -> Option<Certainty> {
        match (self.exact(), self.plies()) {
            (Some(0), _) => Some(Certainty::DRAW),
            (Some(1..), Some(plies)) => Some(Certainty::win_in(plies)),
            (Some(_), Some(plies)) => Some(Certainty::loss_in(plies)),
            _ if self.least > 0 => Some(Certainty::WIN),
            _ if self.most < 0 => Some(Certainty::LOSS),
            _ if self.least == 0 => Some(Certainty::NOT_LOST),
            _ if self.most == 0 => Some(Certainty::NOT_WON),
            _ => None,
        }
    }
}

/// The stones on the board, and the cells that it has.
fn counts(position: &ConnectFour) -> (u8, u8) {
    let cells = position.rules.columns() * position.rules.rows();
    (position.occupied().count_ones() as u8, cells as u8)
}
