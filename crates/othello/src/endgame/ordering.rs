//! What puts moves into order, and when a cut by stable discs is worth trying.

/// From so many empty squares on, positions are evaluated: for the order of moves, and to cut selectively.
pub(super) const EVALUATED: u32 = 13;

/// What a move into an odd quadrant is worth in the order of moves.
pub(super) const PARITY: i32 = 12;
/// What each reply that a move leaves to the opponent costs it.
pub(super) const MOBILITY: i32 = 32;

/// What each square costs on which the opponent may move one day: an empty one beside discs of the mover.
pub(super) const POTENTIAL: i32 = 2;
/// What each disc of the mover on a corner, or beside it on the edge, is worth.
pub(super) const CORNER_STABLE: i32 = 4;
/// What a disc of the evaluation is worth.
pub(super) const EVALUATION: i32 = 5;

/// How deep moves are looked at for the order, by the number of empty squares before them; none if they are not evaluated.
pub(super) fn look_depth(empties: u32) -> Option<u32> {
    match empties {
        ..EVALUATED => None,
        EVALUATED..19 => Some(0),
        19..21 => Some(1),
        _ => Some(2),
    }
}

/// From which margin asked for on the opponent's stable discs are worth counting, by the number of empty squares.
pub(super) static STABLE_FROM: [i32; 64] = stable_from();

const fn stable_from() -> [i32; 64] {
    let mut table = [0; 64];
    let mut empties = 0;
    while empties < 64 {
        table[empties] = if empties < 8 {
            30
        } else if empties < 16 {
            12 + (16 - empties as i32)
        } else {
            12
        };
        empties += 1;
    }
    table
}
