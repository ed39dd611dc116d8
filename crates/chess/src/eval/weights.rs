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
    p(85, 100), p(285, 312), p(323, 334), p(473, 538), p(963, 969),
    // BISHOP_PAIR
    p(37, 39),
    // KNIGHT_AND_PAWNS [own pawns]
    p(-22, -12), p(-7, -18), p(-5, -5), p(-5, 2), p(4, -1), p(-1, 1), p(4, 6), p(1, 9), p(-1, 11),
    // ROOK_AND_PAWNS [own pawns]
    p(4, -6), p(12, 13), p(7, 21), p(8, 20), p(0, 12), p(-2, 10), p(-7, 2), p(-14, -11), p(-15, -6),
    // PAWN_ON [square]
    p(0, -8), p(0, -8), p(1, -8), p(1, -8), p(1, -8), p(1, -8), p(0, -8), p(0, -8),
    p(1, -4), p(2, 17), p(-5, 12), p(11, 5), p(-5, -8), p(-4, -10), p(-1, -7), p(-14, -7),
    p(0, -5), p(6, -3), p(7, -1), p(-1, -3), p(8, 3), p(-17, 2), p(2, 2), p(1, 4),
    p(9, 12), p(-1, 13), p(5, 7), p(6, 14), p(2, -7), p(15, -3), p(-10, -3), p(-13, 2),
    p(4, 6), p(7, 10), p(8, 8), p(-5, 15), p(6, -5), p(2, -8), p(14, 9), p(-1, 10),
    p(-2, 4), p(-4, 5), p(4, 21), p(-4, 6), p(5, 13), p(11, 12), p(-1, 10), p(-3, 15),
    p(2, 17), p(1, 14), p(-1, 16), p(2, 17), p(1, 15), p(3, 16), p(5, 19), p(-1, 13),
    p(0, 20), p(0, 20), p(1, 20), p(1, 20), p(1, 20), p(1, 20), p(0, 20), p(0, 20),
    // KNIGHT_ON [rank, file from the edge]
    p(3, -1), p(-6, -3), p(4, 15), p(2, 9), p(3, 4), p(8, 9), p(14, 9), p(19, 18),
    p(-2, 11), p(18, 15), p(20, 7), p(23, 28), p(9, 11), p(15, 19), p(23, 24), p(22, 27),
    p(19, 11), p(10, 18), p(17, 16), p(28, 36), p(11, 11), p(12, 9), p(9, 14), p(27, 18),
    p(6, 4), p(8, 8), p(13, 13), p(15, 15), p(-7, -3), p(4, 3), p(8, 9), p(12, 12),
    // BISHOP_ON [rank, file from the edge]
    p(-5, 3), p(3, -1), p(-9, 16), p(7, 1), p(2, 3), p(12, 3), p(10, 8), p(6, 1),
    p(10, 2), p(17, 19), p(7, 11), p(12, 15), p(-2, 3), p(12, 5), p(13, 11), p(5, 7),
    p(4, 2), p(7, 16), p(13, 16), p(16, 15), p(6, 2), p(3, 8), p(12, 11), p(11, 7),
    p(5, 5), p(1, 0), p(1, 3), p(5, 5), p(-3, 0), p(2, 2), p(4, 4), p(6, 6),
    // ROOK_ON [rank, file from the edge]
    p(-2, -8), p(-3, 1), p(0, -1), p(0, 2), p(-16, 1), p(-14, 1), p(-2, 4), p(-6, -5),
    p(-2, 5), p(16, -2), p(-3, 2), p(5, 3), p(13, 4), p(-3, 3), p(-1, -2), p(6, 2),
    p(0, 7), p(-4, -2), p(-2, 0), p(2, -2), p(4, 1), p(0, 1), p(4, 3), p(10, 8),
    p(-1, 1), p(2, 3), p(0, -1), p(3, 3), p(3, -2), p(5, 2), p(0, 2), p(7, 4),
    // QUEEN_ON [rank, file from the edge]
    p(1, 0), p(-9, 1), p(-2, 3), p(-2, 0), p(-11, -1), p(9, 6), p(4, 9), p(7, 11),
    p(9, 4), p(0, 5), p(0, 11), p(-6, 11), p(1, 10), p(-5, 8), p(3, 11), p(3, 9),
    p(12, 5), p(-3, 7), p(-2, 11), p(-4, 14), p(-2, 5), p(5, 8), p(2, 10), p(2, 12),
    p(-3, 5), p(-2, 3), p(-2, 6), p(0, 10), p(7, 3), p(-2, 2), p(1, 4), p(2, 7),
    // KING_ON [square]
    p(-7, -5), p(-8, 8), p(-22, 7), p(-23, 20), p(-26, 21), p(-18, 13), p(2, 10), p(1, 3),
    p(-14, 6), p(-24, 13), p(-21, 30), p(-32, 34), p(-29, 31), p(-15, 26), p(-14, 9), p(-18, 9),
    p(-30, 9), p(-35, 16), p(-44, 24), p(-42, 44), p(-44, 43), p(-37, 38), p(-33, 23), p(-22, 21),
    p(-41, 25), p(-46, 38), p(-58, 31), p(-62, 46), p(-59, 49), p(-54, 43), p(-49, 36), p(-39, 27),
    p(-50, 24), p(-58, 30), p(-63, 38), p(-68, 47), p(-69, 48), p(-63, 42), p(-56, 35), p(-48, 27),
    p(-52, 15), p(-57, 28), p(-64, 32), p(-70, 43), p(-69, 43), p(-64, 34), p(-57, 27), p(-52, 16),
    p(-54, 7), p(-60, 16), p(-66, 26), p(-72, 33), p(-72, 32), p(-66, 24), p(-60, 18), p(-54, 8),
    p(-56, -1), p(-62, 8), p(-68, 15), p(-74, 24), p(-74, 24), p(-68, 16), p(-62, 9), p(-56, 0),
    // KNIGHT_REACH [squares]
    p(-31, -20), p(-17, -22), p(-7, 0), p(-1, -6), p(2, 1), p(4, 11), p(9, 14), p(7, 19), p(19, 15),
    // BISHOP_REACH [squares]
    p(-29, -21), p(-22, -26), p(-14, -17), p(-8, -13), p(-6, -7), p(2, 3), p(3, 3), p(6, 5), p(3, 14),
    p(13, 17), p(20, 21), p(14, 18), p(22, 23), p(26, 24),
    // ROOK_REACH [squares]
    p(-11, -24), p(-15, -27), p(-7, -15), p(-5, -6), p(-7, -4), p(-4, 7), p(0, 4), p(-1, 13), p(0, 13),
    p(8, 9), p(3, 20), p(9, 21), p(6, 25), p(11, 28), p(18, 35),
    // QUEEN_REACH [squares]
    p(-12, -24), p(-4, -22), p(-8, -21), p(-12, -19), p(-8, -16), p(-7, -14), p(-4, -13), p(-3, -13), p(-3, -9),
    p(-6, -5), p(5, -4), p(-4, -1), p(6, 4), p(4, 7), p(-4, 4), p(0, 6), p(6, 13), p(2, 13),
    p(9, 14), p(6, 15), p(9, 19), p(10, 19), p(10, 21), p(10, 21), p(12, 24), p(13, 25), p(14, 28),
    p(15, 30),
    // DOUBLED [file from the edge]
    p(-10, -26), p(-9, -20), p(1, -8), p(2, -14),
    // ISOLATED [file from the edge]
    p(1, -7), p(-8, -11), p(-3, -5), p(-14, -17),
    // ISOLATED_IN_THE_OPEN
    p(-2, 2),
    // BACKWARD
    p(-1, -10),
    // BACKWARD_IN_THE_OPEN
    p(5, -8),
    // PHALANX [rank]
    p(0, 0), p(4, 10), p(4, 3), p(2, 5), p(13, 15), p(10, 25), p(12, 36), p(14, 49),
    // PROTECTED_PAWN [rank]
    p(0, 0), p(3, 2), p(10, 8), p(7, 4), p(6, -10), p(8, 4), p(18, 9), p(21, 14),
    // CANDIDATE [rank]
    p(0, 0), p(-2, -3), p(-1, 10), p(-1, 7), p(14, 13), p(7, 15), p(6, 18), p(7, 21),
    // RAMMED [rank]
    p(0, 0), p(10, 3), p(5, 2), p(0, 0), p(-5, -2), p(-10, -3), p(0, 0), p(0, 0),
    // PAWN_ISLAND
    p(-9, -1),
    // PASSED [rank]
    p(0, 0), p(2, 7), p(11, 15), p(17, 35), p(33, 66), p(49, 94), p(74, 142), p(98, 196),
    // PASSED_PROTECTED [rank]
    p(0, 0), p(2, 2), p(5, 0), p(3, 4), p(9, 4), p(3, 2), p(12, 9), p(14, 14),
    // PASSED_UNBLOCKED [rank]
    p(0, 0), p(2, 2), p(-1, 5), p(8, 10), p(2, 13), p(4, 19), p(9, 22), p(7, 21),
    // PASSED_SAFE_STEP [rank]
    p(0, 0), p(0, 2), p(14, 7), p(8, 15), p(9, 21), p(13, 24), p(9, 26), p(7, 21),
    // PASSED_FREE_PATH [rank]
    p(0, 0), p(0, 4), p(2, 6), p(3, 15), p(8, 26), p(9, 34), p(10, 37), p(7, 28),
    // PASSED_OWN_KING [rank, for each step]
    p(0, 0), p(-12, 1), p(1, 2), p(-6, -8), p(-4, -17), p(-5, -23), p(8, -26), p(0, -10),
    // PASSED_ENEMY_KING [rank, for each step]
    p(0, 0), p(2, 7), p(-8, -2), p(1, 5), p(-4, 16), p(8, 30), p(8, 30), p(0, 15),
    // PASSED_ROOK_BEHIND
    p(11, 16),
    // PASSED_ENEMY_ROOK_BEHIND
    p(-4, -20),
    // PASSED_UNSTOPPABLE
    p(0, 200),
    // KNIGHT_OUTPOST [without, with a pawn's protection]
    p(16, 5), p(14, 17),
    // BISHOP_OUTPOST [without, with a pawn's protection]
    p(-2, 4), p(23, 8),
    // KNIGHT_NEAR_OUTPOST
    p(21, 15),
    // MINOR_BEHIND_PAWN [knight, bishop]
    p(2, 16), p(-1, 5),
    // BISHOP_AND_PAWNS [for each pawn]
    p(-4, -3),
    // BISHOP_AND_BLOCKED_PAWNS [for each pawn]
    p(-4, -22),
    // BISHOP_ON_LONG_DIAGONAL
    p(7, 6),
    // MINOR_FROM_KING [knight, bishop, for each step]
    p(0, 0), p(-4, 3),
    // ROOK_ON_OPEN_FILE
    p(19, 11),
    // ROOK_ON_HALF_OPEN_FILE
    p(4, 17),
    // ROOK_ON_SEVENTH
    p(8, 15),
    // ROOK_TRAPPED
    p(-32, -15),
    // QUEEN_IN_LINE
    p(-13, -4),
    // PAWN_ATTACKS [pawn, knight, bishop, rook, queen]
    p(0, 0), p(50, 40), p(50, 41), p(48, 38), p(50, 40),
    // MINOR_ATTACKS [pawn, knight, bishop, rook, queen]
    p(5, 18), p(21, 25), p(19, 20), p(43, 27), p(41, 29),
    // ROOK_ATTACKS [pawn, knight, bishop, rook, queen]
    p(11, 17), p(28, 23), p(9, 31), p(2, 2), p(41, 20),
    // QUEEN_ATTACKS [pawn, knight, bishop, rook, queen]
    p(-3, 16), p(6, 6), p(1, 8), p(2, 6), p(7, 5),
    // KING_ATTACKS
    p(7, 35),
    // HANGING [pawn, piece]
    p(14, 26), p(17, 14),
    // PUSH_ATTACKS
    p(16, 18),
    // QUEEN_CHASED [by knight, by bishop or rook]
    p(4, 7), p(11, 4),
    // CONTESTED [for each square]
    p(2, -1),
    // SHELTER [file from the edge, rank of the pawn or 0]
    p(-20, 6), p(20, -1), p(9, 2), p(7, -7), p(5, -1), p(0, 6), p(-11, -1), p(-15, 0),
    p(-18, 0), p(10, -12), p(12, 1), p(9, -6), p(4, 1), p(-4, 8), p(-8, 2), p(-15, 0),
    p(-9, 5), p(6, -3), p(18, 3), p(1, -3), p(-7, -4), p(-1, 1), p(-8, 1), p(-15, 0),
    p(-12, 2), p(12, -3), p(5, 8), p(0, 2), p(-6, -1), p(-5, -6), p(-9, 0), p(-15, 0),
    // STORM [file from the edge, rank of the pawn or 0]
    p(1, -8), p(-15, 0), p(-12, 4), p(-20, 3), p(-14, 3), p(-3, -2), p(-3, -6), p(0, 0),
    p(-13, 4), p(-17, 4), p(-13, -1), p(2, 1), p(-13, -6), p(7, 9), p(3, 2), p(0, 0),
    p(-5, -4), p(-15, 4), p(-10, 4), p(4, 9), p(10, 7), p(7, 2), p(-9, -7), p(0, 0),
    p(-9, -6), p(-15, 2), p(-11, 1), p(-9, -5), p(-9, -1), p(-3, 2), p(6, 4), p(0, 0),
    // BLOCKED_STORM [rank of the pawn]
    p(-15, 0), p(-12, 0), p(-14, -6), p(-5, -3), p(1, -8), p(8, -5), p(12, 4), p(0, 0),
    // DANGER_BASE [danger]
    p(-22, 9),
    // DANGER_ATTACKER [knight, bishop, rook, queen; danger]
    p(23, 6), p(15, 6), p(9, 0), p(15, 4),
    // DANGER_ATTACKS [knight, bishop, rook, queen, for each square; danger]
    p(5, 1), p(9, 1), p(8, -5), p(4, 7),
    // DANGER_WEAK_SQUARE [for each square; danger]
    p(8, 0),
    // DANGER_SAFE_CHECK [knight, bishop, rook, queen; danger]
    p(46, 10), p(38, 10), p(45, 13), p(28, 12),
    // DANGER_CHECK [knight, bishop, rook, queen; danger]
    p(9, 8), p(10, 3), p(11, -4), p(4, 9),
    // DANGER_SHIELD [for each man; danger]
    p(35, 5),
    // DANGER_OPEN_FILES [files; danger]
    p(-5, 3), p(16, 2), p(12, 3), p(11, 0),
    // DANGER_QUEEN [danger]
    p(51, 9),
    // DANGER_DEFENDER [knight, bishop; danger]
    p(-11, -1), p(-8, 0),
    // SPACE [for each square and piece beyond three]
    p(0, 3),
    // TEMPO
    p(14, 9),
];
