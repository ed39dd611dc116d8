//! Portable Game Notation, for every game that has a [`Notation`](crate::Notation).
//!
//! The format is chess's, but nothing in it is: tags in brackets, numbered moves, comments in braces, variations
//! in parentheses, a result. A position other than the usual start stands in the `FEN` tag in the game's own
//! position text, and a win by more than one (Othello's discs) in the `Margin` tag.

mod read;
mod tokens;
mod write;

pub use read::visit;
pub use write::{ROSTER, write};

use crate::{Outcome, Player};

const LANGUAGE: &str = "PGN";

/// The four ways a game's moves can end, as PGN writes them.
fn result_text(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(Outcome::winner) {
        None => "*",
        Some(None) => "1/2-1/2",
        Some(Some(Player::First)) => "1-0",
        Some(Some(Player::Second)) => "0-1",
    }
}

/// Reads a result: `None` if it is not one, `Some(None)` for "not finished".
fn parse_result(text: &str) -> Option<Option<Outcome>> {
    match text {
        "*" => Some(None),
        "1/2-1/2" | "1/2" => Some(Some(Outcome::DRAW)),
        "1-0" => Some(Some(Outcome::win(Player::First))),
        "0-1" => Some(Some(Outcome::win(Player::Second))),
        _ => None,
    }
}
