//! One bit for each word of an arena: which words are in use.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Bits that one thread sets at a time, and any number reads.
pub(super) struct Marks {
    bits: Box<[AtomicU64]>,
}

impl Marks {
    /// No word is marked.
    pub fn new(words: u64) -> Marks {
        Marks { bits: (0..words.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Bytes that the marks themselves take.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.bits) as u64
    }

    pub fn clear(&self) {
        self.bits.iter().for_each(|bits| bits.store(0, Relaxed));
    }

    /// Marks some words; whether none of them was marked before.
    pub fn mark(&self, index: u32, words: u32) -> bool {
        let (mut index, end, mut all_new) = (u64::from(index), u64::from(index) + u64::from(words), true);
        while index < end {
            let here = (64 - index % 64).min(end - index);
            let mask = (u64::MAX >> (64 - here)) << (index % 64);
            let bits = &self.bits[(index / 64) as usize];
            let before = bits.load(Relaxed);
            bits.store(before | mask, Relaxed);
            all_new &= before & mask == 0;
            index += here;
        }
        all_new
    }

    /// Whether a word is marked.
    pub fn contains(&self, index: u32) -> bool {
        self.bits[index as usize / 64].load(Relaxed) >> (index % 64) & 1 != 0
    }

    /// The first word from an index on that is marked, or is not; `end` if there is none before.
    pub fn find(&self, is_marked: bool, from: u64, end: u64) -> u64 {
        let mut index = from;
        while index < end {
            let bits = self.bits[(index / 64) as usize].load(Relaxed);
            let wanted = (if is_marked { bits } else { !bits }) >> (index % 64);
            if wanted != 0 {
                return end.min(index + u64::from(wanted.trailing_zeros()));
            }
            index = (index / 64 + 1) * 64;
        }
        end
    }

    /// How many words are marked.
    pub fn count(&self) -> u64 {
        self.bits.iter().map(|bits| u64::from(bits.load(Relaxed).count_ones())).sum()
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    #[test]
    fn marks_are_those_of_a_plain_list() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let (marks, mut list) = (Marks::new(500), vec![false; 500]);
            for _ in 0..rng.below(30) {
                let index = rng.below(500);
                let words = rng.below(130).min(500 - index);
                let all_new = list[index..index + words].iter().all(|marked| !marked);
                assert_eq!(marks.mark(index as u32, words as u32), all_new);
                list[index..index + words].fill(true);
            }
            assert_eq!(marks.count(), list.iter().filter(|marked| **marked).count() as u64);
            for from in 0..500 {
                assert_eq!(marks.contains(from as u32), list[from]);
                let end = from + rng.below(501 - from);
                for wanted in [true, false] {
                    let found = list[from..end].iter().position(|&marked| marked == wanted);
                    let found = found.map_or(end, |place| from + place);
                    assert_eq!(marks.find(wanted, from as u64, end as u64), found as u64);
                }
            }
        }
    }
}
