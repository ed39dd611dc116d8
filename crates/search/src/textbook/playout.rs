//! The default policy of the Monte Carlo searches: random moves to the end of the game.

use outplay_core::{Game, Outcome, Rng};

/// Plays random moves until the game ends.
///
/// Repetition is not looked for: a random game that repeats a position goes on until another rule ends it.
pub fn playout<G: Game>(position: G, rng: &mut Rng) -> Outcome {
    position.random_end(rng)
}
