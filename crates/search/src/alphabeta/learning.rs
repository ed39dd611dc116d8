//! What a refutation teaches, and what is believed of a move because of it.

use outplay_core::{Game, Move};

use super::histories::Played;
use super::ordering::Picked;
use super::pvs::Node;
use super::worker::{Tried, Worker};
use crate::table::Bounded;
use crate::{Evaluator, Score};

impl<G: Game, E: Evaluator<G>> Worker<'_, '_, G, E> {
    /// How good a move has been elsewhere.
    pub(super) fn standing(&self, position: &G, picked: &Picked, played: Played, ply: usize) -> i32 {
        if picked.is_noisy {
            return match self.options.noisy_history {
                true => self.histories.noisy(played, self.gain_in_units(position, picked.m)),
                false => 0,
            };
        }
        let mut standing = if self.options.history { 2 * self.histories.quiet(played) } else { 0 };
        if self.options.continuation_history {
            let before = self.frames.before(ply);
            standing +=
                before[..2].iter().flatten().map(|&before| self.histories.after(before, played)).sum::<i32>();
        }
        standing
    }

    /// Counts a refutation for what had brought the move forward.
    pub(super) fn count_refutation(&mut self, node: &Node<G>, m: Move, is_noisy: bool) {
        let answer = || self.frames.before(node.ply)[0].and_then(|before| self.histories.answer(before));
        let is_killer = self.frames[node.ply].killers.contains(&Some(m));
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
    pub(super) fn learn_refutation(&mut self, node: &Node<G>, m: Move, is_noisy: bool, first_tried: usize) {
        let Node { position, ply, depth, .. } = *node;
        let most = self.options.history_most_bonus;
        let bonus = (self.options.history_bonus * (2 * depth - 1) / 2).min(most);
        let before = self.frames.before(ply);
        let played = self.played(position, m);
        if is_noisy {
            self.learn_noisy(played, self.gain_in_units(position, m), bonus);
        } else {
            let killers = &mut self.frames[ply].killers;
            if self.options.killers && killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            if let Some(before) = before[0] {
                self.histories.set_answer(before, m);
            }
            self.learn_quiet(played, before, bonus);
        }
        for number in first_tried..self.tried.len() {
            match self.tried[number] {
                Tried { played, gain: Some(gain) } => self.learn_noisy(played, gain, -bonus),
                Tried { played, gain: None } if !is_noisy => self.learn_quiet(played, before, -bonus),
                Tried { .. } => {}
            }
        }
    }

    fn learn_noisy(&mut self, played: Played, gain: i32, bonus: i32) {
        if self.options.noisy_history {
            self.techniques.noisy_lessons += 1;
            self.histories.learn_noisy(played, gain, bonus);
        }
    }

    fn learn_quiet(&mut self, played: Played, before: [Option<Played>; 3], bonus: i32) {
        if self.options.history {
            self.techniques.quiet_lessons += 1;
            self.histories.learn_quiet(played, bonus);
        }
        if self.options.continuation_history {
            for before in before.into_iter().flatten() {
                self.techniques.continuation_lessons += 1;
                self.histories.learn_after(before, played, bonus);
            }
        }
    }

    /// The evaluation was off by so much, where the search says so and no exchange is the reason.
    pub(super) fn learn_error(
        &mut self,
        node: &Node<G>,
        (raw, best): (Option<i32>, Score),
        bound: Bounded,
        m: Option<Move>,
    ) {
        let Some(raw) = raw.filter(|_| self.options.correction_history && !best.is_decided()) else { return };
        let Some(structure) = self.evaluator.structure_key(node.position) else { return };
        let says_nothing = match bound {
            Bounded::AtLeast => best.raw() <= raw,
            Bounded::AtMost => best.raw() >= raw,
            Bounded::Exact | Bounded::None => false,
        };
        if says_nothing || m.is_some_and(|m| self.evaluator.is_noisy(node.position, m)) {
            return;
        }
        let (mover, most) = (node.position.to_move(), self.options.correction_most);
        self.histories.learn_error((mover, structure), best.raw() - raw, node.depth, most);
    }
}
