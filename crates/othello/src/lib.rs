//! Othello on 8×8: the rules on bitboards, the texts that the game's community uses, and first evaluations.
//!
//! ```
//! use outplay_core::{Game, Notation};
//! use outplay_othello::Othello;
//!
//! let mut position = Othello::start(&());
//! position.play(position.parse_move("f5")?);
//! assert_eq!(position.position_text(), "---------------------------OX------XXX-------------------------- O");
//! # Ok::<(), outplay_core::ParseError>(())
//! ```
//!
//! [`Othello`] is the position and the rules, [`kernels`] the arithmetic below it. [`obf`] reads and writes
//! problems with scored moves, [`transcript`] plain moves (`f5d6c3…`), [`ggf`] the game format of the
//! servers, and [`wthor`] reads the tournament database.

mod board;
mod encode;
pub mod endgame;
mod eval;
pub mod ggf;
pub mod kernels;
mod labels;
mod moves;
mod notation;
pub mod obf;
mod openings;
mod oracle;
pub mod patterns;
mod position;
mod records;
mod replay;
mod symmetry;
pub mod transcript;
pub mod wthor;

pub use encode::OthelloEncoder;
pub use eval::{Corners, DiscCount, Positional, knowledge};
pub use labels::EndgameLabels;
pub use moves::{Moves, PASS};
pub use openings::opening_name;
pub use oracle::Endgames;
pub use patterns::Patterns;
pub use position::Othello;
