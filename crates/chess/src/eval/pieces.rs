//! Knights, bishops, rooks and queens: where they stand, what they reach, and what they do there.

use cozy_chess::{
    BitBoard, File, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_bishop_rays,
    get_knight_moves, get_rook_moves, get_rook_rays,
};

use super::scene::Scene;
use super::side::{Side, ahead, beside, count, distance, down, files, folded, rank};
use super::sink::Sink;
use super::terms::*;

/// What the loops over the pieces of one side share.
struct Ground {
    worth_reaching: BitBoard,
    /// Squares on the enemy's half that no enemy pawn can ever attack.
    outposts: BitBoard,
    enemy_ring: BitBoard,
    own_ring: BitBoard,
}

/// All terms of the pieces of one side; notes their attacks.
#[inline(always)]
pub(super) fn pieces<S: Side, T: Sink>(scene: &mut Scene, sink: &mut T) {
    let enemy_pawns = scene.own::<S::Enemy>(Piece::Pawn);
    let enemy_half =
        rank::<S>(Rank::Fourth) | rank::<S>(Rank::Fifth) | rank::<S>(Rank::Sixth) | rank::<S>(Rank::Seventh);
    let ground = Ground {
        worth_reaching: scene.worth_reaching::<S>(),
        outposts: enemy_half - beside(ahead::<S::Enemy>(enemy_pawns)),
        enemy_ring: scene.ring::<S::Enemy>(),
        own_ring: scene.ring::<S>(),
    };
    material::<S, T>(scene, sink);
    knights::<S, T>(scene, sink, &ground);
    bishops::<S, T>(scene, sink, &ground);
    rooks::<S, T>(scene, sink, &ground);
    queens::<S, T>(scene, sink, &ground);
}

#[inline(always)]
fn material<S: Side, T: Sink>(scene: &Scene, sink: &mut T) {
    for (index, piece) in
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate()
    {
        sink.add::<S>(MATERIAL.at(index), count(scene.own::<S>(piece)));
    }
    let pawns = scene.own::<S>(Piece::Pawn).len().min(8) as usize;
    sink.add::<S>(KNIGHT_AND_PAWNS.at(pawns), count(scene.own::<S>(Piece::Knight)));
    sink.add::<S>(ROOK_AND_PAWNS.at(pawns), count(scene.own::<S>(Piece::Rook)));
    if scene.own::<S>(Piece::Bishop).len() >= 2 {
        sink.add::<S>(BISHOP_PAIR.at(0), 1);
    }
}

/// What every attack of a piece counts for. `kind` is 0 for a knight to 3 for a queen.
#[inline(always)]
fn attack<S: Side, T: Sink>(
    scene: &mut Scene,
    sink: &mut T,
    ground: &Ground,
    (piece, kind): (Piece, usize),
    attacked: BitBoard,
) -> usize {
    scene.note::<S>(piece, attacked);
    let at_king = attacked & ground.enemy_ring;
    if !at_king.is_empty() {
        sink.endanger::<S::Enemy>(DANGER_ATTACKER.at(kind), 1);
        sink.endanger::<S::Enemy>(DANGER_ATTACKS.at(kind), count(at_king));
    }
    (attacked & ground.worth_reaching).len() as usize
}

#[inline(always)]
fn knights<S: Side, T: Sink>(scene: &mut Scene, sink: &mut T, ground: &Ground) {
    let protected_outposts = ground.outposts & scene.by::<S>(Piece::Pawn);
    for square in scene.own::<S>(Piece::Knight) {
        let attacked = get_knight_moves(square);
        let reach = attack::<S, T>(scene, sink, ground, (Piece::Knight, 0), attacked);
        sink.add::<S>(KNIGHT_ON.at(folded::<S>(square)), 1);
        sink.add::<S>(KNIGHT_REACH.at(reach), 1);
        if ground.outposts.has(square) {
            let protected = scene.by::<S>(Piece::Pawn).has(square) as usize;
            sink.add::<S>(KNIGHT_OUTPOST.at(protected), 1);
        } else if !(attacked & protected_outposts).is_disjoint(!scene.men::<S>()) {
            sink.add::<S>(KNIGHT_NEAR_OUTPOST.at(0), 1);
        }
        minor::<S, T>(scene, sink, ground, 0, (square, attacked));
    }
}

/// What knights (0) and bishops (1) have in common.
#[inline(always)]
fn minor<S: Side, T: Sink>(
    scene: &Scene,
    sink: &mut T,
    ground: &Ground,
    kind: usize,
    (square, attacked): (Square, BitBoard),
) {
    if down::<S>(scene.board.pieces(Piece::Pawn)).has(square) {
        sink.add::<S>(MINOR_BEHIND_PAWN.at(kind), 1);
    }
    sink.add::<S>(MINOR_FROM_KING.at(kind), distance(square, scene.king::<S>()));
    if !attacked.is_disjoint(ground.own_ring) {
        sink.endanger::<S>(DANGER_DEFENDER.at(kind), 1);
    }
}

