//! Learning: a network plays against itself, is trained on what it found out, and plays again.
//!
//! [`Settings`] say how: a recipe, one table of options. A [`Run`] is a folder with all that was settled, played and learned (`folder.rs`). Work goes by
//! generations: the newest network plays its games, the games go into the window (`window.rs`), and training on the window gives the next network (`run.rs`).
//! Everything is determined by the settings, the seed among them: threads, interruptions and the machine change nothing.

mod folder;
mod run;
mod settings;
mod sight;
mod window;

pub use folder::{Folder, RunError};
pub use run::{Event, Generation, Run};
pub use settings::{LearnOptions, Optimizing, Recipe, Settings};
pub use sight::{Figures, Sight, runs_in};
pub use window::Window;
