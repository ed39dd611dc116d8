//! The structure of the pawns: everything that pawns and kings alone decide, so that it can be kept in a table.

use cozy_chess::{BitBoard, Board, Color, Piece, Square};

use super::shelter::shelter;
use super::side::{
    Black, Side, White, ahead, beside, count, down, east, files, fill_up, folded, from_edge, pawn_attacks,
    rank_of, up,
};
use super::sink::Sink;
use super::terms::*;

/// What other terms want to know of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    /// The passed pawns of both sides.
    pub passed: BitBoard,
    /// How many files before the king have no own pawn. [colour]
    pub open_files: [usize; Color::NUM],
}

/// The terms of both sides' pawns, and of the kings behind them.
#[inline(always)]
pub(super) fn structure<T: Sink>(board: &Board, sink: &mut T) -> Outline {
    let pawns = |color| board.colored_pieces(color, Piece::Pawn);
    let (white, black) = (pawns(Color::White), pawns(Color::Black));
    let passed = side::<White, T>(white, black, sink) | side::<Black, T>(black, white, sink);
    Outline { passed, open_files: [shelter::<White, T>(board, sink), shelter::<Black, T>(board, sink)] }
}

#[inline(always)]
fn side<S: Side, T: Sink>(own: BitBoard, enemy: BitBoard, sink: &mut T) -> BitBoard {
    let enemy_ahead = ahead::<S::Enemy>(enemy);
    let passed = own - enemy_ahead - beside(enemy_ahead) - ahead::<S::Enemy>(own);
    let unopposed = own - enemy_ahead;
    let own_files = files(own);
    let isolated = own - beside(own_files);
    let doubled = own & ahead::<S::Enemy>(own);
    let protected = own & pawn_attacks::<S>(own);
    // A step that would be taken, and that no own pawn beside or behind can ever support.
    let ever_protected = beside(fill_up::<S>(up::<S>(own)));
    let dangerous = up::<S>(own) & (pawn_attacks::<S::Enemy>(enemy) - ever_protected);
    let backward = down::<S>(dangerous) & (own - isolated);
    let islands = own_files - east(own_files);

    for square in own {
        let (rank, file) = (rank_of::<S>(square), from_edge(square.file() as usize));
        sink.add::<S>(PAWN_ON.at(folded::<S>(square)), 1);
        if doubled.has(square) {
            sink.add::<S>(DOUBLED.at(file), 1);
        }
        if isolated.has(square) {
            sink.add::<S>(ISOLATED.at(file), 1);
        }
        if beside(own).has(square) {
            sink.add::<S>(PHALANX.at(rank), 1);
        }
        if protected.has(square) {
            sink.add::<S>(PROTECTED_PAWN.at(rank), 1);
        }
        if down::<S>(enemy).has(square) {
            sink.add::<S>(RAMMED.at(rank), 1);
        }
        if passed.has(square) {
            sink.add::<S>(PASSED.at(rank), 1);
            if protected.has(square) {
                sink.add::<S>(PASSED_PROTECTED.at(rank), 1);
            }
        } else if unopposed.has(square) && has_helpers::<S>(square, own, enemy) {
            sink.add::<S>(CANDIDATE.at(rank), 1);
        }
    }
    sink.add::<S>(ISOLATED_IN_THE_OPEN.at(0), count(isolated & unopposed));
    sink.add::<S>(BACKWARD.at(0), count(backward));
    sink.add::<S>(BACKWARD_IN_THE_OPEN.at(0), count(backward & unopposed));
    sink.add::<S>(PAWN_ISLAND.at(0), count(islands) / 8);
    passed
}

/// Whether a pawn has as many own pawns beside or behind it as there are enemy pawns that guard its way.
#[inline(always)]
fn has_helpers<S: Side>(square: Square, own: BitBoard, enemy: BitBoard) -> bool {
    let beside = beside(square.bitboard());
    let helpers = own & fill_up::<S::Enemy>(beside);
    let guards = enemy & ahead::<S>(beside);
    helpers.len() >= guards.len()
}
