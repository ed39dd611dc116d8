//! The evaluations: fair to both sides, blind to the board's orientation, and good for something.

use crate::common::random_games;
use outplay_core::{Game, Move, MoveList, Player, Rng, Symmetric};
use outplay_othello::{Corners, DiscCount, Othello, Patterns, Positional};
use outplay_search::{Evaluation, Policy, Tactics};

fn is_fair(evaluator: &impl Evaluation<Othello>) {
    random_games(21, 100, |position| {
        let value = evaluator.value(position);
        let (black, white) = (position.discs(Player::First), position.discs(Player::Second));
        let other_colours = Othello::from_discs(white, black, !position.to_move()).unwrap();
        assert_eq!(evaluator.value(&other_colours), value, "{position:?} with other colours");
        for index in 0..position.symmetries() {
            assert_eq!(evaluator.value(&position.transformed(index)), value, "{position:?} turned {index}");
        }
    });
}

#[test]
fn evaluations_see_no_difference_between_the_colours_and_do_not_care_how_the_board_lies() {
    is_fair(&DiscCount);
    is_fair(&Positional);
    is_fair(&Patterns::default());
}

/// Patterns know that it is good to be the one who moves.
#[test]
fn evaluations_without_patterns_do_not_care_who_moves() {
    random_games(22, 100, |position| {
        let (black, white) = (position.discs(Player::First), position.discs(Player::Second));
        let other_side = Othello::from_discs(black, white, !position.to_move()).unwrap();
        assert_eq!(DiscCount.value(&other_side), -DiscCount.value(position), "{position:?}");
        assert_eq!(Positional.value(&other_side), -Positional.value(position), "{position:?}");
    });
}

#[test]
fn what_patterns_are_worth_adds_up() {
    random_games(23, 5, |position| {
        let explained = Patterns::default().explain(position).expect("it can be taken apart");
        let worth = |line: &str| -> f64 { line[28..].trim().parse().expect("a number") };
        let lines: Vec<f64> = explained.lines().map(worth).collect();
        let (all, parts) = lines.split_last().expect("lines");
        let sum: f64 = parts.iter().sum();
        assert!((sum.clamp(-64.0, 64.0) - all).abs() < 0.001, "{explained}");
        assert_eq!((100.0 * all).round() as i32, Patterns::default().value(position));
    });
}

/// The value for the player to move of the best line of `depth` plies.
fn negamax(position: &Othello, depth: u32, evaluator: &impl Evaluation<Othello>) -> i32 {
    match position.outcome() {
        Some(outcome) => 100_000 * i32::from(outcome.for_player(position.to_move())),
        None if depth == 0 => evaluator.value(position),
        None => {
            let moves = position.legal_moves();
            moves.each().map(|m| -negamax(&position.after(m), depth - 1, evaluator)).max().unwrap_or(0)
        }
    }
}

/// How many games of a hundred one evaluation wins against another, both by looking two plies ahead after a random opening.
fn wins_of_a_hundred(one: &impl Evaluation<Othello>, other: &impl Evaluation<Othello>) -> i32 {
    let mut rng = Rng::new(22);
    let mut won = 0;
    for game in 0..100 {
        let mut position = Othello::start(&());
        let mut ply = 0;
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let moves = position.legal_moves();
            let choose =
                |value: &dyn Fn(&Othello) -> i32| moves.each().min_by_key(|&m| value(&position.after(m)));
            let m = match (ply < 6, position.to_move().index() == game % 2) {
                (true, _) => moves.nth(rng.below(moves.count())),
                (false, true) => choose(&|next| negamax(next, 1, one)).unwrap(),
                (false, false) => choose(&|next| negamax(next, 1, other)).unwrap(),
            };
            position.play(m);
            ply += 1;
        };
        won += i32::from(outcome.for_player(Player::BOTH[game % 2]) > 0);
    }
    won
}

#[test]
fn positional_play_beats_disc_counting_and_patterns_beat_positional_play() {
    let won = wins_of_a_hundred(&Positional, &DiscCount);
    assert!(won > 80, "won {won} of 100");
    let won = wins_of_a_hundred(&Patterns::default(), &Positional);
    assert!(won > 80, "won {won} of 100");
}

#[test]
fn playouts_take_corners_and_give_none_away_if_they_can_help_it() {
    const CORNERS: u64 = 0x8100_0000_0000_0081;
    /// The squares diagonally beside the corners, each with its corner.
    const DANGERS: [(u16, u16); 4] = [(9, 0), (14, 7), (49, 56), (54, 63)];
    let mut rng = Rng::new(6);
    let mut counts = [0; 3];
    for _ in 0..300 {
        let mut position = Othello::start(&());
        while position.outcome().is_none() {
            let squares = position.legal_moves().squares();
            let has = |square: u16| squares >> square & 1 == 1;
            let is_danger = |m: Move| {
                DANGERS.iter().any(|&(x, corner)| m.bits() == x && position.empty() >> corner & 1 == 1)
            };
            let safe = (0..64).filter(|&square| has(square) && !is_danger(Move::new(square))).count();
            let found = Corners.playout_move(&position, &mut rng);
            match found {
                Some(m) if squares & CORNERS != 0 => {
                    counts[0] += 1;
                    assert!(has(m.bits()) && CORNERS >> m.bits() & 1 == 1, "{position:?}");
                }
                Some(m) => {
                    counts[1] += 1;
                    assert!(has(m.bits()) && !is_danger(m), "{position:?}");
                }
                None => {
                    counts[2] += 1;
                    assert_eq!(safe, 0, "{position:?}");
                }
            }
            assert_eq!(Corners.is_quiet(&position), squares & CORNERS == 0);
            let moves = position.legal_moves();
            position.play(moves.nth(rng.below(moves.count())));
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}
