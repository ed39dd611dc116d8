//! The values of all weights, in the order of `terms.rs`: middlegame, endgame. Written by `outplay tune eval`.

use super::pair::Pair;
use super::terms::WEIGHT_COUNT;

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// [weight]
#[rustfmt::skip]
pub(super) static WEIGHTS: [Pair; WEIGHT_COUNT] = [
    // MATERIAL [pawn, knight, bishop, rook, queen]
    p(100, 100), p(300, 300), p(320, 320), p(500, 500), p(950, 950),
    // BISHOP_PAIR
    p(30, 40),
    // KNIGHT_AND_PAWNS [own pawns]
    p(-10, -10), p(-8, -8), p(-6, -6), p(-4, -4), p(-2, -2), p(0, 0), p(2, 2), p(4, 4), p(6, 6),
    // ROOK_AND_PAWNS [own pawns]
    p(10, 10), p(8, 8), p(6, 6), p(4, 4), p(2, 2), p(0, 0), p(-2, -2), p(-4, -4), p(-6, -6),
    // PAWN_ON [square]
    p(0, -8), p(0, -8), p(1, -8), p(1, -8), p(1, -8), p(1, -8), p(0, -8), p(0, -8),
    p(0, -4), p(1, -4), p(1, -4), p(2, -4), p(2, -4), p(1, -4), p(1, -4), p(0, -4),
    p(1, 0), p(1, 0), p(2, 0), p(2, 0), p(2, 0), p(2, 0), p(1, 0), p(1, 0),
    p(1, 4), p(2, 4), p(2, 4), p(3, 4), p(3, 4), p(2, 4), p(2, 4), p(1, 4),
    p(1, 8), p(2, 8), p(2, 8), p(3, 8), p(3, 8), p(2, 8), p(2, 8), p(1, 8),
    p(1, 12), p(1, 12), p(2, 12), p(2, 12), p(2, 12), p(2, 12), p(1, 12), p(1, 12),
    p(0, 16), p(1, 16), p(1, 16), p(2, 16), p(2, 16), p(1, 16), p(1, 16), p(0, 16),
    p(0, 20), p(0, 20), p(1, 20), p(1, 20), p(1, 20), p(1, 20), p(0, 20), p(0, 20),
    // KNIGHT_ON [rank, file from the edge]
    p(0, 0), p(4, 4), p(8, 8), p(12, 12), p(4, 4), p(8, 8), p(12, 12), p(16, 16),
    p(8, 8), p(12, 12), p(16, 16), p(20, 20), p(12, 12), p(16, 16), p(20, 20), p(24, 24),
    p(12, 12), p(16, 16), p(20, 20), p(24, 24), p(8, 8), p(12, 12), p(16, 16), p(20, 20),
    p(4, 4), p(8, 8), p(12, 12), p(16, 16), p(0, 0), p(4, 4), p(8, 8), p(12, 12),
    // BISHOP_ON [rank, file from the edge]
    p(0, 0), p(2, 2), p(4, 4), p(6, 6), p(2, 2), p(4, 4), p(6, 6), p(8, 8),
    p(4, 4), p(6, 6), p(8, 8), p(10, 10), p(6, 6), p(8, 8), p(10, 10), p(12, 12),
    p(6, 6), p(8, 8), p(10, 10), p(12, 12), p(4, 4), p(6, 6), p(8, 8), p(10, 10),
    p(2, 2), p(4, 4), p(6, 6), p(8, 8), p(0, 0), p(2, 2), p(4, 4), p(6, 6),
    // ROOK_ON [rank, file from the edge]
    p(0, 0), p(1, 0), p(2, 0), p(3, 0), p(0, 0), p(1, 0), p(2, 0), p(3, 0),
    p(0, 0), p(1, 0), p(2, 0), p(3, 0), p(0, 0), p(1, 0), p(2, 0), p(3, 0),
    p(0, 0), p(1, 0), p(2, 0), p(3, 0), p(0, 0), p(1, 0), p(2, 0), p(3, 0),
    p(0, 0), p(1, 0), p(2, 0), p(3, 0), p(0, 0), p(1, 0), p(2, 0), p(3, 0),
    // QUEEN_ON [rank, file from the edge]
    p(0, 0), p(0, 2), p(0, 4), p(0, 6), p(0, 2), p(0, 4), p(0, 6), p(0, 8),
    p(0, 4), p(0, 6), p(0, 8), p(0, 10), p(0, 6), p(0, 8), p(0, 10), p(0, 12),
    p(0, 6), p(0, 8), p(0, 10), p(0, 12), p(0, 4), p(0, 6), p(0, 8), p(0, 10),
    p(0, 2), p(0, 4), p(0, 6), p(0, 8), p(0, 0), p(0, 2), p(0, 4), p(0, 6),
    // KING_ON [square]
    p(0, 0), p(-6, 8), p(-12, 16), p(-18, 24), p(-18, 24), p(-12, 16), p(-6, 8), p(0, 0),
    p(-14, 8), p(-20, 16), p(-26, 24), p(-32, 32), p(-32, 32), p(-26, 24), p(-20, 16), p(-14, 8),
    p(-28, 16), p(-34, 24), p(-40, 32), p(-46, 40), p(-46, 40), p(-40, 32), p(-34, 24), p(-28, 16),
    p(-42, 24), p(-48, 32), p(-54, 40), p(-60, 48), p(-60, 48), p(-54, 40), p(-48, 32), p(-42, 24),
    p(-50, 24), p(-56, 32), p(-62, 40), p(-68, 48), p(-68, 48), p(-62, 40), p(-56, 32), p(-50, 24),
    p(-52, 16), p(-58, 24), p(-64, 32), p(-70, 40), p(-70, 40), p(-64, 32), p(-58, 24), p(-52, 16),
    p(-54, 8), p(-60, 16), p(-66, 24), p(-72, 32), p(-72, 32), p(-66, 24), p(-60, 16), p(-54, 8),
    p(-56, 0), p(-62, 8), p(-68, 16), p(-74, 24), p(-74, 24), p(-68, 16), p(-62, 8), p(-56, 0),
    // KNIGHT_REACH [squares]
    p(-16, -16), p(-12, -12), p(-8, -8), p(-4, -4), p(0, 0), p(4, 4), p(8, 8), p(12, 12), p(16, 16),
    // BISHOP_REACH [squares]
    p(-24, -24), p(-20, -20), p(-16, -16), p(-12, -12), p(-8, -8), p(-4, -4), p(0, 0), p(4, 4), p(8, 8),
    p(12, 12), p(16, 16), p(20, 20), p(24, 24), p(28, 28),
    // ROOK_REACH [squares]
    p(-12, -24), p(-10, -20), p(-8, -16), p(-6, -12), p(-4, -8), p(-2, -4), p(0, 0), p(2, 4), p(4, 8),
    p(6, 12), p(8, 16), p(10, 20), p(12, 24), p(14, 28), p(16, 32),
    // QUEEN_REACH [squares]
    p(-12, -24), p(-11, -22), p(-10, -20), p(-9, -18), p(-8, -16), p(-7, -14), p(-6, -12), p(-5, -10), p(-4, -8),
    p(-3, -6), p(-2, -4), p(-1, -2), p(0, 0), p(1, 2), p(2, 4), p(3, 6), p(4, 8), p(5, 10),
    p(6, 12), p(7, 14), p(8, 16), p(9, 18), p(10, 20), p(11, 22), p(12, 24), p(13, 26), p(14, 28),
    p(15, 30),
    // DOUBLED [file from the edge]
    p(-10, -20), p(-10, -20), p(-10, -20), p(-10, -20),
    // ISOLATED [file from the edge]
    p(-10, -12), p(-10, -12), p(-10, -12), p(-10, -12),
    // ISOLATED_IN_THE_OPEN
    p(-6, -6),
    // BACKWARD
    p(-8, -8),
    // BACKWARD_IN_THE_OPEN
    p(-8, -6),
    // PHALANX [rank]
    p(0, 0), p(2, 1), p(4, 4), p(6, 9), p(8, 16), p(10, 25), p(12, 36), p(14, 49),
    // PROTECTED_PAWN [rank]
    p(0, 0), p(3, 2), p(6, 4), p(9, 6), p(12, 8), p(15, 10), p(18, 12), p(21, 14),
    // CANDIDATE [rank]
    p(0, 0), p(1, 3), p(2, 6), p(3, 9), p(4, 12), p(5, 15), p(6, 18), p(7, 21),
    // RAMMED [rank]
    p(0, 0), p(0, 0), p(0, 0), p(0, 0), p(0, 0), p(0, 0), p(0, 0), p(0, 0),
    // PAWN_ISLAND
    p(-2, -4),
    // PASSED [rank]
    p(0, 0), p(2, 4), p(8, 16), p(18, 36), p(32, 64), p(50, 100), p(72, 144), p(98, 196),
    // PASSED_PROTECTED [rank]
    p(0, 0), p(2, 2), p(4, 4), p(6, 6), p(8, 8), p(10, 10), p(12, 12), p(14, 14),
    // PASSED_UNBLOCKED [rank]
    p(0, 0), p(1, 3), p(2, 6), p(3, 9), p(4, 12), p(5, 15), p(6, 18), p(7, 21),
    // PASSED_SAFE_STEP [rank]
    p(0, 0), p(1, 3), p(2, 6), p(3, 9), p(4, 12), p(5, 15), p(6, 18), p(7, 21),
    // PASSED_FREE_PATH [rank]
    p(0, 0), p(1, 4), p(2, 8), p(3, 12), p(4, 16), p(5, 20), p(6, 24), p(7, 28),
    // PASSED_OWN_KING [rank, for each step]
    p(0, 0), p(0, 0), p(0, 0), p(0, -2), p(0, -4), p(0, -6), p(0, -8), p(0, -10),
    // PASSED_ENEMY_KING [rank, for each step]
    p(0, 0), p(0, 0), p(0, 0), p(0, 3), p(0, 6), p(0, 9), p(0, 12), p(0, 15),
    // PASSED_ROOK_BEHIND
    p(5, 15),
    // PASSED_ENEMY_ROOK_BEHIND
    p(-5, -15),
    // PASSED_UNSTOPPABLE
    p(0, 200),
    // KNIGHT_OUTPOST [without, with a pawn's protection]
    p(10, 8), p(20, 14),
    // BISHOP_OUTPOST [without, with a pawn's protection]
    p(6, 4), p(14, 8),
    // KNIGHT_NEAR_OUTPOST
    p(8, 4),
    // MINOR_BEHIND_PAWN [knight, bishop]
    p(5, 2), p(5, 2),
    // BISHOP_AND_PAWNS [for each pawn]
    p(-2, -4),
    // BISHOP_AND_BLOCKED_PAWNS [for each pawn]
    p(-2, -3),
    // BISHOP_ON_LONG_DIAGONAL
    p(15, 0),
    // MINOR_FROM_KING [knight, bishop, for each step]
    p(-2, -1), p(-2, -1),
    // ROOK_ON_OPEN_FILE
    p(25, 10),
    // ROOK_ON_HALF_OPEN_FILE
    p(12, 8),
    // ROOK_ON_SEVENTH
    p(10, 20),
    // ROOK_TRAPPED
    p(-25, -10),
    // QUEEN_IN_LINE
    p(-15, -5),
    // PAWN_ATTACKS [pawn, knight, bishop, rook, queen]
    p(0, 0), p(50, 40), p(50, 40), p(50, 40), p(50, 40),
    // MINOR_ATTACKS [pawn, knight, bishop, rook, queen]
    p(5, 10), p(20, 20), p(20, 20), p(40, 30), p(40, 30),
    // ROOK_ATTACKS [pawn, knight, bishop, rook, queen]
    p(2, 10), p(15, 20), p(15, 20), p(0, 0), p(40, 20),
    // QUEEN_ATTACKS [pawn, knight, bishop, rook, queen]
    p(2, 5), p(2, 5), p(2, 5), p(2, 5), p(2, 5),
    // KING_ATTACKS
    p(10, 30),
    // HANGING [pawn, piece]
    p(15, 10), p(30, 20),
    // PUSH_ATTACKS
    p(15, 15),
    // QUEEN_CHASED [by knight, by bishop or rook]
    p(10, 8), p(10, 8),
    // CONTESTED [for each square]
    p(3, 3),
    // SHELTER [file from the edge, rank of the pawn or 0]
    p(-15, 0), p(15, 0), p(10, 0), p(5, 0), p(0, 0), p(-5, 0), p(-10, 0), p(-15, 0),
    p(-15, 0), p(15, 0), p(10, 0), p(5, 0), p(0, 0), p(-5, 0), p(-10, 0), p(-15, 0),
    p(-15, 0), p(15, 0), p(10, 0), p(5, 0), p(0, 0), p(-5, 0), p(-10, 0), p(-15, 0),
    p(-15, 0), p(15, 0), p(10, 0), p(5, 0), p(0, 0), p(-5, 0), p(-10, 0), p(-15, 0),
    // STORM [file from the edge, rank of the pawn or 0]
    p(0, 0), p(-16, 0), p(-12, 0), p(-8, 0), p(-4, 0), p(0, 0), p(0, 0), p(0, 0),
    p(0, 0), p(-16, 0), p(-12, 0), p(-8, 0), p(-4, 0), p(0, 0), p(0, 0), p(0, 0),
    p(0, 0), p(-16, 0), p(-12, 0), p(-8, 0), p(-4, 0), p(0, 0), p(0, 0), p(0, 0),
    p(0, 0), p(-16, 0), p(-12, 0), p(-8, 0), p(-4, 0), p(0, 0), p(0, 0), p(0, 0),
    // BLOCKED_STORM [rank of the pawn]
    p(-15, 0), p(-12, 0), p(-9, 0), p(-6, 0), p(-3, 0), p(0, 0), p(0, 0), p(0, 0),
    // DANGER_BASE [danger]
    p(-20, 0),
    // DANGER_ATTACKER [knight, bishop, rook, queen; danger]
    p(20, 4), p(20, 4), p(20, 4), p(20, 4),
    // DANGER_ATTACKS [knight, bishop, rook, queen, for each square; danger]
    p(8, 2), p(8, 2), p(8, 2), p(8, 2),
    // DANGER_WEAK_SQUARE [for each square; danger]
    p(15, 2),
    // DANGER_SAFE_CHECK [knight, bishop, rook, queen; danger]
    p(40, 8), p(40, 8), p(40, 8), p(40, 8),
    // DANGER_CHECK [knight, bishop, rook, queen; danger]
    p(5, 1), p(5, 1), p(5, 1), p(5, 1),
    // DANGER_SHIELD [for each man; danger]
    p(10, 2),
    // DANGER_OPEN_FILES [files; danger]
    p(0, 0), p(6, 0), p(12, 0), p(18, 0),
    // DANGER_QUEEN [danger]
    p(40, 4),
    // DANGER_DEFENDER [knight, bishop; danger]
    p(-10, -2), p(-10, -2),
    // SPACE [for each square and piece beyond three]
    p(0, 0),
    // TEMPO
    p(15, 10),
];
