//! The text protocols that game programs speak.
//!
//! So far only from the side of whoever asks: [`Program`] is a process that is not trusted with anything, [`Opponent`] a
//! program that is asked for moves, and each protocol has a file of its own.

pub mod gomocup;
pub mod gtp;
mod opponent;
mod program;
pub mod uci;
pub mod xboard;

pub use opponent::{Answer, Claim, Company, Insight, MoveLimits, Opponent, Situation};
pub use program::{BETWEEN_LOOKS, CommandLine, Fault, Program};
