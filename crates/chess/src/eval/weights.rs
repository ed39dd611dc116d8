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
    p(75, 106), p(267, 359), p(297, 397), p(417, 627), p(885, 1158),
    // BISHOP_PAIR
    p(33, 35),
    // KNIGHT_AND_PAWNS [own pawns]
    p(-155, 34), p(16, -23), p(15, -10), p(-17, 17), p(-11, 17), p(-8, 16), p(-2, 30), p(0, 37), p(-1, 52),
    // ROOK_AND_PAWNS [own pawns]
    p(45, -16), p(41, -8), p(-20, 37), p(4, 33), p(-2, 26), p(-3, 29), p(-6, 20), p(-10, 13), p(-10, 10),
    // PAWN_ON [rank, file from the edge]
    p(0, -8), p(0, -8), p(1, -8), p(1, -8), p(-12, 5), p(1, 20), p(-8, 2), p(-3, 5),
    p(-12, 9), p(1, 9), p(-4, 6), p(0, 6), p(-9, 12), p(-1, 20), p(0, 10), p(-3, 0),
    p(-4, 9), p(15, 8), p(10, -4), p(9, -11), p(4, -1), p(12, -7), p(40, 18), p(17, 1),
    p(4, -7), p(13, 2), p(-8, 23), p(19, 5), p(0, 20), p(0, 20), p(1, 20), p(1, 20),
    // KNIGHT_ON [rank, file from the edge]
    p(15, -6), p(-4, 1), p(-16, 36), p(5, 8), p(-3, 0), p(3, 27), p(9, -12), p(13, 2),
    p(-1, 14), p(13, 5), p(15, -12), p(11, 21), p(7, 26), p(13, 16), p(25, 19), p(21, 25),
    p(17, 7), p(10, 25), p(22, 19), p(26, 43), p(22, 8), p(16, 10), p(-3, 19), p(50, 13),
    p(10, -1), p(7, 25), p(20, 33), p(24, 26), p(-65, -10), p(12, 3), p(5, 24), p(12, 24),
    // BISHOP_ON [rank, file from the edge]
    p(-7, 3), p(23, -19), p(-11, 10), p(-4, -5), p(10, -5), p(11, -7), p(4, 19), p(0, 1),
    p(2, -10), p(4, 30), p(10, 1), p(4, 23), p(10, 5), p(5, 4), p(8, 24), p(2, 23),
    p(-6, -7), p(3, 28), p(14, 30), p(7, 25), p(8, 9), p(-16, 34), p(30, 12), p(22, 5),
    p(11, 17), p(-12, 6), p(2, 0), p(25, 3), p(-15, -3), p(-9, 22), p(8, 9), p(7, 4),
    // ROOK_ON [rank, file from the edge]
    p(-5, -18), p(-6, -10), p(-4, -11), p(-1, -8), p(-19, -4), p(-18, -7), p(-11, 0), p(-5, -11),
    p(-12, 5), p(8, -3), p(-5, -2), p(1, 5), p(-4, 1), p(-15, 18), p(-1, 3), p(3, 0),
    p(-17, 18), p(-10, 14), p(4, 6), p(9, 13), p(0, 3), p(-8, 4), p(14, 6), p(26, 9),
    p(4, 8), p(7, 11), p(22, -2), p(19, 4), p(18, -7), p(28, 4), p(-4, 10), p(14, 18),
    // QUEEN_ON [rank, file from the edge]
    p(3, -19), p(-9, -1), p(-8, -29), p(0, -34), p(-16, -8), p(1, 1), p(-1, 9), p(4, 0),
    p(0, -9), p(-2, 13), p(1, 33), p(-8, 32), p(2, 25), p(-7, 15), p(2, 18), p(-5, 10),
    p(20, -7), p(-5, -2), p(-5, 25), p(-9, 30), p(5, 5), p(13, 17), p(2, 3), p(15, 26),
    p(-19, 19), p(-6, -1), p(-20, 27), p(-2, 29), p(21, -1), p(-14, 15), p(2, 6), p(14, 15),
    // KING_ON [square]
    p(-24, -28), p(-9, -15), p(-8, -17), p(-17, -2), p(-15, -4), p(-10, -7), p(1, -2), p(-1, -14),
    p(-3, 1), p(-18, 4), p(-13, 13), p(-29, 21), p(-29, 16), p(-12, 11), p(-14, 8), p(-12, 2),
    p(-10, -13), p(-30, 13), p(-55, 14), p(-49, 28), p(-66, 30), p(-42, 34), p(-11, 17), p(-19, 19),
    p(-29, 17), p(-40, 36), p(-71, 24), p(-91, 43), p(-45, 40), p(-67, 45), p(-64, 44), p(-22, 31),
    p(-45, 33), p(-63, 38), p(-82, 34), p(-78, 52), p(-85, 47), p(-75, 49), p(-68, 50), p(-48, 32),
    p(-48, 7), p(-52, 73), p(-50, 41), p(-75, 62), p(-68, 68), p(-70, 48), p(-46, 50), p(-63, 22),
    p(-60, -6), p(-58, 38), p(-50, 61), p(-66, 71), p(-63, 64), p(-70, 25), p(-51, 64), p(-54, 31),
    p(-70, -52), p(-64, 17), p(-64, 14), p(-76, 38), p(-75, 35), p(-60, 27), p(-67, 43), p(-72, -30),
    // KNIGHT_REACH [squares]
    p(-37, -57), p(-17, -39), p(-10, 9), p(-6, 9), p(-4, 17), p(-1, 35), p(-3, 43), p(3, 48), p(12, 42),
    // BISHOP_REACH [squares]
    p(-26, -2), p(-23, -23), p(-14, 6), p(-12, 12), p(-9, 19), p(-3, 30), p(-2, 29), p(-2, 33), p(-1, 34),
    p(4, 35), p(18, 29), p(3, 30), p(7, 34), p(-6, 22),
    // ROOK_REACH [squares]
    p(-28, -34), p(-11, -35), p(-8, -3), p(-4, 4), p(-7, -1), p(-7, 17), p(-1, 20), p(-4, 27), p(-1, 28),
    p(6, 27), p(-2, 36), p(5, 39), p(4, 40), p(6, 46), p(25, 41),
    // QUEEN_REACH [squares]
    p(-12, -24), p(4, -21), p(-6, -44), p(-9, -39), p(-8, -17), p(-8, -21), p(-5, -29), p(-4, -11), p(-4, -13),
    p(-3, 0), p(7, -4), p(2, -4), p(3, 18), p(3, 23), p(-2, 25), p(0, 34), p(5, 29), p(-14, 44),
    p(10, 33), p(-10, 41), p(4, 29), p(14, 7), p(2, 16), p(-11, 5), p(14, 18), p(12, 9), p(10, 22),
    p(8, 20),
    // DOUBLED [file from the edge]
    p(-17, -39), p(-5, -25), p(-1, -1), p(-2, -1),
    // ISOLATED [file from the edge]
    p(4, -1), p(-15, -12), p(-3, -14), p(-11, -21),
    // ISOLATED_IN_THE_OPEN
    p(-5, -3),
    // BACKWARD
    p(-3, -9),
    // BACKWARD_IN_THE_OPEN
    p(2, -9),
    // PHALANX [rank]
    p(0, 0), p(6, 7), p(4, 2), p(2, 5), p(11, 15), p(33, 41), p(23, 66), p(14, 49),
    // PROTECTED_PAWN [rank]
    p(0, 0), p(3, 2), p(12, 11), p(8, 5), p(5, 3), p(0, 58), p(32, 13), p(21, 14),
    // CANDIDATE [rank]
    p(0, 0), p(-2, -11), p(-2, 8), p(-1, 6), p(0, 25), p(13, -23), p(6, 18), p(7, 21),
    // RAMMED [rank]
    p(0, 0), p(15, 6), p(5, 0), p(0, 0), p(-5, 0), p(-15, -6), p(0, 0), p(0, 0),
    // PAWN_ISLAND
    p(-8, 2),
    // PASSED [rank]
    p(0, 0), p(-3, 41), p(31, 6), p(-5, 53), p(20, 72), p(47, 43), p(115, 58), p(98, 196),
    // PASSED_PROTECTED [rank]
    p(0, 0), p(2, 2), p(3, -13), p(3, 7), p(12, 12), p(4, -21), p(26, 13), p(14, 14),
    // PASSED_UNBLOCKED [rank]
    p(0, 0), p(5, -6), p(-3, 10), p(9, 9), p(-3, 15), p(17, 31), p(34, 58), p(7, 21),
    // PASSED_SAFE_STEP [rank]
    p(0, 0), p(-1, -10), p(25, 6), p(4, 15), p(15, 21), p(35, 37), p(19, 39), p(7, 21),
    // PASSED_FREE_PATH [rank]
    p(0, 0), p(-41, 22), p(-3, 19), p(-21, 17), p(2, 34), p(9, 70), p(15, 99), p(7, 28),
    // PASSED_OWN_KING [rank, for each step]
    p(0, 0), p(-7, -1), p(-2, 1), p(9, -16), p(2, -19), p(-8, -17), p(-3, -19), p(0, -10),
    // PASSED_ENEMY_KING [rank, for each step]
    p(0, 0), p(1, -2), p(-11, -1), p(-6, 9), p(-10, 19), p(-2, 38), p(4, 48), p(0, 15),
    // PASSED_ROOK_BEHIND
    p(14, 13),
    // PASSED_ENEMY_ROOK_BEHIND
    p(-2, -59),
    // PASSED_UNSTOPPABLE
    p(-3, 164),
    // KNIGHT_OUTPOST [without, with a pawn's protection]
    p(12, -5), p(14, 3),
    // BISHOP_OUTPOST [without, with a pawn's protection]
    p(6, -1), p(24, 0),
    // KNIGHT_NEAR_OUTPOST
    p(18, 18),
    // MINOR_BEHIND_PAWN [knight, bishop]
    p(3, 13), p(2, 8),
    // BISHOP_AND_PAWNS [for each pawn]
    p(-3, -2),
    // BISHOP_AND_BLOCKED_PAWNS [for each pawn]
    p(-3, -21),
    // BISHOP_ON_LONG_DIAGONAL
    p(3, 15),
    // MINOR_FROM_KING [knight, bishop, for each step]
    p(0, -6), p(-2, -1),
    // ROOK_ON_OPEN_FILE
    p(20, 6),
    // ROOK_ON_HALF_OPEN_FILE
    p(7, 3),
    // ROOK_ON_SEVENTH
    p(5, 0),
    // ROOK_TRAPPED
    p(-25, -16),
    // QUEEN_IN_LINE
    p(-13, -11),
    // PAWN_ATTACKS [pawn, knight, bishop, rook, queen]
    p(0, 0), p(49, 50), p(49, 72), p(53, 16), p(50, 42),
    // MINOR_ATTACKS [pawn, knight, bishop, rook, queen]
    p(5, 18), p(16, 41), p(18, 29), p(48, 28), p(51, -3),
    // ROOK_ATTACKS [pawn, knight, bishop, rook, queen]
    p(6, 21), p(28, 26), p(22, 44), p(4, 28), p(40, 36),
    // QUEEN_ATTACKS [pawn, knight, bishop, rook, queen]
    p(-1, 11), p(10, -9), p(4, 37), p(3, 25), p(9, -23),
    // KING_ATTACKS
    p(9, 28),
    // HANGING [pawn, piece]
    p(12, 26), p(9, 7),
    // PUSH_ATTACKS
    p(14, 18),
    // QUEEN_CHASED [by knight, by bishop or rook]
    p(9, -4), p(12, 6),
    // CONTESTED [for each square]
    p(3, 0),
    // SHELTER [file from the edge, rank of the pawn or 0]
    p(-13, 5), p(28, -9), p(21, -7), p(17, -12), p(-3, 4), p(-1, 39), p(-20, 0), p(-15, 0),
    p(-9, -9), p(14, -23), p(13, -7), p(3, -16), p(-5, -4), p(-13, 24), p(28, 20), p(-15, 0),
    p(-10, -1), p(12, 2), p(9, 7), p(4, -2), p(-2, -7), p(-12, 3), p(20, -4), p(-15, 0),
    p(-14, -3), p(5, 1), p(-1, -3), p(-2, -5), p(-11, 6), p(-13, 5), p(14, 15), p(-15, 0),
    // STORM [file from the edge, rank of the pawn or 0]
    p(-10, -28), p(3, -13), p(19, -8), p(-35, 4), p(-14, 3), p(-14, -12), p(-8, -21), p(0, 0),
    p(-18, 2), p(-19, 33), p(-18, 3), p(3, 2), p(-15, 13), p(-1, 7), p(-10, 13), p(0, 0),
    p(4, -6), p(-23, 33), p(-5, 8), p(15, 15), p(11, 14), p(21, 0), p(10, -9), p(0, 0),
    p(-7, -5), p(-29, 40), p(-10, -13), p(-6, -15), p(-7, -5), p(-2, -10), p(5, 2), p(0, 0),
    // BLOCKED_STORM [rank of the pawn]
    p(-15, 0), p(-12, 0), p(12, -53), p(-5, -13), p(-6, -14), p(3, -9), p(31, -20), p(0, 0),
    // DANGER_BASE [danger]
    p(-38, 11),
    // DANGER_ATTACKER [knight, bishop, rook, queen; danger]
    p(17, 40), p(1, -9), p(6, -63), p(13, -98),
    // DANGER_ATTACKS [knight, bishop, rook, queen, for each square; danger]
    p(4, -7), p(10, 18), p(6, 4), p(0, 23),
    // DANGER_WEAK_SQUARE [for each square; danger]
    p(10, -32),
    // DANGER_SAFE_CHECK [knight, bishop, rook, queen; danger]
    p(52, 36), p(36, 49), p(51, 72), p(21, 77),
    // DANGER_CHECK [knight, bishop, rook, queen; danger]
    p(10, 35), p(9, 48), p(9, -4), p(3, 37),
    // DANGER_SHIELD [for each man; danger]
    p(34, 80),
    // DANGER_OPEN_FILES [files; danger]
    p(-10, -5), p(12, 8), p(11, -4), p(-11, 7),
    // DANGER_QUEEN [danger]
    p(72, 99),
    // DANGER_FLANK [for each square, twice if attacked twice; danger]
    p(4, 1),
    // DANGER_FLANK_HELD [for each square; danger]
    p(-2, 2),
    // DANGER_DEFENDER [knight, bishop; danger]
    p(-8, -23), p(-4, 25),
    // SPACE [for each square and piece beyond three]
    p(0, 1),
    // TEMPO
    p(12, 12),
];
