//! The judgement of cells, kept up by a search thread that tells of its moves.
//!
//! Nothing is worked out before a value is asked for: until then stones are only noted. Most positions of a search are left without one.

use outplay_core::{Move, Player};

use super::judgement::Judgement;
use super::running::Running;
use crate::position::Connect;
use crate::rules::Rules;

/// What a thread keeps.
pub struct Following {
    running: Running,
    /// The stones since the last jump; `None` for a null move.
    made: Vec<Option<(Move, Player)>>,
    /// How many of them, the first ones, have been placed.
    placed: usize,
}

impl Following {
    pub(super) fn new(rules: Rules) -> Following {
        Following { running: Running::new(rules), made: Vec::new(), placed: 0 }
    }

    pub(super) fn jump(&mut self, judgement: &Judgement, position: &Connect) {
        self.running.go_to(judgement.table(), position);
        self.made.clear();
        self.placed = 0;
    }

    #[inline]
    pub(super) fn make(&mut self, before: &Connect, m: Option<Move>) {
        self.made.push(m.map(|m| (m, before.turn().player)));
    }

    /// Goes back to the position before the last stone; after a jump, wherever that was.
    #[inline]
    pub(super) fn unmake(&mut self, judgement: &Judgement, before: &Connect) {
        let Some(last) = self.made.pop() else { return self.jump(judgement, before) };
        if self.placed > self.made.len() {
            self.placed -= 1;
            if last.is_some() {
                self.running.step_back();
            }
        }
    }

    pub(super) fn evaluate(&mut self, judgement: &Judgement, position: &Connect) -> i32 {
        judgement.of_position(position, || {
            let rules = position.rules();
            for &(m, player) in self.made[self.placed..].iter().flatten() {
                self.running.step(judgement.table(), rules, rules.cell(m.index()), player);
            }
            self.placed = self.made.len();
            debug_assert!(self.running.is_at(position), "{position:?} was not told of");
            *self.running.sums()
        })
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Game;
    use outplay_core::conformance::Effort;
    use outplay_search::conformance::check_evaluation;

    use super::*;
    use crate::ThreatSight;

    #[test]
    fn what_a_thread_keeps_up_is_what_it_works_out_from_scratch() {
        for rules in ["19,19,6,2,1", "15,15,6,2,1", "9,21,6,2,1", "15,15,5,1,1"] {
            let rules: Rules = rules.parse().expect("valid rules");
            // A turn that ends early stands for a null move.
            let pass = |position: &Connect| {
                let mut passed = position.clone();
                passed.end_turn();
                position.outcome().is_none().then_some(passed)
            };
            let effort = Effort { games: 30, ..Effort::default() };
            check_evaluation(&rules, &ThreatSight::new(rules), pass, &effort).expect("the law holds");
        }
    }
}
