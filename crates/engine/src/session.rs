//! The one interface to a game and a search: what protocols, lab, server and terminal talk to.

use std::io::{Read, Write};
use std::sync::Arc;

use outplay_book::Book;
use outplay_core::{Known, Move, Opening, Outcome, ParseError, Phase, Player};
use outplay_search::stop::Signals;
use outplay_search::trace::TraceOptions;
use outplay_search::{Limits, OptionError, OptionRow, OptionValue, Report, TreeFileError};

use crate::explanation::Explanation;
use crate::recorded::{Contents, RecordedGame};
use crate::simulations::ExplainedSimulations;
use crate::trace::TraceSink;
use crate::tree_text::TreeMove;

/// Puts the moves of one position into words, on any thread.
pub trait Wording {
    /// A line of moves from the position, as people write them; stops at the first that is not legal.
    fn line_text(&self, line: &[Move]) -> Vec<String>;

    /// The same as programs exchange them (`e2e4`).
    fn plain_line_text(&self, line: &[Move]) -> Vec<String>;
}

/// Where the reports of a search go, with the wording of the position that is searched.
///
/// Called on the search's thread, the last time with the final report; from then on the session takes commands again. It
/// must not wait for whoever owns the session.
pub type ReportSink = Box<dyn FnMut(&Report, &dyn Wording) + Send>;

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

/// Talks to a running search, from any thread; without effect once the search has ended.
#[derive(Clone, Debug)]
pub struct SearchHandle(pub(crate) Arc<Signals>);

impl SearchHandle {
    /// Tells the search to finish as soon as it can.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Tells a search that ponders that the expected move was played.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}

/// A search that a session offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// Its name in options and on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether its nodes are playouts: it samples the tree and completes no depth.
    pub counts_playouts: bool,
    /// Whether it shows its tree to whoever watches it: see [`Session::watch`].
    pub shows_tree: bool,
}

