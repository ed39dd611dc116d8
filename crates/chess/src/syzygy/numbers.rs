//! The numbers that the format gives to squares, to pairs of kings and to pawns.
//!
//! Squares are counted a1, b1 to h8. Without pawns the board is turned until the first man stands in the triangle a1, d1, d4; with pawns it is
//! mirrored until the leading pawn stands on the files a to d.

/// In how many ways so many men alike can stand on so many squares: `[men][squares]`.
pub(super) static WAYS: [[u64; 65]; 8] = {
    let mut ways = [[0; 65]; 8];
    let mut squares = 0;
    while squares < 65 {
        ways[0][squares] = 1;
        squares += 1;
    }
    let mut men = 1;
    while men < 8 {
        let mut squares = 1;
        while squares < 65 {
            ways[men][squares] = ways[men - 1][squares - 1] + ways[men][squares - 1];
            squares += 1;
        }
        men += 1;
    }
    ways
};

pub(super) const fn file(square: usize) -> usize {
    square % 8
}

pub(super) const fn rank(square: usize) -> usize {
    square / 8
}

/// The triangle: what is below the diagonal first, then the diagonal.
const TRIANGLE_SQUARES: [usize; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// The place in it of a square of the triangle.
pub(super) static TRIANGLE: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut place = 0;
    while place < 10 {
        numbers[TRIANGLE_SQUARES[place]] = place as u8;
        place += 1;
    }
    numbers
};

/// The number of a square below the long diagonal, 0 to 27.
pub(super) static BELOW: [u8; 64] = {
    let mut numbers = [0; 64];
    let (mut square, mut next) = (0, 0);
    while square < 64 {
        if rank(square) < file(square) {
            numbers[square] = next;
            next += 1;
        }
        square += 1;
    }
    numbers
};

/// In how many ways two kings can stand, up to symmetry.
pub(super) const PAIRS_OF_KINGS: u64 = 462;
/// The same for three different men, and any of them may stand beside another.
pub(super) const TRIPLES: u64 = 31_332;

/// The number of a pair of kings, the first one by its place in the triangle. Pairs on the diagonal come last.
pub(super) static KINGS: [[u16; 64]; 10] = {
    let mut numbers = [[0; 64]; 10];
    let mut next = 0;
    let mut round = 0;
    while round < 2 {
        let mut place = 0;
        while place < 10 {
            let one = TRIANGLE_SQUARES[place];
            let mut other = 0;
            while other < 64 {
                let apart = file(one).abs_diff(file(other)) > 1 || rank(one).abs_diff(rank(other)) > 1;
                let one_on_diagonal = file(one) == rank(one);
                let both_on_diagonal = one_on_diagonal && file(other) == rank(other);
                let above = one_on_diagonal && rank(other) > file(other);
                if apart && !above && both_on_diagonal == (round == 1) {
                    numbers[place][other] = next;
                    next += 1;
                }
                other += 1;
            }
            place += 1;
        }
        round += 1;
    }
    assert!(next as u64 == PAIRS_OF_KINGS);
    numbers
};

/// For each square of a pawn how many squares are left to the pawns that it leads. The one with the greatest number leads.
pub(super) static PAWN_SQUARES: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut left = 48;
    let mut of_file = 0;
    while of_file < 4 {
        let mut of_rank = 1;
        while of_rank < 7 {
            numbers[of_rank * 8 + of_file] = left - 1;
            numbers[of_rank * 8 + 7 - of_file] = left - 2;
            left -= 2;
            of_rank += 1;
        }
        of_file += 1;
    }
    numbers
};

/// No more pawns of one side can be in a table.
const MOST_PAWNS: usize = 5;

/// `[pawns][square]`: the first number of all ways in which so many pawns can stand with the leading one there, and, as a square on the eighth rank
/// of its file, how many numbers the file has.
static LEADING: [[u64; 64]; MOST_PAWNS + 1] = {
    let mut numbers = [[0; 64]; MOST_PAWNS + 1];
    let mut pawns = 1;
    while pawns <= MOST_PAWNS {
        let mut of_file = 0;
        while of_file < 4 {
            let mut next = 0;
            let mut of_rank = 1;
            while of_rank < 7 {
                let square = of_rank * 8 + of_file;
                numbers[pawns][square] = next;
                next += WAYS[pawns - 1][PAWN_SQUARES[square] as usize];
                of_rank += 1;
            }
            numbers[pawns][7 * 8 + of_file] = next;
            of_file += 1;
        }
        pawns += 1;
    }
    numbers
};

/// The first number of the ways in which so many pawns can stand with the leading one on this square.
#[inline]
pub(super) fn leading(pawns: usize, square: usize) -> u64 {
    LEADING[pawns][square]
}

/// In how many ways so many pawns can stand with the leading one on this file.
pub(super) fn ways_of_leading(pawns: usize, file: usize) -> u64 {
    LEADING[pawns][7 * 8 + file]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_can_stand_in_as_many_ways_as_there_are() {
        // Each set of squares has a mirror image, which is numbered with it, and one pawn is never its own.
        let all = |pawns| (0..4).map(|file| ways_of_leading(pawns, file)).sum::<u64>();
        assert_eq!(all(1), 24);
        // Of two pawns, the pairs of a square and its mirror image are their own mirror images.
        assert_eq!(all(2), (48 * 47 / 2 - 24) / 2 + 24);
        assert_eq!(WAYS[2][64], 64 * 63 / 2);
    }
}
