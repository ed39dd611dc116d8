//! Writing positions.

use cozy_chess::{Board, Color, File, Rank, Square};

use super::castling;
use crate::Chess;

/// All six fields.
pub(crate) fn write(position: &Chess) -> String {
    let board = position.cozy();
    format!("{} {} {}", write_placement(position), board.halfmove_clock(), board.fullmove_number())
}

/// The four fields that FEN and EPD share.
pub(crate) fn write_placement(position: &Chess) -> String {
    let board = position.cozy();
    let ranks = Rank::ALL.map(|rank| write_rank(board, rank.flip()));
    let castling = castling::write(board);
    let en_passant = position.en_passant_square().map_or("-".to_string(), |square| square.to_string());
    format!("{} {} {castling} {en_passant}", ranks.join("/"), board.side_to_move())
}

fn write_rank(board: &Board, rank: Rank) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in File::ALL {
        let letter = piece_letter(board, Square::new(file, rank));
        if empty > 0 && letter.is_some() {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        match letter {
            Some(letter) => text.push(letter),
            None => empty += 1,
        }
    }
    if empty > 0 { text + &empty.to_string() } else { text }
}

/// The letter of the piece on a square, a capital for White; `None` if the square is empty.
pub(crate) fn piece_letter(board: &Board, square: Square) -> Option<char> {
    let letter: char = board.piece_on(square)?.into();
    Some(if board.colors(Color::White).has(square) { letter.to_ascii_uppercase() } else { letter })
}
