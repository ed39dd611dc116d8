//! Every search, generic over [`Game`](outplay_core::Game).
//!
//! No game is named in this crate. What a search needs beyond the rules it asks for in small traits of its own,
//! such as [`Evaluation`]; the game crates implement them. A search runs under a [`Control`], which holds its
//! [`Limits`] and [stoppers](stop) and takes its [`Report`]s; its settings are rows of one [options table](options!).

pub mod alphabeta;
mod certainty;
pub mod conformance;
mod control;
mod knowledge;
mod labels;
mod library;
mod limits;
pub mod mcts;
mod opinion;
mod options;
pub mod proof;
mod report;
mod score;
mod search;
pub mod stop;
pub mod table;
pub mod textbook;
pub mod trace;
mod tree_file;

pub use certainty::Certainty;
pub use control::Control;
pub use knowledge::{
    Bundle, Evaluating, Evaluation, Evaluator, ForcedWin, Foretelling, Knowledge, NoKnowledge, Oracle,
    Policy, Solved, SolverQuestion, States, Tactics,
};
pub use labels::{ExactLabels, Labeller};
pub use library::{Library, Tier};
pub use limits::{Clock, Limits};
pub use opinion::Opinion;
pub use options::{
    Attribute, BYTES_OF_FORCED_WIN_NODE, Declared, MEBIBYTE, MOST_SEED, NoSuchChoice, OptionError,
    OptionKind, OptionRow, OptionSet, OptionType, OptionValue, Word,
};
pub use report::{
    BatchUse, Bound, CacheUse, Counters, CurrentMove, Cutoffs, GrownMove, MoveStatistics, PrincipalVariation,
    Report, ShownScore, StopReason, TableUse,
};
pub use score::{Meaning, Score};
pub use search::Search;
pub use tree_file::{TREE_FILE_MARK, TreeFileError};
