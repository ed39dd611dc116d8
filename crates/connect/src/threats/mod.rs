//! Threats, exactly: which windows a player can fill in one turn, how many stones it takes to stop that, and wins by one threat after another.
//!
//! For games with two stones in a turn.

mod attack;
mod board;
mod gaps;
mod proof;
mod vcdt;
mod zone;

#[cfg(test)]
mod tests;

pub(crate) use board::Board;
pub(crate) use gaps::{Gap, threats};
pub(crate) use vcdt::{Limits, Vcdt, Verdict};
