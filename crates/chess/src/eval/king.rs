//! The safety of the king: the pawns before it, and the pieces that come at it.

use cozy_chess::{
    BitBoard, File, Piece, Rank, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_rook_moves, get_rook_rays,
};

use super::scene::Scene;
use super::side::{Side, count, fill_up, from_edge, rank, rank_of, seen_by};
use super::sink::Sink;
use super::terms::*;

/// The terms of one side's king. The attacks of all pieces must have been noted.
#[inline(always)]
pub(super) fn king<S: Side, T: Sink>(scene: &Scene, sink: &mut T) {
    let square = scene.king::<S>();
    sink.add::<S>(KING_ON.at(seen_by::<S>(square)), 1);
    let open_files = shelter::<S, T>(scene, sink);
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

/// The pawns of both sides on the king's file and beside it. Returns how many of the files have no own pawn.
#[inline(always)]
fn shelter<S: Side, T: Sink>(scene: &Scene, sink: &mut T) -> usize {
    let king = scene.king::<S>();
    let before = fill_up::<S>(king.rank().bitboard());
    let own = scene.own::<S>(Piece::Pawn) & before;
    let enemy = scene.own::<S::Enemy>(Piece::Pawn) & before;
    let middle = (king.file() as usize).clamp(1, 6);
    let mut open_files = 0;
    for file in middle - 1..=middle + 1 {
        let line = File::index(file).bitboard();
        let (ours, theirs) = (nearest_rank::<S>(own & line), nearest_rank::<S>(enemy & line));
        sink.add::<S>(SHELTER.at(from_edge(file) * 8 + ours), 1);
        if ours != 0 && theirs == ours + 1 {
            sink.add::<S>(BLOCKED_STORM.at(theirs), 1);
        } else {
            sink.add::<S>(STORM.at(from_edge(file) * 8 + theirs), 1);
        }
        open_files += usize::from(ours == 0);
    }
    open_files
}

/// The rank of the pawn nearest to the side's own first rank; 0 if there is none.
#[inline(always)]
fn nearest_rank<S: Side>(pawns: BitBoard) -> usize {
    let nearest = match S::COLOR {
        cozy_chess::Color::White => pawns.next_square(),
        cozy_chess::Color::Black => pawns.flip_ranks().next_square().map(|square| square.flip_rank()),
    };
    nearest.map_or(0, rank_of::<S>)
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
