//! Going through all positions of an ending, and asking the rules what the tables should say.

use cozy_chess::{BoardBuilder, Color, get_king_moves};
use outplay_core::{Game, MoveList};

use super::catalogue::CATALOGUE;
use super::ending::Ending;
use super::layout::{Layout, Placement};
use super::tables::{EndgameTables, number_of};
use super::{Verdict, Wdl};
use crate::Chess;

impl Ending {
    /// Every `step`-th position of the ending, one of each set of images, as a table has them: nobody may castle or capture in passing.
    pub fn positions(self, step: usize) -> impl Iterator<Item = Chess> {
        let layout = &CATALOGUE.layouts[number_of(self)];
        (0..layout.len()).step_by(step.max(1)).filter_map(|index| position(layout, &layout.placement(index)?))
    }

    /// Not less than the number of positions.
    pub fn numbers(self) -> usize {
        CATALOGUE.layouts[number_of(self)].len()
    }
}

/// The position, if it is a legal one. The board's own check takes kings side by side for legal.
pub(super) fn position(layout: &Layout, placement: &Placement) -> Option<Chess> {
    let [white, black] = Color::ALL.map(|color| placement.squares[layout.king(color)]);
    if get_king_moves(white).has(black) {
        return None;
    }
    let mut board = BoardBuilder::empty();
    board.side_to_move = placement.mover;
    for (man, square) in layout.men().iter().zip(placement.squares) {
        board.board[square as usize] = Some((man.piece, man.color));
    }
    board.build().ok().map(Chess::from_checked)
}

impl EndgameTables {
    /// What a position is worth by what the tables say of the positions after each legal move, and by the rules if there is none: the
    /// equation that makes a table right. `None` if one of them is not known.
    pub fn verdict_by_moves(&self, position: &Chess) -> Option<Verdict> {
        let moves = position.legal_moves();
        if moves.count() == 0 {
            let is_mate = !position.cozy().checkers().is_empty();
            return Some(if is_mate { Verdict::MATED } else { Verdict::DRAW });
        }
        let mut best = None;
        for m in moves.each() {
            best = best.max(Some(self.probe(&position.after(m))?.before()));
        }
        best
    }
}

/// What an ending looks like as a whole.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// Positions with White, who has more or stronger men, to move: won, drawn and lost for him.
    pub white_to_move: [usize; 3],
    /// The same for Black.
    pub black_to_move: [usize; 3],
    /// The longest way to mate, in plies, and the first position that has it.
    pub longest: Option<(u16, Chess)>,
}

impl Census {
    /// Counts a position.
    pub fn add(&mut self, position: &Chess, verdict: Verdict) {
        let counts = match position.cozy().side_to_move() {
            Color::White => &mut self.white_to_move,
            Color::Black => &mut self.black_to_move,
        };
        counts[match verdict.result {
            Wdl::Win => 0,
            Wdl::Draw => 1,
            Wdl::Loss => 2,
        }] += 1;
        let longest = self.longest.as_ref().map(|(plies, _)| *plies);
        if let Some(plies) = verdict.plies
            && Some(plies) > longest
        {
            self.longest = Some((plies, position.clone()));
        }
    }

    /// How many positions were counted.
    pub fn positions(&self) -> usize {
        self.white_to_move.iter().chain(&self.black_to_move).sum()
    }
}
