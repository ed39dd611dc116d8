//! Leaves in the form that a network reads.

use outplay_core::{Game, Move, Planes, Player};

/// Turns a leaf into what a network reads, when it is gathered: on the thread that has the position at hand, so that whoever evaluates needs to
/// know nothing of the game.
///
/// An encoder is a type beside its game, and a game may have several. [`check_encoder`](crate::conformance::check_encoder) and
/// [`check_encoder_symmetry`](crate::conformance::check_encoder_symmetry) hold it to its laws.
pub trait LeafEncoder<G: Game>: Send + Sync {
    /// What network files call it. A name stands for the meaning of the planes and for the order of the policy, for ever: an encoder that changes
    /// either is another one. Only the size of the board may differ between encoders of one name.
    fn name(&self) -> &str;

    /// The planes that [`LeafEncoder::encode`] writes.
    fn planes(&self) -> Planes;

    /// How many earlier positions of the game, and of the path to the leaf, it wants to see.
    fn past_positions(&self) -> usize {
        0
    }

    /// Appends a position as [`LeafEncoder::planes`] says: as many words as that has, with no bit beyond the cells. `past` are the positions before
    /// it, the latest first: as many as were asked for, or fewer if the game began later.
    fn encode(&self, position: &G, past: &[G], words: &mut Vec<u64>);

    /// How many numbers a policy has.
    fn policy_size(&self) -> usize;

    /// Where in a policy a legal move of the position stands: another place for each move, below [`LeafEncoder::policy_size`].
    fn policy_index(&self, position: &G, m: Move) -> u16;

    /// Appends the places of several moves of a position: for encoders that would have to begin anew with each.
    fn policy_indices(&self, position: &G, moves: &[Move], indices: &mut Vec<u16>) {
        indices.extend(moves.iter().map(|&m| self.policy_index(position, m)));
    }

    /// Appends whose each cell is at the end of a game, in the order of the cells of a plane; nothing in games in which cells belong to nobody.
    fn owners(&self, end: &G, owners: &mut Vec<Option<Player>>) {
        let _ = (end, owners);
    }
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
        encoder.policy_indices(position, moves, &mut self.policy);
    }

    /// Picks what a policy says of the leaf's moves.
    pub fn pick(&self, policy: &[f32], logits: &mut Vec<f32>) {
        logits.clear();
        logits
            .extend(self.policy.iter().map(|&index| policy.get(usize::from(index)).copied().unwrap_or(0.0)));
    }
}
