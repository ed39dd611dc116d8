//! Passed pawns among pieces: what stands in their way, and who comes to help.

use cozy_chess::{BitBoard, Piece, Rank, Square, get_rook_moves};

use super::scene::Scene;
use super::side::{Side, ahead, distance, files, rank_of, up};
use super::sink::Sink;
use super::terms::*;

/// The terms of one side's passed pawns.
#[inline(always)]
pub(super) fn passed_pawns<S: Side, T: Sink>(scene: &Scene, passed: BitBoard, sink: &mut T) {
    let enemy_has_pieces =
        !(scene.men::<S::Enemy>() - scene.own::<S::Enemy>(Piece::Pawn) - scene.own::<S::Enemy>(Piece::King))
            .is_empty();
    for square in passed & scene.men::<S>() {
        let rank = rank_of::<S>(square);
        let Some(step) = up::<S>(square.bitboard()).next_square() else { continue };
        let way = ahead::<S>(square.bitboard());
        sink.add::<S>(PASSED_OWN_KING.at(rank), distance(scene.king::<S>(), step));
        sink.add::<S>(PASSED_ENEMY_KING.at(rank), distance(scene.king::<S::Enemy>(), step));
        if !scene.occupied.has(step) {
            sink.add::<S>(PASSED_UNBLOCKED.at(rank), 1);
        }
        let is_held = scene.all::<S::Enemy>().has(step) && !scene.all::<S>().has(step);
        if !is_held {
            sink.add::<S>(PASSED_SAFE_STEP.at(rank), 1);
        }
        if way.is_disjoint(scene.men::<S::Enemy>() | scene.all::<S::Enemy>()) {
            sink.add::<S>(PASSED_FREE_PATH.at(rank), 1);
        }
        behind::<S, T>(scene, square, way, sink);
        if !enemy_has_pieces && way.is_disjoint(scene.occupied) && comes_too_late::<S>(scene, square) {
            sink.add::<S>(PASSED_UNSTOPPABLE.at(0), 1);
        }
    }
}

/// Rooks behind a passed pawn, on either side.
#[inline(always)]
fn behind<S: Side, T: Sink>(scene: &Scene, pawn: Square, way: BitBoard, sink: &mut T) {
    let rooks = scene.board.pieces(Piece::Rook) & (files(pawn.bitboard()) - way);
    if rooks.is_empty() {
        return;
    }
    let seen = get_rook_moves(pawn, scene.occupied) & rooks;
    if !seen.is_disjoint(scene.men::<S>()) {
        sink.add::<S>(PASSED_ROOK_BEHIND.at(0), 1);
    }
    if !seen.is_disjoint(scene.men::<S::Enemy>()) {
        sink.add::<S>(PASSED_ENEMY_ROOK_BEHIND.at(0), 1);
    }
}

/// Whether the enemy king, alone, is too far from the square on which the pawn promotes.
#[inline(always)]
fn comes_too_late<S: Side>(scene: &Scene, pawn: Square) -> bool {
    let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(S::COLOR));
    // The double step of a pawn that has not moved.
    let steps = distance(pawn, goal) - i32::from(rank_of::<S>(pawn) == 1);
    let enemy_moves_first = scene.board.side_to_move() != S::COLOR;
    let enemy_steps = distance(scene.king::<S::Enemy>(), goal) - i32::from(enemy_moves_first);
    enemy_steps > steps
}
