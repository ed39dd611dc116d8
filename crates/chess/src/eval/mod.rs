//! Static evaluations: two simple ones, and [`Classical`], the one to play with.
//!
//! The classical one reads in this order: `terms.rs` lists what is counted, `scene.rs` says who attacks what, `pawns.rs`, `shelter.rs`,
//! `pieces.rs`, `king.rs`, `threats.rs` and `passed.rs` find the terms on the board and tell them to a sink (`sink.rs`), `classical.rs` makes one number
//! of them, and `endgame.rs` knows where that number would be wrong. In play the sink adds up the values of `weights.rs`. For the tuner
//! and for people it counts instead, so that both speak of the very evaluation that plays.

mod classical;
mod endgame;
pub mod explain;
mod judged;
mod king;
mod lone_pawn;
mod pair;
mod passed;
mod pawn_table;
mod pawns;
mod pieces;
mod scene;
mod shelter;
mod side;
mod simple;
mod sink;
mod terms;
mod threats;
pub mod tuning;
mod weights;

pub use classical::Classical;
pub(crate) use simple::worth;
pub use simple::{Material, MaterialAndMobility};
