//! A batch of leaves, from its gathering to the values in the tree.

use std::sync::atomic::Ordering;

use outplay_core::{Game, MoveList};

use super::{Worker, back_up};
use crate::mcts::bounds::Bounds;
use crate::mcts::chance::add_noise;
use crate::mcts::evaluate::{Leaf, LeftOut, for_first};
use crate::mcts::prior::Prior;
use crate::mcts::shared::{Flight, Route};
use crate::mcts::state::{MOST_MOVES, Stage, State, Value};
use crate::mcts::tree::NodeId;

impl<G: Game> Worker<'_, G> {
    /// Has the root judged, if nobody has done that: before all threads begin.
    pub fn judge_root(&mut self) {
        let (root, node) = (self.shared.root, self.shared.tree.link(self.shared.root).node);
        let is_known =
            self.shared.tree.state(node).stage() != Stage::Pending && !self.shared.tree.claim(node);
        if is_known || self.reserve(1).is_none() {
            return;
        }
        self.shared.tree.send(root, 1);
        self.route.path.push(root);
        self.add_leaf(node, self.shared.line.position().clone());
        self.route.path.pop();
        match self.pipeline.take() {
            Some(mut pipeline) => {
                pipeline.send(self);
                pipeline.take_back(self);
                self.pipeline = Some(pipeline);
            }
            None => drop(self.judge()),
        }
    }

    /// Gathers a batch, has it judged and backs it up; returns how many playouts have ended. If others judge, it is a batch
    /// that was gathered earlier, or what has come back of several.
    pub fn run_batch(&mut self) -> u32 {
        if let Some(mut pipeline) = self.pipeline.take() {
            let ended = pipeline.step(self);
            self.pipeline = Some(pipeline);
            return ended;
        }
        if self.gather_batch() { self.judge() } else { 0 }
    }

    /// Takes back what others are still judging: the last thing that a thread does.
    pub fn finish(mut self) {
        self.take_back();
    }

    /// Waits for what others are still judging.
    pub(super) fn take_back(&mut self) {
        if let Some(mut pipeline) = self.pipeline.take() {
            pipeline.take_back(self);
            self.pipeline = Some(pipeline);
        }
    }

    /// Gathers a batch of the usual size, unless no playouts are left or nothing is left to be learned.
    pub(super) fn gather_batch(&mut self) -> bool {
        let size = self.shared.leaves_at_once;
        let root = self.shared.tree.link(self.shared.root).node;
        if self.shared.tree.state(root).stage() == Stage::Settled {
            return false;
        }
        let Some(mut budget) = self.reserve(size) else { return false };
        (self.gathered, self.known, self.recalled) = (0, 0, 0);
        (self.collided, self.settled, self.beside) = (0, 0, 0);
        self.tick = self.shared.options.ram_limit_recycles.then(|| self.shared.tree.arena.tick());
        self.gather(budget);
        // Leaves that were known leave room in the batch for others.
        while let Some(more) = self.room_in_batch(size).and_then(|more| self.reserve(more)) {
            budget += more;
            let (before, collided) = (self.ended(), self.collided);
            self.gather(budget);
            if self.ended() == before || self.collided > collided {
                break;
            }
        }
        let unused = budget.saturating_sub(self.ended());
        self.shared.tree.add(&self.shared.remaining, u64::from(unused));
        if self.shared.cache.is_some() {
            self.count_cache_use();
        }
        true
    }

    /// A playout has come to a position that has to be judged.
    pub(super) fn add_leaf(&mut self, node: NodeId, position: G) {
        let counts_as = self.is_two_fold(&position).then_some(Value::DRAW);
        self.write_leaf(position);
        if self.judges_at_once && self.gathered == 0 && self.route.counts_at_root() {
            return self.judge_at_once(node, counts_as);
        }
        if self.gathered == self.flights.len() {
            self.flights.push(Flight { route: Route::default(), node, counts_as });
        } else {
            let flight = &mut self.flights[self.gathered];
            (flight.node, flight.counts_as) = (node, counts_as);
        }
        self.flights[self.gathered].route.copy(&self.route);
        match self.shared.cache {
            Some(cache) if self.route.path.len() > 1 => self.add_leaf_through(cache),
            _ => self.gathered += 1,
        }
    }

    /// Writes a leaf behind those of the batch, over one of an earlier batch if there is one.
    fn write_leaf(&mut self, position: G) {
        let is_root = self.is_at_root();
        if self.gathered == self.leaves.len() {
            self.leaves.push(Leaf::new(position));
        } else {
            self.leaves[self.gathered].position = position;
        }
        let leaf = &mut self.leaves[self.gathered];
        (leaf.is_root, leaf.left_out, leaf.certain) = (is_root, LeftOut::Nothing, None);
        if self.shared.wants_moves {
            leaf.moves.clear();
            match is_root {
                true => leaf.moves.extend_from_slice(self.shared.root_moves),
                false => leaf.moves.extend(leaf.position.legal_moves().each().take(MOST_MOVES)),
            }
        }
    }

    /// Has the one leaf of a batch judged at the end of its path, and backs it up: what [`Worker::judge`] would do with it, without keeping
    /// it until then.
    fn judge_at_once(&mut self, node: NodeId, counts_as: Option<Value>) {
        let (mut leaves, route) = (std::mem::take(&mut self.leaves), std::mem::take(&mut self.route));
        match self.judge.evaluate(&mut leaves[..1], &mut self.rng) {
            Ok(()) => self.take_in(&leaves[0], &route, node, counts_as),
            Err(error) => self.shared.fail(error),
        }
        (self.leaves, self.route) = (leaves, route);
        self.shared.tree.add(&self.shared.judged, 1);
        self.settled += 1;
    }

    /// Has what was gathered judged, and backs it up; returns how many playouts have ended.
    pub(super) fn judge(&mut self) -> u32 {
        let size = self.shared.leaves_at_once as usize;
        // Those that looked beside come on top of the batch.
        for leaves in self.leaves[self.known..self.gathered].chunks_mut(size) {
            if let Err(error) = self.judge.evaluate(leaves, &mut self.rng) {
                self.shared.fail(error);
                return 0;
            }
        }
        let (leaves, flights) = (std::mem::take(&mut self.leaves), std::mem::take(&mut self.flights));
        for number in 0..self.gathered {
            match number < self.known {
                true => self.receive(&leaves[number], &flights[number]),
                false => self.receive_judged(&leaves[number], &flights[number]),
            }
        }
        (self.leaves, self.flights) = (leaves, flights);
        self.shared.tree.add(&self.shared.judged, (self.gathered - self.known) as u64);
        let ended = self.ended();
        self.shared.tree.add(&self.shared.playouts, u64::from(ended));
        self.gathered = 0;
        ended
    }

    /// A judged leaf goes into the tree.
    pub(super) fn receive(&mut self, leaf: &Leaf<G>, flight: &Flight) {
        self.take_in(leaf, &flight.route, flight.node, flight.counts_as);
    }

    /// A judged leaf goes into the tree at the end of its route.
    fn take_in(&mut self, leaf: &Leaf<G>, route: &Route, node: NodeId, counts_as: Option<Value>) {
        let (tree, mover) = (self.shared.tree, leaf.position.to_move());
        let certain = leaf.certain.map(|certainty| Bounds::of(certainty, mover));
        if !certain.is_some_and(|bounds| self.shared.options.proof().is_complete(bounds)) {
            self.take_policy(leaf, node);
        }
        let found = match certain.filter(|bounds| bounds.result().is_some()) {
            Some(bounds) => Value::certain(bounds),
            None => self.value_of(leaf),
        };
        let value = counts_as.unwrap_or(found);
        if tree.is_graph() {
            tree.judge_node(node, value);
        }
        back_up(self.shared, route, value, 1, &mut self.changed);
        self.trail.learn(self.shared, route, &leaf.rollout, (value, 1));
        if let Some(bounds) = certain {
            self.narrow_along(route, bounds);
        }
    }

    /// What a judge thinks of a leaf, as it counts in the tree.
    fn value_of(&self, leaf: &Leaf<G>) -> Value {
        let mover = leaf.position.to_move();
        let judgement = match &self.shared.rescale {
            Some(rescale) => rescale.judgement(leaf.judgement, mover),
            None => leaf.judgement,
        };
        Value::new(for_first(judgement, mover), judgement.draw, judgement.moves_left)
    }

    /// What a judge says of the moves of a leaf goes to its node, which is ready then.
    fn take_policy(&mut self, leaf: &Leaf<G>, node: NodeId) {
        let (tree, options) = (self.shared.tree, self.shared.options);
        let has_noise = leaf.is_root && options.noise_epsilon > 0.0;
        let wants_moves = self.shared.wants_moves;
        if wants_moves || has_noise {
            if wants_moves {
                assert_eq!(leaf.logits.len(), leaf.moves.len(), "an evaluator says how good each move looks");
                softmax(&leaf.logits, options.policy_softmax_temp as f32, &mut self.probabilities);
            } else {
                let count = self.shared.root_moves.len();
                self.probabilities.clear();
                self.probabilities.resize(count, 1.0 / count as f32);
            }
            if has_noise {
                add_noise(&mut self.probabilities, options.noise_epsilon, options.noise_alpha, &mut self.rng);
            }
            let priors = self.probabilities.iter().map(|&probability| Prior::new(probability));
            let has_room = if leaf.left_out == LeftOut::Nothing {
                self.priors.clear();
                self.priors.extend(priors);
                tree.set_policy(node, &self.priors, &mut self.grower)
            } else {
                self.chosen.clear();
                self.chosen.extend(priors.zip(leaf.moves.iter().copied()));
                self.chosen.sort_by_key(|&(prior, _)| std::cmp::Reverse(prior));
                tree.set_candidates(node, &self.chosen, leaf.left_out, &mut self.grower)
            };
            if !has_room {
                // The value counts; the policy is asked for again, should there be room some day.
                self.shared.full.store(true, Ordering::Relaxed);
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
