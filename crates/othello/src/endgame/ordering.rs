//! What puts moves into order, and when a cut by stable discs is worth trying.

/// What a move into an odd quadrant is worth in the order of moves.
pub(super) const PARITY: i32 = 12;
/// What each reply that a move leaves to the opponent costs it.
pub(super) const MOBILITY: i32 = 32;

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
