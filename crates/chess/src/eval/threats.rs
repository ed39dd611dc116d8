//! What is attacked and not held well, what a pawn's step would attack, and who holds more room.

use cozy_chess::{BitBoard, File, Piece, Rank, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::scene::Scene;
use super::side::{Side, count, down, fill_up, pawn_attacks, rank};
use super::sink::Sink;
use super::terms::*;

const MEN: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The threats of one side.
#[inline(always)]
pub(super) fn threats<S: Side, T: Sink>(scene: &Scene, sink: &mut T) {
    let victims = scene.men::<S::Enemy>();
    let pieces = victims - scene.own::<S::Enemy>(Piece::Pawn);
    let by_enemy_pawns = scene.by::<S::Enemy>(Piece::Pawn);
    // What a pawn protects, or two men against one attacker.
    let firm = by_enemy_pawns | (scene.twice::<S::Enemy>() - scene.twice::<S>());
    let weak = victims & (scene.all::<S>() - firm);

    let by_pawns = pieces & scene.by::<S>(Piece::Pawn);
    let by_minors = scene.by::<S>(Piece::Knight) | scene.by::<S>(Piece::Bishop);
    // Taking a heavier piece pays even if it is protected.
    let by_minors =
        by_minors & (weak | scene.own::<S::Enemy>(Piece::Rook) | scene.own::<S::Enemy>(Piece::Queen));
    let by_rooks = scene.by::<S>(Piece::Rook) & (weak | scene.own::<S::Enemy>(Piece::Queen));
    let by_queens = scene.by::<S>(Piece::Queen) & weak;
    for (index, man) in MEN.into_iter().enumerate() {
        let victims = scene.own::<S::Enemy>(man);
        if index > 0 {
            sink.add::<S>(PAWN_ATTACKS.at(index), count(by_pawns & victims));
        }
        sink.add::<S>(MINOR_ATTACKS.at(index), count(by_minors & victims));
        sink.add::<S>(ROOK_ATTACKS.at(index), count(by_rooks & victims));
        sink.add::<S>(QUEEN_ATTACKS.at(index), count(by_queens & victims));
    }
    sink.add::<S>(KING_ATTACKS.at(0), count(scene.by::<S>(Piece::King) & weak));

    let unprotected = !scene.all::<S::Enemy>() | (scene.twice::<S>() - scene.twice::<S::Enemy>());
    let hanging = weak & unprotected;
    sink.add::<S>(HANGING.at(0), count(hanging - pieces));
    sink.add::<S>(HANGING.at(1), count(hanging & pieces));

    let safe_steps =
        (scene.pawn_steps::<S>() - by_enemy_pawns) & (scene.all::<S>() | !scene.all::<S::Enemy>());
    let pushed_at = pawn_attacks::<S>(safe_steps) & (pieces - by_pawns);
    sink.add::<S>(PUSH_ATTACKS.at(0), count(pushed_at));

    chase_queen::<S, T>(scene, sink);
    let contested = scene.all::<S>() & (scene.all::<S::Enemy>() - firm);
    sink.add::<S>(CONTESTED.at(0), count(contested - victims));
}

/// Squares from which the enemy's only queen can be attacked without loss.
#[inline(always)]
fn chase_queen<S: Side, T: Sink>(scene: &Scene, sink: &mut T) {
    let queens = scene.own::<S::Enemy>(Piece::Queen);
    let (Some(queen), 1) = (queens.next_square(), queens.len()) else { return };
    let safe =
        (scene.worth_reaching::<S>() - scene.men::<S>()) & (scene.twice::<S>() | !scene.all::<S::Enemy>());
    let by_knight = scene.by::<S>(Piece::Knight) & get_knight_moves(queen);
    let by_slider = scene.by::<S>(Piece::Bishop) & get_bishop_moves(queen, scene.occupied)
        | scene.by::<S>(Piece::Rook) & get_rook_moves(queen, scene.occupied);
    sink.add::<S>(QUEEN_CHASED.at(0), count(by_knight & safe));
    // A slider is protected on the way by itself alone.
    sink.add::<S>(QUEEN_CHASED.at(1), count(by_slider & safe & scene.twice::<S>()));
}

/// Room for pieces behind own pawns in the middle, while there are pieces to use it.
#[inline(always)]
pub(super) fn space<S: Side, T: Sink>(scene: &Scene, sink: &mut T) {
    let pawns = scene.own::<S>(Piece::Pawn);
    let pieces = count(scene.men::<S>() - pawns) - 3;
    if pieces <= 0 {
        return;
    }
    let files =
        BitBoard(File::C.bitboard().0 | File::D.bitboard().0 | File::E.bitboard().0 | File::F.bitboard().0);
    let ranks = rank::<S>(Rank::Second) | rank::<S>(Rank::Third) | rank::<S>(Rank::Fourth);
    let safe = files & (ranks - pawns - scene.by::<S::Enemy>(Piece::Pawn));
    let behind = safe & (fill_up::<S::Enemy>(down::<S>(pawns)) - scene.all::<S::Enemy>());
    sink.add::<S>(SPACE.at(0), (count(safe) + count(behind)) * pieces);
}
