//! By how much late moves are searched less deeply.

use super::AlphaBetaOptions;

/// Depths and numbers of moves that are told apart.
const SIZE: usize = 64;
/// Reductions are counted in parts of a ply, so that several reasons add up.
pub(super) const PLY: i32 = 1024;

/// A table of the reductions, which grow with the logarithms of depth and number.
pub(super) struct Reductions {
    // [depth][number of the move]
    table: Box<[[i32; SIZE]; SIZE]>,
}

impl Reductions {
    pub fn new(options: &AlphaBetaOptions) -> Reductions {
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let logarithms = (depth as f64).ln() * (number as f64).ln();
                let plies = options.reduction_base + logarithms / options.reduction_divisor;
                *reduction = (plies * f64::from(PLY)) as i32;
            }
        }
        Reductions { table }
    }

    /// In parts of a ply.
    #[inline]
    pub fn of(&self, depth: i32, number: usize) -> i32 {
        self.table[(depth as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }
}
