//! What has been found out of positions: bounds and a move, shared by threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use outplay_core::mix;

use super::selectivity::Confidence;

/// What is known of a position: of its margin, in discs, or of a search so many plies deep, in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub least: i32,
    pub most: i32,
    /// The move that was best, 64 if none is known.
    pub square: u32,
    /// The one that was best before it, likewise.
    pub second: u32,
    /// How many plies were searched; none where it was to the end.
    pub depth: u32,
    /// How sure the bounds are.
    pub confidence: Confidence,
}

/// No search says more, in hundredths.
const MOST: i32 = 6_400;

impl Known {
    /// Of a margin.
    pub const NOTHING: Known =
        Known { least: -64, most: 64, square: 64, second: 64, depth: 0, confidence: Confidence::CERTAIN };

    /// The same of a search so deep.
    pub fn of_depth(self, depth: u32) -> Known {
        Known { least: -MOST, most: MOST, depth, ..self }
    }

    /// What of it is as sure as that.
    #[inline]
    pub fn as_sure_as(self, confidence: Confidence) -> Known {
        match self.confidence < confidence {
            true => Known { square: self.square, second: self.second, ..Known::NOTHING },
            false => self,
        }
    }

    /// What of it was found by a search so deep, or deeper, and is as sure as that.
    #[inline]
    pub fn as_deep_as(self, depth: u32, confidence: Confidence) -> Known {
        match self.depth < depth || self.confidence < confidence {
            true => Known { least: -MOST, most: MOST, depth, confidence: Confidence::CERTAIN, ..self },
            false => self,
        }
    }

    /// With the answer whether the mover wins by more than `alpha`, how sure that is, and the move that gave it.
    #[inline]
    pub fn with(self, best: i32, square: u32, alpha: i32, confidence: Confidence) -> Known {
        let confidence = confidence.min(self.confidence);
        match best > alpha {
            true => Known {
                least: best.max(self.least),
                most: self.most.max(best),
                square,
                second: if square == self.square { self.second } else { self.square },
                confidence,
                ..self
            },
            // Where nothing is good enough, the move that was before says more than one that lost by less.
            false => Known {
                least: self.least.min(best),
                most: best.min(self.most),
                square: if self.square < 64 { self.square } else { square },
                confidence,
                ..self
            },
        }
    }
}

/// Both boards stand in an entry, so that no position is taken for another. Each is mixed with the data: words of two writers that got
/// mixed up are no position that anybody asks for.
#[derive(Default)]
struct Entry {
    mover: AtomicU64,
    opponent: AtomicU64,
    data: AtomicU64,
}

/// Two entries, one kept for positions with many empty squares, the other for the latest.
#[derive(Default)]
#[repr(align(64))]
struct Pair([Entry; 2]);

/// A table of a fixed size.
pub(super) struct Table {
    pairs: Vec<Pair>,
    seed: u64,
}

impl Table {
    /// A table of so many KiB, a pair of entries in each 64 bytes; the seed says which positions share a place.
    pub fn new(kibibytes: usize, seed: u64) -> Table {
        Table { pairs: (0..kibibytes * 16).map(|_| Pair::default()).collect(), seed: mix(seed) }
    }

    #[inline]
    fn pair(&self, mover: u64, opponent: u64) -> &Pair {
        let product = u128::from(mover ^ self.seed) * u128::from(opponent ^ 0x9E37_79B9_7F4A_7C15);
        let folded = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let index = (u128::from(folded) * self.pairs.len() as u128) >> 64;
        &self.pairs[index as usize]
    }

    #[inline]
    pub fn get(&self, mover: u64, opponent: u64) -> Option<Known> {
        self.pair(mover, opponent).0.iter().find_map(|entry| entry.read(mover, opponent))
    }

    /// Keeps what was found of a position with so many empty squares.
    #[inline]
    pub fn put(&self, mover: u64, opponent: u64, empties: u32, known: Known) {
        let [deep, latest] = &self.pair(mover, opponent).0;
        let is_here = |entry: &Entry| entry.read(mover, opponent).is_some();
        let is_deeper = deep.empties() > empties;
        let entry = if is_here(deep) || !is_here(latest) && !is_deeper { deep } else { latest };
        entry.write(mover, opponent, empties, known);
    }
}

impl Entry {
    #[inline]
    fn read(&self, mover: u64, opponent: u64) -> Option<Known> {
        let data = self.data.load(Ordering::Relaxed);
        let (first, second) = masks(data);
        let is_this = self.mover.load(Ordering::Relaxed) ^ first == mover
            && self.opponent.load(Ordering::Relaxed) ^ second == opponent
            && data != 0;
        let part = |at: u32, bits: u32| (data >> at & ((1 << bits) - 1)) as u32;
        let bound = |at| part(at, 14) as i32 - OFFSET;
        is_this.then(|| Known {
            least: bound(0),
            most: bound(14),
            square: part(28, 7),
            second: part(35, 7),
            depth: part(48, 6),
            confidence: Confidence(part(54, 3) as u8),
        })
    }

    fn empties(&self) -> u32 {
        (self.data.load(Ordering::Relaxed) >> 42 & 0x3F) as u32
    }

    #[inline]
    fn write(&self, mover: u64, opponent: u64, empties: u32, known: Known) {
        let bound = |value: i32| (value + OFFSET) as u64;
        let data = bound(known.least)
            | bound(known.most) << 14
            | u64::from(known.square) << 28
            | u64::from(known.second) << 35
            | u64::from(empties) << 42
            | u64::from(known.depth) << 48
            | u64::from(known.confidence.0) << 54;
        let (first, second) = masks(data);
        self.mover.store(mover ^ first, Ordering::Relaxed);
        self.opponent.store(opponent ^ second, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

/// Makes bounds positive: more than any of them.
const OFFSET: i32 = 1 << 13;

fn masks(data: u64) -> (u64, u64) {
    (data.wrapping_mul(0x9E37_79B9_7F4A_7C15), data.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
}
