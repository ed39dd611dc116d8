//! Leaves in the form that a network reads.

use outplay_core::{Game, Move};

/// Turns a leaf into what a network reads, when it is gathered: on the thread that has the position at hand, so that whoever evaluates needs to
/// know nothing of the game.
pub trait LeafEncoder<G: Game>: Send + Sync {
    /// How many earlier positions of the game, and of the path to the leaf, it wants to see.
    fn past_positions(&self) -> usize {
        0
    }

    /// Writes a position as words of whatever form the evaluator reads. `past` are the positions before it, the latest first: as many as were asked
    /// for, or fewer if the game began later.
    fn encode(&self, position: &G, past: &[G], words: &mut Vec<u64>);

    /// How many numbers a policy has.
    fn policy_size(&self) -> usize;

    /// Where in a policy a legal move of the position stands: another place for each move, below [`LeafEncoder::policy_size`].
    fn policy_index(&self, position: &G, m: Move) -> u16;
}

/// A leaf as an encoder has written it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The position.
    pub words: Vec<u64>,
    /// For each of the leaf's moves, where it stands in a policy.
    pub policy: Vec<u16>,
}

impl Encoded {
    /// Writes a leaf anew, over what was there.
    pub fn write<G: Game>(&mut self, encoder: &dyn LeafEncoder<G>, position: &G, past: &[G], moves: &[Move]) {
        self.words.clear();
        encoder.encode(position, past, &mut self.words);
        self.policy.clear();
        self.policy.extend(moves.iter().map(|&m| encoder.policy_index(position, m)));
    }

    /// Picks what a policy says of the leaf's moves.
    pub fn pick(&self, policy: &[f32], logits: &mut Vec<f32>) {
        logits.clear();
        logits
            .extend(self.policy.iter().map(|&index| policy.get(usize::from(index)).copied().unwrap_or(0.0)));
    }
}
