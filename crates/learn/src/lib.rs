//! Learning: a network plays against itself, is trained on what it found out, and plays again.
//!
//! [`Settings`] say how: a recipe, one table of options. A [`Run`] is a folder with all that was settled, played and learned (`folder.rs`). Work goes by
//! generations: the newest network plays its games, the games go into the window (`window.rs`), and training on the window gives the next network (`run.rs`).
//! `export.rs` shows its games to people, `pack.rs` puts it into one file, `teach.rs` and `teach_games.rs` give it a first network that has learned from others.
//! Everything is determined by the settings, the seed among them: threads, interruptions and the machine change nothing.

mod export;
mod folder;
mod pack;
mod run;
mod settings;
mod teach;
mod teach_games;
mod window;

pub use export::{GameInWords, Kept, PositionInWords, exported, games_there_are, in_words, kept_games};
pub use folder::{Folder, RunError};
pub use pack::{Packed, pack, unpack};
pub use run::{Event, Generation, Run};
pub use settings::{LearnOptions, Optimizing, Recipe, Settings};
pub use teach::{Course, Epoch, HeldOut, LargeRun, distil};
pub use teach_games::{Model, games_of_file, imitate, imitate_games};
pub use window::Window;
