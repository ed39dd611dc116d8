//! Leaves of a batch, from where they are found to what they make of the tree.

use std::sync::atomic::Ordering;

use outplay_core::{Game, Player};

use super::Playouts;
use crate::mcts::batch::Share;
use crate::mcts::bounds::Bounds;
use crate::mcts::chance::add_noise;
use crate::mcts::evaluate::{Leaf, LeftOut, for_first};
use crate::mcts::path::{Path, PendingLeaf};
use crate::mcts::prior::Prior;
use crate::mcts::state::{State, UNIT, Value};
use crate::mcts::tree::NodeId;

impl<G: Game> Playouts<'_, G> {
    /// A playout has come to a position that has to be evaluated.
    pub(super) fn add_leaf(&mut self, node: NodeId, position: G) {
        let (run, is_root) = (self.run, self.is_at_root());
        let counts_as = self.is_two_fold(&position).then_some(Value::DRAW);
        let leaf = self.batch.write(position, is_root);
        if run.context.wants_moves {
            leaf.moves.clear();
            run.for_each_move(&leaf.position, is_root, |m| leaf.moves.push(m));
        }
        let path = &self.scratch.path;
        if let Some(most) = run.context.encodes_past
            && let Some(encoder) = run.context.evaluator.encoder()
        {
            let past = if most > 0 { run.past(path, most) } else { Vec::new() };
            leaf.encoded.write(encoder, &leaf.position, &past, &leaf.moves);
        }
        if self.evaluator.is_some() && self.batch.is_empty() && path.counts_at_root() {
            return self.evaluate_at_once(node, counts_as);
        }
        self.batch.place(path, node, counts_as);
        match run.context.cache {
            Some(cache) if !is_root => self.keep_leaf_unless_known(cache),
            _ => self.batch.keep(),
        }
    }

    /// Evaluates a leaf at the end of its path, and backs it up: what [`Playouts::apply`] would do with it, without keeping it until then.
    fn evaluate_at_once(&mut self, node: NodeId, counts_as: Option<Value>) {
        let mut leaves = std::mem::take(&mut self.batch.new.leaves);
        let evaluated = match &mut self.evaluator {
            Some(evaluator) => evaluator.evaluate(&mut leaves[..1], &mut self.own.rng),
            None => Ok(()),
        };
        if let Err(error) = evaluated {
            let path = self.scratch.path.clone();
            self.discard(&PendingLeaf { path, node, counts_as });
            self.run.signs.fail(error);
            self.batch.new.leaves = leaves;
            return;
        }
        let (value, certain) = self.expand(&leaves[0], node, counts_as);
        let path = std::mem::take(&mut self.scratch.path);
        self.back_up_early(&path, value, 1);
        if certain.is_some() {
            self.finish_backups();
        }
        self.finish_leaf(&leaves[0], &path, value, certain);
        self.scratch.path = path;
        self.batch.new.leaves = leaves;
        self.own.counters.evaluated += 1;
        self.batch.gathered.terminal += 1;
    }

    /// Takes evaluated leaves of the batch into the tree. Those that were known come first, as if they had been evaluated at once.
    pub fn apply(&mut self, share: &Share) {
        let cached = std::mem::take(&mut self.batch.cached);
        for number in share.cached.clone() {
            self.receive(&cached.leaves[number], &cached.pending[number]);
        }
        self.batch.cached = cached;
        let new = std::mem::take(&mut self.batch.new);
        for number in share.new.clone() {
            self.receive_evaluated(&new.leaves[number], &new.pending[number]);
        }
        self.batch.new = new;
        self.finish_backups();
    }

    /// Takes a leaf that has just been evaluated into the tree, but for its value, which may be on its way until [`Playouts::finish_backups`].
    pub fn receive_evaluated(&mut self, leaf: &Leaf<G>, pending: &PendingLeaf) {
        self.own.counters.evaluated += 1;
        self.keep_in_cache(leaf);
        self.receive(leaf, pending);
    }

    /// The same for a leaf whose evaluation was known.
    pub fn receive(&mut self, leaf: &Leaf<G>, pending: &PendingLeaf) {
        let (value, certain) = self.expand(leaf, pending.node, pending.counts_as);
        self.back_up(&pending.path, value, 1);
        if certain.is_some() {
            self.finish_backups();
        }
        self.finish_leaf(leaf, &pending.path, value, certain);
    }

    /// A leaf will never be evaluated: its playout comes to nothing, and the next one that comes there has it evaluated.
    pub fn discard(&mut self, pending: &PendingLeaf) {
        self.run.tree.publish(pending.node, State::forgotten);
        pending.path.counted().iter().for_each(|&edge| self.run.tree.call_back(edge, 1));
    }

    /// The same for several leaves of the batch; how many playouts that count at the root have come to nothing.
    pub fn discard_all(&mut self, share: &Share) -> u32 {
        let mut lost = 0;
        let (new, cached) = (std::mem::take(&mut self.batch.new), std::mem::take(&mut self.batch.cached));
        for pending in new.pending[share.new.clone()].iter().chain(&cached.pending[share.cached.clone()]) {
            self.discard(pending);
            lost += u32::from(pending.path.counts_at_root());
        }
        (self.batch.new, self.batch.cached) = (new, cached);
        lost
    }

    /// Gives the node of an evaluated leaf its policy; the value that goes up from there, and what is certain.
    fn expand(&mut self, leaf: &Leaf<G>, node: NodeId, counts_as: Option<Value>) -> (Value, Option<Bounds>) {
        let certain = leaf.certain.map(|certainty| Bounds::of::<G>(certainty, leaf.position.to_move()));
        if !certain.is_some_and(|bounds| self.run.context.options.proof().is_complete(bounds)) {
            self.take_policy(leaf, node);
        }
        let found = match certain.filter(|bounds| bounds.result().is_some()) {
            Some(bounds) => self.run.tree.certain_value(bounds),
            None => self.value_of(leaf),
        };
        let value = counts_as.unwrap_or(found);
        if self.run.tree.is_graph() {
            self.run.tree.set_own_value(node, value);
        }
        (value, certain)
    }

    /// What else a leaf teaches, once its value has gone up.
    fn finish_leaf(&mut self, leaf: &Leaf<G>, path: &Path, value: Value, certain: Option<Bounds>) {
        self.scratch.made.learn(self.run, path, &leaf.rollout, (value, 1));
        if let Some(bounds) = certain {
            self.narrow_along(path, bounds);
        }
    }

    /// The value of a leaf, as it counts in the tree.
    fn value_of(&self, leaf: &Leaf<G>) -> Value {
        let mover = leaf.position.to_move();
        let value = match &self.run.context.rescale {
            Some(rescale) => rescale.value(leaf.value, mover),
            None => leaf.value,
        };
        Value::new(for_first(value, mover), value.draw, value.moves_left)
    }

    /// What an evaluation says of the moves of a leaf goes to its node, which is ready then.
    fn take_policy(&mut self, leaf: &Leaf<G>, node: NodeId) {
        let (tree, options) = (self.run.tree, &self.run.context.options);
        let has_noise = leaf.is_root && options.noise_epsilon > 0.0;
        let wants_moves = self.run.context.wants_moves;
        if leaf.is_root {
            self.own.root.policy.clear();
            let value = self.value_of(leaf).wl as f64 / UNIT;
            self.own.root.value = if leaf.position.to_move() == Player::First { value } else { -value };
        }
        if wants_moves || has_noise {
            if wants_moves {
                assert_eq!(leaf.logits.len(), leaf.moves.len(), "an evaluator says how good each move looks");
                softmax(&leaf.logits, options.policy_softmax_temp as f32, &mut self.scratch.probabilities);
            } else {
                let mut count = 0;
                self.run.for_each_move(&leaf.position, true, |_| count += 1);
                self.scratch.probabilities.clear();
                self.scratch.probabilities.resize(count, 1.0 / count as f32);
            }
            if leaf.is_root && wants_moves {
                let moves = leaf.moves.iter().copied();
                self.own.root.policy.extend(moves.zip(self.scratch.probabilities.iter().copied()));
            }
            if has_noise {
                add_noise(
                    &mut self.scratch.probabilities,
                    options.noise_epsilon,
                    options.noise_alpha,
                    &mut self.own.rng,
                );
            }
            let priors = self.scratch.probabilities.iter().map(|&probability| Prior::new(probability));
            let has_room = if leaf.left_out == LeftOut::Nothing {
                self.scratch.priors.clear();
                self.scratch.priors.extend(priors);
                tree.set_policy(node, &self.scratch.priors, &mut self.own.grower)
            } else {
                self.scratch.chosen.clear();
                self.scratch.chosen.extend(priors.zip(leaf.moves.iter().copied()));
                self.scratch.chosen.sort_by_key(|&(prior, _)| std::cmp::Reverse(prior));
                tree.set_candidates(node, &self.scratch.chosen, leaf.left_out, &mut self.own.grower)
            };
            if !has_room {
                // The value counts; the policy is asked for again, should there be room some day.
                self.run.signs.full.store(true, Ordering::Relaxed);
                tree.publish(node, State::forgotten);
            }
        } else {
            tree.set_ready(node);
        }
    }
}

/// Probabilities in proportion to `exp(logit / temperature)`.
fn softmax(logits: &[f32], temperature: f32, probabilities: &mut Vec<f32>) {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    probabilities.clear();
    probabilities.extend(logits.iter().map(|logit| ((logit - top) / temperature).exp()));
    let scale = 1.0 / probabilities.iter().sum::<f32>();
    probabilities.iter_mut().for_each(|probability| *probability *= scale);
}
