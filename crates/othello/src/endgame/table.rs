//! What has been found out of positions: bounds and a move, shared by threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use outplay_core::mix;

use super::selectivity::Confidence;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub least: i32,
    pub most: i32,
    /// The move that was best, 64 if none is known.
    pub square: u32,
    /// How sure the bounds are.
    pub confidence: Confidence,
}

impl Known {
    pub const NOTHING: Known = Known { least: -64, most: 64, square: 64, confidence: Confidence::CERTAIN };

    /// What of it is as sure as that.
    #[inline]
    pub fn as_sure_as(self, confidence: Confidence) -> Known {
        match self.confidence < confidence {
            true => Known { square: self.square, ..Known::NOTHING },
            false => self,
        }
    }

    /// With the answer whether the mover wins by more than `alpha`, how sure that is, and the move that gave it.
    #[inline]
    pub fn with(self, best: i32, square: u32, alpha: i32, confidence: Confidence) -> Known {
        let confidence = confidence.min(self.confidence);
        match best > alpha {
            true => Known { least: best.max(self.least), most: self.most.max(best), square, confidence },
            // Where nothing is good enough, the move that was before says more than one that lost by less.
            false => Known {
                least: self.least.min(best),
                most: best.min(self.most),
                square: if self.square < 64 { self.square } else { square },
                confidence,
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
    /// A table of 2 to this power pairs of entries, 64 bytes each; the seed says which positions share a place.
    pub fn new(bits: u32, seed: u64) -> Table {
        Table { pairs: (0..1usize << bits).map(|_| Pair::default()).collect(), seed: mix(seed) }
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
        self.pair(mover, opponent)
            .0
            .iter()
            .find_map(|entry| entry.read(mover, opponent))
            .map(|(known, _)| known)
    }

    /// Keeps what was found of a position with so many empty squares.
    #[inline]
    pub fn put(&self, mover: u64, opponent: u64, empties: u32, known: Known) {
        let [deep, latest] = &self.pair(mover, opponent).0;
        let is_here = |entry: &Entry| entry.read(mover, opponent).is_some();
        let is_deeper = (deep.data.load(Ordering::Relaxed) >> 24 & 0xFF) as u32 > empties;
        let entry = if is_here(deep) || !is_here(latest) && !is_deeper { deep } else { latest };
        entry.write(mover, opponent, empties, known);
    }
}

impl Entry {
    #[inline]
    fn read(&self, mover: u64, opponent: u64) -> Option<(Known, u32)> {
        let data = self.data.load(Ordering::Relaxed);
        let (first, second) = masks(data);
        let is_this = self.mover.load(Ordering::Relaxed) ^ first == mover
            && self.opponent.load(Ordering::Relaxed) ^ second == opponent
            && data != 0;
        let part = |at: u32| data >> at & 0xFF;
        is_this.then(|| {
            let margin = |at| part(at) as i32 - 64;
            let (least, most, square) = (margin(0), margin(8), part(16) as u32);
            (Known { least, most, square, confidence: Confidence(part(32) as u8) }, part(24) as u32)
        })
    }

    #[inline]
    fn write(&self, mover: u64, opponent: u64, empties: u32, known: Known) {
        let margin = |value: i32| (value + 64) as u64;
        let data = margin(known.least)
            | margin(known.most) << 8
            | u64::from(known.square) << 16
            | u64::from(empties) << 24
            | u64::from(known.confidence.0) << 32;
        let (first, second) = masks(data);
        self.mover.store(mover ^ first, Ordering::Relaxed);
        self.opponent.store(opponent ^ second, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

fn masks(data: u64) -> (u64, u64) {
    (data.wrapping_mul(0x9E37_79B9_7F4A_7C15), data.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
}
