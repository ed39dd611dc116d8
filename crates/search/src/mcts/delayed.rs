//! An evaluator that takes time.

use std::time::Duration;

use outplay_core::{Game, Rng};

use super::encode::LeafEncoder;
use super::evaluate::{BatchEvaluator, Leaf, LeafEvaluator};

/// Another evaluator, which answers so much later. The processor is free meanwhile, as it is while a device evaluates: for measuring how
/// well a search uses that time.
#[derive(Clone, Copy, Debug)]
pub struct Delayed<E> {
    /// The other one.
    pub evaluator: E,
    /// How long each batch takes, however many leaves it has.
    pub delay: Duration,
}

impl<G: Game, E: LeafEvaluator<G>> LeafEvaluator<G> for Delayed<E> {
    fn wants_moves(&self) -> bool {
        self.evaluator.wants_moves()
    }

    fn tells_moves_left(&self) -> bool {
        self.evaluator.tells_moves_left()
    }

    fn batch_size(&self) -> usize {
        self.evaluator.batch_size()
    }

    fn tells_draws(&self) -> bool {
        self.evaluator.tells_draws()
    }

    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        self.evaluator.cache_key(leaf)
    }

    fn encoder(&self) -> Option<&dyn LeafEncoder<G>> {
        self.evaluator.encoder()
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        let mut inner = self.evaluator.begin();
        Box::new(move |leaves: &mut [Leaf<G>], rng: &mut Rng| {
            // Nobody waits for an empty batch: it is not sent to a device.
            if !leaves.is_empty() {
                std::thread::sleep(self.delay);
            }
            inner.evaluate(leaves, rng)
        })
    }
}
