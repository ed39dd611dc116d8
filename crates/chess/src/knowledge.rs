//! What chess knows about moves, whatever the evaluation: captures and exchanges, checks, passing, kinds of moves.

use cozy_chess::{BitBoard, Color, Piece, Rank, Square, get_king_moves};
use outplay_core::{Move, mix};

use crate::generate::{self, Between};
use crate::moves::target;
use crate::{Chess, exchange, to_cozy};

/// Kinds of moves: a piece and the square that it goes to.
pub(crate) const KINDS: usize = Piece::NUM * Square::NUM;

/// Writes the methods of an `Evaluator<Chess>` that do not depend on how positions are judged.
macro_rules! knows_chess_moves {
    () => {
        #[inline]
        fn visit_noisy(&self, position: &Chess, visit: impl FnMut(Move, usize)) {
            $crate::knowledge::visit_noisy(position, visit);
        }

        #[inline]
        fn visit_quiet(&self, position: &Chess, visit: impl FnMut(Move, usize)) {
            $crate::knowledge::visit_quiet(position, visit);
        }

        #[inline]
        fn is_noisy(&self, position: &Chess, m: Move) -> bool {
            $crate::knowledge::is_noisy(position, m)
        }

        #[inline]
        fn gain(&self, position: &Chess, m: Move) -> i32 {
            $crate::knowledge::gain(position, m)
        }

        #[inline]
        fn exchange_wins(&self, position: &Chess, m: Move, least: i32) -> bool {
            $crate::knowledge::exchange_wins(position, m, least)
        }

        #[inline]
        fn takes_back(&self, _: &Chess, m: Move, last: Move) -> bool {
            $crate::knowledge::goes_to_the_same_square(m, last)
        }

        #[inline]
        fn must_answer(&self, position: &Chess) -> bool {
            !position.cozy().checkers().is_empty()
        }

        #[inline]
        fn pass(&self, position: &Chess) -> Option<Chess> {
            $crate::knowledge::pass(position)
        }

        #[inline]
        fn kinds_of_moves(&self) -> usize {
            $crate::knowledge::KINDS
        }

        #[inline]
        fn kind_of(&self, position: &Chess, m: Move) -> usize {
            $crate::knowledge::kind_of(position, m)
        }

        #[inline]
        fn structure_key(&self, position: &Chess) -> Option<u64> {
            Some($crate::knowledge::pawn_key(position))
        }
    };
}
pub(crate) use knows_chess_moves;

/// Captures, in passing too, and promotions.
#[inline]
pub(crate) fn visit_noisy(position: &Chess, mut visit: impl FnMut(Move, usize)) {
    let board = position.cozy();
    let (enemies, for_pawns) = noisy_targets(position);
    let king = board.king(board.side_to_move());
    // Where a king may go is the dearest question of all: it is not asked if there is nothing to take.
    let from = match get_king_moves(king).is_disjoint(enemies) {
        true => !king.bitboard(),
        false => BitBoard::FULL,
    };
    let between = Between { from, pieces_to: enemies, pawns_to: for_pawns };
    generate::visit_moves(board, between, |m, piece| visit(m, kind(piece, target(m))));
}

/// Everything else.
#[inline]
pub(crate) fn visit_quiet(position: &Chess, mut visit: impl FnMut(Move, usize)) {
    let (enemies, for_pawns) = noisy_targets(position);
    let between = Between { from: BitBoard::FULL, pieces_to: !enemies, pawns_to: !for_pawns };
    generate::visit_moves(position.cozy(), between, |m, piece| visit(m, kind(piece, target(m))));
}

/// The squares that a move is noisy to: for pieces, and for pawns.
#[inline]
fn noisy_targets(position: &Chess) -> (BitBoard, BitBoard) {
    let board = position.cozy();
    let mover = board.side_to_move();
    let enemies = board.colors(!mover);
    let passing = board
        .en_passant()
        .map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(mover)).bitboard());
    // No pawn steps straight onto the square behind the one that has just passed: that one stands in its way.
    (enemies, enemies | passing | Rank::Eighth.relative_to(mover).bitboard())
}

#[inline]
pub(crate) fn is_noisy(position: &Chess, m: Move) -> bool {
    to_cozy(m).is_some_and(|m| m.promotion.is_some() || exchange::victim(position.cozy(), m).is_some())
}

#[inline]
pub(crate) fn gain(position: &Chess, m: Move) -> i32 {
    to_cozy(m).map_or(0, |m| exchange::gain(position.cozy(), m))
}

#[inline]
pub(crate) fn exchange_wins(position: &Chess, m: Move, least: i32) -> bool {
    to_cozy(m).is_some_and(|m| exchange::wins(position.cozy(), m, least))
}

#[inline]
pub(crate) fn goes_to_the_same_square(m: Move, last: Move) -> bool {
    to_cozy(m).zip(to_cozy(last)).is_some_and(|(m, last)| m.to == last.to)
}

/// The same position with the other side to move; not in check, and not with pawns alone, where passing would often be best.
#[inline]
pub(crate) fn pass(position: &Chess) -> Option<Chess> {
    let board = position.cozy();
    let mover = board.colors(board.side_to_move());
    let pieces = mover - board.pieces(Piece::Pawn) - board.pieces(Piece::King);
    if pieces.is_empty() {
        return None;
    }
    board.null_move().map(Chess::from_checked)
}

#[inline]
pub(crate) fn kind_of(position: &Chess, m: Move) -> usize {
    let Some(m) = to_cozy(m) else { return 0 };
    let piece = position.cozy().piece_on(m.from).unwrap_or(Piece::Pawn);
    kind(piece, m.to as usize)
}

#[inline]
fn kind(piece: Piece, to: usize) -> usize {
    piece as usize * Square::NUM + to
}

/// A key of the pawns alone.
#[inline]
pub(crate) fn pawn_key(position: &Chess) -> u64 {
    let pawns = |color| position.cozy().colored_pieces(color, Piece::Pawn).0;
    mix(pawns(Color::White)) ^ mix(!pawns(Color::Black))
}
