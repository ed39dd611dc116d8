//! Judging a position without searching it.

use outplay_core::{Game, Move, Rng};

/// A static evaluation of `G`, and what else a search may want to know without searching. A type beside the game, because a
/// game may have several. Only the evaluation must be written: the rest has answers that are right for every game.
pub trait Evaluator<G: Game>: Send + Sync {
    /// How good the position is for the player to move, in hundredths of the game's natural unit (a pawn, a
    /// disc). Called only while the game goes on: finished positions are worth their outcome, exactly.
    fn evaluate(&self, position: &G) -> i32;

    /// A legal move for a game that is played out quickly, better than chance and cheap to find; `None` to leave it to chance.
    /// Called only while the game goes on. Chance comes from `rng` alone.
    #[inline]
    fn playout_move(&self, position: &G, rng: &mut Rng) -> Option<Move> {
        let _ = (position, rng);
        None
    }

    /// Whether the evaluation can be trusted: nothing hangs, no threat is about to be carried out. Called only while the game
    /// goes on.
    #[inline]
    fn is_quiet(&self, position: &G) -> bool {
        let _ = position;
        true
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for &E {
    #[inline]
    fn evaluate(&self, position: &G) -> i32 {
        (**self).evaluate(position)
    }

    #[inline]
    fn playout_move(&self, position: &G, rng: &mut Rng) -> Option<Move> {
        (**self).playout_move(position, rng)
    }

    #[inline]
    fn is_quiet(&self, position: &G) -> bool {
        (**self).is_quiet(position)
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
