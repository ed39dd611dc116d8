//! Wins by double threats.

use outplay_core::{Game, MoveList, Notation, Player, Rng};

use super::checker::Checker;
use super::plain::Plain;
use super::{positions_of_games, table};
use crate::position::Connect;
use crate::rules::Rules;
use crate::threats::{Limits, Solution, SolveError, Solver, Threats, Verdict};

fn solver() -> Solver {
    Solver::new(Rules::CONNECT6).expect("rules that it knows")
}

fn solve(solver: &mut Solver, position: &Connect, nodes: u64, turns: usize) -> Solution {
    solver.solve(position, Threats::Double, Limits { nodes, turns }).expect("something to solve")
}

fn connect6(moves: &str) -> Connect {
    Connect::parse_position(&Rules::CONNECT6, moves).expect("legal")
}

#[test]
fn a_search_that_is_late_says_that_it_was_cut() {
    // Three stones in a row with nothing near: many ways to threaten, no short win.
    let position = connect6("j10 a1 a3 k10 l10 c1 s19");
    let mut solver = solver();
    let limits = Limits::default();
    let whole = solve(&mut solver, &position, limits.nodes, limits.turns);
    let late = solver.solve_until_late(&position, limits, &|| true).expect("something to solve");
    assert_eq!(late.verdict, Verdict::Cut);
    assert!(late.nodes < whole.nodes / 2, "{} of {} nodes", late.nodes, whole.nodes);
    let again = solver.solve_until_late(&position, limits, &|| false).expect("something to solve");
    assert_eq!(again, whole, "nothing of the late one is left");
}

#[test]
fn the_public_positions_are_won_and_every_proof_holds() {
    let checker = Checker::new(Rules::CONNECT6);
    let mut solver = solver();
    for file in ["connect6/vcdt_public.csv", "connect6/itss_5_positions.csv"] {
        let Some(table) = table(file) else { return };
        for (name, position, fields) in table {
            // Turns that threaten: the one that fills a row is not counted.
            let turns: usize = fields[1].parse().expect("a number");
            let Solution { verdict, nodes } = solve(&mut solver, &position, 2_000_000, 30);
            let Verdict::Win(proof) = verdict else { panic!("{name}: {verdict:?} after {nodes} nodes") };
            assert_eq!(checker.check(&position, &proof, 2), Ok(()), "{name}");
            assert!(proof.turns() - 1 <= turns, "{name}: {} turns in place of {turns}", proof.turns());
        }
    }
}

/// Wins within three turns are those that a plain search finds; returns how many there are.
fn compare_with_the_plain_search(rules: Rules, positions: &[Connect]) -> usize {
    let mut solver = Solver::new(rules).expect("rules that it knows");
    let (mut plain, checker) = (Plain::new(rules), Checker::new(rules));
    let mut won = 0;
    for position in positions {
        let expected = plain.wins(position, 3);
        let verdict = solve(&mut solver, position, u64::MAX, 3).verdict;
        assert_eq!(matches!(verdict, Verdict::Win(_)), expected, "{position:?}: {verdict:?}");
        if let Verdict::Win(proof) = verdict {
            assert_eq!(checker.check(position, &proof, 2), Ok(()));
            won += 1;
        }
    }
    won
}

#[test]
fn a_plain_search_finds_the_same_wins_of_up_to_three_turns() {
    let Some(positions) = positions_of_games(2_000) else { return };
    let won = compare_with_the_plain_search(Rules::CONNECT6, &positions);
    assert!(won > 200 && won < 1_000, "{won}");
}

#[test]
#[ignore = "the same with 10,000 positions takes ten seconds or more"]
fn a_plain_search_finds_the_same_wins_of_up_to_three_turns_in_many_positions() {
    let Some(positions) = positions_of_games(10_000) else { return };
    let won = compare_with_the_plain_search(Rules::CONNECT6, &positions);
    println!("{won} won, {} not", positions.len() - won);
}

