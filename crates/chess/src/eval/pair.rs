//! Two values in one word: what something is worth in the middlegame and in the endgame.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A value for the middlegame and one for the endgame, added and multiplied in one operation.
///
/// The endgame lies in the upper half of the word, the middlegame in the lower one, whose sign borrows from the upper. Each half holds
/// -32,768 to 32,767, sums included: no sum of an evaluation comes near that.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair(i32);

impl Pair {
    /// Nothing, in both.
    pub const ZERO: Pair = Pair(0);

    /// A value for the middlegame and one for the endgame.
    #[inline(always)]
    pub const fn new(middlegame: i32, endgame: i32) -> Pair {
        Pair((endgame << 16) + middlegame)
    }

    /// The value in the middlegame.
    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the endgame.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        // What the lower half borrowed is given back.
        (self.0 + 0x8000) >> 16
    }

    /// The word, for tables; [`Pair::from_bits`] reads it back.
    #[inline(always)]
    pub(super) const fn to_bits(self) -> u32 {
        self.0 as u32
    }

    /// A pair from its word.
    #[inline(always)]
    pub(super) const fn from_bits(bits: u32) -> Pair {
        Pair(bits as i32)
    }
}

impl Add for Pair {
    type Output = Pair;

    #[inline(always)]
    fn add(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_add(other.0))
    }
}

impl Sub for Pair {
    type Output = Pair;

    #[inline(always)]
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_sub(other.0))
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}

impl Neg for Pair {
    type Output = Pair;

    #[inline(always)]
    fn neg(self) -> Pair {
        Pair(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;

    #[inline(always)]
    fn mul(self, times: i32) -> Pair {
        Pair(self.0.wrapping_mul(times))
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_count_for_themselves() {
        let numbers = [-3000, -257, -1, 0, 1, 5, 255, 4000];
        for a in numbers {
            for b in numbers {
                let pair = Pair::new(a, b);
                assert_eq!((pair.middlegame(), pair.endgame()), (a, b));
                assert_eq!(pair + Pair::new(b, a), Pair::new(a + b, a + b));
                assert_eq!(pair - Pair::new(b, a), Pair::new(a - b, b - a));
                assert_eq!(-pair, Pair::new(-a, -b));
                assert_eq!(pair * -7, Pair::new(-7 * a, -7 * b));
                assert_eq!(Pair::from_bits(pair.to_bits()), pair);
            }
        }
    }
}
