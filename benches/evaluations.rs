//! How long evaluations take for a position, side by side, in CPU time.
//!
//! `cargo bench -p outplay-benches -- evaluations` evaluates positions of quick games of chess, and every position up to two moves further in
//! games of Othello, where the evaluation by patterns follows the moves.

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
/// The same for Othello.
const FAMILIES: usize = 1_000;
const FOLLOWING_ROUNDS: u64 = 10;

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
    let families = two_plies_on();
    println!("what is within two plies of {} positions of Othello, {FOLLOWING_ROUNDS} times", families.len());
    measure_following("positional", &Positional, &families);
    measure_following("patterns", &Patterns::default(), &families);
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

/// A position and those after its moves, two plies on.
struct Family {
    position: Othello,
    replies: Vec<(Move, Family)>,
}

impl Family {
    fn new(position: Othello, plies: u32) -> Family {
        let moves = position.legal_moves();
        let replies = moves.each().map(|m| (m, position.after(m)));
        let replies = replies.filter(|(_, reply)| plies > 0 && reply.outcome().is_none());
        Family { position, replies: replies.map(|(m, reply)| (m, Family::new(reply, plies - 1))).collect() }
    }

    /// Evaluates every position after a move as a search comes by it; how many there are, and the sum of the values.
    fn evaluate<V: Evaluation<Othello>>(&self, evaluation: &V, state: &mut V::State) -> (u64, i64) {
        let (mut count, mut sum) = (0, 0);
        for (m, reply) in &self.replies {
            evaluation.make(state, &self.position, Some(*m), &reply.position);
            let value = black_box(evaluation.evaluate(state, black_box(&reply.position)));
            let below = reply.evaluate(evaluation, state);
            evaluation.unmake(state, &self.position);
            (count, sum) = (count + 1 + below.0, sum + i64::from(value) + below.1);
        }
        (count, sum)
    }
}

/// As [`measure`], from move to move.
fn measure_following(name: &str, evaluation: &impl Evaluation<Othello>, families: &[Family]) {
    let mut state = evaluation.state();
    let mut round = || {
        let (mut count, mut sum) = (0, 0);
        for family in families {
            evaluation.reset(&mut state, &family.position);
            let of_family = family.evaluate(evaluation, &mut state);
            (count, sum) = (count + of_family.0, sum + of_family.1);
        }
        (count, sum)
    };
    // Tables are made when they are first asked.
    let (count, sum) = round();
    let begun = ProcessTime::now();
    for _ in 0..FOLLOWING_ROUNDS {
        black_box(round());
    }
    let nanoseconds = begun.elapsed().as_secs_f64() * 1e9 / (FOLLOWING_ROUNDS * count) as f64;
    println!("{name:<22} {nanoseconds:>7.1} ns, {:.1} million a second   (sum {sum})", 1e3 / nanoseconds);
}

/// Positions of random games of Othello from 48 to 12 empty squares, those with more empty squares first: a search, too, has about as many everywhere.
fn two_plies_on() -> Vec<Family> {
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    while positions.len() < FAMILIES {
        let mut position = Othello::start(&());
        while position.outcome().is_none() {
            if (12..=48).contains(&position.empty().count_ones()) {
                positions.push(position);
            }
            let moves = position.legal_moves();
            position.play(moves.nth(rng.below(moves.count())));
        }
    }
    positions.sort_by_key(|position| std::cmp::Reverse(position.empty().count_ones()));
    positions.into_iter().map(|position| Family::new(position, 2)).collect()
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
