//! What a search knows of the game without searching.

use outplay_core::{Game, Player};
use outplay_search::Evaluation;

use crate::rules::{Breakthrough, SIDE};

/// A pawn is worth a unit, and a tenth of one for every row that it has gone.
#[derive(Clone, Copy, Debug)]
pub struct Advance;

impl Evaluation<Breakthrough> for Advance {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Breakthrough) -> i32 {
        let mover = position.to_move();
        worth(position, mover) - worth(position, !mover)
    }
}

fn worth(position: &Breakthrough, player: Player) -> i32 {
    let pawns = position.pawns(player);
    let rows = (0..SIDE).map(|row| {
        let gone = if player == Player::First { row } else { SIDE - 1 - row } as i32;
        let there = (pawns >> (SIDE * row) & 0xff).count_ones() as i32;
        there * (100 + 10 * gone)
    });
    rows.sum()
}