#[inline(always)]
fn bishops<S: Side, T: Sink>(scene: &mut Scene, sink: &mut T, ground: &Ground) {
    let own_pawns = scene.own::<S>(Piece::Pawn);
    let blocked = own_pawns & down::<S>(scene.occupied) & CENTRE_FILES;
    let through_queens = scene.occupied - scene.board.pieces(Piece::Queen);
    for square in scene.own::<S>(Piece::Bishop) {
        let attacked = get_bishop_moves(square, through_queens);
        let reach = attack::<S, T>(scene, sink, ground, (Piece::Bishop, 1), attacked);
        sink.add::<S>(BISHOP_ON.at(folded::<S>(square)), 1);
        sink.add::<S>(BISHOP_REACH.at(reach), 1);
        if ground.outposts.has(square) {
            let protected = scene.by::<S>(Piece::Pawn).has(square) as usize;
            sink.add::<S>(BISHOP_OUTPOST.at(protected), 1);
        }
        let its_colour = match BitBoard::LIGHT_SQUARES.has(square) {
            true => BitBoard::LIGHT_SQUARES,
            false => BitBoard::DARK_SQUARES,
        };
        sink.add::<S>(BISHOP_AND_PAWNS.at(0), count(own_pawns & its_colour));
        sink.add::<S>(BISHOP_AND_BLOCKED_PAWNS.at(0), count(blocked & its_colour));
        if ((attacked | square.bitboard()) & MIDDLE).len() >= 2 {
            sink.add::<S>(BISHOP_ON_LONG_DIAGONAL.at(0), 1);
        }
        minor::<S, T>(scene, sink, ground, 1, (square, attacked));
    }
}

#[inline(always)]
fn rooks<S: Side, T: Sink>(scene: &mut Scene, sink: &mut T, ground: &Ground) {
    let own_files = files(scene.own::<S>(Piece::Pawn));
    let enemy_files = files(scene.own::<S::Enemy>(Piece::Pawn));
    let heavy = scene.own::<S>(Piece::Rook) | scene.board.pieces(Piece::Queen);
    let through_heavy = scene.occupied - heavy;
    let on_seventh = rank::<S>(Rank::Seventh);
    let is_seventh_worth_it = rank::<S>(Rank::Eighth).has(scene.king::<S::Enemy>())
        || !scene.own::<S::Enemy>(Piece::Pawn).is_disjoint(on_seventh);
    for square in scene.own::<S>(Piece::Rook) {
        let attacked = get_rook_moves(square, through_heavy);
        let reach = attack::<S, T>(scene, sink, ground, (Piece::Rook, 2), attacked);
        sink.add::<S>(ROOK_ON.at(folded::<S>(square)), 1);
        sink.add::<S>(ROOK_REACH.at(reach), 1);
        if !own_files.has(square) {
            let term = if enemy_files.has(square) { ROOK_ON_HALF_OPEN_FILE } else { ROOK_ON_OPEN_FILE };
            sink.add::<S>(term.at(0), 1);
        } else if reach <= 3 && is_shut_in::<S>(scene, square) {
            sink.add::<S>(ROOK_TRAPPED.at(0), 1);
        }
        if on_seventh.has(square) && is_seventh_worth_it {
            sink.add::<S>(ROOK_ON_SEVENTH.at(0), 1);
        }
    }
}

/// Whether the own king stands between a rook and the middle, and can no longer castle.
#[inline(always)]
fn is_shut_in<S: Side>(scene: &Scene, rook: Square) -> bool {
    let rights = scene.board.castle_rights(S::COLOR);
    let king = scene.king::<S>();
    let (rook_file, king_file) = (rook.file() as i32, king.file() as i32);
    rights.short.is_none()
        && rights.long.is_none()
        && rook.rank() == king.rank()
        && (king_file < 4) == (rook_file < king_file)
}

#[inline(always)]
fn queens<S: Side, T: Sink>(scene: &mut Scene, sink: &mut T, ground: &Ground) {
    let enemy_bishops = scene.own::<S::Enemy>(Piece::Bishop);
    let enemy_rooks = scene.own::<S::Enemy>(Piece::Rook);
    for square in scene.own::<S>(Piece::Queen) {
        let attacked = get_bishop_moves(square, scene.occupied) | get_rook_moves(square, scene.occupied);
        let reach = attack::<S, T>(scene, sink, ground, (Piece::Queen, 3), attacked);
        sink.add::<S>(QUEEN_ON.at(folded::<S>(square)), 1);
        sink.add::<S>(QUEEN_REACH.at(reach.min(27)), 1);
        let in_line = get_bishop_rays(square) & enemy_bishops | get_rook_rays(square) & enemy_rooks;
        if in_line.iter().any(|from| (get_between_rays(from, square) & scene.occupied).len() == 1) {
            sink.add::<S>(QUEEN_IN_LINE.at(0), 1);
        }
    }
}

const CENTRE_FILES: BitBoard =
    BitBoard(File::C.bitboard().0 | File::D.bitboard().0 | File::E.bitboard().0 | File::F.bitboard().0);

/// d4, e4, d5 and e5.
const MIDDLE: BitBoard = BitBoard(
    (File::D.bitboard().0 | File::E.bitboard().0) & (Rank::Fourth.bitboard().0 | Rank::Fifth.bitboard().0),
);
