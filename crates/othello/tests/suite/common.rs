//! What several test files need.

use outplay_core::{Game, MoveList, Rng};
use outplay_othello::Othello;

/// Shows `visit` every position of random games.
pub fn random_games(seed: u64, games: usize, mut visit: impl FnMut(&Othello)) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut position = Othello::start(&());
        visit(&position);
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            position.play(moves.nth(rng.below(moves.count())));
            visit(&position);
        }
    }
}
