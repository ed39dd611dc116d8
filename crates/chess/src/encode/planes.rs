//! A position and what came before it as 112 planes.

use std::sync::LazyLock;

use cozy_chess::{Board, Color, Piece, Rank, Square, get_pawn_attacks};
use outplay_core::{Game, Planes};

use crate::{Chess, ChessRules};

/// How many positions are shown.
const SHOWN: usize = 8;
/// Twelve kinds of men, and whether the position had stood on the board before.
const PLANES_OF_ONE: usize = 13;

pub(super) const PLANES: Planes = Planes { rows: 8, columns: 8, bits: SHOWN * PLANES_OF_ONE, constants: 8 };

/// So many positions have to be known: whether one had stood on the board before is decided up to 100 plies earlier.
pub(super) const PAST: usize = SHOWN - 1 + 100;

/// Appends the planes of a position with its past, the latest first.
pub(super) fn append(position: &Chess, past: &[Chess], words: &mut Vec<u64>) {
    let board = position.cozy();
    let mover = board.side_to_move();
    let end = words.len() + PLANES.words();
    append_men(board, mover, words);
    words.push(repetition(position, past));
    let shown = past.len().min(SHOWN - 1);
    for plies in 0..shown {
        append_men(past[plies].cozy(), mover, words);
        words.push(repetition(&past[plies], &past[plies + 1..]));
    }
    let oldest = past.get(..shown).and_then(<[Chess]>::last).unwrap_or(position);
    if shown < SHOWN - 1 && oldest.key() != *START_KEY {
        for _ in shown..SHOWN - 1 {
            let men = words.len();
            append_men(oldest.cozy(), mover, words);
            words.push(0);
            undo_double_step(oldest.cozy(), mover, &mut words[men..]);
        }
    }
    words.resize(end - PLANES.constants, 0);
    let rights = [board.castle_rights(mover), board.castle_rights(!mover)];
    let may_castle = rights.map(|rights| [rights.long, rights.short].map(|rook| f32::from(rook.is_some())));
    let black_moves = f32::from(mover == Color::Black);
    let rest = [black_moves, f32::from(board.halfmove_clock()), 0.0, 1.0];
    words.extend(may_castle.into_iter().flatten().chain(rest).map(Planes::constant));
}

static START_KEY: LazyLock<u64> = LazyLock::new(|| Chess::start(&ChessRules::Standard).key());

/// The men of both sides, those of `viewer` first.
fn append_men(board: &Board, viewer: Color, words: &mut Vec<u64>) {
    for color in [viewer, !viewer] {
        words.extend(Piece::ALL.map(|piece| seen_by(viewer, board.colored_pieces(color, piece).0)));
    }
}

/// A set of squares as a player sees it: Black reverses the ranks, which are the bytes.
fn seen_by(viewer: Color, squares: u64) -> u64 {
    match viewer {
        Color::White => squares,
        Color::Black => squares.swap_bytes(),
    }
}

/// All ones if the position is a repetition, otherwise none.
fn repetition(position: &Chess, past: &[Chess]) -> u64 {
    // Nothing is repeated in fewer than four plies.
    let plies = (4..=position.reversible_plies().min(past.len())).step_by(2);
    let key = position.cozy().hash_without_ep();
    let is_same = |earlier: &Board| earlier.hash_without_ep() == key && !offers_en_passant(earlier);
    match plies.into_iter().any(|plies| is_same(past[plies - 1].cozy())) {
        true => u64::MAX,
        false => 0,
    }
}

/// Whether a pawn stands ready to capture in passing: such a position does not come back, even where a pin forbids the capture. lc0 has it so, the
/// rules of the game do not.
fn offers_en_passant(board: &Board) -> bool {
    let mover = board.side_to_move();
    board.en_passant().is_some_and(|file| {
        let target = Square::new(file, Rank::Sixth.relative_to(mover));
        !get_pawn_attacks(target, !mover).is_disjoint(board.colored_pieces(mover, Piece::Pawn))
    })
}

/// Takes a pawn back to where its double step began, if that was the last move. `men` are the planes of the position.
fn undo_double_step(board: &Board, viewer: Color, men: &mut [u64]) {
    if let Some(file) = board.en_passant() {
        let waiting = !board.side_to_move();
        let [from, to] =
            [Rank::Second, Rank::Fourth].map(|rank| Square::new(file, rank.relative_to(waiting)));
        let first_plane = if waiting == viewer { 0 } else { Piece::NUM };
        men[first_plane + Piece::Pawn as usize] ^= seen_by(viewer, (from.bitboard() | to.bitboard()).0);
    }
}
