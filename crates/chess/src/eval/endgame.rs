//! Endings that the sum of terms misjudges: won ones in which it sees no progress, and drawn ones that look won.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

use super::lone_pawn::LonePawn;
use super::side::distance;

/// What a side is sure of that has mating material against a bare king.
const WON: i32 = 5_000;
/// What a pawn is worth that wins against a bare king: less than the queen that it becomes.
const WON_PAWN: i32 = 2_000;
/// The whole of an advantage, as [`Scale`] counts.
pub(super) const FULL: i32 = 64;

/// The value for White of a position in which one side has nothing but its king, and the other enough to mate or one pawn alone; `None` of
/// any other.
///
/// It grows with the enemy king's way to the edge, or to the right corner, and with its neighbourhood to ours: so each step of the win is
/// seen as one.
#[inline(always)]
pub(super) fn against_bare_king(board: &Board) -> Option<i32> {
    let is_bare = |color| board.colors(color).len() == 1;
    match (is_bare(Color::White), is_bare(Color::Black)) {
        (false, true) => drive(board, Color::White),
        (true, false) => drive(board, Color::Black).map(|value| -value),
        _ => None,
    }
}

#[cold]
fn drive(board: &Board, strong: Color) -> Option<i32> {
    let own = |piece| board.colored_pieces(strong, piece);
    let count = |piece| own(piece).len() as i32;
    if let (2, Some(pawn)) = (board.colors(strong).len(), own(Piece::Pawn).next_square()) {
        return Some(lone_pawn(board, strong, pawn));
    }
    let bishops = own(Piece::Bishop);
    let has_both_colours =
        !bishops.is_disjoint(BitBoard::LIGHT_SQUARES) && !bishops.is_disjoint(BitBoard::DARK_SQUARES);
    let has_heavy = count(Piece::Rook) + count(Piece::Queen) > 0;
    let has_bishop_and_knight = !bishops.is_empty() && count(Piece::Knight) > 0;
    if !has_heavy && !has_both_colours && !has_bishop_and_knight && count(Piece::Knight) < 3 {
        return None;
    }
    let (hunter, hunted) = (board.king(strong), board.king(!strong));
    let needs_corner = !has_heavy && !has_both_colours && count(Piece::Knight) < 3;
    let home = if needs_corner { 20 * (7 - to_corner(hunted, bishops)) } else { 10 * from_centre(hunted) };
    let advanced: i32 =
        own(Piece::Pawn).iter().map(|pawn| pawn.rank().relative_to(strong) as i32 * 10 + 90).sum();
    let men = 300 * (count(Piece::Knight) + count(Piece::Bishop))
        + 500 * count(Piece::Rook)
        + 900 * count(Piece::Queen);
    Some(WON + men + advanced + home + 5 * (7 - distance(hunter, hunted)))
}

/// King and pawn against king: nothing, or a win that grows as the pawn goes on.
fn lone_pawn(board: &Board, side: Color, pawn: Square) -> i32 {
    let (king, lone_king) = (board.king(side), board.king(!side));
    let position = LonePawn { pawn, king, lone_king, side, to_move: board.side_to_move() };
    match position.wins() {
        true => WON_PAWN + 20 * pawn.rank().relative_to(side) as i32 - distance(king, pawn),
        false => 0,
    }
}

/// 0 in the middle of the board, 6 in a corner.
fn from_centre(square: Square) -> i32 {
    let off = |line: i32| (2 * line - 7).abs() / 2;
    off(square.file() as i32) + off(square.rank() as i32)
}

/// How far the king is from the nearer corner of the bishop's colour: ranks and files together, so that every step along the edge counts. 0 to 7.
fn to_corner(king: Square, bishops: BitBoard) -> i32 {
    let corners = match bishops.is_disjoint(BitBoard::LIGHT_SQUARES) {
        true => [Square::A1, Square::H8],
        false => [Square::A8, Square::H1],
    };
    let steps = |corner: Square| {
        (king.file() as i32 - corner.file() as i32).abs() + (king.rank() as i32 - corner.rank() as i32).abs()
    };
    corners.into_iter().map(steps).min().unwrap_or(0)
}

/// How much of an endgame advantage a side can make use of, in parts of [`FULL`]. [colour]
pub(super) type Scale = [i32; Color::NUM];

/// The scales of both sides, each in case that it is the better one.
#[inline(always)]
pub(super) fn scales(board: &Board) -> Scale {
    [usable(board, Color::White), usable(board, Color::Black)]
}

/// The men of a side as weights of pieces: a minor piece counts 3, a rook 5, a queen 9.
#[inline(always)]
fn force(board: &Board, color: Color) -> i32 {
    let count = |piece| board.colored_pieces(color, piece).len() as i32;
    3 * (count(Piece::Knight) + count(Piece::Bishop)) + 5 * count(Piece::Rook) + 9 * count(Piece::Queen)
}

#[inline(always)]
pub(super) fn usable(board: &Board, strong: Color) -> i32 {
    let pawns = board.colored_pieces(strong, Piece::Pawn);
    let (ours, theirs) = (force(board, strong), force(board, !strong));
    if pawns.is_empty() {
        return without_pawns(board, strong, ours, theirs);
    }
    if ours <= 3 && theirs <= 3 && is_fortress(board, strong, pawns) {
        return 0;
    }
    let mut scale = FULL.min(40 + 6 * pawns.len() as i32);
    let bishops = board.pieces(Piece::Bishop);
    let each_has_one = Color::ALL.into_iter().all(|color| (bishops & board.colors(color)).len() == 1);
    if each_has_one && (bishops & BitBoard::LIGHT_SQUARES).len() == 1 {
        let is_pure = ours == 3 && theirs == 3;
        scale = scale.min(if is_pure { 16 + 4 * pawns.len() as i32 } else { 44 + 2 * pawns.len() as i32 });
    }
    scale
}

/// Without pawns a lead of a minor piece wins nothing, as a rule.
#[inline(always)]
fn without_pawns(board: &Board, strong: Color, ours: i32, theirs: i32) -> i32 {
    let knights = board.colored_pieces(strong, Piece::Knight).len() as i32;
    if ours <= 3 || ours == 6 && knights == 2 {
        return 0;
    }
    match ours - theirs {
        ..=1 => 8,
        2 | 3 => 12,
        4 => 28,
        _ => FULL,
    }
}

/// A lone king, or one with a minor piece that can give itself up, in the corner of rook's pawns that promote there, against no piece or a
/// bishop of the other colour.
#[inline(always)]
fn is_fortress(board: &Board, strong: Color, pawns: BitBoard) -> bool {
    let file = match (pawns.is_subset(File::A.bitboard()), pawns.is_subset(File::H.bitboard())) {
        (true, _) => File::A,
        (_, true) => File::H,
        _ => return false,
    };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let is_light = |square| BitBoard::LIGHT_SQUARES.has(square);
    let bishop = board.colored_pieces(strong, Piece::Bishop).next_square();
    let is_helpless = match bishop {
        Some(bishop) => is_light(bishop) != is_light(corner),
        None => board.colored_pieces(strong, Piece::Knight).is_empty(),
    };
    is_helpless && distance(board.king(!strong), corner) <= 1
}
