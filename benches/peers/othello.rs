//! Othello perft: our layer beside a loop written by hand on the same bitboard kernels.

use outplay_core::{Game, perft};
use outplay_othello::{Othello, kernels};

use crate::race::{Contestant, race};

const DEPTH: u32 = 10;

pub fn run() {
    let start = Othello::start(&());
    let (black, white) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
    let moves = kernels::legal_moves(black, white);
    assert_eq!(perft::perft(&start, 8), by_hand(black, white, moves, 8), "both count the same");
    race(
        &format!("Othello perft {DEPTH}, bulk counting, one thread"),
        "positions",
        vec![
            Contestant::timed("Outplay, through the Game layer", || perft::perft(&start, DEPTH)),
            Contestant::timed("a loop written by hand", || by_hand(black, white, moves, DEPTH)),
        ],
    );
}

/// The loop, compiled for the same processor level as our perft.
fn by_hand(mover: u64, other: u64, moves: u64, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if outplay_core::cpu::is_x86_64_v3() {
        // SAFETY: the features that the function is compiled for were found on this processor.
        return unsafe { by_hand_v3(mover, other, moves, depth) };
    }
    by_hand_baseline(mover, other, moves, depth)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn by_hand_v3(mover: u64, other: u64, moves: u64, depth: u32) -> u64 {
    count(mover, other, moves, depth, |mover, other, moves, depth| by_hand_v3(mover, other, moves, depth))
}

fn by_hand_baseline(mover: u64, other: u64, moves: u64, depth: u32) -> u64 {
    count(mover, other, moves, depth, by_hand_baseline)
}

/// Two words and no more: no side, no key, no rules object; the moves of the position are handed down.
#[inline(always)]
fn count(mover: u64, other: u64, moves: u64, depth: u32, below: impl Fn(u64, u64, u64, u32) -> u64) -> u64 {
    if depth == 1 {
        // Without a move there is the pass.
        return u64::from(moves.count_ones()).max(1);
    }
    if moves == 0 {
        return below(other, mover, kernels::legal_moves(other, mover), depth - 1);
    }
    let (mut nodes, mut rest) = (0, moves);
    while rest != 0 {
        let square = rest.trailing_zeros();
        rest &= rest - 1;
        let flips = kernels::flips(mover, other, square);
        let (next_mover, next_other) = (other ^ flips, mover ^ flips ^ 1 << square);
        nodes += below(next_mover, next_other, kernels::legal_moves(next_mover, next_other), depth - 1);
    }
    nodes
}
