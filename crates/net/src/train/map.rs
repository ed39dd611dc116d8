//! Channels of cells, for a whole batch.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut, Range};

use crate::cpu::lanes::{LANES, Vector, numbers, numbers_mut};

/// How many boards a piece of work has.
const BOARDS: usize = 8;

/// For each board and cell a row of channels: `[board][cell][channel]`. Channels beyond those of the layer are zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    pub boards: usize,
    pub cells: usize,
    /// Vectors of channels.
    pub vectors: usize,
    values: Buffer,
}

/// Memory that is used again and again: a step takes what the step before has left. To ask the system for it anew took a third of the time.
#[derive(Debug, Default)]
pub(super) struct Buffer(Vec<Vector>);

thread_local! {
    /// What lies idle.
    static IDLE: RefCell<Vec<Vec<Vector>>> = const { RefCell::new(Vec::new()) };
}

impl Buffer {
    /// So many vectors of zeros.
    pub fn zeros(length: usize) -> Buffer {
        let mut values = IDLE.with_borrow_mut(|idle| {
            // The smallest that is large enough.
            let fits = (0..idle.len()).filter(|&i| idle[i].capacity() >= length);
            fits.min_by_key(|&i| idle[i].capacity()).map(|i| idle.swap_remove(i))
        });
        let values = values.get_or_insert_default();
        values.clear();
        values.resize(length, Vector::ZERO);
        Buffer(std::mem::take(values))
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Buffer {
        let mut copy = Buffer::zeros(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl Deref for Buffer {
    type Target = [Vector];

    fn deref(&self) -> &[Vector] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [Vector] {
        &mut self.0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let values = std::mem::take(&mut self.0);
        if values.capacity() > 0 {
            // A thread that ends has no list any more.
            let _ = IDLE.try_with(|idle| idle.borrow_mut().push(values));
        }
    }
}

impl Map {
    pub fn zeros(boards: usize, cells: usize, channels: usize) -> Map {
        let vectors = channels.div_ceil(LANES);
        Map { boards, cells, vectors, values: Buffer::zeros(boards * cells * vectors) }
    }

    /// A map of zeros like this one.
    pub fn like(&self) -> Map {
        Map::zeros(self.boards, self.cells, self.channels())
    }

    /// Channels, filled up to whole vectors.
    pub fn channels(&self) -> usize {
        self.vectors * LANES
    }

    /// Rows of channels.
    pub fn rows(&self) -> usize {
        self.boards * self.cells
    }

    /// Numbers of one board.
    pub fn of_board(&self) -> usize {
        self.cells * self.channels()
    }

    /// All numbers.
    pub fn numbers(&self) -> &[f32] {
        numbers(&self.values)
    }

    /// All numbers, to be changed.
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        numbers_mut(&mut self.values)
    }

    /// All vectors.
    pub fn values(&self) -> &[Vector] {
        &self.values
    }

    /// The boards, divided into pieces of work in a way that depends on nothing but their number.
    pub fn pieces(&self) -> Vec<Range<usize>> {
        (0..self.boards).step_by(BOARDS).map(|from| from..(from + BOARDS).min(self.boards)).collect()
    }

    /// The vectors of some boards.
    pub fn part_vectors(&self, boards: &Range<usize>) -> &[Vector] {
        let of_board = self.cells * self.vectors;
        &self.values[boards.start * of_board..boards.end * of_board]
    }

    /// The numbers of some boards.
    pub fn part(&self, boards: &Range<usize>) -> &[f32] {
        numbers(self.part_vectors(boards))
    }

    /// The vectors of all pieces.
    pub fn vectors_mut(&mut self) -> Vec<&mut [Vector]> {
        let of_piece = (BOARDS * self.cells * self.vectors).max(1);
        self.values.chunks_mut(of_piece).collect()
    }

    /// The numbers of all pieces.
    pub fn parts_mut(&mut self) -> Vec<&mut [f32]> {
        self.vectors_mut().into_iter().map(numbers_mut).collect()
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
