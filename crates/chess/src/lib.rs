//! Chess and Chess960.
//!
//! [`Chess`] is the position, on the move-generation crate [`cozy_chess`], under [`ChessRules`]. Text comes in as
//! FEN, algebraic notation and PGN through the traits of `outplay_core`, as UCI coordinates through [`parse_uci`]
//! and [`uci_text`], and as test suites through [`Epd`]. [`Classical`] is the evaluation to play with, [`MaterialAndMobility`] and [`Material`]
//! are simpler ones; [`explain`] takes the first apart for people, [`tuning`] for the tuner.
//!
//! ```
//! use outplay_chess::{Chess, ChessRules};
//! use outplay_core::{Game, Line, Notation, Outcome, Player};
//!
//! let mut line = Line::new(Chess::start(&ChessRules::Standard));
//! for text in ["f3", "e5", "g4", "Qh4#"] {
//!     let m = line.position().parse_move(text)?;
//!     line.play(m);
//! }
//! assert_eq!(line.outcome(), Some(Outcome::win(Player::Second)));
//! # Ok::<(), outplay_core::ParseError>(())
//! ```

mod castling;
mod encode;
pub mod endgame;
mod epd;
mod eval;
mod exchange;
mod fen;
mod generate;
mod knowledge;
pub mod library;
mod moves;
mod notation;
mod openings;
mod playouts;
pub mod polyglot;
mod position;
mod records;
mod rules;
mod san;
pub mod syzygy;
mod uci_move;

pub use cozy_chess;

pub use encode::ChessEncoder;
pub use epd::{Epd, Operand, Operation};
pub use eval::{Classical, Material, MaterialAndMobility, explain, tuning};
pub use knowledge::{ChessPolicy, ChessTactics, knowledge};
pub use moves::{ChessMoves, from_cozy, to_cozy};
pub use openings::opening_name;
pub use position::Chess;
pub use rules::{CastlingText, ChessRules, StartArray};
pub use uci_move::{parse_uci, uci_text};
