//! The transformed boards of a group: what convolutions multiply, and what comes out.

use super::Arithmetic;
use super::integers::{self, IntegerProduct, SMALLEST_PEAK};
use super::lanes::{Lanes, Pairs, Vector, Work};
use super::layers::{Convolution, Weights};
use super::product::{Product, Strides};
use super::set::Chosen;
use super::tiling::{POINTS, Tiling};
use super::winograd::{Cells, Points, PointsMut, transform_inputs, transform_outputs};

/// The memory of transformed boards, with a row for each tile of each board.
pub(super) struct Domain {
    pub tiling: Tiling,
    boards: usize,
    /// Vectors of inputs in a row.
    input_blocks: usize,
    /// Vectors of products in a row.
    output_blocks: usize,
    inputs: Inputs,
    // [point][tile][vector]
    products: Vec<Vector>,
}

/// Transformed inputs, `[point][tile][vector]`.
enum Inputs {
    Exact(Vec<Vector>),
    Fast {
        /// `[two points][tile][vector]`.
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
        let length = |blocks: usize| POINTS * strides(rows, blocks).point;
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
        let (input_strides, output_strides) = (strides(rows, layer.inputs()), strides(rows, layer.outputs()));
        self.output_blocks = layer.outputs();
        let output = &mut self.products[..];
        match (&self.inputs, &layer.weights) {
            (Inputs::Exact(input), Weights::Exact(weights)) => {
                set.run(Product { weights, rows, input, input_strides, output, output_strides });
            }
            (Inputs::Fast { pairs: input, .. }, Weights::Fast(weights)) => {
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
        let stride = strides(self.rows(), blocks).point;
        for (tile, corner) in self.tiling.corners().enumerate() {
            let place = (board * tiles + tile) * blocks + block;
            let points = Points::new(&self.products[place..], stride);
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
        let stride = strides(self.rows(), blocks).point;
        if let Inputs::Exact(inputs) = &mut self.inputs {
            for (tile, (row, column)) in self.tiling.corners().enumerate() {
                let corner = row * self.tiling.width() + column;
                let points = transform_inputs::<L>(frame, corner, self.tiling.width());
                let place = (board * tiles + tile) * blocks + block;
                PointsMut::new(&mut inputs[place..], stride).store(&points);
            }
        }
    }

    /// Takes all channels of a board, once each vector of them was taken, with the largest activation in each lane.
    #[inline(always)]
    pub fn take_board<L: Lanes>(&mut self, board: usize, frames: &[Vector], peaks_of_lanes: L) {
        let (tiles, blocks) = (self.tiling.tiles(), self.input_blocks);
        let stride = strides(self.rows(), blocks).point;
        if let Inputs::Fast { pairs, peaks, factors } = &mut self.inputs {
            let peak = peaks_of_lanes.largest().max(SMALLEST_PEAK);
            peaks[board] = peak;
            let factors = factors.map(|factor| factor / peak);
            for (tile, (row, column)) in self.tiling.corners().enumerate() {
                let corner = row * self.tiling.width() + column;
                for (block, frame) in frames.chunks_exact(self.tiling.frame()).take(blocks).enumerate() {
                    let points = transform_inputs::<L>(frame, corner, self.tiling.width());
                    let points = points.as_flattened();
                    let place = (board * tiles + tile) * blocks + block;
                    for i in 0..POINTS / 2 {
                        let first = points[2 * i].mul(L::splat(factors[2 * i]));
                        let second = points[2 * i + 1].mul(L::splat(factors[2 * i + 1]));
                        pairs[i * stride + place] = first.to_pairs(second);
                    }
                }
            }
        }
    }
}

/// The tiles of a point lie together, where products read one after the other.
fn strides(rows: usize, blocks: usize) -> Strides {
    // A cache line more, so that the points of a tile do not compete for the same place in a cache.
    Strides { row: blocks, point: rows * blocks + 1 }
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
