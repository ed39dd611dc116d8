//! The one interface to a game and a search: what protocols, lab, server and terminal talk to.

use outplay_core::{Move, Outcome, ParseError, Player};
use outplay_search::{Limits, OptionError, OptionRow, OptionValue, Report};

use crate::explanation::Explanation;

/// Where the reports of a search go: called on the search's thread, the last time with the final report.
pub type ReportSink = Box<dyn FnMut(&Report) + Send>;

/// A game in progress with a search that can think about it.
///
/// Whatever comes from outside is checked; an error leaves the session as it was. While a search runs, the game and
/// the options cannot be changed: such a call is refused with [`SessionError::Searching`].
pub trait Session: Send {
    /// What the players are called, first player first.
    fn players(&self) -> [&'static str; 2];

    /// Goes to a position given as text, or to the start of the game.
    fn set_position(&mut self, text: Option<&str>) -> Result<(), SessionError>;

    /// Plays a move given as text.
    fn play_text(&mut self, text: &str) -> Result<Move, SessionError>;

    /// Plays a legal move.
    fn play(&mut self, m: Move) -> Result<(), SessionError>;

    /// Takes back the last move; `None` if there is none.
    fn undo(&mut self) -> Result<Option<Move>, SessionError>;

    /// Goes to the end of a recorded game: the one with this number, counted from 0, in a file of the game's formats.
    fn load(&mut self, file: &[u8], number: usize) -> Result<(), SessionError>;

    /// The game so far, written in the game's own file format with these tags. `resigned_by` ends a game that the
    /// rules have not ended.
    fn save(&self, tags: &[(&str, String)], resigned_by: Option<Player>) -> String;

    /// The extension of files that [`Session::save`] writes.
    fn file_extension(&self) -> &'static str;

    /// The current position as text.
    fn position_text(&self) -> String;

    /// The current position drawn as a board.
    fn board(&self) -> String;

    /// Who moves.
    fn to_move(&self) -> Player;

    /// How the game has ended, repetition included; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The legal moves, none once the game is over.
    fn legal_moves(&self) -> Vec<Move>;

    /// Reads a move of the current position without playing it.
    fn parse_move(&self, text: &str) -> Result<Move, SessionError>;

    /// A line of moves from the current position, each as text; stops at the first that is not legal.
    fn line_text(&self, line: &[Move]) -> Vec<String>;

    /// The moves played so far, as text, with who made them.
    fn played(&self) -> Vec<(Player, String)>;

    /// The rows of the options table and their current values: the session's own, then those of the chosen search.
    fn options(&mut self) -> Result<Vec<(OptionRow, OptionValue)>, SessionError>;

    /// Sets an option by name.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError>;

    /// Starts a search of the current position on a thread of its own and returns at once.
    fn go(&mut self, limits: Limits, sink: ReportSink) -> Result<(), SessionError>;

    /// Tells the running search, if any, to finish as soon as it can.
    fn stop(&self);

    /// Tells a search that ponders that the expected move was played.
    fn ponder_hit(&self);

    /// Whether a search is running.
    fn is_searching(&self) -> bool;

    /// Waits for the running search and returns its final report; `None` if there was none.
    fn wait(&mut self) -> Option<Report>;

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
}

/// Why a session refused something.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Text that could not be read.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// An option that does not exist or a value that does not fit.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A search is running.
    #[error("a search is running: stop it first")]
    Searching,
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
    /// A search that cannot do what was asked.
    #[error("search {0:?} cannot be explained: expected minimax, negamax or alphabeta")]
    NotExplainable(String),
    /// A recording that would be too long.
    #[error("the tree has more than {0} nodes: ask for a smaller depth")]
    TooLarge(usize),
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
