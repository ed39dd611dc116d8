//! Games of stones in a row: the Connect(m,n,k,p,q) family, and Connect Four.
//!
//! [`Connect`] is one implementation for the whole family, in which stones go anywhere: tic-tac-toe, gomoku and
//! Connect6 differ in their [`Rules`] only. [`ConnectFour`] is a game of its own, because stones drop; what belongs
//! to it is in [`four`].

mod diagram;
mod eval;
pub mod four;
mod lines;
mod notation;
mod position;
mod records;
mod rules;
mod setup;
pub mod sgf;
mod symmetry;
mod words;

pub use eval::OpenWindows;
pub use four::ConnectFour;
pub use position::Connect;
pub use rules::{Rules, Turn};
