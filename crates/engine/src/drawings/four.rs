//! Connect Four: discs that fall down a column.

use outplay_connect::ConnectFour;
use outplay_core::text::cell_text;
use outplay_core::{Game, Move};

use super::DISC;
use super::connect::side;
use super::rows::rows;
use crate::picture::{Board, Composed, Draft, Drawing, Family, Marks, Touch};

/// How many in a row win, on boards of all sizes.
const IN_A_ROW: usize = 4;

/// How Connect Four is drawn.
pub(crate) struct FourDrawing;

impl Drawing<ConnectFour> for FourDrawing {
    fn board(&self, position: &ConnectFour) -> Board {
        let size = (position.rules().columns(), position.rules().rows());
        Board::new(Family::Drop, size, |column, row| {
            position.stone_at(column, row).map(|player| (player, DISC))
        })
    }

    fn touch(&self, position: &ConnectFour, m: Move) -> Touch {
        let column = m.index();
        let is_free = |row: &usize| position.stone_at(column, *row).is_none();
        let landing = (0..position.rules().rows()).find(is_free);
        Touch { to: landing.map(|row| cell_text(column, row)), ..Touch::default() }
    }

    fn marks(&self, position: &ConnectFour) -> Marks {
        let winner = position.outcome().and_then(|outcome| outcome.winner());
        let winning = winner.map(|winner| rows(&self.board(position), winner.index(), IN_A_ROW));
        Marks { winning: winning.unwrap_or_default(), ..Marks::default() }
    }

    fn compose(&self, before: &ConnectFour, draft: &Draft) -> Option<Composed> {
        let rows = draft.rows_text(&self.board(before), |disc| side(disc.player));
        Some(Composed::new(format!("{rows} {}", side(draft.to_move))))
    }
}
