//! Othello: discs in cells, whose rows are counted from the top.

use outplay_core::text::cell_text;
use outplay_core::{Move, Notation, Player};
use outplay_othello::{Othello, PASS};

use super::DISC;
use crate::picture::{Board, Composed, Draft, Drawing, Family, Touch};

/// The side of the board.
const SIDE: usize = 8;

/// How Othello is drawn.
pub(crate) struct OthelloDrawing;

impl Drawing<Othello> for OthelloDrawing {
    fn board(&self, position: &Othello) -> Board {
        let stands = |column: usize, row: usize| {
            let square = 1 << (SIDE * row + column);
            let owner = Player::BOTH.into_iter().find(|&player| position.discs(player) & square != 0);
            owner.map(|player| (player, DISC))
        };
        Board { top_down: true, ..Board::new(Family::Discs, (SIDE, SIDE), stands) }
    }

    fn touch(&self, position: &Othello, m: Move) -> Touch {
        if m == PASS { Touch::default() } else { Touch::on(position.move_text(m)) }
    }

    fn compose(&self, _: &Othello, draft: &Draft) -> Option<Composed> {
        let sign = |square: usize| {
            let cell = cell_text(square % SIDE, square / SIDE);
            let disc = draft.pieces.iter().find(|piece| piece.cell == cell);
            disc.map_or('-', |disc| side(disc.player))
        };
        let board: String = (0..SIDE * SIDE).map(sign).collect();
        Some(Composed::new(format!("{board} {}", side(draft.to_move))))
    }
}

fn side(player: usize) -> char {
    if player == 0 { 'X' } else { 'O' }
}
