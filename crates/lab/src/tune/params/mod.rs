//! Tuning settings by comparisons: of games, or of how positions are solved.
//!
//! [`Axis`] is a row of the options table with a range. A [`Course`] says what is to be compared next and what follows from results; it plays
//! nothing itself. [`play_games`] has a crew play it, [`play_course`] plays it on threads of this process, and a [`TuneFile`] keeps every result, so that a run that was cut off goes on.
//! [`TuneReport`] tells what came of it.

mod axis;
mod course;
mod journal;
mod method;
mod page;
mod play;
mod report;
mod spsa;
mod trials;

pub use axis::{Axis, AxisError, AxisKind, Point, axes_of, read_axes, settings_of, start_of};
pub use course::{Comparison, Course, CoursePlan, Job, Phase, Record, Search, Verdict};
pub use journal::{TuneFile, TuneFileError};
pub use page::tune_page;
pub use play::{Compare, Measure, Meeting, Objective, Openings, Solving, TuneError, play_course, play_games};
pub use report::{Parameter, TuneReport};
pub use spsa::Gains;
pub use trials::grid_size;
