//! Threats, exactly: which windows a player can fill in one turn, how many stones it takes to stop that, and wins by one threat after another.
//!
//! For games with two stones in a turn, such as Connect6. A [`Solver`] looks for a win and proves it:
//!
//! ```
//! use outplay_connect::threats::{Limits, Solver, Threats, Verdict};
//! use outplay_connect::{Connect, Rules};
//! use outplay_core::Notation;
//!
//! let mut solver = Solver::new(Rules::CONNECT6)?;
//! // White has four in a row, open on both sides, and it is White's turn.
//! let position = Connect::parse_position(&Rules::CONNECT6, "a1 j10 k10 s19 a19 l10 m10 s1 a10")?;
//! let solution = solver.solve(&position, Threats::Double, Limits::default())?;
//! let Verdict::Win(proof) = solution.verdict else { panic!("a win") };
//! assert_eq!(proof.turns(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack;
mod board;
mod gaps;
mod labels;
mod proof;
mod solver;
mod standing;
mod vcdt;
mod vcst;
mod zone;

#[cfg(test)]
mod tests;

pub(crate) use board::Board;
pub use gaps::Stones;
pub(crate) use gaps::{Gap, threats};
pub use labels::ThreatLabels;
pub use proof::{Proof, Reply};
pub use solver::{Limits, Solution, SolveError, Solver, Threats, Verdict};
pub use standing::StandingThreats;
pub(crate) use vcdt::Vcdt;
