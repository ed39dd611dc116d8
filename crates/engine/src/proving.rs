//! Wins by force that a solver of the game proves.

use serde::Serialize;

/// Looks for a win of the player to move, within so many nodes and until it is told that it is late; an error says why this position has nothing to
/// prove.
pub type Prover<G> = Box<ProveWin<G>>;

/// What a [`Prover`] does.
pub type ProveWin<G> = dyn Fn(&G, u64, &dyn Fn() -> bool) -> Result<Proven, String> + Send + Sync;

/// What a solver has found.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Proven {
    /// What is certain.
    pub result: ProofResult,
    /// The main line of a win, turn by turn.
    pub line: Vec<Vec<String>>,
    /// How many turns of the winner it takes at most.
    pub turns: Option<usize>,
    /// What it cost.
    pub nodes: u64,
}

/// What a solver is certain of.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ProofResult {
    /// The player to move wins.
    Win,
    /// There is no win of the kind that it looks for.
    None,
    /// The limits came first.
    Cut,
}
