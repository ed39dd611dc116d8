//! A judge who uses all that the game's knowledge sees: how a position ends, which moves promise something, which are not worth a try.

use std::cmp::Reverse;

use outplay_core::{Game, Move, Rng};

use super::evaluate::{Leaf, LeafEvaluator, LeftOut, Static};
use crate::{Certainty, Evaluator};

/// Judges as [`Static`] does where the game's knowledge sees no more than its evaluation says.
#[derive(Clone, Copy, Debug)]
pub struct Sighted<E> {
    /// The evaluation.
    pub judge: Static<E>,
    /// What is used besides.
    pub sight: Sight,
}

/// What a judge uses of the game's knowledge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sight {
    /// Whether [`Evaluator::foreseen`] says how a position ends.
    pub foresight: bool,
    /// As if so many plies were still to be searched, wins by force are looked for; `None` if they are not.
    pub forced_win_depth: Option<i32>,
    /// Whether the promises of moves say how good they look.
    pub promises: bool,
    /// Whether moves are left out that lose at once by their promises.
    pub leaves_losses_out: bool,
    /// The moves that promise most are kept: so many times as many as the game's knowledge thinks worth a try; `None` for all.
    pub candidate_share: Option<f64>,
}

impl<E> Sighted<E> {
    /// How a position ends, if that is seen.
    fn certain<G: Game>(&self, position: &G) -> Option<Certainty>
    where
        E: Evaluator<G>,
    {
        let evaluator = &self.judge.evaluator;
        let foreseen = if self.sight.foresight { evaluator.foreseen(position) } else { None };
        if let Some((outcome, plies)) = foreseen {
            return Some(match outcome.for_player(position.to_move()) {
                1.. => Certainty::WinIn(plies as u32),
                0 => Certainty::Draw,
                _ => Certainty::LossIn(plies as u32),
            });
        }
        let is_won = evaluator.wins_by_force(position, self.sight.forced_win_depth?, &|| false);
        (is_won == Some(true)).then_some(Certainty::Win)
    }

    /// Says of the moves of a leaf how good they look by their promises, and leaves out what is not worth a try; false if promises do not tell.
    fn rate_by_promise<G: Game>(&self, leaf: &mut Leaf<G>) -> bool
    where
        E: Evaluator<G>,
    {
        let evaluator = &self.judge.evaluator;
        if !self.sight.promises || evaluator.likelihood(0).is_none() {
            return false;
        }
        let (mut candidates, left_out) = self.candidates(leaf);
        let logit = |promise: i32| evaluator.likelihood(promise).unwrap_or(0.0);
        leaf.logits.clear();
        if left_out == LeftOut::Nothing || leaf.is_root {
            // The moves stay as they are: those that would be left out look as bad as can be.
            candidates.sort_unstable_by_key(|&(_, m)| m);
            let promise =
                |m: &Move| candidates.binary_search_by_key(m, |&(_, m)| m).map(|place| candidates[place].0);
            leaf.logits.extend(leaf.moves.iter().map(|m| promise(m).map_or(f32::NEG_INFINITY, logit)));
        } else {
            // Of moves whose priors are the same the one that promises more is tried first.
            candidates.sort_unstable_by_key(|&(promise, m)| (Reverse(promise), m));
            leaf.left_out = left_out;
            leaf.moves.clear();
            leaf.moves.extend(candidates.iter().map(|&(_, m)| m));
            leaf.logits.extend(candidates.iter().map(|&(promise, _)| logit(promise)));
        }
        true
    }

    /// The moves of a leaf that are worth a try, with their promises, in any order; there is one at least.
    fn candidates<G: Game>(&self, leaf: &Leaf<G>) -> (Vec<(i32, Move)>, LeftOut)
    where
        E: Evaluator<G>,
    {
        let (evaluator, position) = (&self.judge.evaluator, &leaf.position);
        let mut losing = Vec::new();
        let mut candidates = Vec::with_capacity(leaf.moves.len());
        // At the root perhaps not all moves are looked at.
        let is_asked = |m: &Move| !leaf.is_root || leaf.moves.contains(m);
        // What changes the balance at once promises nothing in particular.
        evaluator.visit_noisy(position, |m, _| candidates.push((0, m)));
        evaluator.visit_quiet(position, |m, _, promise| match promise {
            None if self.sight.leaves_losses_out => losing.push((0, m)),
            _ => candidates.push((promise.unwrap_or(0), m)),
        });
        if leaf.is_root {
            candidates.retain(|(_, m)| is_asked(m));
        }
        if candidates.is_empty() {
            // Whatever is said of them, something has to be tried.
            candidates = losing.drain(..).filter(|(_, m)| is_asked(m)).collect();
        }
        let width = self.sight.candidate_share.zip(evaluator.width(position, 0));
        let most = width.map_or(usize::MAX, |(share, width)| ((width as f64 * share) as usize).max(1));
        if candidates.len() > most {
            candidates.select_nth_unstable_by_key(most, |&(promise, m)| (Reverse(promise), m));
            candidates.truncate(most);
            return (candidates, LeftOut::Moves);
        }
        let left_out = if losing.is_empty() { LeftOut::Nothing } else { LeftOut::Losses };
        (candidates, left_out)
    }
}

impl<G: Game, E: Evaluator<G>> LeafEvaluator<G> for Sighted<E> {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn cache_key(&self, position: &G) -> Option<u64> {
        self.judge.cache_key(position)
    }

    fn evaluate(&self, leaves: &mut [Leaf<G>], _: &mut Rng) {
        for leaf in leaves {
            leaf.certain = if leaf.is_root { None } else { self.certain(&leaf.position) };
            if leaf.certain.is_some() {
                continue;
            }
            if !self.rate_by_promise(leaf) {
                self.judge.rate_moves(leaf);
            }
            leaf.judgement = self.judge.judgement(&leaf.position, leaf.position.to_move());
        }
    }
}
