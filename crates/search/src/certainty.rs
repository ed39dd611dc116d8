//! What is known of a position without searching it.

use outplay_core::{Game, Outcome, Player};

use crate::Score;

/// What somebody who knows says of a position, for the player to move: the least and the most that it is worth. It must be
/// true whatever the players do.
///
/// Both ends are decided results or a draw, as seen from the position itself, and `most` is [`Score::INFINITE`] if nothing
/// is known of it (`least` the same with a minus). So a mate has its distance, an endgame table that knows no distance its
/// winner, and a solver of a game with margins a margin, or two between which it lies.
///
/// ```
/// use outplay_search::{Certainty, Score};
/// assert!(Certainty::win_in(3).least() > Certainty::WIN.least());
/// assert_eq!(Certainty::by_margin(6), Certainty::between_margins(6, 6));
/// assert_eq!(Certainty::between_margins(2, 64).result(), Some(1));
/// assert_eq!(Certainty::NOT_LOST.result(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Certainty {
    least: Score,
    most: Score,
}

impl Certainty {
    /// Won, nobody says how soon or by how much.
    pub const WIN: Certainty = Certainty { least: Score::WON, most: Score::INFINITE };
    /// A draw at least.
    pub const NOT_LOST: Certainty = Certainty { least: Score::DRAW, most: Score::INFINITE };
    /// Drawn.
    pub const DRAW: Certainty = Certainty { least: Score::DRAW, most: Score::DRAW };
    /// A draw at most.
    pub const NOT_WON: Certainty = Certainty { least: Score::LEAST, most: Score::DRAW };
    /// Lost, nobody says how soon or by how much.
    pub const LOSS: Certainty = Certainty { least: Score::LEAST, most: Score::LOST };

    /// Won in so many plies, and not sooner. For games that are won or lost.
    pub fn win_in(plies: u32) -> Certainty {
        Certainty::exactly(Score::win_in(plies as usize))
    }

    /// Lost in so many plies, and not later. For games that are won or lost.
    pub fn loss_in(plies: u32) -> Certainty {
        Certainty::exactly(-Score::win_in(plies as usize))
    }

    /// Won by this margin, or lost if it is negative. For games with margins.
    pub fn by_margin(margin: i16) -> Certainty {
        Certainty::exactly(Score::by_margin(margin))
    }

    /// A margin from the first to the second, both included. For games with margins.
    pub fn between_margins(least: i16, most: i16) -> Certainty {
        debug_assert!(least <= most, "from {least} to {most}");
        Certainty { least: Score::by_margin(least), most: Score::by_margin(most) }
    }

    /// This result for the player to move, in so many plies.
    pub fn of_outcome<G: Game>(outcome: Outcome, to_move: Player, plies: usize) -> Certainty {
        Certainty::exactly(Score::decided::<G>(outcome, to_move, plies))
    }

    fn exactly(score: Score) -> Certainty {
        Certainty { least: score, most: score }
    }

    /// The least that the position is worth.
    pub fn least(self) -> Score {
        self.least
    }

    /// The most that it is worth.
    pub fn most(self) -> Score {
        self.most
    }

    /// What it is worth, if that is one value.
    pub fn exact(self) -> Option<Score> {
        (self.least == self.most).then_some(self.least)
    }

    /// Who wins, if that is certain: 1 the player to move, 0 nobody, -1 the opponent.
    pub fn result(self) -> Option<i8> {
        match self {
            _ if self.least.is_win() => Some(1),
            _ if self.most.is_loss() => Some(-1),
            Certainty::DRAW => Some(0),
            _ => None,
        }
    }

    /// The least and the most in the view of a root that is `ply` plies away and where a draw is worth `draw` for the
    /// player to move here.
    pub fn seen_from_root<G: Game>(self, ply: usize, draw: Score) -> (Score, Score) {
        let seen = |score: Score| match score {
            Score::DRAW => draw,
            Score::INFINITE | Score::LEAST => score,
            decided => decided.seen_from_root::<G>(ply),
        };
        (seen(self.least), seen(self.most))
    }
}
