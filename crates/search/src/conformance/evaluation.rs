//! The law of evaluations: what is kept up is what is worked out from scratch.

use outplay_core::conformance::{Effort, Violation};
use outplay_core::{Game, Line, MoveList, Rng};

use crate::Evaluation;

/// A line that is walked up and down has a chance of one in so many to be left for another.
const JUMPS: usize = 40;

/// What an evaluation keeps up from move to move is what it works out from scratch: after any sequence of moves made and taken
/// back, whether or not it was asked for values in between, and after jumps to other positions. Where the game knows a null
/// move (`null_move`), that is among the moves.
pub fn check_evaluation<G: Game, V: Evaluation<G>>(
    rules: &G::Rules,
    evaluation: &V,
    null_move: impl Fn(&G) -> Option<G>,
    effort: &Effort,
) -> Result<(), Violation> {
    let mut rng = Rng::new(effort.seed);
    let mut state = evaluation.state();
    for _ in 0..effort.games {
        let mut line = random_line::<G>(rules, &mut rng, effort);
        evaluation.reset(&mut state, line.position());
        let steps = 4 * line.moves().len() + 20;
        for _ in 0..steps {
            if rng.below(JUMPS) == 0 {
                line = random_line(rules, &mut rng, effort);
                evaluation.reset(&mut state, line.position());
            } else {
                step(evaluation, &mut state, &mut line, &mut rng);
            }
            // Lazy evaluations catch up with several moves at once.
            if line.outcome().is_none() && rng.below(3) > 0 {
                check_value(evaluation, &mut state, &line)?;
                check_null_move(evaluation, &mut state, &line, &null_move)?;
            }
        }
    }
    Ok(())
}

/// A game of random moves that is cut short anywhere.
fn random_line<G: Game>(rules: &G::Rules, rng: &mut Rng, effort: &Effort) -> Line<G> {
    let mut line = Line::new(G::start(rules));
    while line.outcome().is_none() && line.moves().len() < effort.most_plies && rng.below(25) > 0 {
        let moves = line.position().legal_moves();
        line.play(moves.nth(rng.below(moves.count())));
    }
    line
}

/// Makes a move or takes one back.
fn step<G: Game, V: Evaluation<G>>(evaluation: &V, state: &mut V::State, line: &mut Line<G>, rng: &mut Rng) {
    let is_over = line.outcome().is_some();
    if !line.moves().is_empty() && (is_over || rng.below(2) == 0) {
        line.undo();
        evaluation.unmake(state, line.position());
    } else if !is_over {
        let before = line.position().clone();
        let moves = before.legal_moves();
        let m = moves.nth(rng.below(moves.count()));
        line.play(m);
        evaluation.make(state, &before, Some(m), line.position());
    }
}

fn check_value<G: Game, V: Evaluation<G>>(
    evaluation: &V,
    state: &mut V::State,
    line: &Line<G>,
) -> Result<(), Violation> {
    let position = line.position();
    let mut fresh = evaluation.state();
    evaluation.reset(&mut fresh, position);
    let expected =
        (evaluation.evaluate(&mut fresh, position), evaluation.evaluate_fast(&mut fresh, position));
    let found = (evaluation.evaluate(state, position), evaluation.evaluate_fast(state, position));
    let again = evaluation.evaluate(state, position);
    if found == expected && again == found.0 {
        return Ok(());
    }
    let details = format!("{found:?} and then {again} was kept up, {expected:?} is what it is from scratch");
    Err(Violation::new("an evaluation that is kept up is the one from scratch", details, line))
}

fn check_null_move<G: Game, V: Evaluation<G>>(
    evaluation: &V,
    state: &mut V::State,
    line: &Line<G>,
    null_move: &impl Fn(&G) -> Option<G>,
) -> Result<(), Violation> {
    let position = line.position();
    let Some(passed) = null_move(position).filter(|passed| passed.outcome().is_none()) else { return Ok(()) };
    evaluation.make(state, position, None, &passed);
    let (found, expected) = (evaluation.evaluate(state, &passed), evaluation.value(&passed));
    evaluation.unmake(state, position);
    if found == expected {
        return Ok(());
    }
    let details = format!("after a null move {found} was kept up, {expected} is what it is from scratch");
    Err(Violation::new("an evaluation is told of null moves", details, line))
}

#[cfg(test)]
mod tests {
    use outplay_core::{Move, Outcome, Player};

    use super::*;

    /// Adds a number from 1 to 3 to a sum, up to a goal.
    #[derive(Clone, PartialEq, Debug)]
    struct Sum(u8, Player);

    impl Game for Sum {
        type Rules = ();
        type Moves = Vec<Move>;

        fn start((): &()) -> Sum {
            Sum(0, Player::First)
        }

        fn to_move(&self) -> Player {
            self.1
        }

        fn legal_moves(&self) -> Vec<Move> {
            (1..=3).map(Move::new).collect()
        }

        fn play(&mut self, m: Move) {
            *self = Sum(self.0 + m.bits() as u8, !self.1);
        }

        fn outcome(&self) -> Option<Outcome> {
            (self.0 >= 40).then_some(Outcome::win(!self.1))
        }

        fn key(&self) -> u64 {
            u64::from(self.0) << 1 | self.1.index() as u64
        }
    }

    /// Keeps the sum and the player up, wrongly if it has one of these faults.
    #[derive(Clone, Copy, PartialEq)]
    enum Kept {
        Right,
        ForgetsToUnmake,
        IgnoresNullMoves,
        IgnoresJumps,
        ChangesWhenAsked,
    }

    impl Evaluation<Sum> for Kept {
        type State = Vec<(i32, bool)>;

        fn state(&self) -> Vec<(i32, bool)> {
            Vec::new()
        }

        fn reset(&self, state: &mut Vec<(i32, bool)>, position: &Sum) {
            if *self != Kept::IgnoresJumps || state.is_empty() {
                *state = vec![(position.0.into(), position.1 == Player::First)];
            }
        }

        fn make(&self, state: &mut Vec<(i32, bool)>, _: &Sum, m: Option<Move>, _: &Sum) {
            let (sum, is_first) = state[state.len() - 1];
            let passes = m.is_none() && *self == Kept::IgnoresNullMoves;
            state.push((sum + m.map_or(0, |m| m.index() as i32), is_first == passes));
        }

        fn unmake(&self, state: &mut Vec<(i32, bool)>, before: &Sum) {
            match state.pop() {
                Some(last) if *self == Kept::ForgetsToUnmake => state.push(last),
                _ if state.is_empty() => self.reset(state, before),
                _ => {}
            }
        }

        fn evaluate(&self, state: &mut Vec<(i32, bool)>, _: &Sum) -> i32 {
            let place = state.len() - 1;
            let (sum, is_first) = state[place];
            state[place].0 += i32::from(*self == Kept::ChangesWhenAsked);
            if is_first { sum } else { -sum }
        }
    }

    fn checked(kept: Kept) -> Result<(), Violation> {
        check_evaluation((&()) as &(), &kept, |sum: &Sum| Some(Sum(sum.0, !sum.1)), &Effort::default())
    }

    #[test]
    fn what_is_kept_up_rightly_passes_and_every_fault_is_found() {
        checked(Kept::Right).expect("the law holds");
        for fault in
            [Kept::ForgetsToUnmake, Kept::IgnoresNullMoves, Kept::IgnoresJumps, Kept::ChangesWhenAsked]
        {
            assert!(checked(fault).is_err());
        }
    }
}
