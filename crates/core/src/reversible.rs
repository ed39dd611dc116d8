//! Making and unmaking moves in place.

use crate::{Game, Move};

/// A game whose moves can be taken back.
///
/// Searches that walk up and down one line use this instead of copying positions. A game with a small state
/// does best to save all of it: [`crate::reversible_by_copy!`] writes that implementation.
pub trait Reversible: Game {
    /// What [`Reversible::unmake`] needs to know besides the move.
    type Undo;

    /// Plays a legal move, exactly as [`Game::play`] does, and returns what takes it back.
    fn make(&mut self, m: Move) -> Self::Undo;

    /// Takes back `m`, the last move made, with what its `make` returned.
    fn unmake(&mut self, m: Move, undo: Self::Undo);
}

/// Implements [`Reversible`] by saving the whole position: right for positions of up to some tens of bytes.
#[macro_export]
macro_rules! reversible_by_copy {
    ($game:ty) => {
        impl $crate::Reversible for $game {
            type Undo = $game;

            #[inline]
            fn make(&mut self, m: $crate::Move) -> $game {
                let before = self.clone();
                $crate::Game::play(self, m);
                before
            }

            #[inline]
            fn unmake(&mut self, _: $crate::Move, before: $game) {
                *self = before;
            }
        }
    };
}
