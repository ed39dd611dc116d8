//! Othello as the tuner sees it: games whose positions have the margin that they lead to, and weights of patterns fitted to those.

mod fit;
mod games;
mod samples;

pub use fit::{PatternEpoch, PatternFit, PatternFitOptions, fit_patterns};
pub use games::{SOLVED, play_othello};
pub use samples::{
    ErrorByPhase, PHASES, PatternSample, errors_by_phase, read_pattern_samples, steepness, wthor_samples,
};
