//! The text protocols that game programs speak.
//!
//! From the side of whoever asks, [`Program`] is a process that is not trusted with anything, [`Opponent`] a program that is
//! asked for moves, and each protocol has a file of its own. Our own side, which is asked, stands in [`serve`].

pub mod botzone;
mod cells;
pub mod connect6;
pub mod edax;
pub mod gomocup;
pub mod gtp;
mod lines;
pub mod nboard;
mod opponent;
mod othello;
mod program;
pub mod serve;
mod turns;
pub mod uci;
pub mod xboard;

pub use opponent::{Answer, Claim, Company, Insight, MoveLimits, Opponent, Situation};
pub use program::{BETWEEN_LOOKS, CommandLine, Fault, Program};
