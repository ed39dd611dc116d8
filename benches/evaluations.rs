//! How long evaluations take for a position, side by side, in CPU time.
//!
//! `cargo bench -p outplay-benches -- evaluations` evaluates positions of quick games of chess, and every position a move further in games
//! of Othello, where the evaluation by patterns follows the moves.

use std::hint::black_box;

use cpu_time::ProcessTime;
use outplay_chess::{Chess, ChessPolicy, ChessRules, Classical, Material, MaterialAndMobility};
use outplay_core::{Game, Line, Move, MoveList, Rng};
use outplay_othello::{Othello, Patterns, Positional};
use outplay_search::{Evaluation, Policy};

/// Positions to evaluate, at most.
const POSITIONS: usize = 10_000;
/// How often each is evaluated.
const ROUNDS: usize = 50;
const FOLLOWING_ROUNDS: usize = 10;

fn main() {
    // Words name the races to be run, as for the races against peers.
    let mut words = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).peekable();
    if words.peek().is_some() && !words.any(|word| "evaluations".contains(&word)) {
        return;
    }
    let positions = from_games();
    println!("{} positions, {ROUNDS} times each", positions.len());
    measure("material", &Material, &positions);
    measure("material and mobility", &MaterialAndMobility, &positions);
    measure("classical", &Classical, &positions);
    let positions = a_move_apart();
    println!(
        "{} positions of Othello and those after their moves, {FOLLOWING_ROUNDS} times each",
        positions.len()
    );
    measure_following("positional", &Positional, &positions);
    measure_following("patterns", &Patterns::default(), &positions);
}

/// A position and those after its moves.
type Family = (Othello, Vec<(Move, Othello)>);

/// As [`measure`], move by move.
fn measure_following(name: &str, evaluation: &impl Evaluation<Othello>, positions: &[Family]) {
    let (mut state, mut evaluations, mut sum) = (evaluation.state(), 0, 0);
    let mut begun = ProcessTime::now();
    for round in 0..=FOLLOWING_ROUNDS {
        if round == 1 {
            // Tables are made when they are first asked.
            (begun, evaluations) = (ProcessTime::now(), 0);
        }
        for (position, replies) in positions {
            evaluation.reset(&mut state, position);
            for (m, reply) in replies {
                evaluation.make(&mut state, position, Some(*m), reply);
                sum += black_box(evaluation.evaluate(&mut state, black_box(reply)));
                evaluation.unmake(&mut state, position);
                evaluations += 1;
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let nanoseconds = seconds * 1e9 / f64::from(evaluations);
    println!("{name:<22} {nanoseconds:>7.1} ns, {:.1} million a second   (sum {sum})", 1e3 / nanoseconds);
}

/// Positions of random games of Othello, from 48 to 12 empty squares, game by game.
fn a_move_apart() -> Vec<Family> {
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let mut position = Othello::start(&());
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            let replies = moves.each().map(|m| (m, position.after(m)));
            let replies = replies.filter(|(_, reply)| reply.outcome().is_none()).collect();
            if (12..=48).contains(&position.empty().count_ones()) {
                positions.push((position, replies));
            }
            position.play(moves.nth(rng.below(moves.count())));
        }
    }
    // As in a search, positions come with about the same number of empty squares.
    positions.sort_by_key(|(position, _)| position.empty().count_ones());
    positions
}

fn measure(name: &str, evaluation: &impl Evaluation<Chess>, positions: &[Chess]) {
    let (begun, mut state) = (ProcessTime::now(), evaluation.state());
    let mut sum = 0;
    for _ in 0..ROUNDS {
        for position in positions {
            sum += black_box(evaluation.evaluate(&mut state, black_box(position)));
        }
    }
    let nanoseconds = begun.elapsed().as_secs_f64() * 1e9 / (ROUNDS * positions.len()) as f64;
    println!("{name:<22} {nanoseconds:>7.0} ns   (sum {sum})");
}

/// Quick games by the moves of the simple evaluation: not good ones, but with the material of real ones.
fn from_games() -> Vec<Chess> {
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let mut line = Line::new(Chess::start(&ChessRules::Standard));
        while line.outcome().is_none() && line.moves().len() < 120 {
            let moves = line.position().legal_moves();
            let found = ChessPolicy.playout_move(line.position(), &mut rng);
            line.play(found.unwrap_or_else(|| moves.nth(rng.below(moves.count()))));
            positions.push(line.position().clone());
        }
    }
    positions
}
