//! What a refutation teaches, and what is believed of a move because of it.

use outplay_core::{Game, Move};

use super::histories::Played;
use super::ordering::Picked;
use super::pvs::Node;
use super::worker::{Tried, Worker};
use crate::{Bound, Evaluation, Knowledge, Score, Tactics};

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// How good a move has been elsewhere.
    pub(super) fn history_score(&self, position: &G, picked: &Picked, played: Played, ply: usize) -> i32 {
        if picked.is_noisy {
            return match self.options.noisy_history {
                true => self.histories.noisy(played, self.gain_in_units(position, picked.m)),
                false => 0,
            };
        }
        let mut history_score = if self.options.history { 2 * self.histories.quiet(played) } else { 0 };
        if self.options.continuation_history {
            let before = self.stack.before(ply);
            history_score += before[..2]
                .iter()
                .flatten()
                .map(|&before| self.histories.continuation(before, played))
                .sum::<i32>();
        }
        history_score
    }

    /// Counts a refutation for what had brought the move forward.
    pub(super) fn count_cutoff_move(&mut self, node: &Node<G>, m: Move, is_noisy: bool) {
        let answer = || self.stack.before(node.ply)[0].and_then(|before| self.histories.counter_move(before));
        let is_killer = self.stack[node.ply].killers.contains(&Some(m));
        let is_answer = self.options.counter_moves && answer() == Some(m);
        let counted = &mut self.techniques;
        *match m {
            _ if node.table_move == Some(m) => &mut counted.table_move_cutoffs,
            _ if is_noisy => &mut counted.noisy_cutoffs,
            _ if is_killer => &mut counted.killer_cutoffs,
            _ if is_answer => &mut counted.counter_move_cutoffs,
            _ => &mut counted.quiet_cutoffs,
        } += 1;
    }

    /// A move has refuted what led here: it is remembered, and so are those that were tried in vain.
    pub(super) fn update_histories(&mut self, node: &Node<G>, m: Move, is_noisy: bool, first_tried: usize) {
        let Node { position, ply, depth, .. } = *node;
        let most = self.options.history_max_bonus;
        let bonus = (self.options.history_bonus * (2 * depth - 1) / 2).min(most);
        let before = self.stack.before(ply);
        let played = self.played(position, m);
        if is_noisy {
            self.update_noisy(played, self.gain_in_units(position, m), bonus);
        } else {
            let killers = &mut self.stack[ply].killers;
            if self.options.killers && killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            if let Some(before) = before[0] {
                self.histories.set_counter_move(before, m);
            }
            self.update_quiet(played, before, bonus);
        }
        for number in first_tried..self.tried.len() {
            match self.tried[number] {
                Tried { played, gain: Some(gain) } => self.update_noisy(played, gain, -bonus),
                Tried { played, gain: None } if !is_noisy => self.update_quiet(played, before, -bonus),
                Tried { .. } => {}
            }
        }
    }

    fn update_noisy(&mut self, played: Played, gain: i32, bonus: i32) {
        if self.options.noisy_history {
            self.techniques.noisy_lessons += 1;
            self.histories.update_noisy(played, gain, bonus);
        }
    }

    fn update_quiet(&mut self, played: Played, before: [Option<Played>; 3], bonus: i32) {
        if self.options.history {
            self.techniques.quiet_lessons += 1;
            self.histories.update_quiet(played, bonus);
        }
        if self.options.continuation_history {
            for before in before.into_iter().flatten() {
                self.techniques.continuation_lessons += 1;
                self.histories.update_continuation(before, played, bonus);
            }
        }
    }

    /// The evaluation was off by so much, where the search says so and no exchange is the reason.
    pub(super) fn update_correction(
        &mut self,
        node: &Node<G>,
        (raw, best): (Option<i32>, Score),
        bound: Bound,
        m: Option<Move>,
    ) {
        let Some(raw) = raw.filter(|_| self.options.correction_history && !best.is_decided()) else { return };
        let Some(structure) = self.evaluation.structure_key(node.position) else { return };
        let says_nothing = match bound {
            Bound::AtLeast => best.raw() <= raw,
            Bound::AtMost => best.raw() >= raw,
            Bound::Exact => false,
        };
        if says_nothing || m.is_some_and(|m| self.tactics.is_noisy(node.position, m)) {
            return;
        }
        let (mover, most) = (node.position.to_move(), self.options.correction_max);
        self.histories.update_correction((mover, structure), best.raw() - raw, node.depth, most);
    }
}
