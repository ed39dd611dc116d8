//! An evaluator that uses all that the game's knowledge sees: how a position ends, which moves promise something, which are not worth a try.

use std::cmp::Reverse;

use outplay_core::{Game, Move};

use super::evaluate::{BatchEvaluator, Leaf, LeafEvaluator, LeftOut, Static, StaticStates, leaf_by_leaf};
use crate::{Certainty, Knowledge, Oracle, Policy, Tactics};

/// Evaluates as [`Static`] does where the game's knowledge sees no more than its evaluation says.
#[derive(Clone, Copy, Debug)]
pub struct KnowledgeEvaluator<K> {
    /// The evaluation, with all that the game knows besides.
    pub base: Static<K>,
    /// What is used besides.
    pub uses: KnowledgeUse,
}

/// What an evaluator uses of the game's knowledge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KnowledgeUse {
    /// Whether [`Oracle::at_sight`] and [`Oracle::probe`] say how a position ends.
    pub oracle: bool,
    /// Whether it matters how soon or by how much a game is won.
    pub exactly: bool,
    /// As if so many plies were still to be searched, wins by force are looked for; `None` if they are not.
    pub forced_win_depth: Option<i32>,
    /// Whether the ordering scores of moves say how good they look.
    pub ordering_priors: bool,
    /// Whether moves are left out that lose at once by their scores.
    pub leaves_losses_out: bool,
    /// The moves with the best scores are kept: so many times as many as the game's knowledge thinks worth a try; `None` for all.
    pub candidate_share: Option<f64>,
}

impl KnowledgeUse {
    /// Whether nothing is left to find out about a position of which so much is certain.
    pub(super) fn is_all(&self, certainty: Certainty) -> bool {
        if self.exactly { certainty.exact().is_some() } else { certainty.result().is_some() }
    }
}

/// A thread's side of [`KnowledgeEvaluator`].
struct KnowledgeStates<'k, G: Game, K: Knowledge<G>> {
    base: StaticStates<'k, G, K>,
    uses: KnowledgeUse,
}

impl KnowledgeUse {
    /// How a position ends, if the game's knowledge sees that.
    pub(super) fn certain<G: Game, K: Knowledge<G>>(
        &self,
        knowledge: &K,
        state: &mut <K::Oracle as Oracle<G>>::State,
        position: &G,
    ) -> Option<Certainty> {
        let oracle = knowledge.oracle();
        if self.oracle {
            let at_sight = oracle.at_sight(position);
            let at_sight = at_sight
                .map(|(outcome, plies)| Certainty::of_outcome::<G>(outcome, position.to_move(), plies));
            // Nobody knows how many playouts will go on from a leaf: it is asked about like the most important position.
            if let Some(certainty) = at_sight.or_else(|| oracle.probe(position, i32::MAX)) {
                return Some(certainty);
            }
        }
        let is_won = oracle.wins_by_force(state, position, self.forced_win_depth?, &|| false);
        (is_won == Some(true)).then_some(Certainty::WIN)
    }
}

impl<G: Game, K: Knowledge<G>> KnowledgeStates<'_, G, K> {
    /// How a position ends, if that is seen.
    fn certain(&mut self, position: &G) -> Option<Certainty> {
        self.uses.certain(self.base.knowledge, &mut self.base.states.oracle, position)
    }

    /// Says of the moves of a leaf how good they look by their ordering scores, and leaves out what is not worth a try; false if
    /// scores do not tell.
    fn rate_by_score(&mut self, leaf: &mut Leaf<G>) -> bool {
        let policy = self.base.knowledge.policy();
        if !self.uses.ordering_priors || policy.logit(0).is_none() {
            return false;
        }
        let (mut candidates, left_out) = self.candidates(leaf);
        let logit = |score: i32| policy.logit(score).unwrap_or(0.0);
        leaf.logits.clear();
        if left_out == LeftOut::Nothing || leaf.is_root {
            // The moves stay as they are: those that would be left out look as bad as can be.
            candidates.sort_unstable_by_key(|&(_, m)| m);
            let score =
                |m: &Move| candidates.binary_search_by_key(m, |&(_, m)| m).map(|place| candidates[place].0);
            leaf.logits.extend(leaf.moves.iter().map(|m| score(m).map_or(f32::NEG_INFINITY, logit)));
        } else {
            // Of moves whose priors are the same the one with the better score is tried first.
            candidates.sort_unstable_by_key(|&(score, m)| (Reverse(score), m));
            leaf.left_out = left_out;
            leaf.moves.clear();
            leaf.moves.extend(candidates.iter().map(|&(_, m)| m));
            leaf.logits.extend(candidates.iter().map(|&(score, _)| logit(score)));
        }
        true
    }

    /// The moves of a leaf that are worth a try, with their ordering scores, in any order; there is one at least.
    fn candidates(&mut self, leaf: &Leaf<G>) -> (Vec<(i32, Move)>, LeftOut) {
        let (tactics, position) = (self.base.knowledge.tactics(), &leaf.position);
        let mut losing = Vec::new();
        let mut candidates = Vec::with_capacity(leaf.moves.len());
        // At the root perhaps not all moves are looked at.
        let is_asked = |m: &Move| !leaf.is_root || leaf.moves.contains(m);
        // What changes the balance at once has no score in particular.
        tactics.visit_noisy(position, |m, _| candidates.push((0, m)));
        tactics.visit_quiet(&mut self.base.states.tactics, position, |m, _, score| match score {
            None if self.uses.leaves_losses_out => losing.push((0, m)),
            _ => candidates.push((score.unwrap_or(0), m)),
        });
        if leaf.is_root {
            candidates.retain(|(_, m)| is_asked(m));
        }
        if candidates.is_empty() {
            // Whatever is said of them, something has to be tried.
            candidates = losing.drain(..).filter(|(_, m)| is_asked(m)).collect();
        }
        let width = self.uses.candidate_share.zip(tactics.candidates(position, 0));
        let most = width.map_or(usize::MAX, |(share, width)| ((width as f64 * share) as usize).max(1));
        if candidates.len() > most {
            candidates.select_nth_unstable_by_key(most, |&(score, m)| (Reverse(score), m));
            candidates.truncate(most);
            return (candidates, LeftOut::Moves);
        }
        let left_out = if losing.is_empty() { LeftOut::Nothing } else { LeftOut::Losses };
        (candidates, left_out)
    }
}

impl<G: Game, K: Knowledge<G>> LeafEvaluator<G> for KnowledgeEvaluator<K> {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn cache_key(&self, leaf: &Leaf<G>) -> Option<u64> {
        self.base.cache_key(leaf)
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        let mut thread = KnowledgeStates { base: StaticStates::new(&self.base), uses: self.uses };
        leaf_by_leaf(move |leaf: &mut Leaf<G>, _| {
            leaf.certain = if leaf.is_root { None } else { thread.certain(&leaf.position) };
            if leaf.certain.is_some_and(|certainty| thread.uses.is_all(certainty)) {
                return;
            }
            if !thread.rate_by_score(leaf) {
                thread.base.rate_moves(leaf);
            }
            leaf.value = thread.base.value(&leaf.position, leaf.position.to_move());
        })
    }
}
