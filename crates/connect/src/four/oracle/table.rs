//! What was found out about positions: for each the least and the most that it is worth.

use outplay_core::mix;

/// A power of two of buckets. An entry is one word: what the place in the table does not tell of the scrambled code, the two bounds, and how much work they
/// took. Nothing is lost of the code, so an entry is never taken for another position's.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    index_bits: u32,
}

type Bucket = [u64; ENTRIES];

const ENTRIES: usize = 4;
/// So that what is left of 64 bits fits above the bounds.
const LEAST_INDEX_BITS: u32 = 16;
const CODE_SHIFT: u32 = 16;
const LEAST_SHIFT: u32 = 10;
const MOST_SHIFT: u32 = 4;
const SCORE_MASK: u64 = 63;
/// Makes scores positive, and entries different from the empty word.
const SCORE_OFFSET: i32 = 32;
const WORK_MASK: u64 = 15;

impl Table {
    /// A table of so much memory, rounded down to a power of two, but two mebibytes at least.
    pub fn new(mebibytes: usize) -> Table {
        let buckets = mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>();
        let index_bits = buckets.max(1).ilog2().max(LEAST_INDEX_BITS);
        Table { buckets: vec![[0; ENTRIES]; 1 << index_bits], index_bits }
    }

    pub fn clear(&mut self) {
        self.buckets.fill([0; ENTRIES]);
    }

    /// The bucket of a position, and what its entry begins with.
    #[inline(always)]
    fn place(&self, code: u64) -> (usize, u64) {
        let scrambled = mix(code);
        let index = scrambled >> (64 - self.index_bits);
        (index as usize, scrambled << self.index_bits >> self.index_bits)
    }

    /// The least and the most that a position is worth.
    #[inline(always)]
    pub fn get(&self, code: u64) -> Option<(i32, i32)> {
        let (index, rest) = self.place(code);
        let is_this = |entry: &&u64| **entry >> CODE_SHIFT == rest && **entry != 0;
        let entry = self.buckets[index].iter().find(is_this)?;
        let score = |shift: u32| (entry >> shift & SCORE_MASK) as i32 - SCORE_OFFSET;
        Some((score(LEAST_SHIFT), score(MOST_SHIFT)))
    }

    /// Keeps what a position is worth in place of what took the least work, but the last entry of a bucket always makes room.
    #[inline(always)]
    pub fn put(&mut self, code: u64, (least, most): (i32, i32), nodes: u64) {
        let (index, rest) = self.place(code);
        let work = u64::from(nodes.max(1).ilog2().div_ceil(2)).min(WORK_MASK);
        let field = |score: i32, shift: u32| ((score + SCORE_OFFSET) as u64) << shift;
        let entry = rest << CODE_SHIFT | field(least, LEAST_SHIFT) | field(most, MOST_SHIFT) | work;
        let bucket = &mut self.buckets[index];
        let mut cheapest = 0;
        for place in 0..ENTRIES {
            if bucket[place] >> CODE_SHIFT == rest {
                bucket[place] = entry;
                return;
            }
            if bucket[place] & WORK_MASK < bucket[cheapest] & WORK_MASK {
                cheapest = place;
            }
        }
        let replaced = if work >= bucket[cheapest] & WORK_MASK { cheapest } else { ENTRIES - 1 };
        bucket[replaced] = entry;
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;
    use std::collections::HashMap;

    #[test]
    fn an_entry_tells_what_was_last_kept_of_its_position_and_of_no_other() {
        let mut table = Table::new(1);
        assert_eq!(size_of_val(&table.buckets[..]), 2 << 20, "the smallest there is");
        let mut rng = Rng::new(3);
        let mut kept = HashMap::new();
        let mut found = 0;
        for _ in 0..600_000 {
            let code = rng.below(400_000) as u64;
            // Neighbours, and codes that only the highest bits tell apart.
            let code = if code.is_multiple_of(2) { code } else { code << 45 };
            if let Some(bounds) = table.get(code) {
                assert_eq!(kept.get(&code), Some(&bounds), "{code:x}");
                found += 1;
            }
            let least = rng.below(61) as i32 - 30;
            let bounds = (least, least + rng.below((31 - least) as usize) as i32);
            table.put(code, bounds, rng.below(1 << 20) as u64);
            assert_eq!(table.get(code), Some(bounds), "just kept");
            kept.insert(code, bounds);
        }
        assert!(found > 100_000, "{found}");
        table.clear();
        assert!(kept.keys().all(|&code| table.get(code).is_none()));
    }
}
