//! An evaluator that knows nothing of the game, beside one who does.

use std::sync::Arc;

use outplay_core::{Game, Rng};

use super::encode::LeafEncoder;
use super::evaluate::{BatchEvaluator, EvaluationError, Leaf, LeafEvaluator};
use super::knowledge::KnowledgeUse;
use crate::{Knowledge, Oracle};

/// Leaves of which the game's knowledge is certain need no evaluation; the others are evaluated by somebody else, as one batch.
pub(super) struct Informed<'k, G: Game, K> {
    pub knowledge: &'k K,
    pub evaluator: &'k Arc<dyn LeafEvaluator<G>>,
    /// What is used of the knowledge: what is certain, and how hard to look for it.
    pub uses: KnowledgeUse,
}

impl<G: Game, K: Knowledge<G>> LeafEvaluator<G> for Informed<'_, G, K> {
    fn wants_moves(&self) -> bool {
        self.evaluator.wants_moves()
    }

    fn tells_moves_left(&self) -> bool {
        self.evaluator.tells_moves_left()
    }

    fn tells_draws(&self) -> bool {
        self.evaluator.tells_draws()
    }

    fn batch_size(&self) -> usize {
        self.evaluator.batch_size()
    }

    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        self.evaluator.cache_key(leaf)
    }

    fn encoder(&self) -> Option<&dyn LeafEncoder<G>> {
        self.evaluator.encoder()
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        let (mut inner, mut state) = (self.evaluator.begin(), self.knowledge.oracle().state());
        Box::new(move |leaves: &mut [Leaf<G>], rng: &mut Rng| -> Result<(), EvaluationError> {
            let mut open = 0;
            // Leaves that are still to be evaluated come first, in the order in which they came.
            let mut order: Vec<usize> = (0..leaves.len()).collect();
            for number in 0..leaves.len() {
                let leaf = &mut leaves[number];
                leaf.certain = match leaf.is_root {
                    true => None,
                    false => self.uses.certain(self.knowledge, &mut state, &leaf.position),
                };
                if !leaf.certain.is_some_and(|certainty| self.uses.is_all(certainty)) {
                    leaves.swap(open, number);
                    order.swap(open, number);
                    open += 1;
                }
            }
            let evaluated = if open > 0 { inner.evaluate(&mut leaves[..open], rng) } else { Ok(()) };
            // Whoever handed them in knows them by their places.
            for place in 0..order.len() {
                while order[place] != place {
                    let home = order[place];
                    leaves.swap(place, home);
                    order.swap(place, home);
                }
            }
            evaluated
        })
    }
}
