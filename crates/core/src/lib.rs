//! What a game is.
//!
//! This crate holds the contracts that every other crate is written against and nothing that is true of one
//! game only. Start with [`Game`]: implement it, and every textbook search works. Add [`Notation`] for text,
//! [`Symmetric`] where the board has symmetries, [`Records`] for game files and test problems; then let
//! [`conformance`] check all of it.

pub mod conformance;
pub mod cpu;
mod game;
pub mod garbage;
mod history;
mod moves;
pub mod names;
mod notation;
mod opening;
pub mod perft;
pub mod pgn;
mod planes;
pub mod problem;
pub mod record;
mod rng;
mod symmetry;
pub mod text;
pub mod zobrist;

pub use game::{Game, Move, Outcome, Player};
pub use history::{History, Line};
pub use moves::{MoveList, SquareMoves, nth_bit};
pub use notation::{Notation, Phase};
pub use opening::{Opening, OpeningNames};
pub use planes::Planes;
pub use problem::{Known, KnownResult, Problem};
pub use record::{MoveTree, NodeId, Record, RecordVisitor, Records, collect_records};
pub use rng::{Rng, mix, seed_of};
pub use symmetry::{Folded, Symmetric};
pub use text::ParseError;
