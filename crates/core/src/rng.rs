//! A small, fast random number generator whose sequence never changes.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// SplitMix64 (Steele, Lea and Flood 2014). Kept here rather than taken from a crate because signatures, seeds
/// and recorded games depend on its exact sequence.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for this seed; every seed is as good as any other.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `bound`, which is not 0. The bias is below `bound / 2^32`, far less than any test here sees.
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0 && bound <= u32::MAX as usize);
        (((self.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// Puts things into a random order, every order as likely as any other.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }

    /// A number in `0.0..1.0`.
    #[inline]
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// What chance begins with, by a setting: always the same for a number, and for 0 never.
pub fn seed_of(setting: u64) -> u64 {
    match setting {
        0 => RandomState::new().hash_one(0),
        seed => mix(seed),
    }
}

/// Scrambles 64 bits so that inputs which differ little give outputs which differ much; a bijection.
#[inline]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // The first outputs of SplitMix64 for seed 1234567, as given with the reference implementation.
        let mut rng = Rng::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn every_order_is_about_as_likely() {
        let mut rng = Rng::new(3);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..60_000 {
            let mut things = [1, 2, 3];
            rng.shuffle(&mut things);
            *counts.entry(things).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|&n| (9_500..10_500).contains(&n)), "{counts:?}");
    }

    #[test]
    fn below_reaches_every_value_about_equally() {
        let mut rng = Rng::new(7);
        let mut counts = [0; 10];
        for _ in 0..100_000 {
            counts[rng.below(10)] += 1;
        }
        assert!(counts.iter().all(|&n| (9_500..10_500).contains(&n)), "{counts:?}");
    }
}
