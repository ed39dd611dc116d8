//! The last empty squares, by hand: no table, no lists of moves, squares of odd quadrants first.
//!
//! Written once and compiled for each instruction set, as a whole, so that boards stay in registers; all versions visit the same
//! positions and give the same values.

use crate::kernels::count_bits;

/// Up to so many empty squares are left to `solve_few`.
pub(super) const NEAR: u32 = 6;

/// The margin when the game is over, the empty squares counted for the winner.
#[inline]
pub(super) fn final_margin(mover: u64, opponent: u64) -> i32 {
    let count = |board: u64| count_bits(board) as i32;
    let difference = count(mover) - count(opponent);
    difference + difference.signum() * count(!(mover | opponent))
}

/// Defines `solve_few` for the kernels that are in scope: by how much the mover wins with at most [`NEAR`] empty squares,
/// as a bound beyond `alpha` on the side of the truth. Positions are counted in `nodes`.
macro_rules! near_search {
    ($(#[$feature:meta])*) => {
        use crate::endgame::squares::{NEIGHBOURS, QUADRANT, QUADRANTS};
        use crate::endgame::near::final_margin;

        /// One empty square.
        #[inline]
        $(#[$feature])*
        fn last_one(mover: u64, opponent: u64, square: u32) -> i32 {
            let count = |board: u64| count_bits(board) as i32;
            let gained = flips(mover, opponent, square);
            if gained != 0 {
                return 2 * (count(mover) + count(gained) + 1) - 64;
            }
            let lost = flips(opponent, mover, square);
            if lost != 0 {
                return 2 * (count(mover) - count(lost)) - 64;
            }
            let difference = 2 * count(mover) - 63;
            difference + difference.signum()
        }

        $(#[$feature])*
        fn last_two(mover: u64, opponent: u64, alpha: i32, empty: u64, passed: bool, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let (first, second) = (empty.trailing_zeros(), 63 - empty.leading_zeros());
            let mut best = i32::MIN;
            for (square, other) in [(first, second), (second, first)] {
                if NEIGHBOURS[square as usize] & opponent == 0 {
                    continue;
                }
                let flipped = flips(mover, opponent, square);
                if flipped != 0 {
                    *nodes += 1;
                    best = best.max(-last_one(opponent ^ flipped, mover | flipped | 1 << square, other));
                    if best > alpha {
                        return best;
                    }
                }
            }
            match (best, passed) {
                (i32::MIN, true) => -final_margin(opponent, mover),
                (i32::MIN, false) => -last_two(opponent, mover, -alpha - 1, empty, true, nodes),
                _ => best,
            }
        }

        /// Three or four empty squares, tried in the order of the parity of their quadrants.
        $(#[$feature])*
        fn last_few(
            mover: u64,
            opponent: u64,
            alpha: i32,
            empty: u64,
            odd: u8,
            passed: bool,
            nodes: &mut u64,
        ) -> i32 {
            *nodes += 1;
            let mut best = i32::MIN;
            let is_three = count_bits(empty) == 3;
            let first = empty & QUADRANTS[odd as usize];
            for mut squares in [first, empty & !first] {
                while squares != 0 {
                    let square = squares.trailing_zeros();
                    squares &= squares - 1;
                    if NEIGHBOURS[square as usize] & opponent == 0 {
                        continue;
                    }
                    let flipped = flips(mover, opponent, square);
                    if flipped == 0 {
                        continue;
                    }
                    let (next, last) = (opponent ^ flipped, mover | flipped | 1 << square);
                    let left = empty ^ 1 << square;
                    let value = if is_three {
                        -last_two(next, last, -alpha - 1, left, false, nodes)
                    } else {
                        -last_few(next, last, -alpha - 1, left, odd ^ QUADRANT[square as usize], false, nodes)
                    };
                    best = best.max(value);
                    if best > alpha {
                        return best;
                    }
                }
            }
            match (best, passed) {
                (i32::MIN, true) => -final_margin(opponent, mover),
                (i32::MIN, false) => -last_few(opponent, mover, -alpha - 1, empty, odd, true, nodes),
                _ => best,
            }
        }

        $(#[$feature])*
        pub(in crate::endgame) fn solve_few(mover: u64, opponent: u64, alpha: i32, odd: u8, nodes: &mut u64) -> i32 {
            let empty = !(mover | opponent);
            match count_bits(empty) {
                0 => {
                    *nodes += 1;
                    final_margin(mover, opponent)
                }
                1 => {
                    *nodes += 1;
                    last_one(mover, opponent, empty.trailing_zeros())
                }
                2 => last_two(mover, opponent, alpha, empty, false, nodes),
                3 | 4 => last_few(mover, opponent, alpha, empty, odd, false, nodes),
                _ => few(mover, opponent, alpha, odd, false, nodes),
            }
        }

        /// Five empty squares and more: legal moves at once.
        $(#[$feature])*
        fn few(mover: u64, opponent: u64, alpha: i32, odd: u8, passed: bool, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let legal = legal_moves(mover, opponent);
            if legal == 0 {
                return match passed {
                    true => -final_margin(opponent, mover),
                    false => -few(opponent, mover, -alpha - 1, odd, true, nodes),
                };
            }
            let empty = !(mover | opponent);
            let is_five = count_bits(empty) == 5;
            let mut best = i32::MIN;
            let first = legal & QUADRANTS[odd as usize];
            for mut squares in [first, legal & !first] {
                while squares != 0 {
                    let square = squares.trailing_zeros();
                    squares &= squares - 1;
                    let flipped = flips(mover, opponent, square);
                    let (next, last) = (opponent ^ flipped, mover | flipped | 1 << square);
                    let left = odd ^ QUADRANT[square as usize];
                    let value = if is_five {
                        -last_few(next, last, -alpha - 1, empty ^ 1 << square, left, false, nodes)
                    } else {
                        -few(next, last, -alpha - 1, left, false, nodes)
                    };
                    best = best.max(value);
                    if best > alpha {
                        return best;
                    }
                }
            }
            best
        }
    };
}

/// For any processor.
pub(super) mod portable {
    use crate::kernels::portable::{count_bits, flips, legal_moves};
    near_search! {}
}

/// For AVX2 and the bit instructions of its age.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use crate::kernels::avx2::{count_bits, flips, legal_moves};
    near_search! {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    }
}

/// For AVX-512.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512 {
    use crate::kernels::avx512::{count_bits, flips, legal_moves};
    near_search! {
        #[target_feature(enable = "avx512f,avx512cd,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    }
}
