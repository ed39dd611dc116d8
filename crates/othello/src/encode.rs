//! Positions as networks are shown them.

use outplay_core::{Game, Move, Planes, Player};
use outplay_search::mcts::LeafEncoder;

use crate::Othello;

/// The plain encoder, `othello-3`: what is on the board and who moves.
///
/// | plane | what |
/// |---|---|
/// | 0 | the mover's discs |
/// | 1 | the opponent's discs |
/// | 2 | 1 if Black moves, otherwise 0 |
///
/// Cells are squares in the order of the game: a1 is cell 0, b1 cell 1, a2 cell 8, with row 1 at the top of the usual diagram. The policy has a place for
/// each of them, and the last one, 64, for the pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OthelloEncoder;

impl LeafEncoder<Othello> for OthelloEncoder {
    fn name(&self) -> &str {
        "othello-3"
    }

    fn planes(&self) -> Planes {
        Planes { rows: 8, columns: 8, bits: 2, constants: 1 }
    }

    fn encode(&self, position: &Othello, _: &[Othello], words: &mut Vec<u64>) {
        let black_moves = f32::from(position.to_move() == Player::First);
        words.extend([position.mover(), position.opponent(), Planes::constant(black_moves)]);
    }

    fn policy_size(&self) -> usize {
        65
    }

    fn policy_index(&self, _: &Othello, m: Move) -> u16 {
        m.bits()
    }

    fn owners(&self, end: &Othello, owners: &mut Vec<Option<Player>>) {
        let of = |square: u32| Player::BOTH.into_iter().find(|&player| end.discs(player) >> square & 1 == 1);
        owners.extend((0..64).map(of));
    }
}
