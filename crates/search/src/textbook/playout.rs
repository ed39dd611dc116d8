//! The default policy of the Monte Carlo searches: random moves to the end of the game.

use outplay_core::{Game, Move, Outcome, Rng};

/// Plays random moves until the game ends.
///
/// Repetition is not looked for: a random game that repeats a position goes on until another rule ends it.
pub fn playout<G: Game>(position: G, rng: &mut Rng) -> Outcome {
    position.random_end(rng)
}

/// The moves of the game that [`playout`] plays from here by the same random numbers: it is a law of every [`Game`] that
/// these are its moves, however quickly it plays them.
pub(super) fn playout_moves<G: Game>(mut position: G, mut rng: Rng) -> Vec<Move> {
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        let m = position.random_move(&mut rng);
        position.play(m);
        moves.push(m);
    }
    moves
}
