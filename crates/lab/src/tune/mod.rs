//! Fitting the weights of an evaluation to our own games.
//!
//! [`generate`] plays games of an engine against itself and keeps quiet positions with what the search thought of them and how the game
//! ended, in a [file](PositionFile) that grows game by game. [`fit`] finds the parameters of a [`Model`] that foretell those results best.
//! Both are decided by a seed alone: threads and interruptions change nothing.

mod chess;
mod connect;
mod fit;
mod generate;
mod loss;
mod positions;

pub use chess::{ChessEvaluation, start_of_chess960};
pub use connect::{Connect6Evaluation, start_of_connect6};
pub use fit::{Fit, FitOptions, Losses, Step, fit};
pub use generate::{GenerateError, Generation, generate};
pub use loss::{EvaluationModel, Labelled, Model, samples};
pub use positions::{KeptPosition, PositionFile, PositionFileError, read_positions};