/// A game in progress with a search that can think about it.
///
/// Whatever comes from outside is checked; an error leaves the session as it was. While a search runs, the game and
/// the options cannot be changed: such a call is refused with [`SessionError::Searching`].
pub trait Session: Wording + Send {
    /// What the players are called, first player first.
    fn players(&self) -> [&'static str; 2];

    /// Goes to a position, or to the start of the game, and plays a list of moves from there: all of it or nothing.
    ///
    /// The moves only have to be legal: draws that players may claim or not, such as repetition, do not end the game.
    fn set_game(&mut self, start: Option<&str>, moves: &str) -> Result<(), SessionError>;

    /// Plays a move given as text.
    fn play_text(&mut self, text: &str) -> Result<Move, SessionError>;

    /// Plays a legal move of a game that is not over.
    fn play(&mut self, m: Move) -> Result<(), SessionError>;

    /// Takes back the last move; `None` if there is none.
    fn undo(&mut self) -> Result<Option<Move>, SessionError>;

    /// Goes to the end of a recorded game: the one with this number, counted from 0, in a file of the game's formats.
    fn load(&mut self, file: &[u8], number: usize) -> Result<(), SessionError>;

    /// The game so far in words, with all that a loaded game had besides its main line.
    fn recorded(&self) -> RecordedGame;

    /// Goes to the end of a game that was told in words, as [`Session::load`] goes to the end of one in a file.
    fn set_recorded(&mut self, game: &RecordedGame) -> Result<(), SessionError>;

    /// The game so far, written in the game's own file format. What a loaded game had besides its main line is kept.
    fn save(&self, notes: &SaveNotes) -> String;

    /// The extension of files that [`Session::save`] writes.
    fn file_extension(&self) -> &'static str;

    /// The tags that hold the names of the players in files of the game, first player first.
    fn player_tags(&self) -> [&'static str; 2];

    /// What a file holds, with the titles of its first `most` games.
    fn contents(&self, file: &[u8], most: usize) -> Result<Contents, SessionError>;

    /// The main lines of the games of a file, up to `most`: where each begins, `None` for the usual start, and its moves as
    /// programs exchange them. [`Session::set_game`] takes both.
    fn list_games(&self, file: &[u8], most: usize) -> Result<Vec<(Option<String>, String)>, SessionError>;

    /// The test problems of a file, up to `most`. [`Session::set_game`] takes where each begins and its moves.
    fn problems(&self, file: &[u8], most: usize) -> Result<Vec<SuiteProblem>, SessionError>;

    /// What opening books of the game are called; `None` if it has none.
    fn book_game(&self) -> Option<&str>;

    /// The current position as opening books know it.
    fn folded(&self) -> FoldedPosition;

    /// Adds the first `plies` of the games of a file to a book; how many games there were.
    fn add_games(&self, book: &mut Book, file: &[u8], plies: usize) -> Result<usize, SessionError>;

    /// How the loaded game ended by its file, if it has not been changed since.
    fn recorded_outcome(&self) -> Option<Outcome>;

    /// The current position as text.
    fn position_text(&self) -> String;

    /// The key of the current position, by which tables know it.
    fn key(&self) -> u64;

    /// The current position drawn as a board.
    fn board(&self) -> String;

    /// Who moves.
    fn to_move(&self) -> Player;

    /// How the game has ended, repetition included; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// How the game has ended, in words: `White wins by checkmate`; `None` while it goes on.
    fn ending(&self) -> Option<String>;

    /// How many columns and rows the board has, if moves are cells of it.
    fn cells(&self) -> Option<(usize, usize)>;

    /// Which part of the game this is; `None` if the game has none.
    fn phase(&self) -> Option<Phase>;

    /// What the opening of the game is called: the last position on its way that has a name says it. `None` if none has.
    fn opening(&self) -> Option<Opening>;

    /// The legal moves, none once the game is over.
    fn legal_moves(&self) -> Vec<Move>;

    /// Reads a move of the current position without playing it.
    fn parse_move(&self, text: &str) -> Result<Move, SessionError>;

    /// The moves played so far, as text, with who made them.
    fn played(&self) -> Vec<(Player, String)>;

    /// The same as programs exchange them.
    fn played_plain(&self) -> Vec<(Player, String)>;

    /// The searches that there are.
    fn searches(&self) -> Vec<SearchInfo>;

    /// The rows of the options table and their current values: the session's own, then those of the chosen search.
    fn options(&mut self) -> Result<Vec<(OptionRow, OptionValue)>, SessionError>;

    /// The rows of a search alone, chosen or not, with their current values.
    fn options_of(&mut self, search: &str) -> Result<Vec<(OptionRow, OptionValue)>, SessionError>;

    /// Sets an option by name: one of the session or of the chosen search, or one of another search, as in
    /// `uct.exploration`.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError>;

    /// What the static evaluation says of the current position, in hundredths for the player to move: the one that the chosen search judges
    /// by, if it judges by any. `None` once the game is over.
    fn evaluate(&mut self) -> Result<Option<i32>, SessionError>;

    /// The same taken apart, in lines of text, where the evaluation can do that.
    fn account(&mut self) -> Result<Option<String>, SessionError>;

    /// Starts a search of the current position on a thread of its own and returns at once.
    fn go(&mut self, limits: Limits, sink: ReportSink) -> Result<SearchHandle, SessionError>;

    /// The same, for somebody who watches the search: `records` gets the top of its tree while it runs, see [`TraceRecord`](crate::TraceRecord). A
    /// search that grows no such tree has only a beginning and an end.
    fn watch(
        &mut self,
        limits: Limits,
        what: TraceOptions,
        reports: ReportSink,
        records: TraceSink,
    ) -> Result<SearchHandle, SessionError>;

    /// Whether a search is running: from [`Session::go`] until its final report.
    fn is_searching(&self) -> bool;

    /// Waits for the running search and returns its final report; `None` if there was none.
    fn wait(&mut self) -> Option<Report>;

    /// The top of the tree that the chosen search grew last: so many plies, no move tried less often than `least_visits`. `None` if it has
    /// none.
    fn grown_tree(&mut self, plies: usize, least_visits: u64) -> Result<Option<TreeMove>, SessionError>;

    /// Writes the tree that the chosen search has grown for the game.
    fn save_tree(&mut self, to: &mut dyn Write) -> Result<(), SessionError>;

    /// Gives the chosen search a tree that was saved in a game with the same start. Set its options before: they have to go with the tree, and a search with
    /// others begins anew.
    fn load_tree(&mut self, from: &mut dyn Read) -> Result<(), SessionError>;

    /// Forgets what searches have learned: a new game begins.
    fn clear(&mut self) -> Result<(), SessionError>;

    /// The number of move sequences of length `depth` that begin with each legal move; `progress` hears how many
    /// parts of how many are done.
    fn perft(
        &self,
        depth: u32,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(String, u64)>;

    /// Records a textbook search of the current position, of at most `most_nodes` nodes.
    fn explain(&self, search: &str, depth: u32, most_nodes: usize) -> Result<Explanation, SessionError>;

    /// Records so many simulations of the chosen search, with its settings, from the current position. The recording is refused if it has more rows than
    /// this, where each move of a table or of a random game takes one.
    fn explain_simulations(
        &mut self,
        simulations: u64,
        most_rows: usize,
    ) -> Result<ExplainedSimulations, SessionError>;
}

/// Why a session refused something.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Text that could not be read.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// A move in a list that could not be played.
    #[error("move {number} of the list: {error}")]
    MoveOfList {
        /// Which one, counted from 1.
        number: usize,
        /// What is wrong with it.
        error: ParseError,
    },
    /// A move of a tree that follows one which is not there.
    #[error(
        "move {number} of the list is said to follow move {after}: expected one before it, or 0 for the start"
    )]
    NotAfter {
        /// Which one, counted from 1.
        number: usize,
        /// What it is said to follow.
        after: usize,
    },
    /// An option that does not exist or a value that does not fit.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A tree that could not be saved or loaded.
    #[error(transparent)]
    TreeFile(#[from] TreeFileError),
    /// A search is running.
    #[error("a search is running: stop it first")]
    Searching,
    /// A search that its limits would never end.
    #[error("search {0:?} cannot tell that there is no forced win: give it nodes or time as well")]
    Endless(&'static str),
    /// No thread for a search.
    #[error("the system gives no thread to search on: {0}")]
    NoThread(std::io::Error),
    /// A move after the end of the game.
    #[error("the game is over ({0}): no move can be played")]
    GameOver(String),
    /// A game that is not in the file.
    #[error("game {asked} was asked for, but the file holds {held}")]
    NoSuchGame {
        /// The number asked for, counted from 1.
        asked: usize,
        /// How many games there are.
        held: usize,
    },
    /// A search that cannot be followed by hand.
    #[error("search {name:?} cannot be explained: expected one of {known}")]
    NotExplainable {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A recording that would be too long.
    #[error("the tree has more than {0} nodes: ask for a smaller depth")]
    TooLarge(usize),
    /// A recording of simulations that would be too long.
    #[error(
        "the simulations take more than {0} rows, one for each move of a table or of a random game: ask for fewer"
    )]
    TooManyRows(usize),
    /// A game that is not in the catalogue.
    #[error("no game {name:?}: expected one of {known}")]
    UnknownGame {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A game whose rules could not be read from its name.
    #[error("{name:?} is not a game: {reason}")]
    BadRules {
        /// The name asked for.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}
