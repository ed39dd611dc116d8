//! Lists of moves, without allocation where it is hot.

use crate::Move;

/// What [`crate::Game::legal_moves`] returns.
///
/// A list is built once and read in order, counted, or picked from at random. `Vec<Move>` is the simplest;
/// [`SquareMoves`] is a bit set for games whose moves are squares; a game may bring its own. (The names differ
/// from those of slices so that both can be called on a `Vec`.)
pub trait MoveList {
    /// The moves in order.
    fn each(&self) -> impl Iterator<Item = Move> + '_;

    /// How many there are.
    fn count(&self) -> usize;

    /// The move at `index`, which is below [`MoveList::count`]: for picking one at random.
    fn nth(&self, index: usize) -> Move;

    /// Whether `m` is in the list.
    fn includes(&self, m: Move) -> bool {
        self.each().any(|other| other == m)
    }
}

impl MoveList for Vec<Move> {
    fn each(&self) -> impl Iterator<Item = Move> + '_ {
        self.as_slice().iter().copied()
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn nth(&self, index: usize) -> Move {
        self[index]
    }
}

/// A set of squares, each of which is a move: bit `i` of word `i / 64` stands for `Move::new(i)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareMoves<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> MoveList for SquareMoves<WORDS> {
    #[inline]
    fn each(&self) -> impl Iterator<Item = Move> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            bit_indices(bits).map(move |bit| Move::new((word as u32 * 64 + bit) as u16))
        })
    }

    #[inline]
    fn count(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    #[inline]
    fn nth(&self, mut index: usize) -> Move {
        for (word, &bits) in self.0.iter().enumerate() {
            let here = bits.count_ones() as usize;
            if index < here {
                return Move::new((word as u32 * 64 + nth_bit(bits, index as u32)) as u16);
            }
            index -= here;
        }
        panic!("SquareMoves::nth: index past the end");
    }

    #[inline]
    fn includes(&self, m: Move) -> bool {
        self.0.get(m.index() / 64).is_some_and(|bits| bits >> (m.index() % 64) & 1 == 1)
    }
}

/// The positions of the set bits, lowest first.
#[inline]
pub(crate) fn bit_indices(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        Some(bit)
    })
}

/// The position of the set bit with `index` set bits below it; `index` is below the number of set bits.
///
/// Halves the word six times rather than clearing `index` bits one by one: no branch depends on the data.
#[inline]
pub fn nth_bit(bits: u64, index: u32) -> u32 {
    debug_assert!(index < bits.count_ones());
    let (mut position, mut rest) = (0, index);
    for width in [32u32, 16, 8, 4, 2, 1] {
        let low = ((bits >> position) & ((1 << width) - 1)).count_ones();
        let skip = rest >= low;
        position += if skip { width } else { 0 };
        rest -= if skip { low } else { 0 };
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn the_nth_bit_is_the_nth_of_the_listed_ones() {
        let mut rng = Rng::new(1);
        for sparsity in 0..6 {
            for _ in 0..200 {
                let bits = (0..sparsity).fold(rng.next_u64(), |bits, _| bits & rng.next_u64());
                for (index, bit) in bit_indices(bits).enumerate() {
                    assert_eq!(nth_bit(bits, index as u32), bit, "bit {index} of {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn a_set_of_squares_agrees_with_a_vector() {
        let mut rng = Rng::new(2);
        for _ in 0..200 {
            let words = std::array::from_fn(|_| rng.next_u64() & rng.next_u64() & rng.next_u64());
            let set = SquareMoves::<3>(words);
            let listed: Vec<Move> = set.each().collect();
            assert_eq!(set.count(), listed.len());
            for (index, &m) in listed.iter().enumerate() {
                assert_eq!(set.nth(index), m);
            }
            for bits in 0..300 {
                let m = Move::new(bits);
                assert_eq!(set.includes(m), listed.contains(&m));
            }
        }
    }
}
