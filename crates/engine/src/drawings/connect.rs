//! The Connect(m,n,k,p,q) family: stones that go anywhere.

use outplay_connect::threats::StandingThreats;
use outplay_connect::{Connect, Rules};
use outplay_core::{Game, Move, Notation};

use super::DISC;
use super::rows::rows;
use crate::picture::{Board, Composed, Draft, Drawing, Family, Marks, ShownThreats, Touch};

/// How games of the family are drawn.
pub(crate) struct ConnectDrawing;

impl Drawing<Connect> for ConnectDrawing {
    fn board(&self, position: &Connect) -> Board {
        let rules: Rules = position.rules();
        Board::new(Family::Stones, (rules.columns(), rules.rows()), |column, row| {
            position.stone_at(column, row).map(|player| (player, DISC))
        })
    }

    fn touch(&self, position: &Connect, m: Move) -> Touch {
        Touch::on(position.move_text(m))
    }

    fn marks(&self, position: &Connect) -> Marks {
        let winner = position.outcome().and_then(|outcome| outcome.winner());
        let length = position.rules().in_a_row();
        let StandingThreats { windows, blocks, count } = StandingThreats::of(position);
        let words = |moves: Vec<Move>| moves.into_iter().map(|m| position.move_text(m)).collect::<Vec<_>>();
        let threats =
            ShownThreats { windows: windows.into_iter().map(words).collect(), blocks: words(blocks), count };
        Marks {
            winning: winner.map_or(Vec::new(), |winner| rows(&self.board(position), winner.index(), length)),
            threats: Some(threats),
            stones_left: Some(position.turn().stones_left.into()),
            check: None,
        }
    }

    fn compose(&self, before: &Connect, draft: &Draft) -> Option<Composed> {
        let rows = draft.rows_text(&self.board(before), |stone| side(stone.player));
        let left = draft.stones_left.unwrap_or(1);
        Some(Composed::new(format!("{rows} {} {left}", side(draft.to_move))))
    }
}

/// How the text of a position calls a player.
pub(super) fn side(player: usize) -> char {
    if player == 0 { 'x' } else { 'o' }
}
