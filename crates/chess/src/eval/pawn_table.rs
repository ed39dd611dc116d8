//! What is known of pawn structures that were judged before.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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

/// A table of structures, which several threads may use at once.
///
/// The words of an entry are read and written one by one, relaxed: nothing else depends on their order. The first of them is the key
/// mixed with the others, so an entry that two threads have written halfway matches no key and counts as empty; as does one of zeros.
pub(super) struct PawnTable(Box<[[AtomicU64; 3]]>);

impl PawnTable {
    pub fn new() -> PawnTable {
        PawnTable((0..ENTRIES).map(|_| Default::default()).collect())
    }

    /// The structure of the board's pawns and kings.
    #[inline(always)]
    pub fn get(&self, position: &Chess) -> Structure {
        let board = position.cozy();
        let kings = board.king(Color::White) as u64 * 64 + board.king(Color::Black) as u64;
        let key = mix(pawn_key(position) ^ kings);
        let [check, rest, passed] = &self.0[key as usize % ENTRIES];
        let words = [rest.load(Relaxed), passed.load(Relaxed)];
        if check.load(Relaxed) ^ words[0] ^ words[1] == key {
            return Structure::from_words(words);
        }
        let found = Structure::of(board);
        let words = found.to_words();
        rest.store(words[0], Relaxed);
        passed.store(words[1], Relaxed);
        check.store(key ^ words[0] ^ words[1], Relaxed);
        found
    }
}
