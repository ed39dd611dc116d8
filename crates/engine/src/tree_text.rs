//! A grown tree in words, ready to be printed.

use outplay_core::Notation;
use outplay_search::{GrownMove, Meaning, MoveStatistics};
use serde::Serialize;

/// A move in the tree that a search has grown, with those that follow it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeMove {
    /// The move; empty at the root.
    #[serde(rename = "move")]
    pub played: String,
    /// Who makes it; at the root: who moves.
    pub by: &'static str,
    /// How often it was tried.
    pub visits: u64,
    /// What it is worth for whoever makes it.
    pub score: Meaning,
    /// What else was counted.
    #[serde(flatten)]
    pub statistics: Option<MoveStatistics>,
    /// What was tried after it, most visits first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<TreeMove>,
}

impl TreeMove {
    /// Puts a tree into words; `position` is where its root stands.
    pub(crate) fn new<G: Notation>(position: &G, grown: &GrownMove) -> TreeMove {
        let by = position.mover_name();
        let (played, after) = match grown.m {
            Some(m) => (position.move_text(m), position.after(m)),
            None => (String::new(), position.clone()),
        };
        TreeMove {
            played,
            by,
            visits: grown.visits,
            score: grown.score,
            statistics: grown.statistics,
            replies: grown.replies.iter().map(|reply| TreeMove::new(&after, reply)).collect(),
        }
    }
}
