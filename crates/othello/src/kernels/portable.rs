//! The kernels for any processor.
//!
//! On x86-64, where hardly a processor needs them, they stay out of line: next to the versions in use they
//! would only make every caller bigger.

use super::tables::{self, Numbers, Powers, Tables};
use super::{INNER_COLUMNS, rays::RAYS};

#[cfg_attr(not(target_arch = "x86_64"), inline)]
#[cfg_attr(target_arch = "x86_64", inline(never))]
pub(crate) fn legal_moves(mover: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_COLUMNS;
    let reached = beyond_runs(mover, inner, 1)
        | beyond_runs(mover, inner, 7)
        | beyond_runs(mover, opponent, 8)
        | beyond_runs(mover, inner, 9);
    reached & !(mover | opponent)
}

/// The squares just beyond the runs of opponent's discs that begin beside one of the mover's, both ways along
/// lines with this step between their squares. A run has six discs at most, so 1, 2, 4 and 6 of them are
/// gathered in four steps.
#[inline]
fn beyond_runs(mover: u64, opponent: u64, step: u32) -> u64 {
    let mut up = opponent & (mover << step);
    let mut down = opponent & (mover >> step);
    up |= opponent & (up << step);
    down |= opponent & (down >> step);
    let pairs_up = opponent & (opponent << step);
    let pairs_down = pairs_up >> step;
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

#[cfg_attr(not(target_arch = "x86_64"), inline)]
#[cfg_attr(target_arch = "x86_64", inline(never))]
pub(crate) fn flips(mover: u64, opponent: u64, square: u32) -> u64 {
    let rays = &RAYS.0[square as usize % 64];
    let mut flipped = 0;
    // On a ray to higher squares, the first square that is not the opponent's is the lowest such bit.
    for ray in &rays[..4] {
        let end = ray & !opponent;
        let outflanking = end & end.wrapping_neg() & mover;
        flipped |= ray & outflanking.saturating_sub(1);
    }
    // On a ray to lower squares it is the highest one. Bit 0 stands in where there is none: it is then either
    // off the ray or the opponent's, and never an end.
    for ray in &rays[4..] {
        let end = (ray & !opponent) | 1;
        let outflanking = (1 << 63 >> end.leading_zeros()) & ray & mover;
        flipped |= ray & (outflanking << 1).wrapping_neg();
    }
    flipped
}

/// A board.
type Board = u64;

#[inline]
fn spread(board: u64) -> Board {
    board
}

#[inline]
fn gather(board: Board) -> u64 {
    board
}

#[inline]
fn squares(mover: Board, opponent: Board) -> u64 {
    legal_moves(mover, opponent)
}

#[inline]
fn after(mover: Board, opponent: Board, square: u32) -> (Board, Board) {
    let flipped = flips(mover, opponent, square);
    (opponent & !flipped, mover | flipped | 1 << square)
}

#[inline]
pub(crate) fn count_bits(bits: u64) -> u32 {
    bits.count_ones()
}

#[cfg_attr(not(target_arch = "x86_64"), inline)]
#[cfg_attr(target_arch = "x86_64", inline(never))]
pub(super) fn nth_bit(bits: u64, index: u32) -> u32 {
    outplay_core::nth_bit(bits, index)
}

pub(crate) fn add_powers(powers: &Powers, squares: u64, times: u16, into: &mut Numbers) {
    tables::add_powers(powers, squares, times, into);
}

pub(crate) fn look_up(tables: &Tables, numbers: &Numbers) -> i32 {
    tables::look_up(tables, numbers)
}

random_game! {}
