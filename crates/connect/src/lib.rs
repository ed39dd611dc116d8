//! Games of stones in a row: the Connect(m,n,k,p,q) family, and Connect Four.
//!
//! [`Connect`] is one implementation for the whole family, in which stones go anywhere: tic-tac-toe, gomoku
//! and Connect6 differ in their [`Rules`] only. [`ConnectFour`] is a game of its own, because stones drop; what
//! belongs to it is in [`four`].
//!
//! ```
//! use outplay_connect::{Connect, Rules};
//! use outplay_core::{Game, Notation, Player};
//!
//! // Black opens Connect6 with one stone, then White places two and has placed one of them.
//! let position = Connect::parse_position(&Rules::CONNECT6, "j10 k11")?;
//! assert_eq!(position.to_move(), Player::Second);
//! assert_eq!(position.turn().stones_left, 1);
//! # Ok::<(), outplay_core::ParseError>(())
//! ```

mod diagram;
mod encode;
mod eval;
pub mod four;
mod lines;
mod notation;
mod openings;
mod position;
mod problems;
mod records;
mod rules;
mod setup;
pub mod sgf;
mod sight;
mod symmetry;
mod tactics;
pub mod threats;
mod windows;
mod words;

pub use encode::ConnectEncoder;
pub use eval::{OpenWindows, UrgentRows, knowledge_of_windows};
pub use four::ConnectFour;
pub use openings::opening_name;
pub use position::Connect;
pub use rules::{Rules, Turn};
pub use sight::{LazyWins, SightOptions, ThreatSight, tuning};
