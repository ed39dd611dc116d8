//! The safety of the king from the pieces that come at it.

use cozy_chess::{
    BitBoard, File, Piece, Rank, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_rook_moves, get_rook_rays,
};

use super::scene::Scene;
use super::side::{Side, count, rank};
use super::sink::Sink;
use super::terms::*;

/// The danger of one side's king, which has so many open files before it. The attacks of all pieces must have been noted.
#[inline(always)]
pub(super) fn king<S: Side, T: Sink>(scene: &Scene, open_files: usize, sink: &mut T) {
    let square = scene.king::<S>();
    // Without pieces there is no attack; and one piece alone, unless it is a queen, does not mate.
    let queens = scene.own::<S::Enemy>(Piece::Queen);
    let attackers = scene.men::<S::Enemy>() - scene.own::<S::Enemy>(Piece::Pawn);
    if attackers.len() < 3 && queens.is_empty() {
        return;
    }
    sink.endanger::<S>(DANGER_BASE.at(0), 1);
    sink.endanger::<S>(DANGER_OPEN_FILES.at(open_files), 1);
    if !queens.is_empty() {
        sink.endanger::<S>(DANGER_QUEEN.at(0), 1);
    }
    let held =
        scene.twice::<S>() | (scene.all::<S>() - scene.by::<S>(Piece::King) - scene.by::<S>(Piece::Queen));
    let weak = scene.all::<S::Enemy>() - held;
    sink.endanger::<S>(DANGER_WEAK_SQUARE.at(0), count(weak & scene.ring::<S>()));
    sink.endanger::<S>(DANGER_SHIELD.at(0), shields::<S>(scene));
    let camp =
        flank(square.file()) - rank::<S>(Rank::Sixth) - rank::<S>(Rank::Seventh) - rank::<S>(Rank::Eighth);
    let theirs = scene.all::<S::Enemy>() & camp;
    sink.endanger::<S>(DANGER_FLANK.at(0), count(theirs) + count(theirs & scene.twice::<S::Enemy>()));
    sink.endanger::<S>(DANGER_FLANK_HELD.at(0), count(scene.all::<S>() & camp));
    checks::<S, T>(scene, weak, sink);
}

/// The files on which an attack on a king comes: those of its wing, or the four in the middle.
#[inline(always)]
fn flank(king: File) -> BitBoard {
    const WINGS: [u64; 3] = [0x0707_0707_0707_0707, 0x3C3C_3C3C_3C3C_3C3C, 0xE0E0_E0E0_E0E0_E0E0];
    BitBoard(match king {
        File::A | File::B | File::C => WINGS[0],
        File::D | File::E => WINGS[1],
        File::F | File::G | File::H => WINGS[2],
    })
}

/// How many men alone stand between the king and an enemy slider in line with it: pinned ones, or ones that uncover a check.
#[inline(always)]
fn shields<S: Side>(scene: &Scene) -> i32 {
    let king = scene.king::<S>();
    let queens = scene.own::<S::Enemy>(Piece::Queen);
    let snipers = get_bishop_rays(king) & (scene.own::<S::Enemy>(Piece::Bishop) | queens)
        | get_rook_rays(king) & (scene.own::<S::Enemy>(Piece::Rook) | queens);
    let alone = |&from: &cozy_chess::Square| (get_between_rays(from, king) & scene.occupied).len() == 1;
    snipers.iter().filter(alone).count() as i32
}

/// Squares from which enemy pieces could give check, safe ones and others.
#[inline(always)]
fn checks<S: Side, T: Sink>(scene: &Scene, weak: BitBoard, sink: &mut T) {
    let king = scene.king::<S>();
    let occupied = scene.occupied - scene.own::<S>(Piece::Queen);
    let diagonal = get_bishop_moves(king, occupied);
    let straight = get_rook_moves(king, occupied);
    let knightly = get_knight_moves(king);
    let free = !scene.men::<S::Enemy>();
    let safe = free & (!scene.all::<S>() | weak & scene.twice::<S::Enemy>());
    let lines = [
        (Piece::Knight, knightly),
        (Piece::Bishop, diagonal),
        (Piece::Rook, straight),
        (Piece::Queen, diagonal | straight),
    ];
    for (kind, (piece, line)) in lines.into_iter().enumerate() {
        let checks = scene.by::<S::Enemy>(piece) & line & free;
        sink.endanger::<S>(DANGER_SAFE_CHECK.at(kind), count(checks & safe));
        sink.endanger::<S>(DANGER_CHECK.at(kind), count(checks - safe));
    }
}
