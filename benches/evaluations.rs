//! How long the chess evaluations take for a position, side by side, in CPU time.
//!
//! `cargo bench -p outplay-benches -- evaluations` evaluates positions of quick games.

use std::hint::black_box;

use cpu_time::ProcessTime;
use outplay_chess::{Chess, ChessPolicy, ChessRules, Classical, Material, MaterialAndMobility};
use outplay_core::{Game, Line, MoveList, Rng};
use outplay_search::{Evaluation, Policy};

/// Positions to evaluate, at most.
const POSITIONS: usize = 10_000;
/// How often each is evaluated.
const ROUNDS: usize = 50;

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
