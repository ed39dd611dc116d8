//! Learning: a network plays against itself, is trained on what it found out, and plays again.
//!
//! [`Settings`] say how: a recipe, one table of options. A [`Run`] is a folder with all that was settled, played and learned (`folder.rs`). Work goes by
//! generations: the newest network plays its games, the games go into the window (`window.rs`), and training on the window gives the next network (`run.rs`).
//! On the way or afterwards, the lab says how strong the networks are (`ratings.rs`).
//! `export.rs` shows its games to people, `pack.rs` puts it into one file, `teach.rs` and `teach_games.rs` give it a first network that has learned from others.
//! Everything is determined by the settings, the seed among them: threads, interruptions and the machine change nothing.

mod counted;
mod date;
mod export;
mod figures;
mod folder;
mod needs;
mod opponents;
mod pack;
mod packed;
mod ratings;
mod run;
mod settings;
mod sight;
mod teach;
mod teach_games;
mod tensorboard;
mod training;
mod window;

pub use export::{GameInWords, Kept, PositionInWords, exported, games_there_are, in_words, kept_games};
pub use figures::{Asked, Generation, OtherLosses, Played};
pub use folder::{Folder, RunError};
pub use needs::Needs;
pub use pack::{PackedRun, pack, unpack};
pub use ratings::{Rating, RatingJob, RatingProgress, is_rated};
pub use run::{Event, Run};
pub use settings::{LearnOptions, Optimizing, RateDecay, RatingOptions, Recipe, Settings};
pub use sight::{Figures, Sight, runs_in};
pub use teach::{Course, Epoch, HeldOut, LargeRun, distil};
pub use teach_games::{Model, games_of_file, imitate, imitate_games};
pub use tensorboard::EventFile;
pub use window::Window;
