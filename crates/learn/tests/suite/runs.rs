//! Runs that are interrupted, damaged or mixed up.

use std::path::PathBuf;
use std::sync::Arc;

use outplay_engine::selfplay::Learner;

/// A game that can be learned.
pub fn learner(game: &str) -> Arc<dyn Learner> {
    outplay_engine::open(game).expect("a game").learner().expect("it can be learned")
}

/// A folder that is not there yet.
pub fn temporary(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outplay-learn-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
