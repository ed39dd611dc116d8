//! What several test files need.

use std::path::PathBuf;

use outplay_core::{Game, MoveList, Rng};
use outplay_othello::Othello;

/// The public data folder, if this machine has it; says loudly when it has not.
#[allow(dead_code)]
pub fn data_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("OUTPLAY_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let folder = folder.join("othello");
    if !folder.is_dir() {
        eprintln!("SKIPPED: no public data folder (set OUTPLAY_DATA)");
        return None;
    }
    Some(folder)
}

/// Shows `visit` every position of random games.
#[allow(dead_code)]
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
