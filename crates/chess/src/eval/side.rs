//! The board as one side sees it, and steps of whole sets of squares on it.
//!
//! A side is a type, so that everything written for one of them is compiled for each without asking which it is.

use cozy_chess::{BitBoard, Color, File, Rank, Square};

/// A side, known when the program is compiled.
pub(super) trait Side {
    const COLOR: Color;
    type Enemy: Side<Enemy = Self>;
}

pub(super) struct White;
pub(super) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Enemy = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Enemy = White;
}

/// Each square moved one rank towards the other side of the board.
#[inline(always)]
pub(super) fn up<S: Side>(squares: BitBoard) -> BitBoard {
    match S::COLOR {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

/// Each square moved one rank towards the side itself.
#[inline(always)]
pub(super) fn down<S: Side>(squares: BitBoard) -> BitBoard {
    up::<S::Enemy>(squares)
}

/// The squares and all squares before them.
#[inline(always)]
pub(super) fn fill_up<S: Side>(squares: BitBoard) -> BitBoard {
    let mut filled = squares.0;
    match S::COLOR {
        Color::White => {
            filled |= filled << 8;
            filled |= filled << 16;
            filled |= filled << 32;
        }
        Color::Black => {
            filled |= filled >> 8;
            filled |= filled >> 16;
            filled |= filled >> 32;
        }
    }
    BitBoard(filled)
}

/// All squares before the squares, without them.
#[inline(always)]
pub(super) fn ahead<S: Side>(squares: BitBoard) -> BitBoard {
    fill_up::<S>(up::<S>(squares))
}

/// All squares of the files of the squares.
#[inline(always)]
pub(super) fn files(squares: BitBoard) -> BitBoard {
    fill_up::<White>(squares) | fill_up::<Black>(squares)
}

/// Each square moved one file to the right, seen from White.
#[inline(always)]
pub(super) fn east(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !File::H.bitboard().0) << 1)
}

/// Each square moved one file to the left, seen from White.
#[inline(always)]
pub(super) fn west(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !File::A.bitboard().0) >> 1)
}

/// The squares on either side of the squares.
#[inline(always)]
pub(super) fn beside(squares: BitBoard) -> BitBoard {
    east(squares) | west(squares)
}

/// What pawns of this side attack.
#[inline(always)]
pub(super) fn pawn_attacks<S: Side>(pawns: BitBoard) -> BitBoard {
    beside(up::<S>(pawns))
}

/// What two pawns of this side attack.
#[inline(always)]
pub(super) fn double_pawn_attacks<S: Side>(pawns: BitBoard) -> BitBoard {
    let ahead = up::<S>(pawns);
    east(ahead) & west(ahead)
}

/// The rank counted from the side's own, 0 to 7.
#[inline(always)]
pub(super) fn rank_of<S: Side>(square: Square) -> usize {
    square.rank().relative_to(S::COLOR) as usize
}

/// A rank counted from the side's own.
#[inline(always)]
pub(super) fn rank<S: Side>(rank: Rank) -> BitBoard {
    rank.relative_to(S::COLOR).bitboard()
}

/// How far a file lies from the edge, 0 to 3.
#[inline(always)]
pub(super) fn from_edge(file: usize) -> usize {
    file.min(7 - file)
}

/// A king's steps from one square to the other.
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// The square from which a square is seen like this by White.
#[inline(always)]
pub(super) fn seen_by<S: Side>(square: Square) -> usize {
    square.relative_to(S::COLOR) as usize
}

/// The same on a board that is folded along its middle, 0 to 31.
#[inline(always)]
pub(super) fn folded<S: Side>(square: Square) -> usize {
    rank_of::<S>(square) * 4 + from_edge(square.file() as usize)
}

#[inline(always)]
pub(super) fn count(squares: BitBoard) -> i32 {
    squares.len() as i32
}
