//! How the games of the catalogue are drawn.

mod chess;
mod connect;
mod four;
mod othello;
mod rows;

pub(crate) use chess::ChessDrawing;
pub(crate) use connect::ConnectDrawing;
pub(crate) use four::FourDrawing;
pub(crate) use othello::OthelloDrawing;

/// The kind of a stone or disc, where there is one kind only.
pub(crate) const DISC: &str = "disc";
