//! Who wins, by trying everything: for boards with few empty cells.

use std::collections::HashMap;

use outplay_connect::Connect;
use outplay_core::{Game, Move, MoveList};

/// A search without any knowledge but the rules. It remembers positions.
#[derive(Default)]
pub struct Exhaustive {
    /// [position, stones to come]
    known: HashMap<(u64, usize), i8>,
}

impl Exhaustive {
    /// What the player to move gets: 1 for a win, -1 for a loss, 0 for a draw or if the game goes on after so many stones.
    pub fn value_within(&mut self, position: &mut Connect, stones: usize) -> i8 {
        if let Some(outcome) = position.outcome() {
            return outcome.for_player(position.to_move()) as i8;
        }
        if stones == 0 {
            return 0;
        }
        let key = (position.key(), stones);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let mut best = -1;
        for m in position.legal_moves().each() {
            best = best.max(self.value_of(position, m, stones));
            if best == 1 {
                break;
            }
        }
        self.known.insert(key, best);
        best
    }

    /// The result of perfect play for the player to move.
    pub fn value(&mut self, position: &mut Connect) -> i8 {
        let stones = position.legal_count();
        self.value_within(position, stones)
    }

    /// What the player to move gets in the end by a stone.
    pub fn value_after(&mut self, position: &mut Connect, m: Move) -> i8 {
        let stones = position.legal_count();
        self.value_of(position, m, stones)
    }

    fn value_of(&mut self, position: &mut Connect, m: Move, stones: usize) -> i8 {
        let player = position.to_move();
        let undo = position.make(m);
        let value = self.value_within(position, stones - 1);
        let value = if position.to_move() == player { value } else { -value };
        position.unmake(m, undo);
        value
    }
}
