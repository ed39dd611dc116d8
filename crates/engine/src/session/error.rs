//! Why a session refused something.

use outplay_core::ParseError;
use outplay_core::names::{did_you_mean, meant};
use outplay_search::mcts::EvaluationError;
use outplay_search::{OptionError, TreeFileError};

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
    /// A network that cannot be asked.
    #[error(transparent)]
    Network(#[from] EvaluationError),
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
    /// A turn that nobody can do without.
    #[error("{0}")]
    NoPass(String),
    /// A game that is not in the file.
    #[error("game {asked} was asked for, but the file holds {held}")]
    NoSuchGame {
        /// The number asked for, counted from 1.
        asked: usize,
        /// How many games there are.
        held: usize,
    },
    /// A search that cannot be followed by hand.
    #[error("search {name:?} cannot be explained: {}expected one of {known}", did_you_mean(meant(name, known.split(", "))))]
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
    #[error("no game {name:?}: {}expected one of {known}", did_you_mean(*meant))]
    UnknownGame {
        /// The name asked for.
        name: String,
        /// The name that may have been meant.
        meant: Option<&'static str>,
        /// The names there are.
        known: String,
    },
    /// A lesson that is not in the catalogue.
    #[error("no lesson {name:?}: {}expected one of {known}", did_you_mean(*meant))]
    UnknownLesson {
        /// The name asked for.
        name: String,
        /// The name that may have been meant.
        meant: Option<&'static str>,
        /// The names there are.
        known: String,
    },
    /// A level that the game does not have.
    #[error("{game} has no level {name:?}: {}expected one of {known}", did_you_mean(*meant))]
    UnknownLevel {
        /// The game.
        game: String,
        /// The number or name asked for.
        name: String,
        /// The name that may have been meant.
        meant: Option<&'static str>,
        /// The levels there are.
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
    /// A position in which there is no win to look for.
    #[error("{0}")]
    NotProvable(String),
}
