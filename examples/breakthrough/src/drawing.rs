//! How the game looks.

use outplay_core::{Game, Move};
use outplay_engine::{Board, Composed, Draft, Drawing, Family, Touch};

use crate::notation::square_text;
use crate::rules::{Breakthrough, SIDE, squares};

/// Pawns on squares.
pub struct PawnDrawing;

impl Drawing<Breakthrough> for PawnDrawing {
    fn board(&self, position: &Breakthrough) -> Board {
        Board::new(Family::Squares, (SIDE, SIDE), |column, row| {
            position.pawn_at(row * SIDE + column).map(|player| (player, "P"))
        })
    }

    fn touch(&self, _: &Breakthrough, m: Move) -> Touch {
        let (from, to) = squares(m);
        Touch { from: Some(square_text(from)), ..Touch::on(square_text(to)) }
    }

    fn compose(&self, _: &Breakthrough, draft: &Draft) -> Option<Composed> {
        let board = self.board(&Breakthrough::start(&()));
        let rows = draft.rows_text(&board, |pawn| if pawn.player == 0 { 'P' } else { 'p' });
        let side = if draft.to_move == 0 { 'w' } else { 'b' };
        Some(Composed::new(format!("{rows} {side}")))
    }
}
