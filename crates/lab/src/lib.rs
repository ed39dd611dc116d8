//! Measuring what engines are worth.
//!
//! [`stats`] is the mathematics: how much one player is better than another, and how sure that is.

mod matches;
mod openings;
mod own;
mod players;
mod referee;
pub mod stats;
mod store;

pub use matches::{Plan, PlayedPair, run_match};
pub use openings::{Opening, random_openings};
pub use own::OwnPlayer;
pub use players::{PlayerError, PlayerSpec, Protocol};
pub use referee::{Ending, FaultKind, PlayedGame, TimeControl, play_game};
pub use store::{Store, StoreError, StoredPair};
