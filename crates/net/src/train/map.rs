//! Channels of cells, for a whole batch.

use std::ops::Range;

/// How many channels are computed at once; there are always a multiple of it.
pub(super) const LANES: usize = 16;
/// How many boards a piece of work has.
const BOARDS: usize = 8;

/// For each board and cell a row of channels: `[board][cell][channel]`. Channels beyond those of the layer are zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    pub boards: usize,
    pub cells: usize,
    /// Filled up to a multiple of [`LANES`].
    pub channels: usize,
    pub values: Vec<f32>,
}

impl Map {
    pub fn zeros(boards: usize, cells: usize, channels: usize) -> Map {
        let channels = channels.next_multiple_of(LANES);
        Map { boards, cells, channels, values: vec![0.0; boards * cells * channels] }
    }

    /// A map of zeros like this one.
    pub fn like(&self) -> Map {
        Map::zeros(self.boards, self.cells, self.channels)
    }

    /// Rows of channels.
    pub fn rows(&self) -> usize {
        self.boards * self.cells
    }

    /// Numbers of one board.
    pub fn of_board(&self) -> usize {
        self.cells * self.channels
    }

    /// The boards, divided into pieces of work in a way that depends on nothing but their number.
    pub fn pieces(&self) -> Vec<Range<usize>> {
        (0..self.boards).step_by(BOARDS).map(|from| from..(from + BOARDS).min(self.boards)).collect()
    }

    /// The rows of some boards.
    pub fn part(&self, boards: &Range<usize>) -> &[f32] {
        &self.values[boards.start * self.of_board()..boards.end * self.of_board()]
    }

    /// The rows of all pieces.
    pub fn parts_mut(&mut self) -> Vec<&mut [f32]> {
        let of_piece = (BOARDS * self.of_board()).max(1);
        self.values.chunks_mut(of_piece).collect()
    }
}

/// Adds up rows of numbers, in their order.
pub(super) fn sum_rows(rows: &[Vec<f32>], length: usize) -> Vec<f32> {
    let mut sums = vec![0.0; length];
    for row in rows {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    sums
}
