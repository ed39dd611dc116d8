//! Zobrist keys: a table of random words, made at compile time.

use crate::Rng;

/// `N` random words for this seed. Use a different seed for each table, so that no two tables share words.
pub const fn table<const N: usize>(seed: u64) -> [u64; N] {
    let mut rng = Rng::new(seed);
    let mut words = [0; N];
    let mut i = 0;
    while i < N {
        words[i] = rng.next_u64();
        i += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_are_distinct_and_seeds_matter() {
        const A: [u64; 400] = table(1);
        const B: [u64; 400] = table(2);
        let all: HashSet<u64> = A.iter().chain(&B).copied().collect();
        assert_eq!(all.len(), 800);
    }
}
