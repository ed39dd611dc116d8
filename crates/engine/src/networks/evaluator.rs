//! Leaves of a tree search evaluated by a network.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use outplay_core::{Game, Rng, mix};
use outplay_net::{Backend, NetError, Outputs, Runner, ValueKind};
use outplay_search::mcts::{BatchEvaluator, EvaluationError, Leaf, LeafEncoder, LeafEvaluator, LeafValue};

/// A network as an evaluator of leaves. Leaves are encoded when they are gathered, so that whoever runs the network needs to know no game.
///
/// What is kept of an evaluation is found again by a hash of exactly what the network was shown, together with the key of the position: two leaves
/// with the same moves and the same planes are the same to a network, whatever their past. Where an encoder shows the past, a position that is
/// reached by other moves is therefore evaluated anew; lc0 takes the evaluation of the first for that of the second unless told otherwise.
pub struct NetworkEvaluator<G> {
    backend: Arc<dyn Backend>,
    encoder: Arc<dyn LeafEncoder<G>>,
    batch_size: usize,
}

impl<G: Game> NetworkEvaluator<G> {
    /// A network by what runs it, shown positions by the encoder that it was made for (see [`Encoders::fit`](super::Encoders::fit)).
    pub fn new(backend: Arc<dyn Backend>, encoder: Arc<dyn LeafEncoder<G>>) -> NetworkEvaluator<G> {
        let batch_size = backend.batch_size().max(1);
        NetworkEvaluator { backend, encoder, batch_size }
    }

    /// The same, which asks for no more leaves at once than this, whatever the backend likes.
    #[must_use]
    pub fn at_most(self, leaves: usize) -> NetworkEvaluator<G> {
        NetworkEvaluator { batch_size: self.batch_size.min(leaves).max(1), ..self }
    }
}

impl<G: Game> LeafEvaluator<G> for NetworkEvaluator<G> {
    fn wants_moves(&self) -> bool {
        true
    }

    fn tells_moves_left(&self) -> bool {
        self.backend.description().heads.moves_left.is_some()
    }

    fn tells_draws(&self) -> bool {
        matches!(self.backend.description().heads.value, ValueKind::WinDrawLoss { .. })
    }

    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        Some(key_of(leaf.position.key(), &leaf.encoded.words))
    }

    fn encoder(&self) -> Option<&dyn LeafEncoder<G>> {
        Some(&*self.encoder)
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        let runner = self.backend.begin();
        Box::new(NetworkBatch { runner, outputs: VecDeque::new(), spare: Vec::new() })
    }
}

/// A key for what a network is shown of a position.
pub(super) fn key_of(position: u64, words: &[u64]) -> u64 {
    // The constant keeps a run of zeros from leading nowhere.
    words.iter().fold(position, |key, &word| mix(key ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15))
}

/// A thread's side of [`NetworkEvaluator`].
struct NetworkBatch<'b> {
    runner: Box<dyn Runner + 'b>,
    /// Those of the batches that are under way, the first one first.
    outputs: VecDeque<Outputs>,
    /// Those of earlier batches, whose memory is used again.
    spare: Vec<Outputs>,
}

impl<G: Game> BatchEvaluator<G> for NetworkBatch<'_> {
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) -> Result<(), EvaluationError> {
        self.submit(leaves, rng)?;
        self.collect(leaves)
    }

    fn most_in_flight(&self) -> usize {
        self.runner.most_in_flight()
    }

    fn submit(&mut self, leaves: &mut [Leaf<G>], _: &mut Rng) -> Result<(), EvaluationError> {
        let positions: Vec<&[u64]> = leaves.iter().map(|leaf| &*leaf.encoded.words).collect();
        let mut outputs = self.spare.pop().unwrap_or_default();
        guarded(|| self.runner.submit(&positions, &mut outputs))?;
        self.outputs.push_back(outputs);
        Ok(())
    }

    fn collect(&mut self, leaves: &mut [Leaf<G>]) -> Result<(), EvaluationError> {
        let nothing = || EvaluationError("no batch is under way".to_string());
        let mut outputs = self.outputs.pop_front().ok_or_else(nothing)?;
        guarded(|| self.runner.collect(&mut outputs))?;
        check(&outputs)?;
        for (number, leaf) in leaves.iter_mut().enumerate() {
            leaf.encoded.pick(outputs.policy_of(number), &mut leaf.logits);
            leaf.value = leaf_value(&outputs, number);
        }
        self.spare.push(outputs);
        Ok(())
    }
}

/// What a network says of a position, as a tree search wants it.
pub(super) fn leaf_value(outputs: &Outputs, number: usize) -> LeafValue {
    let [win, draw, loss] = outputs.value[number];
    let moves_left = outputs.moves_left.get(number).copied().unwrap_or(0.0);
    LeafValue { win_minus_loss: win - loss, draw, moves_left }
}

/// Runs a network.
pub(super) fn run(
    runner: &mut dyn Runner,
    positions: &[&[u64]],
    outputs: &mut Outputs,
) -> Result<(), EvaluationError> {
    guarded(|| runner.run(positions, outputs))?;
    check(outputs)
}

/// Has a network run. A panic is an error like any other: a search ends with its reason, whatever goes wrong on a device.
fn guarded(run: impl FnOnce() -> Result<(), NetError>) -> Result<(), EvaluationError> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(EvaluationError(error.to_string())),
        Err(_) => Err(EvaluationError("what runs the network has panicked".to_string())),
    }
}

/// Outputs that are no numbers are an error, because nothing could be compared with them any more.
fn check(outputs: &Outputs) -> Result<(), EvaluationError> {
    match are_finite(outputs) {
        true => Ok(()),
        false => Err(EvaluationError("the network's outputs are not all finite numbers".to_string())),
    }
}

/// Whether all that searches go by are numbers.
pub(super) fn are_finite(outputs: &Outputs) -> bool {
    let numbers = [&outputs.policy, outputs.value.as_flattened(), &outputs.moves_left];
    // Without looking for the first that is none: so many are looked at at a time.
    numbers.into_iter().all(|numbers| numbers.iter().fold(true, |all, number| all & number.is_finite()))
}
