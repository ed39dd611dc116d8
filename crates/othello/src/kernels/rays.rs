//! The squares that lie in each direction from a square.

/// For each square the eight rays that leave it, the square itself excluded: first the four that lead to
/// higher square numbers (east, south-west, south, south-east), then the four opposite ones.
#[repr(align(64))]
pub(super) struct Rays(pub [[u64; 8]; 64]); // [square][direction]

pub(super) static RAYS: Rays = Rays(rays());

/// How far apart the squares of a ray are, in the order of [`Rays`]; the opposite rays have the same four.
#[cfg(target_arch = "x86_64")]
pub(super) const STEPS: [i64; 4] = [1, 7, 8, 9];

const fn rays() -> [[u64; 8]; 64] {
    // (rows down, columns right)
    const DIRECTIONS: [(i32, i32); 8] =
        [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    let mut table = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (down, right) = DIRECTIONS[direction];
            let (mut row, mut column) = (square as i32 / 8 + down, square as i32 % 8 + right);
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                table[square][direction] |= 1 << (row * 8 + column);
                row += down;
                column += right;
            }
            direction += 1;
        }
        square += 1;
    }
    table
}
