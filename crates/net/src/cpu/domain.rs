//! The transformed boards of a group: what convolutions multiply, and what comes out.

use super::Arithmetic;
use super::integers::{self, IntegerProduct, SMALLEST_PEAK};
use super::lanes::{Lanes, Pairs, Vector, Work};
use super::layers::{Convolution, Weights};
use super::product::{Product, Strides};
use super::set::Chosen;
use super::tiling::{POINTS, Tiling};
use super::winograd::{Cells, transform_inputs, transform_outputs};

/// The memory of transformed boards, with a row for each tile of each board.
pub(super) struct Domain {
    pub tiling: Tiling,
    boards: usize,
    /// Vectors of inputs in a row.
    input_blocks: usize,
    /// Vectors of products in a row.
    output_blocks: usize,
    inputs: Inputs,
    // [tile][vector][point]
    products: Vec<Vector>,
}

/// Transformed inputs, `[tile][vector][point]`.
enum Inputs {
    Exact(Vec<Vector>),
    Fast {
        /// Two points each.
        pairs: Vec<Pairs>,
        /// The largest activation of each board.
        peaks: Vec<f32>,
        factors: [f32; POINTS],
    },
}

impl Domain {
    /// Memory for so many boards and so many vectors of inputs and products.
    pub fn new(
        tiling: Tiling,
        arithmetic: Arithmetic,
        boards: usize,
        inputs: usize,
        products: usize,
    ) -> Domain {
        let rows = boards * tiling.tiles();
        let length = |blocks: usize| rows * strides(blocks).row;
        let inputs = match arithmetic {
            Arithmetic::Exact => Inputs::Exact(vec![Vector::ZERO; length(inputs)]),
            Arithmetic::Fast => Inputs::Fast {
                pairs: vec![Pairs::ZERO; length(inputs) / 2],
                peaks: vec![0.0; boards],
                factors: integers::factors(),
            },
        };
        let products = vec![Vector::ZERO; length(products)];
        Domain { tiling, boards, input_blocks: 0, output_blocks: 0, inputs, products }
    }

    /// How many boards the group has from now on.
    pub fn set_boards(&mut self, boards: usize) {
        self.boards = boards;
    }

    /// How many boards the group has.
    pub fn boards(&self) -> usize {
        self.boards
    }

    fn rows(&self) -> usize {
        self.boards * self.tiling.tiles()
    }

    /// Multiplies what was taken last by the weights of a layer.
    pub fn multiply(&mut self, set: Chosen, layer: &Convolution) {
        debug_assert_eq!(self.input_blocks, layer.inputs());
        let rows = self.rows();
        let (input_strides, output_strides) = (strides(layer.inputs()), strides(layer.outputs()));
        self.output_blocks = layer.outputs();
        let output = &mut self.products[..];
        match (&self.inputs, &layer.weights) {
            (Inputs::Exact(input), Weights::Exact(weights)) => {
                set.run(Product { weights, rows, input, input_strides, output, output_strides });
            }
            (Inputs::Fast { pairs: input, .. }, Weights::Fast(weights)) => {
                let input_strides = Strides { row: input_strides.row / 2, vector: POINTS / 2, point: 1 };
                set.run(IntegerProduct { weights, rows, input, input_strides, output, output_strides });
            }
            _ => unreachable!("a network has one arithmetic"),
        }
    }

    /// What the products of a board must be multiplied by. To be read before the board's next inputs are taken.
    #[inline(always)]
    pub fn scale(&self, board: usize) -> f32 {
        match &self.inputs {
            Inputs::Exact(_) => 1.0,
            Inputs::Fast { peaks, .. } => peaks[board],
        }
    }

