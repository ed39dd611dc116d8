//! The tests of the crate's public face, in one binary so that they link once.

mod classical;
mod conformance;
mod encoder;
mod endgames;
mod epd;
mod evaluation;
mod fen;
mod garbage;
mod large_input;
mod library;
mod move_text;
mod outcomes;
mod perft;
mod pgn;
mod polyglot;
mod problems;
mod syzygy;

use outplay_chess::{Chess, ChessRules, StartArray};
use outplay_core::{Game, Line, MoveList, Notation, Rng};

/// Chess960, for positions that bring their own array.
const CHESS960: ChessRules = ChessRules::Chess960(StartArray::STANDARD);

fn position(fen: &str) -> Chess {
    Chess::parse_position(&ChessRules::Standard, fen).unwrap_or_else(|error| panic!("{error}"))
}

fn position960(fen: &str) -> Chess {
    Chess::parse_position(&CHESS960, fen).unwrap_or_else(|error| panic!("{error}"))
}

/// A line of moves in any notation.
fn line(start: Chess, moves: &str) -> Line<Chess> {
    let mut line = Line::new(start);
    for text in moves.split_whitespace() {
        let m = line.position().parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        line.play(m);
    }
    line
}

/// Every position of some random games, of the standard game and of Chess960.
fn random_positions(seed: u64, games: usize) -> Vec<Chess> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    for game in 0..games {
        let array = StartArray::new(rng.below(StartArray::COUNT.into()) as u16).filter(|_| game % 2 == 1);
        let mut line = Line::new(Chess::start(&array.map_or(ChessRules::Standard, ChessRules::Chess960)));
        while line.outcome().is_none() {
            let moves = line.position().legal_moves();
            line.play(moves.nth(rng.below(moves.count())));
        }
        positions.extend_from_slice(line.positions());
    }
    positions
}
