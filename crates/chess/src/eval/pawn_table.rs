//! What is known of pawn structures that were judged before.

use cozy_chess::{BitBoard, Board, Color};
use outplay_core::mix;

use super::pair::Pair;
use super::pawns::{Outline, structure};
use super::sink::Sum;
use crate::Chess;
use crate::knowledge::pawn_key;

/// How many structures are remembered: 384 KB, which the second cache of a core holds.
const ENTRIES: usize = 1 << 14;
/// Where the numbers of open files stand in a word, above the score, two bits each.
const WHITE_FILES: u32 = 32;
const BLACK_FILES: u32 = 34;
const MOST_FILES: usize = 3;

/// A judged structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Structure {
    /// What it counts for White.
    pub score: Pair,
    pub outline: Outline,
}

impl Structure {
    #[inline(always)]
    fn of(board: &Board) -> Structure {
        let mut sum = Sum::default();
        let outline = structure(board, &mut sum);
        Structure { score: sum.score, outline }
    }

    /// In two words: the passed pawns fill one, everything else goes into the other.
    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        let [white, black] = self.outline.open_files.map(|files| files as u64);
        let rest = u64::from(self.score.to_bits()) | white << WHITE_FILES | black << BLACK_FILES;
        [rest, self.outline.passed.0]
    }

    #[inline(always)]
    fn from_words([rest, passed]: [u64; 2]) -> Structure {
        let open_files = [WHITE_FILES, BLACK_FILES].map(|shift| (rest >> shift) as usize & MOST_FILES);
        Structure {
            score: Pair::from_bits(rest as u32),
            outline: Outline { passed: BitBoard(passed), open_files },
        }
    }
}

/// A table of structures: a key, and the words of what is known. An entry of zeros was never written.
pub(super) struct PawnTable(Box<[[u64; 3]]>);

impl PawnTable {
    pub fn new() -> PawnTable {
        PawnTable(vec![[0; 3]; ENTRIES].into_boxed_slice())
    }

    /// The structure of the board's pawns and kings.
    #[inline(always)]
    pub fn get(&mut self, position: &Chess) -> Structure {
        let board = position.cozy();
        let kings = board.king(Color::White) as u64 * 64 + board.king(Color::Black) as u64;
        let key = mix(pawn_key(position) ^ kings);
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry[0] == key {
            return Structure::from_words([entry[1], entry[2]]);
        }
        let found = Structure::of(board);
        let [rest, passed] = found.to_words();
        *entry = [key, rest, passed];
        found
    }
}
