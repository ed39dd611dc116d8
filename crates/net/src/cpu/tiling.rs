//! How a board of any size is cut into tiles.

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

    /// The first row and column of a tile on the board; in the frame, where its surroundings begin.
    #[inline(always)]
    pub fn corner(self, tile: usize) -> (usize, usize) {
        (tile / self.across * TILE, tile % self.across * TILE)
    }

    /// Where a cell of the board stands in the frame.
    #[inline(always)]
    pub fn place(self, row: usize, column: usize) -> usize {
        (row + 1) * self.width + column + 1
    }

    /// Where all cells of the board stand in the frame, row by row.
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..self.cells()).map(move |cell| self.place(cell / self.columns, cell % self.columns))
    }
}
