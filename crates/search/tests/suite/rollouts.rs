//! What must hold of rollouts, on a game that is easy to follow.

use outplay_core::{Game, Move, Outcome, Player, Rng};
use outplay_search::mcts::{Leaf, LeafEvaluator, LeafValue, RolloutKind, Rollouts, Static};
use outplay_search::textbook::playout;
use outplay_search::{Bundle, Evaluation, NoKnowledge, Policy, Tactics};

/// A walk: each move goes one or two steps. Who comes to the goal or beyond it first wins.
#[derive(Clone, Debug, PartialEq)]
struct Walk {
    steps: u16,
    moves: u16,
}

const GOAL: u16 = 40;

impl Game for Walk {
    type Rules = ();
    type Moves = Vec<Move>;
    const ALTERNATES: bool = true;

    fn start((): &()) -> Walk {
        Walk { steps: 0, moves: 0 }
    }

    fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.moves % 2)]
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.steps >= GOAL { Vec::new() } else { vec![Move::new(1), Move::new(2)] }
    }

    fn play(&mut self, m: Move) {
        self.steps += m.bits();
        self.moves += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.steps >= GOAL).then(|| Outcome::win(!self.to_move()))
    }

    fn key(&self) -> u64 {
        u64::from(self.steps) << 16 | u64::from(self.moves)
    }
}

/// Always takes one step, is afraid of all places but every seventh, and tells where it is by its value.
#[derive(Clone, Copy)]
struct Careful;

impl Evaluation<Walk> for Careful {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Walk) -> i32 {
        i32::from(position.steps)
    }
}

impl Policy<Walk> for Careful {
    fn playout_move(&self, _: &Walk, _: &mut Rng) -> Option<Move> {
        Some(Move::new(1))
    }
}

impl Tactics<Walk> for Careful {
    type State = ();

    fn state(&self) {}

    fn is_quiet(&self, position: &Walk) -> bool {
        position.steps.is_multiple_of(7)
    }
}

type CarefulKnowledge = Bundle<Careful, Careful, NoKnowledge, Careful>;

fn base() -> Static<CarefulKnowledge> {
    let knowledge = Bundle { evaluation: Careful, tactics: Careful, oracle: NoKnowledge, policy: Careful };
    Static { knowledge, scale: 100.0 }
}

fn rollouts(kind: RolloutKind, plies: u32, tactical_plies: u32) -> Rollouts<CarefulKnowledge> {
    Rollouts { base: base(), kind, plies, tactical_plies, policy: false, keeps_moves: false }
}

fn leaf(position: &Walk) -> Leaf<Walk> {
    Leaf { moves: position.legal_moves(), ..Leaf::new(position.clone()) }
}

fn evaluated(evaluator: &impl LeafEvaluator<Walk>, position: &Walk, seed: u64) -> Leaf<Walk> {
    let mut leaves = [leaf(position)];
    evaluator.begin().evaluate(&mut leaves, &mut Rng::new(seed)).expect("it cannot fail");
    let [leaf] = leaves;
    leaf
}

/// What the static evaluation says of a place so many plies of one step after a position, for the player to move there.
fn opinion_after(position: &Walk, plies: u16) -> f32 {
    let there = Walk { steps: position.steps + plies, moves: position.moves + plies };
    let value = evaluated(&base(), &there, 0).value.win_minus_loss;
    if plies.is_multiple_of(2) { value } else { -value }
}

#[test]
fn a_random_rollout_is_the_textbooks_random_game() {
    for seed in 0..200 {
        let start = Walk { steps: seed as u16 % 30, moves: seed as u16 % 2 };
        let winner = playout(start.clone(), &mut Rng::new(seed)).for_player(start.to_move());
        let expected = LeafValue { win_minus_loss: f32::from(winner), draw: 0.0, moves_left: 0.0 };
        // Cut short so late that it never happens, it is the same game.
        for plies in [0, 1_000] {
            let found = evaluated(&rollouts(RolloutKind::Random, plies, 0), &start, seed).value;
            assert_eq!(found, expected, "seed {seed}, {plies} plies");
        }
    }
}

#[test]
fn a_rollout_with_knowledge_plays_the_moves_that_are_known_to_be_good() {
    for steps in 0..GOAL {
        let start = Walk { steps, moves: 0 };
        let found = evaluated(&rollouts(RolloutKind::Knowledge, 0, 0), &start, 1).value.win_minus_loss;
        // One step a move: whoever makes the last one wins.
        assert_eq!(found, if (GOAL - steps) % 2 == 1 { 1.0 } else { -1.0 }, "{steps}");
    }
}

#[test]
fn a_rollout_that_is_cut_short_is_evaluated_where_it_stops() {
    let start = Walk { steps: 3, moves: 1 };
    for plies in 1..30 {
        let found = evaluated(&rollouts(RolloutKind::Knowledge, plies, 0), &start, 1).value.win_minus_loss;
        assert_eq!(found, opinion_after(&start, plies as u16), "{plies} plies");
    }
}

#[test]
fn a_tactical_rollout_ends_at_the_first_quiet_place_or_when_it_has_gone_on_for_long_enough() {
    let start = Walk { steps: 3, moves: 0 };
    // Places 7, 14 and 21 are quiet: 4, 11 and 18 plies away.
    for (plies, tactical_plies, expected) in
        [(0, 16, 4), (4, 16, 4), (5, 16, 11), (5, 3, 8), (0, 2, 2), (12, 16, 18), (12, 0, 12)]
    {
        let evaluator = rollouts(RolloutKind::Tactical, plies, tactical_plies);
        let found = evaluated(&evaluator, &start, 1).value.win_minus_loss;
        assert_eq!(found, opinion_after(&start, expected), "{plies} and {tactical_plies}");
    }
    let quiet = Walk { steps: 7, moves: 0 };
    let found = evaluated(&rollouts(RolloutKind::Tactical, 0, 16), &quiet, 1).value.win_minus_loss;
    assert_eq!(found, opinion_after(&quiet, 0), "a quiet place is evaluated at once");
}

#[test]
fn the_policy_of_rollouts_is_that_of_the_static_evaluation() {
    let start = Walk { steps: 11, moves: 0 };
    let with_policy = Rollouts { policy: true, ..rollouts(RolloutKind::Random, 0, 0) };
    let (found, expected) = (evaluated(&with_policy, &start, 1), evaluated(&base(), &start, 1));
    assert_eq!((found.logits.len(), &found.logits), (2, &expected.logits));
    assert!(LeafEvaluator::<Walk>::wants_moves(&with_policy));
    assert!(evaluated(&rollouts(RolloutKind::Random, 0, 0), &start, 1).logits.is_empty());
}
