//! What is known of squares before any search: their neighbours, their quadrant, how good they mostly are.

/// The corners.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The squares of the quadrants whose bits are set: a quadrant is a quarter of the board, and stands in for a region of empty squares.
pub(super) static QUADRANTS: [u64; 16] = quadrants();

/// The bit of each square's quadrant.
pub(super) static QUADRANT: [u8; 64] = quadrant();

/// The squares beside each square.
pub(super) static NEIGHBOURS: [u64; 64] = neighbours();

/// How good a move to each square mostly is: corners best, the squares diagonally beside them worst.
pub(super) static WORTH: [u8; 64] = worth();

/// The quadrants with an odd number of empty squares: who plays into one of them mostly has its last word.
#[inline]
pub(super) fn odd_quadrants(empty: u64) -> u8 {
    let odd = |squares: u64| (squares.count_ones() & 1) as u8;
    let mut bits = 0;
    let mut quadrant = 0;
    while quadrant < 4 {
        bits |= odd(empty & QUADRANTS[1 << quadrant]) << quadrant;
        quadrant += 1;
    }
    bits
}

const fn quadrant() -> [u8; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = 1 << (square / 32 * 2 + square % 8 / 4);
        square += 1;
    }
    table
}

const fn quadrants() -> [u64; 16] {
    let of = quadrant();
    let mut table = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut square = 0;
        while square < 64 {
            if of[square] as usize & bits != 0 {
                table[bits] |= 1 << square;
            }
            square += 1;
        }
        bits += 1;
    }
    table
}

const fn neighbours() -> [u64; 64] {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let rows = (from / 8_usize).abs_diff(to / 8);
            let columns = (from % 8).abs_diff(to % 8);
            if from != to && rows <= 1 && columns <= 1 {
                table[from] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    table
}

const fn worth() -> [u8; 64] {
    // A quarter of the board, from its corner.
    const QUARTER: [[u8; 4]; 4] = [[18, 4, 16, 12], [4, 2, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        table[square] = QUARTER[row][column];
        square += 1;
    }
    table
}
