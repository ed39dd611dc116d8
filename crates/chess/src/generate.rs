//! The generator's questions, compiled for the processor at hand.
//!
//! Move generation lives on bit instructions that plain x86-64 lacks (find and clear the lowest bit, count bits),
//! so each function here is compiled twice and picked at run time.

use cozy_chess::{BitBoard, Board, Piece, PieceMoves};
use outplay_core::Move;

use crate::ChessMoves;
use crate::moves::visit_each;

macro_rules! for_this_processor {
    ($(#[$doc:meta])* fn $name:ident($board:ident) -> $answer:ty $body:block) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name(board: &Board) -> $answer {
            #[cfg(target_arch = "x86_64")]
            if outplay_core::cpu::is_x86_64_v3() {
                // SAFETY: the features that the function is compiled for were found on this processor.
                return unsafe { $name::modern(board) };
            }
            $name::portable(board)
        }

        mod $name {
            use super::*;

            pub(super) fn portable($board: &Board) -> $answer $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            pub(super) fn modern($board: &Board) -> $answer $body
        }
    };
}

for_this_processor! {
    /// All legal moves.
    fn legal_moves(board) -> ChessMoves {
        let mut moves = ChessMoves::EMPTY;
        board.generate_moves(|piece_moves| {
            moves.push(piece_moves);
            false
        });
        moves
    }
}

for_this_processor! {
    /// How many legal moves there are.
    fn legal_count(board) -> usize {
        let mut count = 0;
        board.generate_moves(|piece_moves| {
            count += piece_moves.len();
            false
        });
        count
    }
}

for_this_processor! {
    /// Whether there is a legal move: stops at the first piece that can move, which is mostly the first asked.
    fn can_move(board) -> bool {
        board.generate_moves(|_| true)
    }
}

/// Where moves may come from and go to; pawns may go elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Between {
    pub from: BitBoard,
    pub pieces_to: BitBoard,
    pub pawns_to: BitBoard,
}

/// Visits some of the legal moves, each with the piece that makes it, without making a list.
#[inline]
pub(crate) fn visit_moves(board: &Board, between: Between, visit: impl FnMut(Move, Piece)) {
    #[cfg(target_arch = "x86_64")]
    if outplay_core::cpu::is_x86_64_v3() {
        // SAFETY: the features that the function is compiled for were found on this processor.
        return unsafe { visit_moves_on_modern_processor(board, between, visit) };
    }
    visit_moves_on_any_processor(board, between, visit);
}

#[inline(always)]
fn visit_moves_on_any_processor(board: &Board, between: Between, mut visit: impl FnMut(Move, Piece)) {
    board.generate_moves_for(between.from, |moves| {
        let wanted = if moves.piece == Piece::Pawn { between.pawns_to } else { between.pieces_to };
        visit_each(PieceMoves { to: moves.to & wanted, ..moves }, |m| visit(m, moves.piece));
        false
    });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn visit_moves_on_modern_processor(board: &Board, between: Between, visit: impl FnMut(Move, Piece)) {
    visit_moves_on_any_processor(board, between, visit);
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, Line, MoveList, Rng};

    use super::*;
    use crate::{Chess, ChessRules};

    #[test]
    fn what_any_processor_runs_gives_the_same_answers() {
        let mut rng = Rng::new(1);
        for _ in 0..10 {
            let mut line = Line::new(Chess::start(&ChessRules::Standard));
            while line.outcome().is_none() {
                let moves = line.position().legal_moves();
                line.play(moves.nth(rng.below(moves.count())));
                let board = line.position().cozy();
                assert!(legal_moves::portable(board).each().eq(legal_moves(board).each()), "{board}");
                assert_eq!(legal_count::portable(board), legal_count(board), "{board}");
                assert_eq!(can_move::portable(board), can_move(board), "{board}");
            }
        }
    }
}
