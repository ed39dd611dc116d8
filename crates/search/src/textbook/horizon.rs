//! Where a tree search stops looking: the cutoff test and the evaluation of H-minimax, in one.

use outplay_core::Game;

use crate::Evaluator;

/// Decides which unfinished positions are valued without being searched.
pub trait Horizon<G: Game> {
    /// The evaluation of `position`, `ply` plies below the root, if the search is to stop there; for the player to
    /// move. Never asked of finished positions: they are worth their utility.
    fn cutoff(&mut self, position: &G, ply: usize) -> Option<i32>;
}

/// No horizon: every game is followed to its end.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl<G: Game> Horizon<G> for Exact {
    #[inline]
    fn cutoff(&mut self, _: &G, _: usize) -> Option<i32> {
        None
    }
}

/// A fixed depth, and an evaluator for what lies there. Its type is not known: so a search is compiled once a game, whatever it
/// evaluates by.
pub struct AtDepth<'e, G> {
    /// How many plies to search.
    pub depth: usize,
    /// Evaluates the positions at that depth.
    pub evaluator: &'e mut dyn Evaluator<G>,
}

impl<G: Game> Horizon<G> for AtDepth<'_, G> {
    #[inline]
    fn cutoff(&mut self, position: &G, ply: usize) -> Option<i32> {
        (ply >= self.depth).then(|| self.evaluator.value(position))
    }
}

/// Any other test: a closure from position and ply to an evaluation or `None`.
impl<G: Game, F: FnMut(&G, usize) -> Option<i32>> Horizon<G> for F {
    fn cutoff(&mut self, position: &G, ply: usize) -> Option<i32> {
        self(position, ply)
    }
}
