//! Chess perft: our layer, the move generator under it called directly, and Stockfish.

use cozy_chess::Board;
use outplay_chess::{Chess, ChessRules};
use outplay_core::{Notation, perft};

use crate::external::Stockfish;
use crate::race::{Contestant, race};

const POSITIONS: [(&str, &str, u32); 2] = [
    ("the start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
];

pub fn run() {
    let mut stockfish = Stockfish::start();
    for (name, fen, depth) in POSITIONS {
        let ours = Chess::parse_position(&ChessRules::Standard, fen).expect("a valid FEN");
        let direct: Board = fen.parse().expect("a valid FEN");
        race(
            &format!("chess perft {depth} from {name}, bulk counting, one thread"),
            "positions",
            vec![
                Contestant::timed("Outplay, through the Game layer", || perft::perft(&ours, depth)),
                Contestant::timed("cozy-chess called directly", || direct_perft(&direct, depth)),
                Contestant::timed("cozy-chess directly, baseline processor", || {
                    baseline_perft(&direct, depth)
                }),
                Contestant::new("Stockfish", || stockfish.as_mut()?.perft(fen, depth)),
            ],
        );
    }
}

/// The generator as its documentation uses it, compiled for the same processor level as our perft.
fn direct_perft(board: &Board, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if outplay_core::cpu::is_x86_64_v3() {
        // SAFETY: the features that the function is compiled for were found on this processor.
        return unsafe { v3_perft(board, depth) };
    }
    baseline_perft(board, depth)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn v3_perft(board: &Board, depth: u32) -> u64 {
    count(board, depth, |board, depth| v3_perft(board, depth))
}

fn baseline_perft(board: &Board, depth: u32) -> u64 {
    count(board, depth, baseline_perft)
}

#[inline(always)]
fn count(board: &Board, depth: u32, below: impl Fn(&Board, u32) -> u64) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                nodes += below(&child, depth - 1);
            }
            false
        });
    }
    nodes
}
