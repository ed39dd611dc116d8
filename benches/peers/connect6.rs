//! Connect6: placing and taking back stones.

use outplay_connect::{Connect, Rules};
use outplay_core::{Game, Move, MoveList, Outcome, Reversible, Rng};

use crate::race::{Contestant, race};

const GAMES: usize = 2_000;

pub fn run() {
    let games: Vec<Vec<Move>> = (0..GAMES as u64).map(random_game).collect();
    race(
        "Connect6 make and unmake, with key, win test and numbers of open windows, one thread",
        "stones",
        vec![Contestant::timed("Outplay", || {
            let mut position = Connect::start(&Rules::CONNECT6);
            games.iter().map(|moves| make_and_unmake(&mut position, moves)).sum()
        })],
    );
}

/// The moves of a random game from the start to its end.
fn random_game(seed: u64) -> Vec<Move> {
    let (mut position, mut rng, mut moves) = (Connect::start(&Rules::CONNECT6), Rng::new(seed), Vec::new());
    while position.outcome().is_none() {
        let legal = position.legal_moves();
        let m = legal.nth(rng.below(legal.count()));
        position.play(m);
        moves.push(m);
    }
    moves
}

/// Makes all the moves, asking after each whether the game is over, and takes them back: how many stones that were.
fn make_and_unmake(position: &mut Connect, moves: &[Move]) -> u64 {
    let mut undo = Vec::with_capacity(moves.len());
    let mut keys = 0;
    for &m in moves {
        undo.push(position.make(m));
        keys ^= position.key();
        if position.outcome().is_some_and(|outcome| outcome == Outcome::DRAW) {
            keys += 1;
        }
    }
    std::hint::black_box(keys);
    for &m in moves.iter().rev() {
        position.unmake(m, undo.pop().expect("one for each move"));
    }
    moves.len() as u64
}
