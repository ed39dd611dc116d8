//! First evaluations: material alone, and with it mobility, advanced pawns, and a king that knows the middlegame from the endgame.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};
use outplay_search::Evaluation;

use crate::Chess;
use crate::knowledge::pawn_key;

/// Counts the men, in hundredths of a pawn, as a beginner does. Worth comparing with: it sees no position.
#[derive(Clone, Copy, Default, Debug)]
pub struct Material;

impl Evaluation<Chess> for Material {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Chess) -> i32 {
        let board = position.cozy();
        let mover = board.side_to_move();
        material_of_side(board, mover) - material_of_side(board, !mover)
    }

    #[inline]
    fn structure_key(&self, position: &Chess) -> Option<u64> {
        Some(pawn_key(position))
    }
}

/// Judges by material and by what the pieces can reach, in hundredths of a pawn. It knows no tactics: a search
/// must settle those.
#[derive(Clone, Copy, Default, Debug)]
pub struct MaterialAndMobility;

impl Evaluation<Chess> for MaterialAndMobility {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Chess) -> i32 {
        let board = position.cozy();
        let mover = board.side_to_move();
        value_of_side(board, mover) - value_of_side(board, !mover)
    }

    #[inline]
    fn structure_key(&self, position: &Chess) -> Option<u64> {
        Some(pawn_key(position))
    }
}

const PAWN: i32 = 100;
const BISHOP_PAIR: i32 = 35;
/// A pawn on its n-th rank, counted from its own side.
const PAWN_ON_RANK: [i32; Rank::NUM] = [0, 0, 2, 6, 14, 28, 50, 0];
/// A pawn in the middle of the board.
const CENTRAL_PAWN: i32 = 12;
/// A pawn next to its king, while the other side has a queen.
const SHELTER: i32 = 9;
/// Each step of the king away from the centre: good while the other side has a queen, bad afterwards.
const KING_STEP_FROM_CENTRE: i32 = 8;

/// What a piece is worth, and what each square is worth that it can reach beyond its own men.
const PIECES: [(Piece, i32, i32); 4] =
    [(Piece::Knight, 300, 4), (Piece::Bishop, 310, 4), (Piece::Rook, 480, 2), (Piece::Queen, 930, 1)];

fn material_of_side(board: &Board, color: Color) -> i32 {
    let count = |piece| board.colored_pieces(color, piece).len() as i32;
    count(Piece::Pawn) * PAWN + PIECES.iter().map(|&(piece, worth, _)| count(piece) * worth).sum::<i32>()
}

/// What a piece is worth; the king, which is never captured, nothing.
pub(crate) fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => PAWN,
        _ => PIECES.iter().find(|(other, ..)| *other == piece).map_or(0, |(_, worth, _)| *worth),
    }
}

fn value_of_side(board: &Board, color: Color) -> i32 {
    let own = |piece| board.colored_pieces(color, piece);
    let pawns = own(Piece::Pawn);
    let mut value = pawns.len() as i32 * PAWN;
    for square in pawns {
        value += PAWN_ON_RANK[square.relative_to(color).rank() as usize];
    }
    value += (pawns & centre()).len() as i32 * CENTRAL_PAWN;
    for (piece, worth, per_square) in PIECES {
        for square in own(piece) {
            let reached = moves_of(piece, square, board.occupied()) - board.colors(color);
            value += worth + reached.len() as i32 * per_square;
        }
    }
    if own(Piece::Bishop).len() >= 2 {
        value += BISHOP_PAIR;
    }
    let king = board.king(color);
    let distance = steps_from_centre(king);
    if board.colored_pieces(!color, Piece::Queen).is_empty() {
        value - distance * KING_STEP_FROM_CENTRE
    } else {
        let shelter = (get_king_moves(king) & pawns).len() as i32;
        value + distance * KING_STEP_FROM_CENTRE + shelter * SHELTER
    }
}

fn moves_of(piece: Piece, square: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
    }
}

fn centre() -> BitBoard {
    (File::D.bitboard() | File::E.bitboard()) & (Rank::Fourth.bitboard() | Rank::Fifth.bitboard())
}

/// 0 in the middle of the board, 6 in a corner.
fn steps_from_centre(square: Square) -> i32 {
    let off_centre = |line: i32| (2 * line - 7).abs() / 2;
    off_centre(square.file() as i32) + off_centre(square.rank() as i32)
}
