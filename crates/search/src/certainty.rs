//! What is known of a position without searching it.

use crate::Score;
use crate::table::Bounded;

/// What somebody who knows says of a position, for the player to move. It must be true whatever the players do. For games that are won or
/// lost: it knows no margins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// Won in so many plies, and not sooner.
    WinIn(u32),
    /// Won, nobody says how soon.
    Win,
    /// A draw at least.
    NotLost,
    /// Drawn.
    Draw,
    /// A draw at most.
    NotWon,
    /// Lost, nobody says how soon.
    Loss,
    /// Lost in so many plies, and not later.
    LossIn(u32),
}

impl Certainty {
    /// The same as a value in the view of the root, which is `ply` plies away and where a draw is worth `draw` for the player to move
    /// here; and how that is to be taken.
    pub fn value(self, ply: usize, draw: Score) -> (Score, Bounded) {
        match self {
            Certainty::WinIn(plies) => (Score::win_in(ply + plies as usize), Bounded::Exact),
            Certainty::Win => (Score::win_known_at(ply), Bounded::AtLeast),
            Certainty::NotLost => (draw, Bounded::AtLeast),
            Certainty::Draw => (draw, Bounded::Exact),
            Certainty::NotWon => (draw, Bounded::AtMost),
            Certainty::Loss => (-Score::win_known_at(ply), Bounded::AtMost),
            Certainty::LossIn(plies) => (-Score::win_in(ply + plies as usize), Bounded::Exact),
        }
    }
}
