//! How much of a match was played twice.

use std::collections::HashSet;

/// The share of games that repeat an earlier one: 1 - different / all, and 0 without games.
///
/// `hashes` identifies the games by their moves. Deterministic players from few openings repeat themselves;
/// every statistic then claims more than it knows, since copies are no new evidence.
pub fn redundancy(hashes: impl IntoIterator<Item = u64>) -> f64 {
    let mut different = HashSet::new();
    let mut all = 0u64;
    for hash in hashes {
        different.insert(hash);
        all += 1;
    }
    if all == 0 { 0.0 } else { 1.0 - different.len() as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_counted_and_originals_are_not() {
        assert_eq!(redundancy([]), 0.0);
        assert_eq!(redundancy([1, 2, 3, 4]), 0.0);
        assert_eq!(redundancy([1, 2, 1, 1]), 0.5);
        assert_eq!(redundancy([9; 10]), 0.9);
    }
}
