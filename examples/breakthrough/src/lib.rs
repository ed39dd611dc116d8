//! Breakthrough, a game from outside: what it takes to add a game without touching any other crate.
//!
//! Each player has two rows of pawns on 8×8. A pawn goes one square forward, straight or diagonally, and captures diagonally only. Whoever
//! reaches the last row, or captures everything, wins; there are no draws. `rules.rs` is the game, `notation.rs` its text, `knowledge.rs` what a search
//! knows of it, `drawing.rs` how it looks,
//! `encode.rs` how networks see it, and `row.rs` its row in the catalogue.

mod drawing;
mod encode;
mod knowledge;
mod notation;
mod row;
mod rules;

pub use drawing::PawnDrawing;
pub use encode::BreakthroughEncoder;
pub use knowledge::Advance;
pub use row::ROW;
pub use rules::Breakthrough;
