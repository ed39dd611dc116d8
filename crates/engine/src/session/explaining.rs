//! What is known of the current position without a search, or by one that is small enough to follow.

use std::sync::Arc;

use super::SessionError;
use crate::explanation::Explanation;
use crate::networks::{EncoderInfo, NetworkOpinion};
use crate::proving::Proven;
use crate::selfplay::Learner;
use crate::simulations::ExplainedSimulations;

/// What is known of the current position without a search for a move.
pub trait Explaining {
    /// What the static evaluation says of the current position, in hundredths for the player to move: the one that the chosen search evaluates
    /// by, if it evaluates by any. `None` once the game is over.
    fn evaluate(&mut self) -> Result<Option<i32>, SessionError>;

    /// The same taken apart, in lines of text, where the evaluation can do that.
    fn account(&mut self) -> Result<Option<String>, SessionError>;

    /// What the network says of the current position by which the chosen search evaluates; `None` if it evaluates by none, and once the game is over.
    fn network_opinion(&mut self) -> Result<Option<NetworkOpinion>, SessionError>;

    /// The game as something that can be learned; `None` if it shows its positions to no network.
    fn learner(&self) -> Option<Arc<dyn Learner>>;

    /// How positions of the game can be shown to networks, the usual way first.
    fn encoders(&self) -> Vec<EncoderInfo>;

    /// Records a textbook search of the current position, of at most `most_nodes` nodes.
    fn explain(&self, search: &str, depth: u32, most_nodes: usize) -> Result<Explanation, SessionError>;

    /// Records so many simulations of the chosen search, with its settings, from the current position. The recording is refused if it has more rows than
    /// this, where each move of a table or of a random game takes one.
    fn explain_simulations(
        &mut self,
        simulations: u64,
        most_rows: usize,
    ) -> Result<ExplainedSimulations, SessionError>;

    /// Whether the game has a solver for [`Explaining::prove_win`].
    fn proves_wins(&self) -> bool;

    /// Looks for a win by force, within so many nodes and until `is_late`; `None` if the game has no solver.
    fn prove_win(&self, nodes: u64, is_late: &dyn Fn() -> bool) -> Option<Result<Proven, SessionError>>;
}