#[test]
fn a_plain_search_finds_the_same_wins_among_random_stones() {
    for (rules, least_stones, most_stones) in [("11,11,6,2,1", 15, 40), ("9,10,5,2,2", 8, 20)] {
        let rules: Rules = rules.parse().expect("rules");
        let mut rng = Rng::new(4);
        let mut positions = Vec::new();
        while positions.len() < 1_000 {
            let mut position = Connect::start(&rules);
            for _ in 0..least_stones + rng.below(most_stones - least_stones) {
                let moves = position.legal_moves();
                if moves.count() > 0 {
                    position.play(moves.nth(rng.below(moves.count())));
                }
            }
            if position.outcome().is_none() {
                positions.push(position);
            }
        }
        let won = compare_with_the_plain_search(rules, &positions);
        assert!(won > 100 && won < 900, "{rules}: {won}");
    }
}

/// In games it hardly ever matters where a stone goes that is left over. Here it does.
#[test]
fn a_stone_that_is_left_over_goes_where_it_is_needed() {
    for (rules, position, turns) in [
        ("9,9,6,2,1", "3o5/o6o1/3x1xx2/4o4/3x5/9/4o3x/7o1/9 x 2", 4),
        ("11,11,6,2,1", "1o4x4/1x6o2/o10/4x5x/1o5x1o1/o2x5x1/3x3o2o/3x6o/x4o1o1o1/4x6/11 x 2", 5),
    ] {
        let rules: Rules = rules.parse().expect("rules");
        let position = Connect::parse_position(&rules, position).expect("a position");
        let mut solver = Solver::new(rules).expect("rules that it knows");
        let Verdict::Win(proof) = solve(&mut solver, &position, 10_000, 10).verdict else {
            panic!("{position:?} is won")
        };
        assert_eq!((proof.turns(), Checker::new(rules).check(&position, &proof, 2)), (turns, Ok(())));
    }
}

#[test]
fn the_same_position_gives_the_same_numbers_whatever_was_solved_before() {
    let Some(table) = table("connect6/vcdt_public.csv") else { return };
    let mut used = solver();
    for (name, position, _) in table.into_iter().step_by(10) {
        let again = solve(&mut used, &position, 100_000, 30);
        assert_eq!(solve(&mut solver(), &position, 100_000, 30), again, "{name}");
    }
}

#[test]
fn a_turn_may_have_begun_or_be_the_first() {
    let mut solver = solver();
    // Black has placed one stone of the turn. Another makes a second row of four; a row of six; two stones more than nothing.
    let checker = Checker::new(Rules::CONNECT6);
    for (moves, turns) in [
        ("j10 a1 s1 j9 j8 a19 s19 i10 h10 a7 s7 j11", Some(2)),
        ("j10 a1 s1 j9 j8 a19 s19 j11 h1 a7 s7 j12", Some(1)),
        ("j10 a1 s1 j9", None),
    ] {
        let position = connect6(moves);
        assert_eq!((position.to_move(), position.turn().stones_left), (Player::First, 1));
        let verdict = solve(&mut solver, &position, 100_000, 30).verdict;
        match (&verdict, turns) {
            (Verdict::Win(proof), Some(turns)) => {
                assert_eq!((proof.turns(), checker.check(&position, proof, 2)), (turns, Ok(())), "{moves}");
            }
            (Verdict::None, None) => {}
            _ => panic!("{moves}: {verdict:?}"),
        }
    }
    let start = solve(&mut solver, &Connect::start(&Rules::CONNECT6), 1000, 30);
    assert_eq!(start.verdict, Verdict::None);
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    for rules in ["gomoku", "tic-tac-toe", "9,9,4,2,1", "9,9,6,3,1"] {
        let rules: Rules = rules.parse().expect("rules");
        let error = Solver::new(rules).err().map(|error| error.to_string()).expect("refused");
        assert!(error.contains("two stones in a turn and five or more in a row"), "{error}");
    }
    let won = connect6("a1 j1 j2 b1 c1 j3 j4 d1 e1 j5 s19 f1");
    let refused = |position: &Connect| solver().solve(position, Threats::Double, Limits::default());
    assert_eq!(refused(&won), Err(SolveError::GameOver(Some(Player::First))));
    let other: Rules = "15,15,6,2,1".parse().expect("rules");
    assert_eq!(refused(&Connect::start(&other)), Err(SolveError::OtherRules(other)));
    let long: Rules = "19,19,6,2,3".parse().expect("rules");
    let mut solver = Solver::new(long).expect("turns of two stones");
    let start = Connect::start(&long);
    assert_eq!(solver.solve(&start, Threats::Double, Limits::default()), Err(SolveError::LongTurn(3)));
}
