//! Positions shown to a network from any side.

use std::sync::Arc;

use outplay_core::{Move, Planes, Symmetric, mix};
use outplay_search::mcts::LeafEncoder;

/// Shows an image of each position under one of the symmetries of the game. Which one follows from the position and a seed, so that what is said of a
/// position is the same each time, and may be kept.
pub(super) struct RandomImage<G> {
    pub encoder: Arc<dyn LeafEncoder<G>>,
    pub seed: u64,
}

impl<G: Symmetric> RandomImage<G> {
    /// The symmetry under which a position is shown.
    fn choose(&self, position: &G) -> usize {
        mix(mix(position.key()) ^ self.seed) as usize % position.symmetries().max(1)
    }
}

impl<G: Symmetric> LeafEncoder<G> for RandomImage<G> {
    fn name(&self) -> &str {
        self.encoder.name()
    }

    fn planes(&self) -> Planes {
        self.encoder.planes()
    }

    fn past_positions(&self) -> usize {
        self.encoder.past_positions()
    }

    fn encode(&self, position: &G, past: &[G], words: &mut Vec<u64>) {
        let symmetry = self.choose(position);
        let past: Vec<G> = past.iter().map(|position| position.transformed(symmetry)).collect();
        self.encoder.encode(&position.transformed(symmetry), &past, words);
    }

    fn policy_size(&self) -> usize {
        self.encoder.policy_size()
    }

    fn policy_index(&self, position: &G, m: Move) -> u16 {
        let symmetry = self.choose(position);
        self.encoder.policy_index(&position.transformed(symmetry), position.transformed_move(m, symmetry))
    }

    fn policy_indices(&self, position: &G, moves: &[Move], indices: &mut Vec<u16>) {
        let symmetry = self.choose(position);
        let images: Vec<Move> = moves.iter().map(|&m| position.transformed_move(m, symmetry)).collect();
        self.encoder.policy_indices(&position.transformed(symmetry), &images, indices);
    }
}
