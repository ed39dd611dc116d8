//! Game files, test problems and opening books.

use outplay_book::Book;
use outplay_core::{Known, Move, Outcome};

use super::SessionError;
use crate::recorded::{Contents, RecordedGame};

/// What a file says of a game besides its moves.
#[derive(Clone, Debug, Default)]
pub struct SaveNotes<'a> {
    /// Names and values, added where the game has no such tag.
    pub tags: Vec<(&'a str, String)>,
    /// How the game ended, if the rules have not ended it: by resignation, say.
    pub outcome: Option<Outcome>,
    /// Comments on moves, by the number of the move, counted from 0.
    pub comments: Vec<(usize, String)>,
}

/// A test problem, in words that every player can be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteProblem {
    /// Its name in the file, or else its number there, counted from 1.
    pub name: String,
    /// Where the moves begin; `None` for the usual start.
    pub start: Option<String>,
    /// The moves that lead to the position, as programs exchange them.
    pub moves: Vec<String>,
    /// What is known about it, with moves as people write them.
    pub known: Known<String>,
}

/// A position in the place of all its images: see [`Folded`](outplay_core::Folded).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoldedPosition {
    /// The image that stands for the position, as text.
    pub text: String,
    /// Its key.
    pub key: u64,
    /// The legal moves of the position, each with the move of the image that stands for it.
    pub moves: Vec<(Move, Move)>,
}

/// The game in files: records, problems, and what opening books know of it.
pub trait Filing {
    /// Goes to the end of a recorded game: the one with this number, counted from 0, in a file of the game's formats.
    fn load(&mut self, file: &[u8], number: usize) -> Result<(), SessionError>;

    /// The game so far in words, with all that a loaded game had besides its main line.
    fn recorded(&self) -> RecordedGame;

    /// Goes to the end of a game that was told in words, as [`Filing::load`] goes to the end of one in a file.
    fn set_recorded(&mut self, game: &RecordedGame) -> Result<(), SessionError>;

    /// The game so far, written in the game's own file format. What a loaded game had besides its main line is kept.
    fn save(&self, notes: &SaveNotes) -> String;

    /// The extension of files that [`Filing::save`] writes.
    fn file_extension(&self) -> &'static str;

    /// The tags that hold the names of the players in files of the game, first player first.
    fn player_tags(&self) -> [&'static str; 2];

    /// What a file holds, with the titles of its first `most` games.
    fn contents(&self, file: &[u8], most: usize) -> Result<Contents, SessionError>;

    /// The main lines of the games of a file, up to `most`: where each begins, `None` for the usual start, and its moves as
    /// programs exchange them. [`Playing::set_game`](super::Playing::set_game) takes both.
    fn list_games(&self, file: &[u8], most: usize) -> Result<Vec<(Option<String>, String)>, SessionError>;

    /// How the games of a file ended, up to `most`, in the order of [`Filing::list_games`]; `None` where the file does not say.
    fn list_outcomes(&self, file: &[u8], most: usize) -> Result<Vec<Option<Outcome>>, SessionError>;

    /// The test problems of a file, up to `most`. [`Playing::set_game`](super::Playing::set_game) takes where each begins and its moves.
    fn problems(&self, file: &[u8], most: usize) -> Result<Vec<SuiteProblem>, SessionError>;

    /// How the loaded game ended by its file, if it has not been changed since.
    fn recorded_outcome(&self) -> Option<Outcome>;

    /// What opening books of the game are called; `None` if it has none.
    fn book_game(&self) -> Option<&str>;

    /// The current position as opening books know it.
    fn folded(&self) -> FoldedPosition;

    /// Adds the first `plies` of the games of a file to a book; how many games there were.
    fn add_games(&self, book: &mut Book, file: &[u8], plies: usize) -> Result<usize, SessionError>;
}
