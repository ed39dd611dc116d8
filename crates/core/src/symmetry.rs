//! Board symmetries.

use crate::{Game, Move};

/// A game whose board can be turned or mirrored without changing the game.
///
/// Symmetries are numbered; 0 is the identity. They must form a group that commutes with play: turning the
/// board and then playing the turned move gives the same as playing and then turning. How many there are may
/// depend on the rules (a square board has eight, an oblong one four), not on the stones. A game that has none
/// takes the provided methods.
pub trait Symmetric: Game {
    /// How many symmetries there are, the identity included.
    fn symmetries(&self) -> usize {
        1
    }

    /// The position under symmetry `index`.
    #[must_use]
    fn transformed(&self, index: usize) -> Self {
        debug_assert_eq!(index, 0);
        self.clone()
    }

    /// A move of this position under symmetry `index`.
    #[must_use]
    fn transformed_move(&self, m: Move, index: usize) -> Move {
        debug_assert_eq!(index, 0);
        m
    }
}
