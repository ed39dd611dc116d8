//! The eight symmetries of the square.

use outplay_core::{Move, Symmetric};

use crate::{Othello, PASS};

/// Symmetry `index` of a board: bit 0 mirrors it left to right, then bit 1 turns it upside down, then bit 2
/// exchanges rows and columns.
pub(crate) const fn turned(mut board: u64, index: usize) -> u64 {
    if index & 1 != 0 {
        board = board.reverse_bits().swap_bytes();
    }
    if index & 2 != 0 {
        board = board.swap_bytes();
    }
    if index & 4 != 0 {
        board = transposed(board);
    }
    board
}

/// Mirrors a board in the diagonal from a1 to h8: first the 4×4 quarters change places, then the 2×2 blocks
/// in each, then the squares in those.
const fn transposed(board: u64) -> u64 {
    let board = swapped(board, 0x0000_0000_F0F0_F0F0, 28);
    let board = swapped(board, 0x0000_CCCC_0000_CCCC, 14);
    swapped(board, 0x00AA_00AA_00AA_00AA, 7)
}

/// The bits of `upper` change places with those so far above them.
const fn swapped(board: u64, upper: u64, distance: u32) -> u64 {
    let different = (board ^ (board >> distance)) & upper;
    board ^ different ^ (different << distance)
}

impl Symmetric for Othello {
    fn symmetries(&self) -> usize {
        8
    }

    fn transformed(&self, index: usize) -> Othello {
        self.mapped(|board| turned(board, index))
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        match m {
            PASS => PASS,
            m => Move::new(turned(1 << (m.bits() % 64), index).trailing_zeros() as u16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_are_what_their_bits_say() {
        for square in 0..64 {
            let (row, column) = (square / 8, square % 8);
            for index in 0..8 {
                let column = if index & 1 != 0 { 7 - column } else { column };
                let row = if index & 2 != 0 { 7 - row } else { row };
                let expected = if index & 4 != 0 { 8 * column + row } else { 8 * row + column };
                assert_eq!(turned(1 << square, index), 1 << expected, "symmetry {index} of {square}");
            }
        }
    }
}
