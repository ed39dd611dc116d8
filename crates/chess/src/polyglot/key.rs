//! The key of a position. Its 781 random numbers are part of the format; they come with the crate `polyglot-book-rs`.

use cozy_chess::{Color, Piece, Rank, Square, get_pawn_attacks};
use polyglot_book_rs::hash::polyglot_hash;
use polyglot_book_rs::types::{BoardPosition, Piece as KeyPiece};

use crate::Chess;
use crate::castling::Wing;

/// The key of a position in books. Unlike [`outplay_core::Game::key`] it counts an en-passant square wherever a pawn stands beside the
/// one that has stepped, whether the capture is legal or not.
pub fn key(position: &Chess) -> u64 {
    polyglot_hash(&Keyed(position))
}

/// A position as the crate wants to see it.
struct Keyed<'a>(&'a Chess);

impl BoardPosition for Keyed<'_> {
    fn piece_at(&self, square: u8) -> KeyPiece {
        let board = self.0.cozy();
        let square = Square::index(usize::from(square) % Square::NUM);
        match (board.color_on(square), board.piece_on(square)) {
            (Some(Color::White), Some(Piece::Pawn)) => KeyPiece::WPawn,
            (Some(Color::White), Some(Piece::Knight)) => KeyPiece::WKnight,
            (Some(Color::White), Some(Piece::Bishop)) => KeyPiece::WBishop,
            (Some(Color::White), Some(Piece::Rook)) => KeyPiece::WRook,
            (Some(Color::White), Some(Piece::Queen)) => KeyPiece::WQueen,
            (Some(Color::White), Some(Piece::King)) => KeyPiece::WKing,
            (Some(Color::Black), Some(Piece::Pawn)) => KeyPiece::BPawn,
            (Some(Color::Black), Some(Piece::Knight)) => KeyPiece::BKnight,
            (Some(Color::Black), Some(Piece::Bishop)) => KeyPiece::BBishop,
            (Some(Color::Black), Some(Piece::Rook)) => KeyPiece::BRook,
            (Some(Color::Black), Some(Piece::Queen)) => KeyPiece::BQueen,
            (Some(Color::Black), Some(Piece::King)) => KeyPiece::BKing,
            _ => KeyPiece::Empty,
        }
    }

    fn is_white_to_move(&self) -> bool {
        self.0.cozy().side_to_move() == Color::White
    }

    /// A bit for each right: White's short, White's long, then Black's. In Chess960 too: which rook it is does not count.
    fn castling_rights(&self) -> u8 {
        let ways = Color::ALL.into_iter().flat_map(|color| Wing::BOTH.map(|wing| (color, wing)));
        let rights = ways.map(|(color, wing)| wing.right(self.0.cozy().castle_rights(color)).is_some());
        rights.enumerate().map(|(place, right)| u8::from(right) << place).sum()
    }

    fn en_passant_file(&self) -> Option<u8> {
        let board = self.0.cozy();
        let (mover, file) = (board.side_to_move(), board.en_passant()?);
        let target = Square::new(file, Rank::Sixth.relative_to(mover));
        let beside = get_pawn_attacks(target, !mover) & board.colored_pieces(mover, Piece::Pawn);
        (!beside.is_empty()).then_some(file as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyglot_book_rs::types::SimpleBoard;

    /// The random number with this place in the format's table, from boards on which nothing else counts.
    fn random(place: usize) -> u64 {
        const KINDS: [KeyPiece; 12] = [
            KeyPiece::BPawn,
            KeyPiece::WPawn,
            KeyPiece::BKnight,
            KeyPiece::WKnight,
            KeyPiece::BBishop,
            KeyPiece::WBishop,
            KeyPiece::BRook,
            KeyPiece::WRook,
            KeyPiece::BQueen,
            KeyPiece::WQueen,
            KeyPiece::BKing,
            KeyPiece::WKing,
        ];
        let mut board = SimpleBoard { white_to_move: false, ..SimpleBoard::new() };
        match place {
            0..768 => board.squares[place % 64] = KINDS[place / 64],
            768..772 => board.castling = 1 << (place - 768),
            772..780 => board.en_passant = Some((place - 772) as u8),
            _ => board.white_to_move = true,
        }
        polyglot_hash(&board)
    }

    #[test]
    fn the_random_numbers_are_those_of_the_format() {
        let all: Vec<u8> = (0..781).flat_map(|place| random(place).to_be_bytes()).collect();
        assert_eq!(crc32fast::hash(&all), TABLE_CHECKSUM);
    }

    /// Of the published table's big-endian words.
    const TABLE_CHECKSUM: u32 = 0xfbc4_72ad;
}
