//! Which moves are likely to be good.

use outplay_core::{Game, Move, Rng};

/// What a Monte Carlo search wants to know about moves before it has tried them. Every answer that is given here is right
/// for every game.
pub trait Policy<G: Game>: Send + Sync {
    /// A legal move for a game that is played out quickly, better than chance and cheap to find; `None` to leave it to
    /// chance. Chance comes from `rng` alone.
    #[inline]
    fn playout_move(&self, position: &G, rng: &mut Rng) -> Option<Move> {
        let _ = (position, rng);
        None
    }

    /// How likely a quiet move with this [ordering score](super::Tactics::visit_quiet) is to be the best one: a logarithm,
    /// up to a constant that is the same for all moves of a position. `None` if ordering scores do not tell, whatever they
    /// are.
    #[inline]
    fn logit(&self, ordering_score: i32) -> Option<f32> {
        let _ = ordering_score;
        None
    }
}
