//! Moves for playouts, by cheap tactics: captures that win material at first sight, and squares that it is unwise to step on.

use cozy_chess::{
    Board, Color, Move as CozyMove, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use outplay_core::{Game, Move, MoveList, Rng};

use crate::eval::worth;
use crate::{Chess, to_cozy};

/// How often a move is drawn again because it loses what it moves.
const DRAWS: usize = 3;

/// A capture that wins material at first sight, or a move that leaves nothing to be taken on its square, if chance finds one.
pub(crate) fn playout_move(position: &Chess, rng: &mut Rng) -> Option<Move> {
    winning_capture(position, rng).or_else(|| safe_move(position, rng))
}

/// Nobody is in check, and the mover can win nothing at first sight.
pub(crate) fn is_quiet(position: &Chess) -> bool {
    // Which of several equal captures is found makes no difference.
    position.cozy().checkers().is_empty() && winning_capture(position, &mut Rng::new(0)).is_none()
}

/// The capture or promotion that wins most at first sight: the captured piece and what a pawn becomes, less what captures if it can
/// be taken back. `None` if none wins anything. Of several, chance decides.
fn winning_capture(position: &Chess, rng: &mut Rng) -> Option<Move> {
    let board = position.cozy();
    let moves = position.legal_moves();
    let (mut best, mut best_gain, mut ties) = (None, 0, 0);
    for m in moves.each() {
        let gain = to_cozy(m).filter(|m| is_loud(board, *m)).map_or(0, |m| gain(board, m));
        if gain > best_gain {
            (best, best_gain, ties) = (Some(m), gain, 1);
        } else if gain == best_gain && gain > 0 {
            ties += 1;
            best = if rng.below(ties) == 0 { Some(m) } else { best };
        }
    }
    best
}

/// A move that does not put a piece where it can be taken, if chance finds one soon.
fn safe_move(position: &Chess, rng: &mut Rng) -> Option<Move> {
    let board = position.cozy();
    let moves = position.legal_moves();
    (0..DRAWS).map(|_| moves.nth(rng.below(moves.count()))).find(|&m| {
        to_cozy(m)
            .is_some_and(|m| captured(board, m).is_some() || !is_attacked(board, m.to, !board.side_to_move()))
    })
}

/// Whether a move takes something or promotes; a pawn taken in passing is not looked for.
pub(crate) fn is_loud(board: &Board, m: CozyMove) -> bool {
    m.promotion.is_some() || board.colors(!board.side_to_move()).has(m.to)
}

/// The piece on the target square; a pawn taken in passing is not looked for.
fn captured(board: &Board, m: CozyMove) -> Option<Piece> {
    board.piece_on(m.to).filter(|_| board.colors(!board.side_to_move()).has(m.to))
}

/// What a capture or promotion wins at first sight.
fn gain(board: &Board, m: CozyMove) -> i32 {
    let won = captured(board, m).map_or(0, worth)
        + m.promotion.map_or(0, |piece| worth(piece) - worth(Piece::Pawn));
    let moved = m.promotion.or_else(|| board.piece_on(m.from)).unwrap_or(Piece::Pawn);
    // A king never captures what is protected: that is not legal.
    let is_taken_back = moved != Piece::King && is_attacked(board, m.to, !board.side_to_move());
    won - if is_taken_back { worth(moved) } else { 0 }
}

/// Whether a piece of this colour attacks the square, as the board stands.
fn is_attacked(board: &Board, square: Square, by: Color) -> bool {
    let of = |piece| board.colored_pieces(by, piece);
    let queens = of(Piece::Queen);
    let attackers = get_pawn_attacks(square, !by) & of(Piece::Pawn)
        | get_knight_moves(square) & of(Piece::Knight)
        | get_king_moves(square) & of(Piece::King)
        | get_bishop_moves(square, board.occupied()) & (of(Piece::Bishop) | queens)
        | get_rook_moves(square, board.occupied()) & (of(Piece::Rook) | queens);
    !attackers.is_empty()
}
