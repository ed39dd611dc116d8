//! How a board of any size is cut into tiles.

use std::ops::Range;

use crate::description::BoardSize;

/// Cells of a tile's side.
pub(crate) const TILE: usize = 4;
/// Numbers in a row of a transformed tile.
pub(crate) const SIDE: usize = 6;
/// Numbers of a transformed tile.
pub(crate) const POINTS: usize = SIDE * SIDE;

/// A board, cut into tiles of 4×4 cells. What lies beyond the board in its last tiles is never written and stays zero, as does a frame of one cell around
/// all tiles: so a convolution needs no case for the edge.
///
/// ```text
///   . . . . . . . . . .
///   . a a a a b b b . .      a board of 7 columns and 6 rows has four tiles,
///   . a a a a b b b . .      in a frame of 10 × 10
///   . a a a a b b b . .
///   . a a a a b b b . .
///   . c c c c d d d . .
///   . c c c c d d d . .
///   . . . . . . . . . .
///   . . . . . . . . . .
///   . . . . . . . . . .
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiling {
    pub rows: usize,
    pub columns: usize,
    down: usize,
    across: usize,
    width: usize,
}

impl Tiling {
    pub fn new(board: BoardSize) -> Tiling {
        let BoardSize { rows, columns } = board;
        let (down, across) = (rows.div_ceil(TILE), columns.div_ceil(TILE));
        Tiling { rows, columns, down, across, width: TILE * across + 2 }
    }

    /// Cells of the board.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// Cells of the frame with all that it holds.
    pub fn frame(self) -> usize {
        (TILE * self.down + 2) * self.width
    }

    /// From a cell of the frame to the one above.
    pub fn width(self) -> usize {
        self.width
    }

    /// How many tiles there are.
    pub fn tiles(self) -> usize {
        self.down * self.across
    }

    /// The first row and column of each tile on the board; in the frame, its surroundings begin there.
    #[inline(always)]
    pub fn corners(self) -> impl Iterator<Item = (usize, usize)> {
        let rows = (0..self.down).map(|row| row * TILE);
        rows.flat_map(move |row| (0..self.across).map(move |column| (row, column * TILE)))
    }

    /// Where a cell of the board stands in the frame.
    #[inline(always)]
    pub fn place(self, row: usize, column: usize) -> usize {
        (row + 1) * self.width + column + 1
    }

    /// Where the cells of each row of the board stand in the frame.
    #[inline(always)]
    pub fn places(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.rows).map(move |row| self.place(row, 0)..self.place(row, self.columns))
    }
}
