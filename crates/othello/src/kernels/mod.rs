//! The bitboard arithmetic that everything else stands on, for each instruction set in a file of its own.
//!
//! A board is two words, the discs of the player who moves and those of the opponent; bit `8 * row + column`
//! is a square, so a1 is bit 0, h1 bit 7 and h8 bit 63. Callers use the functions of this module, which go to
//! the best version that the processor has; all versions give the same answers.
//!
//! What each version is worth on one core of a Zen 4: thousands of random playouts a second, and millions of
//! positions a second in perft 9 with bulk counting, both in hand-written loops and measured in one run.
//!
//! | legal moves and flips                         | playouts | perft |
//! |-----------------------------------------------|---------:|------:|
//! | portable, compiled for any x86-64             |      392 |   299 |
//! | AVX2                                          |      765 |   647 |
//! | AVX2, but flips spread step by step, no rays  |      786 |   597 |
//! | AVX2, but flips one ray at a time             |      729 |   548 |
//! | AVX-512 in 256-bit registers                  |      876 |   792 |
//! | AVX-512, legal moves in one 512-bit register  |      774 |   751 |
//!
//! The widest registers lose: folding eight lanes into one takes longer than the second half of the work
//! saves. So the first, second and fifth of these are here. A kernel that both flips and lists the replies,
//! for one dispatch a move instead of two, was no faster; one that plays a whole random game is, by a fifth, because
//! boards then stay in the registers in which they are used ([`random_game`]).

#[macro_use]
mod random_game;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod level;
pub(crate) mod portable;
mod rays;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use outplay_core::Rng;

use tables::{Numbers, Powers, Tables};

/// All columns but the first and the last: only here can a disc be outflanked along a row or a diagonal.
const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// Calls the best version of a kernel.
macro_rules! dispatch {
    ($kernel:ident($($argument:ident),*)) => {{
        #[cfg(target_arch = "x86_64")]
        match level::level() {
            // SAFETY: the processor has the features of this level, and those are what the function needs.
            level::Level::Avx512 => return unsafe { avx512::$kernel($($argument),*) },
            // SAFETY: likewise.
            level::Level::Avx2 => return unsafe { avx2::$kernel($($argument),*) },
            level::Level::Portable => {}
        }
        portable::$kernel($($argument),*)
    }};
}

/// The empty squares where the mover outflanks at least one disc. The two boards are disjoint.
#[inline]
pub fn legal_moves(mover: u64, opponent: u64) -> u64 {
    dispatch!(legal_moves(mover, opponent))
}

/// The discs that change colour when the mover plays on `square`, which is empty and below 64.
#[inline]
pub fn flips(mover: u64, opponent: u64, square: u32) -> u64 {
    dispatch!(flips(mover, opponent, square))
}

/// How many bits are set. As `u64::count_ones`, which takes a dozen instructions where any x86-64 must do:
/// asking the processor's own instruction, call and all, takes random playouts from 712 to 832 thousand a
/// second.
#[inline]
pub fn count_bits(bits: u64) -> u32 {
    dispatch!(count_bits(bits))
}

/// The position of the set bit with `index` set bits below it; `index` is below the number of set bits. As
/// [`outplay_core::nth_bit`], with which random playouts are slower by two fifths.
#[inline]
pub fn nth_bit(bits: u64, index: u32) -> u32 {
    dispatch!(nth_bit(bits, index))
}

/// A game of random moves from a position in which it is not over, whose legal squares are `squares`: the discs of who would move at its
/// end, those of the other, and the number of plies, passes included. Which moves are made is what `Game::random_end` says.
pub fn random_game(mover: u64, opponent: u64, squares: u64, rng: &mut Rng) -> (u64, u64, u32) {
    dispatch!(random_game(mover, opponent, squares, rng))
}

/// Adds the powers of these squares, so many times, to the numbers of all places.
#[inline]
pub(crate) fn add_powers(powers: &Powers, squares: u64, times: u16, into: &mut Numbers) {
    dispatch!(add_powers(powers, squares, times, into))
}

/// The sum of what the tables say of the numbers of all places.
#[inline]
pub(crate) fn look_up(tables: &Tables, numbers: &Numbers) -> i32 {
    dispatch!(look_up(tables, numbers))
}
