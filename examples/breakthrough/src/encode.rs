//! Positions as networks are shown them.

use outplay_core::{Game, Move, Planes, Player};
use outplay_search::mcts::LeafEncoder;

use crate::Breakthrough;
use crate::rules::{SIDE, squares};

/// The plain encoder, `breakthrough-3`: the mover's pawns, the opponent's, and 1 if the first player moves.
///
/// The mover's pawns always go up: for the second player, rows are reversed. The policy has three planes, for a step to the left, straight on and to the
/// right, each with a place for the square that it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BreakthroughEncoder;

impl LeafEncoder<Breakthrough> for BreakthroughEncoder {
    fn name(&self) -> &str {
        "breakthrough-3"
    }

    fn planes(&self) -> Planes {
        Planes { rows: SIDE, columns: SIDE, bits: 2, constants: 1 }
    }

    fn encode(&self, position: &Breakthrough, _: &[Breakthrough], words: &mut Vec<u64>) {
        let mover = position.to_move();
        // Rows are bytes.
        let seen = |pawns: u64| if mover == Player::First { pawns } else { pawns.swap_bytes() };
        words.extend([mover, !mover].map(|player| seen(position.pawns(player))));
        words.push(Planes::constant(f32::from(mover == Player::First)));
    }

    fn policy_size(&self) -> usize {
        3 * SIDE * SIDE
    }

    fn policy_index(&self, position: &Breakthrough, m: Move) -> u16 {
        let (from, to) = squares(m);
        let (row, column) = (from / SIDE, from % SIDE);
        let row = if position.to_move() == Player::First { row } else { SIDE - 1 - row };
        let plane = to % SIDE + 1 - column;
        (plane * SIDE * SIDE + row * SIDE + column) as u16
    }
}
