//! Fitting the weights of an evaluation to our own games.
//!
//! [`generate`] plays games of an engine against itself and keeps quiet positions with what the search thought of them and how the game
//! ended, in a [file](PositionFile) that grows game by game. [`fit`] finds the parameters of a [`Model`] that foretell those results best.
//! Both are decided by a seed alone: threads and interruptions change nothing.
//!
//! Settings of searches, which no gradient leads to, are tuned by comparisons: see [`Course`].

mod chess;
mod connect;
mod fit;
mod generate;
mod loss;
mod othello;
mod params;
mod positions;
mod probcut;

pub use chess::{ChessEvaluation, start_of_chess960};
pub use connect::{Connect6Evaluation, start_of_connect6};
pub use fit::{Fit, FitOptions, Losses, Step, fit};
pub use generate::{GenerateError, Generation, Play, generate, play_until_clear};
pub use loss::{EvaluationModel, Labelled, Model, samples};
pub use othello::{
    ErrorByPhase, PHASES, PatternEpoch, PatternFit, PatternFitOptions, PatternSample, SOLVED,
    errors_by_phase, fit_patterns, play_othello, read_pattern_samples, steepness, wthor_samples,
};
pub use params::{
    Axis, AxisError, AxisKind, Compare, Comparison, Course, CoursePlan, Gains, Job, Measure, Meeting,
    Objective, Openings, Parameter, Phase, Point, Record, Search, Solving, TuneError, TuneFile,
    TuneFileError, TuneReport, Verdict, axes_of, grid_size, play_course, play_games, read_axes, settings_of,
    start_of, tune_page,
};
pub use positions::{KeptPosition, PositionFile, PositionFileError, read_positions};
pub use probcut::{Measured, ProbCutOptions, measure_foretelling, source_of_foretelling};
