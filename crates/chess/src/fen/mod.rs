//! Forsyth–Edwards Notation: strict about what a position may be, helpful about why one is refused.
//!
//! Castling rights are read in all three spellings: `KQkq`, X-FEN (`K` is the outermost rook on the king's side)
//! and Shredder-FEN (the files of the rooks, `HAha`). They are written as X-FEN, which differs from plain `KQkq`
//! only where an inner rook castles while another one stands outside it. An en-passant square is written only if
//! a capture there is legal. The counters may be missing when read, as in EPD.

mod castling;
mod fields;
mod read;
mod write;

pub(crate) use fields::Fields;
pub(crate) use read::{read_number, read_position};
pub(crate) use write::{piece_letter, write, write_placement};

use outplay_core::ParseError;

use crate::{Chess, ChessRules};

/// Reads a text that is one FEN and nothing else.
pub(crate) fn read(rules: &ChessRules, text: &str) -> Result<Chess, ParseError> {
    let mut fields = Fields::new("FEN", text);
    let position = read_position(rules, &mut fields)?;
    match fields.rest() {
        "" => Ok(position),
        _ => Err(fields.expected(fields.offset(), "nothing after the move number")),
    }
}
