//! Moves as squares of a bitboard, and the one move that is none.

use outplay_core::{Move, MoveList};

use crate::kernels;

/// The move of a player who has no square to play on. Other moves are the numbers of their squares.
pub const PASS: Move = Move::new(64);

/// The legal moves of a position: the squares of a bitboard, or the pass if there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moves(pub(crate) u64);

impl Moves {
    /// The squares as a bitboard, 0 if the only move is the pass.
    pub fn squares(self) -> u64 {
        self.0
    }
}

impl MoveList for Moves {
    #[inline]
    fn each(&self) -> impl Iterator<Item = Move> + '_ {
        let (mut squares, mut pass) = (self.0, self.0 == 0);
        std::iter::from_fn(move || {
            if squares == 0 {
                return std::mem::take(&mut pass).then_some(PASS);
            }
            let square = squares.trailing_zeros();
            squares &= squares - 1;
            Some(Move::new(square as u16))
        })
    }

    #[inline]
    fn count(&self) -> usize {
        (kernels::count_bits(self.0) as usize).max(1)
    }

    #[inline]
    fn nth(&self, index: usize) -> Move {
        match self.0 {
            0 => PASS,
            squares => Move::new(kernels::nth_bit(squares, index as u32) as u16),
        }
    }

    #[inline]
    fn includes(&self, m: Move) -> bool {
        match m {
            PASS => self.0 == 0,
            m => m.bits() < 64 && self.0 >> m.bits() & 1 == 1,
        }
    }
}
