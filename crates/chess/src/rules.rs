//! Which chess is played: the standard game, or Chess960 from one of its start arrays.

use std::fmt;

/// What is fixed before the first move of a game of chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum ChessRules {
    /// The standard game. Positions with castling rights have their kings and rooks on the standard squares.
    #[default]
    Standard,
    /// Chess960, which allows castling from any array and begins in this one.
    Chess960(StartArray),
}

impl ChessRules {
    /// The array that a game begins in.
    pub const fn start_array(self) -> StartArray {
        match self {
            ChessRules::Standard => StartArray::STANDARD,
            ChessRules::Chess960(array) => array,
        }
    }

    /// How protocols write castling under these rules.
    pub const fn castling_text(self) -> CastlingText {
        match self {
            ChessRules::Standard => CastlingText::KingToItsSquare,
            ChessRules::Chess960(_) => CastlingText::KingTakesRook,
        }
    }
}

/// One of the 960 start arrays, by its usual (Scharnagl) number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StartArray(u16);

impl StartArray {
    /// How many arrays there are; they are numbered from 0.
    pub const COUNT: u16 = 960;

    /// The array of the standard game.
    pub const STANDARD: StartArray = StartArray(518);

    /// The array with this number; `None` from 960 on.
    pub const fn new(number: u16) -> Option<StartArray> {
        if number < StartArray::COUNT { Some(StartArray(number)) } else { None }
    }

    /// Its number, below [`StartArray::COUNT`].
    pub const fn number(self) -> u16 {
        self.0
    }
}

impl fmt::Debug for StartArray {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "StartArray({})", self.0)
    }
}

/// How castling is written in coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingText {
    /// The king goes to where it will stand: `e1g1`.
    KingToItsSquare,
    /// The king takes its own rook, which is never ambiguous: `e1h1`.
    KingTakesRook,
}
