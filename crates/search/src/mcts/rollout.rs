//! Games played on quickly, to their end or until they can be evaluated, to find out what a position is worth.

use outplay_core::{Game, Move, MoveList, Outcome, Player, Rng};

use super::evaluate::{BatchEvaluator, Leaf, LeafEvaluator, LeafValue, Static, StaticStates, leaf_by_leaf};
use super::options::RolloutKind;
use crate::textbook::playout;
use crate::{Knowledge, Policy, Tactics};

/// One game from each leaf: the evaluator of UCT.
#[derive(Clone, Copy, Debug)]
pub struct Rollouts<K> {
    /// What is known of the game beyond its rules.
    pub base: Static<K>,
    /// How moves are chosen, and where the game is cut short.
    pub kind: RolloutKind,
    /// After how many plies the static evaluation has the word: at once, or, in tactical rollouts, as soon as the position is
    /// quiet. 0 to play to the end, unless the rollout is tactical.
    pub plies: u32,
    /// How many plies more a tactical rollout may take to come to a quiet position.
    pub tactical_plies: u32,
    /// Whether the static evaluation after each move says how good the move looks.
    pub policy: bool,
    /// Whether the leaf is told which moves were made.
    pub keeps_moves: bool,
}

impl<K> Rollouts<K> {
    /// A game from this position on, and what came of it for the player to move; `see` is shown each move.
    fn play<G: Game>(
        &self,
        evaluator: &mut StaticStates<G, K>,
        start: &G,
        rng: &mut Rng,
        mut see: impl FnMut(Player, Move),
    ) -> LeafValue
    where
        K: Knowledge<G>,
    {
        let mover = start.to_move();
        let (mut position, mut plies) = (start.clone(), 0);
        loop {
            if let Some(outcome) = position.outcome() {
                return result(outcome, mover);
            }
            if self.is_cut_short(&position, plies) {
                return evaluator.value(&position, mover);
            }
            let m = self.next_move(&position, rng);
            see(position.to_move(), m);
            position.play(m);
            plies += 1;
        }
    }

    fn is_cut_short<G: Game>(&self, position: &G, plies: u32) -> bool
    where
        K: Knowledge<G>,
    {
        match self.kind {
            RolloutKind::Random | RolloutKind::Knowledge => self.plies > 0 && plies >= self.plies,
            RolloutKind::Tactical => {
                plies >= self.plies
                    && (plies - self.plies >= self.tactical_plies
                        || self.base.knowledge.tactics().is_quiet(position))
            }
        }
    }

    fn next_move<G: Game>(&self, position: &G, rng: &mut Rng) -> Move
    where
        K: Knowledge<G>,
    {
        let known = match self.kind {
            RolloutKind::Random => None,
            RolloutKind::Knowledge | RolloutKind::Tactical => {
                self.base.knowledge.policy().playout_move(position, rng)
            }
        };
        known.unwrap_or_else(|| {
            let moves = position.legal_moves();
            moves.nth(rng.below(moves.count()))
        })
    }
}

fn result(outcome: Outcome, mover: Player) -> LeafValue {
    let result = outcome.for_player(mover).signum();
    let draw = if result == 0 { 1.0 } else { 0.0 };
    LeafValue { win_minus_loss: f32::from(result), draw, moves_left: 0.0 }
}

impl<G: Game, K: Knowledge<G>> LeafEvaluator<G> for Rollouts<K> {
    fn wants_moves(&self) -> bool {
        self.policy
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        let is_plain = self.kind == RolloutKind::Random && self.plies == 0;
        let mut evaluator = StaticStates::new(&self.base);
        leaf_by_leaf(move |leaf: &mut Leaf<G>, rng: &mut Rng| {
            leaf.value = if self.keeps_moves {
                leaf.rollout.clear();
                self.play(&mut evaluator, &leaf.position, rng, |player, m| leaf.rollout.push((player, m)))
            } else if is_plain {
                result(playout(leaf.position.clone(), rng), leaf.position.to_move())
            } else {
                self.play(&mut evaluator, &leaf.position, rng, |_, _| ())
            };
            if self.policy {
                evaluator.rate_moves(leaf);
            }
        })
    }
}
