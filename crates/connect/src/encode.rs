//! Positions as networks are shown them.

use outplay_core::{Game, Move, Planes, Player};
use outplay_search::mcts::LeafEncoder;

use crate::{Connect, Rules};

/// The plain encoder of the family, `connect-family-4`: what is on the board, who moves and how many stones are left to place.
///
/// | plane | what |
/// |---|---|
/// | 0 | the mover's stones |
/// | 1 | the opponent's stones |
/// | 2 | the stones left in the turn, divided by the most that a turn can have: 1/2 for the second stone of a turn in Connect6 |
/// | 3 | 1 if the first player moves, otherwise 0 |
///
/// Cells are counted row by row from the lower left, as moves are. The policy has a place for each of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectEncoder {
    rules: Rules,
}

impl ConnectEncoder {
    /// The encoder for some rules.
    pub fn new(rules: Rules) -> ConnectEncoder {
        ConnectEncoder { rules }
    }
}

impl LeafEncoder<Connect> for ConnectEncoder {
    fn name(&self) -> &str {
        "connect-family-4"
    }

    fn planes(&self) -> Planes {
        Planes { rows: self.rules.rows(), columns: self.rules.columns(), bits: 2, constants: 2 }
    }

    fn encode(&self, position: &Connect, _: &[Connect], words: &mut Vec<u64>) {
        debug_assert_eq!(position.rules(), self.rules);
        let mover = position.to_move();
        for player in [mover, !mover] {
            self.append_stones(position.lines(player).rows(), words);
        }
        let most = self.rules.turn_stones().max(self.rules.opening_stones());
        words.push(Planes::constant(f32::from(position.turn().stones_left) / most as f32));
        words.push(Planes::constant(f32::from(mover == Player::First)));
    }

    fn policy_size(&self) -> usize {
        self.rules.cells()
    }

    fn policy_index(&self, _: &Connect, m: Move) -> u16 {
        m.bits()
    }
}

impl ConnectEncoder {
    /// Strings rows together without a gap.
    fn append_stones(self, rows: &[u32], words: &mut Vec<u64>) {
        let begin = words.len();
        words.resize(begin + self.planes().words_of_plane(), 0);
        let plane = &mut words[begin..];
        for (row, &stones) in rows[..self.rules.rows()].iter().enumerate() {
            let first = row * self.rules.columns();
            let shifted = u128::from(stones) << (first % 64);
            plane[first / 64] |= shifted as u64;
            // A row may go on in the next word.
            if let Some(next) = plane.get_mut(first / 64 + 1) {
                *next |= (shifted >> 64) as u64;
            }
        }
    }
}
