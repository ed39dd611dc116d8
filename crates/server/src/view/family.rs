//! Games that look alike.

use serde::Serialize;

/// Games whose boards are drawn in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Pieces that go from square to square.
    Chess,
    /// Discs that are turned over; rows are counted from the top.
    Othello,
    /// Stones that go anywhere.
    Stones,
    /// Discs that fall down a column.
    Drop,
}

impl Family {
    /// The family of a game of the catalogue, which may carry a variant after a colon.
    pub fn of(game: &str) -> Family {
        match game.split(':').next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "chess" | "chess960" => Family::Chess,
            "othello" => Family::Othello,
            "connect4" => Family::Drop,
            _ => Family::Stones,
        }
    }
}
