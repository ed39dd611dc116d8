//! Layers with weights, forward and backward.

use super::map::{Map, sum_rows};
use super::product::{Size, Strided, product};
use super::winograd::{Sides, Weights, convolve, gradient_of_weights};
use super::workers::Workers;

/// The weights of a convolution, `[output][input][side][side]`, or of a dense layer, `[output][input]`, which is a 1×1 convolution of a board with one
/// cell.
#[derive(Clone, Copy)]
pub(super) struct Layer<'w> {
    pub weights: &'w [f32],
    pub outputs: usize,
    pub inputs: usize,
    pub side: usize,
    pub sides: Sides,
    pub workers: Workers,
}

impl<'w> Layer<'w> {
    /// A layer by the shape of its weights.
    pub fn new(weights: &'w [f32], shape: &[usize], sides: Sides, workers: Workers) -> Layer<'w> {
        let side = shape.get(2).copied().unwrap_or(1);
        Layer { weights, outputs: shape[0], inputs: shape[1], side, sides, workers }
    }

    pub fn forward(self, x: &Map) -> Map {
        if self.side == 3 {
            return convolve(x, &Weights::new(self.weights, self.inputs, false), self.sides, self.workers);
        }
        let mut y = Map::zeros(x.boards, x.cells, self.outputs);
        let (steps, columns) = (self.inputs, y.channels);
        let mut turned = vec![0.0; steps * columns];
        for (output, row) in self.weights.chunks_exact(self.inputs).enumerate() {
            row.iter().enumerate().for_each(|(input, &weight)| turned[input * columns + output] = weight);
        }
        self.products(x, &mut y, &turned, Size { rows: 0, steps, columns });
        y
    }

    /// The gradient of the input, by that of the output.
    pub fn backward(self, gradient: &Map) -> Map {
        if self.side == 3 {
            return convolve(
                gradient,
                &Weights::new(self.weights, self.inputs, true),
                self.sides,
                self.workers,
            );
        }
        let mut of_input = Map::zeros(gradient.boards, gradient.cells, self.inputs);
        let (steps, columns) = (self.outputs, of_input.channels);
        let mut filled = vec![0.0; steps * columns];
        for (row, wide) in self.weights.chunks_exact(self.inputs).zip(filled.chunks_exact_mut(columns)) {
            wide[..self.inputs].copy_from_slice(row);
        }
        self.products(gradient, &mut of_input, &filled, Size { rows: 0, steps, columns });
        of_input
    }

    /// Multiplies each row of `x` by a matrix.
    fn products(self, x: &Map, y: &mut Map, matrix: &[f32], size: Size) {
        let work = x.pieces().into_iter().zip(y.parts_mut()).collect();
        self.workers.map(
            work,
            || (),
            |(), (boards, y)| {
                let a = Strided { values: x.part(&boards), row: x.channels, step: 1 };
                product(y, a, matrix, Size { rows: boards.len() * x.cells, ..size }, false);
            },
        );
    }

    /// The gradient of the weights, by the input and the gradient of the output.
    pub fn gradient(self, x: &Map, gradient: &Map) -> Vec<f32> {
        if self.side == 3 {
            return gradient_of_weights(x, gradient, (self.inputs, self.outputs), self.sides, self.workers);
        }
        // `[output][row] · [row][input]`, some outputs for each piece of work.
        let outputs: Vec<usize> = (0..self.outputs).collect();
        let size = Size { rows: 0, steps: x.rows(), columns: x.channels };
        let parts = self.workers.map(
            outputs.chunks(6).collect(),
            || (),
            |(), outputs| {
                let mut sums = vec![0.0; outputs.len() * x.channels];
                let a = Strided { values: &gradient.values[outputs[0]..], row: 1, step: gradient.channels };
                product(&mut sums, a, &x.values, Size { rows: outputs.len(), ..size }, false);
                sums
            },
        );
        let rows = parts.iter().flat_map(|part| part.chunks_exact(x.channels));
        rows.flat_map(|row| &row[..self.inputs]).copied().collect()
    }
}

/// Adds a number for each channel to all rows.
pub(super) fn add_bias(y: &mut Map, bias: &[f32]) {
    for row in y.values.chunks_exact_mut(y.channels) {
        row.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
    }
}

/// The gradient of such numbers.
pub(super) fn gradient_of_bias(gradient: &Map, count: usize, workers: Workers) -> Vec<f32> {
    let partial = workers.map(
        gradient.pieces(),
        || (),
        |(), boards| {
            let mut sums = vec![0.0; gradient.channels];
            for row in gradient.part(&boards).chunks_exact(gradient.channels) {
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            sums
        },
    );
    let mut sums = sum_rows(&partial, gradient.channels);
    sums.truncate(count);
    sums
}
