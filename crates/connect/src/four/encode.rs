//! Positions as networks are shown them.

use outplay_core::{Move, Planes, Player};
use outplay_search::mcts::LeafEncoder;

use super::{ConnectFour, Rules};

/// The plain encoder, `connect4-3`: what is on the board and who moves.
///
/// | plane | what |
/// |---|---|
/// | 0 | the mover's stones |
/// | 1 | the opponent's stones |
/// | 2 | 1 if the first player moves, otherwise 0 |
///
/// Cells are counted row by row from the lower left. The policy has a place for each column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConnectFourEncoder {
    rules: Rules,
}

impl ConnectFourEncoder {
    /// The encoder for a board.
    pub fn new(rules: Rules) -> ConnectFourEncoder {
        ConnectFourEncoder { rules }
    }
}

impl LeafEncoder<ConnectFour> for ConnectFourEncoder {
    fn name(&self) -> &str {
        "connect4-3"
    }

    fn planes(&self) -> Planes {
        Planes { rows: self.rules.rows(), columns: self.rules.columns(), bits: 2, constants: 1 }
    }

    fn encode(&self, position: &ConnectFour, _: &[ConnectFour], words: &mut Vec<u64>) {
        debug_assert_eq!(position.rules, self.rules);
        let mover = position.to_move;
        words.extend([mover, !mover].map(|player| self.by_rows(position.stones[player.index()])));
        words.push(Planes::constant(f32::from(mover == Player::First)));
    }

    fn policy_size(&self) -> usize {
        self.rules.columns()
    }

    fn policy_index(&self, _: &ConnectFour, m: Move) -> u16 {
        m.bits()
    }
}

impl ConnectFourEncoder {
    /// Stones row by row; the position has them column by column. A board has 64 cells at most.
    fn by_rows(self, mut stones: u64) -> u64 {
        let mut rows = 0;
        while stones != 0 {
            let bit = stones.trailing_zeros() as usize;
            let (column, row) = (bit / self.rules.stride(), bit % self.rules.stride());
            rows |= 1 << (row * self.rules.columns() + column);
            stones &= stones - 1;
        }
        rows
    }
}
