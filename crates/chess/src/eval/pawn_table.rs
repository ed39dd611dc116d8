//! What is known of pawn structures that were judged before.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cozy_chess::{BitBoard, Board};

use super::pair::Pair;
use super::pawns::structure;
use super::sink::Sum;
use crate::Chess;
use crate::knowledge::pawn_key;

/// How many structures are remembered: 384 KB, which the second cache of a core holds.
const ENTRIES: usize = 1 << 14;

/// A judged structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Structure {
    /// What it counts for White.
    pub score: Pair,
    /// The passed pawns of both sides.
    pub passed: BitBoard,
}

impl Structure {
    #[inline(always)]
    fn of(board: &Board) -> Structure {
        let mut sum = Sum::default();
        let passed = structure(board, &mut sum);
        Structure { score: sum.score, passed }
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

    /// The structure of the board's pawns.
    #[inline(always)]
    pub fn get(&self, position: &Chess) -> Structure {
        let key = pawn_key(position);
        let [check, score, passed] = &self.0[key as usize % ENTRIES];
        let (score_word, passed_word) = (score.load(Relaxed), passed.load(Relaxed));
        if check.load(Relaxed) ^ score_word ^ passed_word == key {
            return Structure { score: Pair::from_bits(score_word as u32), passed: BitBoard(passed_word) };
        }
        let found = Structure::of(position.cozy());
        let (score_word, passed_word) = (u64::from(found.score.to_bits()), found.passed.0);
        score.store(score_word, Relaxed);
        passed.store(passed_word, Relaxed);
        check.store(key ^ score_word ^ passed_word, Relaxed);
        found
    }
}
