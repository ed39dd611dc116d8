//! One entry of a book.

use outplay_core::Move;

use crate::{Chess, parse_uci, to_cozy};

/// A move of a position, as a book has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// The key of the position.
    pub key: u64,
    /// The move, packed as the format wants it: target in bits 0–5, origin in 6–11, promotion in 12–14.
    pub packed_move: u16,
    /// How good the move is, compared with the others of the position. Nought means: not to be played.
    pub weight: u16,
    /// For whatever programs learn; mostly nought.
    pub learn: u32,
}

impl Entry {
    /// Bytes in a file.
    pub const SIZE: usize = 16;

    /// Reads an entry; every 16 bytes are one.
    pub fn from_bytes(bytes: [u8; Entry::SIZE]) -> Entry {
        let all = u128::from_be_bytes(bytes);
        Entry {
            key: (all >> 64) as u64,
            packed_move: (all >> 48) as u16,
            weight: (all >> 32) as u16,
            learn: all as u32,
        }
    }

    /// Writes an entry.
    pub fn to_bytes(self) -> [u8; Entry::SIZE] {
        let Entry { key, packed_move, weight, learn } = self;
        let all = u128::from(key) << 64
            | u128::from(packed_move) << 48
            | u128::from(weight) << 32
            | u128::from(learn);
        all.to_be_bytes()
    }

    /// The move, if it is legal in the position. Castling is the king that takes his own rook, as the format has it, but a king that
    /// goes where castling would take him is understood too.
    pub fn legal_move(&self, position: &Chess) -> Option<Move> {
        // Our own packing, with the two squares exchanged.
        let bits = self.packed_move;
        let ours = bits & 0xF000 | (bits & 63) << 6 | bits >> 6 & 63;
        let m = to_cozy(Some(ours).filter(|&ours| ours != Move::RESERVED_BITS).map(Move::new)?)?;
        parse_uci(position, &m.to_string()).ok()
    }
}

/// Packs a legal move of a position as the format wants it.
pub(super) fn packed(m: Move) -> Option<u16> {
    let m = to_cozy(m)?;
    let promotion = m.promotion.map_or(0, |piece| piece as u16);
    Some(m.to as u16 | (m.from as u16) << 6 | promotion << 12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CastlingText, ChessRules, uci_text};
    use outplay_core::Game;

    #[test]
    fn bytes_are_those_of_the_format() {
        // 1. e4 from the start, weight 1: what every book has.
        let entry = Entry { key: 0x463b_9618_1691_fc9c, packed_move: 0x031c, weight: 1, learn: 0 };
        let bytes = [0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0, 1, 0, 0, 0, 0];
        assert_eq!((entry.to_bytes(), Entry::from_bytes(bytes)), (bytes, entry));
        let start = Chess::start(&ChessRules::Standard);
        let m = entry.legal_move(&start).expect("legal");
        assert_eq!(uci_text(&start, m, CastlingText::KingTakesRook), "e2e4");
        assert_eq!(packed(m), Some(0x031c));
    }
}
