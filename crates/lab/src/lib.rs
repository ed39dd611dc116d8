//! Measuring what engines are worth.
//!
//! [`stats`] is the mathematics: how much one player is better than another, and how sure that is.

mod own;
mod referee;
pub mod stats;

pub use own::OwnPlayer;
pub use referee::{Ending, FaultKind, PlayedGame, TimeControl, play_game};
