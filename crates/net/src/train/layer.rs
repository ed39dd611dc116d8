//! Layers with weights, forward and backward.

use super::map::{Map, sum_rows};
use super::product::{Left, product};
use super::winograd::{Weights, convolve, gradient_of_weights};
use super::workers::Workers;
use crate::cpu::lanes::{Vector, numbers, numbers_mut};
use crate::cpu::tiling::Tiling;

/// Outputs of a piece of work.
const OUTPUTS: usize = 6;

/// The weights of a convolution, `[output][input][side][side]`, or of a dense layer, `[output][input]`, which is a 1×1 convolution of a board with one
/// cell.
#[derive(Clone, Copy)]
pub(super) struct Layer<'w> {
    pub weights: &'w [f32],
    pub outputs: usize,
    pub inputs: usize,
    pub side: usize,
    pub tiling: Tiling,
    pub workers: Workers,
}

impl<'w> Layer<'w> {
    /// A layer by the shape of its weights.
    pub fn new(weights: &'w [f32], shape: &[usize], tiling: Tiling, workers: Workers) -> Layer<'w> {
        let side = shape.get(2).copied().unwrap_or(1);
        Layer { weights, outputs: shape[0], inputs: shape[1], side, tiling, workers }
    }

    pub fn forward(self, x: &Map) -> Map {
        if self.side == 3 {
            return convolve(x, &Weights::new(self.weights, self.inputs, false), self.tiling, self.workers);
        }
        let mut y = Map::zeros(x.boards, x.cells, self.outputs);
        let mut turned = vec![Vector::ZERO; self.inputs * y.vectors];
        let (columns, turned_numbers) = (y.channels(), numbers_mut(&mut turned));
        for (output, row) in self.weights.chunks_exact(self.inputs).enumerate() {
            row.iter()
                .enumerate()
                .for_each(|(input, &weight)| turned_numbers[input * columns + output] = weight);
        }
        self.products(x, &mut y, &turned, self.inputs);
        y
    }

    /// The gradient of the input, by that of the output.
    pub fn backward(self, gradient: &Map) -> Map {
        if self.side == 3 {
            return convolve(
                gradient,
                &Weights::new(self.weights, self.inputs, true),
                self.tiling,
                self.workers,
            );
        }
        let mut of_input = Map::zeros(gradient.boards, gradient.cells, self.inputs);
        let mut filled = vec![Vector::ZERO; self.outputs * of_input.vectors];
        let wide_rows = numbers_mut(&mut filled).chunks_exact_mut(of_input.channels());
        for (row, wide) in self.weights.chunks_exact(self.inputs).zip(wide_rows) {
            wide[..self.inputs].copy_from_slice(row);
        }
        self.products(gradient, &mut of_input, &filled, self.outputs);
        of_input
    }

    /// Multiplies each row of `x` by a matrix with so many rows.
    fn products(self, x: &Map, y: &mut Map, matrix: &[Vector], steps: usize) {
        let work = x.pieces().into_iter().zip(y.vectors_mut()).collect();
        self.workers.map(
            work,
            || (),
            |(), (boards, y)| {
                let a = Left::Plain { values: x.part_vectors(&boards), row: x.vectors };
                product(y, a, matrix, (boards.len() * x.cells, steps));
            },
        );
    }

    /// The gradient of the weights, by the input and the gradient of the output.
    pub fn gradient(self, x: &Map, gradient: &Map) -> Vec<f32> {
        if self.side == 3 {
            return gradient_of_weights(x, gradient, (self.inputs, self.outputs), self.tiling, self.workers);
        }
        // `[output][row] · [row][input]`, some outputs for each piece of work.
        let outputs = (0..self.outputs).step_by(OUTPUTS).collect();
        let parts = self.workers.map(
            outputs,
            || (),
            |(), first: usize| {
                let count = OUTPUTS.min(self.outputs - first);
                let mut sums = vec![Vector::ZERO; count * x.vectors];
                let a = Left::Turned { values: gradient.values(), row: gradient.vectors, first };
                product(&mut sums, a, x.values(), (count, x.rows()));
                sums
            },
        );
        let rows = parts.iter().flat_map(|part| numbers(part).chunks_exact(x.channels()));
        rows.flat_map(|row| &row[..self.inputs]).copied().collect()
    }
}

/// Adds a number for each channel to all rows.
pub(super) fn add_bias(y: &mut Map, bias: &[f32]) {
    let channels = y.channels();
    for row in y.numbers_mut().chunks_exact_mut(channels) {
        row.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
    }
}

/// The gradient of such numbers.
pub(super) fn gradient_of_bias(gradient: &Map, count: usize, workers: Workers) -> Vec<f32> {
    let partial = workers.map(
        gradient.pieces(),
        || (),
        |(), boards| {
            let mut sums = vec![0.0; gradient.channels()];
            for row in gradient.part(&boards).chunks_exact(gradient.channels()) {
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            sums
        },
    );
    let mut sums = sum_rows(&partial, gradient.channels());
    sums.truncate(count);
    sums
}
