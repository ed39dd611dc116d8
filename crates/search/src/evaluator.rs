//! Judging a position without searching it.

use outplay_core::Game;

/// A static evaluation of `G`. A type beside the game, because a game may have several.
pub trait Evaluator<G: Game>: Send + Sync {
    /// How good the position is for the player to move, in hundredths of the game's natural unit (a pawn, a
    /// disc). Called only while the game goes on: finished positions are worth their outcome, exactly.
    fn evaluate(&self, position: &G) -> i32;
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for &E {
    #[inline]
    fn evaluate(&self, position: &G) -> i32 {
        (**self).evaluate(position)
    }
}

/// The evaluation that knows nothing: for exact searches, and for games without knowledge.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoKnowledge;

impl<G: Game> Evaluator<G> for NoKnowledge {
    fn evaluate(&self, _: &G) -> i32 {
        0
    }
}