    /// Transforms a vector of a board's products back into its cells.
    #[inline(always)]
    pub fn outputs<L: Lanes>(&self, board: usize, block: usize, cells: &mut impl Cells<L>) {
        let (tiles, blocks) = (self.tiling.tiles(), self.output_blocks);
        let products = &self.products[board * tiles * blocks * POINTS..];
        let products = products.chunks_exact(blocks * POINTS);
        for (corner, products) in self.tiling.corners().zip(products) {
            let points = products[block * POINTS..].first_chunk().expect("a tile has all points");
            transform_outputs(self.tiling, corner, points, cells);
        }
    }

    /// How many vectors the inputs of the next layer have.
    pub fn expect(&mut self, blocks: usize) {
        self.input_blocks = blocks;
    }

    /// Takes a vector of a board's channels for the next layer, while they are at hand. Integers must wait for the peak: see [`Domain::take_board`].
    #[inline(always)]
    pub fn take_block<L: Lanes>(&mut self, board: usize, block: usize, frame: &[Vector]) {
        let (tiles, blocks) = (self.tiling.tiles(), self.input_blocks);
        if let Inputs::Exact(inputs) = &mut self.inputs {
            let inputs = inputs[board * tiles * blocks * POINTS..].chunks_exact_mut(blocks * POINTS);
            for ((row, column), inputs) in self.tiling.corners().zip(inputs) {
                let corner = row * self.tiling.width() + column;
                let points = transform_inputs::<L>(frame, corner, self.tiling.width());
                let inputs = &mut inputs[block * POINTS..][..POINTS];
                for (point, value) in points.as_flattened().iter().zip(inputs) {
                    point.store(value);
                }
            }
        }
    }

    /// Takes all channels of a board, once each vector of them was taken, with the largest activation in each lane.
    #[inline(always)]
    pub fn take_board<L: Lanes>(&mut self, board: usize, frames: &[Vector], peaks_of_lanes: L) {
        let (tiles, blocks) = (self.tiling.tiles(), self.input_blocks);
        if let Inputs::Fast { pairs, peaks, factors } = &mut self.inputs {
            let peak = peaks_of_lanes.largest().max(SMALLEST_PEAK);
            peaks[board] = peak;
            let factors = factors.map(|factor| factor / peak);
            let pairs =
                pairs[board * tiles * blocks * (POINTS / 2)..].chunks_exact_mut(blocks * (POINTS / 2));
            for ((row, column), pairs) in self.tiling.corners().zip(pairs) {
                let corner = row * self.tiling.width() + column;
                let frames = frames.chunks_exact(self.tiling.frame());
                for (frame, pairs) in frames.zip(pairs.chunks_exact_mut(POINTS / 2)) {
                    let points = transform_inputs::<L>(frame, corner, self.tiling.width());
                    let points = points.as_flattened();
                    for (i, pairs) in pairs.iter_mut().enumerate() {
                        let first = points[2 * i].mul(L::splat(factors[2 * i]));
                        let second = points[2 * i + 1].mul(L::splat(factors[2 * i + 1]));
                        *pairs = first.to_pairs(second);
                    }
                }
            }
        }
    }
}

/// All points of a tile and a vector of channels lie together, where transforms find them at known places.
fn strides(blocks: usize) -> Strides {
    Strides { row: POINTS * blocks, vector: POINTS, point: 1 }
}

/// Takes framed boards as inputs of the next layer.
pub(super) struct Take<'a> {
    pub domain: &'a mut Domain,
    /// `[board][vector][cell of the frame]`.
    pub frames: &'a [Vector],
    pub blocks: usize,
}

impl Work for Take<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let frame = self.domain.tiling.frame();
        self.domain.expect(self.blocks);
        for (board, frames) in
            self.frames.chunks_exact(self.blocks * frame).take(self.domain.boards).enumerate()
        {
            let mut peaks = L::zero();
            for (block, frame) in frames.chunks_exact(frame).enumerate() {
                for cell in frame {
                    peaks = L::load(cell).max(peaks);
                }
                self.domain.take_block::<L>(board, block, frame);
            }
            self.domain.take_board::<L>(board, frames, peaks);
        }
    }
}
