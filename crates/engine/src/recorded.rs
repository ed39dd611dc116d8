//! A recorded game in words, for whoever shows, edits or keeps it.

use outplay_core::{Outcome, Player};

/// What a game file says of a game: where it begins, its moves with variations and comments, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedGame {
    /// Names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where the moves begin; `None` for the usual start.
    pub start: Option<String>,
    /// What is said before the first move.
    pub comment: String,
    /// The moves: each line to its end before the next one begins, the main line first.
    pub moves: Vec<RecordedMove>,
    /// How the game ended, as far as somebody says.
    pub outcome: Option<Outcome>,
}

/// What a game file holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// How many games.
    pub count: usize,
    /// A short line for each of the first games: who played, how it ended and where, or else how it began.
    pub titles: Vec<String>,
}

/// A move of a [`RecordedGame`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedMove {
    /// The number of the move that it follows, counted from 1, or 0 if it is a first move. Of several moves that follow the same one, the
    /// first is the main line.
    pub after: usize,
    /// The move as programs exchange it; what is read may be in any notation of the game.
    pub plain: String,
    /// What is said about it.
    pub comment: String,
    /// Numeric annotation glyphs: 1 for `!`, 2 for `?` and so on.
    pub marks: Vec<u8>,
    /// Who makes it. It follows from the rest, and is not read.
    pub player: Player,
    /// The move as people write it. It follows from the rest, and is not read.
    pub text: String,
}
