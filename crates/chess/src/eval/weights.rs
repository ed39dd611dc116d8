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
    p(71, 110), p(266, 360), p(298, 400), p(418, 622), p(861, 1161),
    // BISHOP_PAIR
    p(31, 42),
    // KNIGHT_AND_PAWNS [own pawns]
    p(-147, 28), p(17, -22), p(18, -11), p(-17, 16), p(-11, 17), p(-5, 15), p(1, 19), p(4, 28), p(1, 51),
    // ROOK_AND_PAWNS [own pawns]
    p(48, -16), p(27, -2), p(-24, 40), p(-4, 37), p(-6, 28), p(-7, 32), p(-9, 28), p(-12, 18), p(-8, 9),
    // PAWN_ON [rank, file from the edge]
    p(0, -8), p(0, -8), p(1, -8), p(1, -8), p(-12, 5), p(-1, 16), p(-6, 2), p(-3, 13),
    p(-11, 8), p(-2, 6), p(-3, 2), p(0, 0), p(-11, 16), p(-5, 16), p(0, 7), p(0, 0),
    p(-3, 15), p(10, 10), p(4, 2), p(4, -5), p(10, 6), p(13, -5), p(35, 20), p(20, 4),
    p(5, -9), p(-7, 7), p(-6, 26), p(31, -3), p(0, 20), p(0, 20), p(1, 20), p(1, 20),
    // KNIGHT_ON [rank, file from the edge]
    p(16, -12), p(-4, 0), p(-14, 33), p(4, 13), p(1, -11), p(1, 28), p(9, -14), p(14, 10),
    p(-1, 11), p(15, 6), p(15, -9), p(13, 22), p(7, 27), p(18, 15), p(27, 21), p(21, 25),
    p(20, 8), p(14, 21), p(26, 14), p(26, 39), p(33, 3), p(21, 18), p(-4, 19), p(44, 14),
    p(-3, 1), p(7, 27), p(28, 26), p(24, 30), p(-59, -10), p(15, -2), p(2, 19), p(14, 24),
    // BISHOP_ON [rank, file from the edge]
    p(-5, 3), p(13, -12), p(-10, 11), p(-9, -1), p(13, -11), p(10, -8), p(4, 19), p(0, 3),
    p(6, -15), p(5, 23), p(9, 0), p(4, 21), p(14, -9), p(5, 5), p(10, 23), p(5, 13),
    p(-3, -6), p(4, 17), p(23, 20), p(6, 17), p(13, 11), p(-6, 23), p(29, 8), p(18, 13),
    p(-9, 12), p(-9, 12), p(6, 4), p(29, 6), p(-8, 7), p(-6, 16), p(-6, 7), p(10, 1),
    // ROOK_ON [rank, file from the edge]
    p(-6, -18), p(-8, -8), p(-5, -9), p(-1, -8), p(-16, -7), p(-20, -5), p(-12, -1), p(-2, -10),
    p(-16, 7), p(11, -7), p(-5, -2), p(5, -6), p(1, 2), p(-13, 13), p(-3, -3), p(1, -1),
    p(-19, 18), p(-4, 12), p(5, 7), p(15, 9), p(2, 4), p(-4, -1), p(3, 4), p(22, 2),
    p(-2, 8), p(11, 7), p(13, -2), p(16, 0), p(7, 0), p(33, 4), p(-2, 14), p(7, 22),
    // QUEEN_ON [rank, file from the edge]
    p(7, -26), p(-12, -7), p(-12, -19), p(-1, -28), p(-18, -2), p(5, -8), p(0, 1), p(4, 2),
    p(0, -4), p(0, 1), p(-4, 36), p(-6, 28), p(-3, 30), p(-2, 5), p(-3, 22), p(-7, 21),
    p(21, -13), p(-3, -1), p(-2, 28), p(-7, 25), p(2, 12), p(12, 12), p(6, -8), p(8, 30),
    p(-12, 15), p(-10, 7), p(-20, 22), p(1, 26), p(17, -4), p(-4, 17), p(1, 4), p(10, 25),
    // KING_ON [square]
    p(-17, -22), p(-11, -15), p(-7, -24), p(-15, -1), p(-12, -4), p(-15, -8), p(-1, -3), p(-5, -17),
    p(-3, 6), p(-12, 6), p(-9, 3), p(-29, 15), p(-31, 17), p(-17, 14), p(-18, 9), p(-19, 1),
    p(-14, -8), p(-21, 14), p(-54, 10), p(-54, 28), p(-58, 30), p(-43, 35), p(-16, 15), p(-28, 15),
    p(-28, 12), p(-46, 29), p(-64, 31), p(-90, 41), p(-48, 38), p(-68, 46), p(-62, 40), p(-34, 24),
    p(-49, 24), p(-60, 35), p(-72, 39), p(-79, 50), p(-86, 46), p(-73, 49), p(-61, 42), p(-55, 31),
    p(-48, 1), p(-52, 69), p(-48, 41), p(-68, 65), p(-65, 65), p(-72, 55), p(-47, 56), p(-64, 33),
    p(-59, -6), p(-56, 28), p(-54, 61), p(-64, 75), p(-63, 59), p(-64, 40), p(-53, 73), p(-54, 40),
    p(-69, -52), p(-65, 6), p(-65, 14), p(-74, 35), p(-73, 35), p(-64, 19), p(-61, 50), p(-67, -14),
    // KNIGHT_REACH [squares]
    p(-35, -39), p(-17, -36), p(-10, 8), p(-5, 7), p(-3, 14), p(-2, 32), p(0, 39), p(2, 44), p(13, 36),
    // BISHOP_REACH [squares]
    p(-26, -14), p(-22, -29), p(-14, 2), p(-11, 7), p(-8, 17), p(-3, 26), p(-2, 26), p(0, 27), p(1, 28),
    p(3, 33), p(16, 29), p(10, 28), p(10, 30), p(-7, 25),
    // ROOK_REACH [squares]
    p(-28, -39), p(-15, -30), p(-8, -7), p(-5, -1), p(-6, 2), p(-6, 15), p(-3, 21), p(-5, 24), p(0, 28),
    p(4, 30), p(-2, 39), p(5, 37), p(4, 40), p(4, 49), p(12, 49),
    // QUEEN_REACH [squares]
    p(-12, -24), p(5, -21), p(-8, -41), p(-9, -48), p(-5, -21), p(-7, -22), p(-5, -22), p(-3, -7), p(-1, -18),
    p(-4, 2), p(5, -1), p(0, 4), p(0, 19), p(4, 24), p(-1, 21), p(-1, 33), p(4, 27), p(-6, 44),
    p(13, 25), p(-6, 37), p(6, 32), p(5, 10), p(5, 16), p(-8, 3), p(8, 17), p(7, 8), p(10, 22),
    p(7, 20),
    // DOUBLED [file from the edge]
    p(-16, -38), p(-6, -30), p(-1, -5), p(-2, -3),
    // ISOLATED [file from the edge]
    p(1, 1), p(-11, -7), p(-4, -7), p(-9, -20),
    // ISOLATED_IN_THE_OPEN
    p(-5, 0),
    // BACKWARD
    p(-2, -10),
    // BACKWARD_IN_THE_OPEN
    p(-3, -6),
    // PHALANX [rank]
    p(0, 0), p(5, 6), p(4, 1), p(3, 5), p(13, 13), p(55, 37), p(23, 86), p(14, 49),
    // PROTECTED_PAWN [rank]
    p(0, 0), p(3, 2), p(10, 12), p(7, 5), p(7, 4), p(12, 36), p(51, 21), p(21, 14),
    // CANDIDATE [rank]
    p(0, 0), p(-1, -12), p(0, 11), p(0, 9), p(1, 20), p(7, 5), p(6, 18), p(7, 21),
    // RAMMED [rank]
    p(0, 0), p(14, 5), p(7, 0), p(0, 0), p(-7, 0), p(-14, -5), p(0, 0), p(0, 0),
    // PAWN_ISLAND
    p(-4, -7),
    // PASSED [rank]
    p(0, 0), p(-7, 42), p(22, 15), p(-10, 53), p(17, 68), p(52, 31), p(114, 32), p(98, 196),
    // PASSED_PROTECTED [rank]
    p(0, 0), p(2, 2), p(2, -18), p(0, 9), p(7, 11), p(3, -10), p(45, 21), p(14, 14),
    // PASSED_UNBLOCKED [rank]
    p(0, 0), p(0, 1), p(-4, 11), p(7, 6), p(0, 10), p(10, 34), p(36, 61), p(7, 21),
    // PASSED_SAFE_STEP [rank]
    p(0, 0), p(11, -8), p(20, 6), p(2, 13), p(18, 18), p(36, 31), p(15, 48), p(7, 21),
    // PASSED_FREE_PATH [rank]
    p(0, 0), p(-37, 29), p(3, 14), p(-23, 15), p(3, 33), p(13, 65), p(12, 105), p(7, 28),
    // PASSED_OWN_KING [rank, for each step]
    p(0, 0), p(-1, 0), p(-4, -2), p(10, -16), p(3, -19), p(-10, -16), p(1, -18), p(0, -10),
    // PASSED_ENEMY_KING [rank, for each step]
    p(0, 0), p(-3, -1), p(-7, -1), p(-9, 10), p(-11, 21), p(0, 39), p(-2, 49), p(0, 15),
    // PASSED_ROOK_BEHIND
    p(14, 13),
    // PASSED_ENEMY_ROOK_BEHIND
    p(5, -55),
    // PASSED_UNSTOPPABLE
    p(-12, 134),
    // KNIGHT_OUTPOST [without, with a pawn's protection]
    p(15, -4), p(14, 8),
    // BISHOP_OUTPOST [without, with a pawn's protection]
    p(4, -2), p(23, 1),
    // KNIGHT_NEAR_OUTPOST
    p(17, 18),
    // MINOR_BEHIND_PAWN [knight, bishop]
    p(1, 12), p(1, 8),
    // BISHOP_AND_PAWNS [for each pawn]
    p(-3, -4),
    // BISHOP_AND_BLOCKED_PAWNS [for each pawn]
    p(-4, -22),
    // BISHOP_ON_LONG_DIAGONAL
    p(7, 12),
    // MINOR_FROM_KING [knight, bishop, for each step]
    p(0, -5), p(-2, -2),
    // ROOK_ON_OPEN_FILE
    p(20, 4),
    // ROOK_ON_HALF_OPEN_FILE
    p(9, 4),
    // ROOK_ON_SEVENTH
    p(0, 4),
    // ROOK_TRAPPED
    p(-20, -28),
    // QUEEN_IN_LINE
    p(-17, 1),
    // PAWN_ATTACKS [pawn, knight, bishop, rook, queen]
    p(0, 0), p(47, 49), p(53, 61), p(66, 11), p(51, 43),
    // MINOR_ATTACKS [pawn, knight, bishop, rook, queen]
    p(5, 19), p(17, 37), p(15, 28), p(47, 25), p(50, -7),
    // ROOK_ATTACKS [pawn, knight, bishop, rook, queen]
    p(7, 22), p(24, 31), p(18, 45), p(5, 21), p(35, 38),
    // QUEEN_ATTACKS [pawn, knight, bishop, rook, queen]
    p(1, 11), p(10, 1), p(4, 32), p(5, 21), p(7, -21),
    // KING_ATTACKS
    p(8, 25),
    // HANGING [pawn, piece]
    p(13, 27), p(9, 8),
    // PUSH_ATTACKS
    p(12, 17),
    // QUEEN_CHASED [by knight, by bishop or rook]
    p(9, -7), p(12, 2),
    // CONTESTED [for each square]
    p(3, 0),
    // SHELTER [file from the edge, rank of the pawn or 0]
    p(-8, 7), p(29, -10), p(23, -12), p(15, -10), p(-13, 2), p(-9, 30), p(-18, 9), p(-15, 0),
    p(-8, -11), p(17, -20), p(15, -11), p(5, -13), p(-7, -4), p(-22, 29), p(27, 20), p(-15, 0),
    p(-10, 0), p(10, 0), p(8, 5), p(0, 2), p(-1, -8), p(-16, -1), p(11, 1), p(-15, 0),
    p(-15, -4), p(3, -6), p(-1, -2), p(-4, -2), p(-12, 4), p(0, 8), p(11, 7), p(-15, 0),
    // STORM [file from the edge, rank of the pawn or 0]
    p(-12, -27), p(-3, -16), p(6, -10), p(-34, 8), p(-19, 3), p(-13, -10), p(-8, -18), p(0, 0),
    p(-18, 0), p(-19, 29), p(-14, 1), p(0, -2), p(-11, 10), p(-1, 8), p(-11, 11), p(0, 0),
    p(2, -7), p(-13, 26), p(-12, -1), p(5, 15), p(7, 14), p(18, 1), p(5, -9), p(0, 0),
    p(-5, -4), p(-23, 33), p(-3, -3), p(-5, -14), p(-5, -3), p(1, -12), p(3, 2), p(0, 0),
    // BLOCKED_STORM [rank of the pawn]
    p(-15, 0), p(-12, 0), p(14, -39), p(-5, -18), p(-1, -17), p(7, -17), p(21, -16), p(0, 0),
    // DANGER_BASE [danger]
    p(-35, -11),
    // DANGER_ATTACKER [knight, bishop, rook, queen; danger]
    p(15, 37), p(-2, -9), p(7, -52), p(9, -63),
    // DANGER_ATTACKS [knight, bishop, rook, queen, for each square; danger]
    p(8, -18), p(11, 19), p(6, -5), p(1, 13),
    // DANGER_WEAK_SQUARE [for each square; danger]
    p(10, -33),
    // DANGER_SAFE_CHECK [knight, bishop, rook, queen; danger]
    p(52, 49), p(34, 62), p(50, 66), p(22, 78),
    // DANGER_CHECK [knight, bishop, rook, queen; danger]
    p(9, 45), p(12, 32), p(11, -8), p(4, 30),
    // DANGER_SHIELD [for each man; danger]
    p(31, 78),
    // DANGER_OPEN_FILES [files; danger]
    p(-4, -15), p(14, 2), p(15, -5), p(-11, 4),
    // DANGER_QUEEN [danger]
    p(66, 110),
    // DANGER_FLANK [for each square, twice if attacked twice; danger]
    p(4, 1),
    // DANGER_FLANK_HELD [for each square; danger]
    p(-3, 3),
    // DANGER_DEFENDER [knight, bishop; danger]
    p(-8, -36), p(-4, 23),
    // SPACE [for each square and piece beyond three]
    p(0, 1),
    // TEMPO
    p(11, 13),
];
