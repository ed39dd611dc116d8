//! The transformed boards of a group: what convolutions multiply, and what comes out.

use super::Arithmetic;
use super::integers::{self, IntegerProduct, SMALLEST_PEAK};
use super::lanes::{LANES, Lanes, Pairs, Vector, Work};
use super::layers::{Convolution, Weights};
use super::product::Product;
use super::set::Chosen;
use super::tiling::{POINTS, Tiling};
use super::winograd::{transform_inputs, transform_outputs};

/// The memory of transformed boards, with a row for each tile of each board.
pub(super) struct Domain {
    pub tiling: Tiling,
    boards: usize,
    /// Vectors of inputs in a row.
    input_blocks: usize,
    /// Vectors of products in a row.
    output_blocks: usize,
    inputs: Inputs,
    // [point][row][vector]
    products: Vec<Vector>,
}

/// Transformed inputs, `[point][row][vector]`.
enum Inputs {
    Exact(Vec<Vector>),
    Fast {
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
        let length = |blocks: usize| POINTS * stride(rows, blocks);
        let inputs = match arithmetic {
            Arithmetic::Exact => Inputs::Exact(vec![Vector::ZERO; length(inputs)]),
            Arithmetic::Fast => Inputs::Fast {
                pairs: vec![Pairs([0; LANES / 2]); length(inputs)],
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
        let (input_stride, output_stride) = (stride(rows, layer.inputs()), stride(rows, layer.outputs()));
        self.output_blocks = layer.outputs();
        let output = &mut self.products[..];
        match (&self.inputs, &layer.weights) {
            (Inputs::Exact(input), Weights::Exact(weights)) => {
                set.run(Product { weights, rows, input, input_stride, output, output_stride });
            }
            (Inputs::Fast { pairs: input, .. }, Weights::Fast(weights)) => {
                set.run(IntegerProduct { weights, rows, input, input_stride, output, output_stride });
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

    /// Transforms a vector of a board's products back: `put` gets each cell with its place in the frame.
    #[inline(always)]
    pub fn outputs<L: Lanes>(&self, board: usize, block: usize, put: impl FnMut(usize, L)) {
        let (tiles, blocks) = (self.tiling.tiles(), self.output_blocks);
        let stride = stride(self.rows(), blocks);
        let products = &self.products[board * tiles * blocks + block..];
        transform_outputs(self.tiling, |point, tile| L::load(&products[point * stride + tile * blocks]), put);
    }

    /// How many vectors the inputs of the next layer have.
    pub fn expect(&mut self, blocks: usize) {
        self.input_blocks = blocks;
    }

    /// Takes a vector of a board's channels for the next layer, while they are at hand. Integers must wait for the peak: see [`Domain::take_board`].
    #[inline(always)]
    pub fn take_block<L: Lanes>(&mut self, board: usize, block: usize, frame: &[Vector]) {
        let (tiles, blocks) = (self.tiling.tiles(), self.input_blocks);
        let stride = stride(self.rows(), blocks);
        if let Inputs::Exact(inputs) = &mut self.inputs {
            let inputs = &mut inputs[board * tiles * blocks + block..];
            transform_inputs(self.tiling, frame, |point, tile, value: L| {
                value.store(&mut inputs[point * stride + tile * blocks]);
            });
        }
    }

    /// Takes all channels of a board, once each vector of them was taken.
    #[inline(always)]
    pub fn take_board<L: Lanes>(&mut self, board: usize, frames: &[Vector]) {
        let (tiles, blocks) = (self.tiling.tiles(), self.input_blocks);
        let stride = stride(self.rows(), blocks);
        if let Inputs::Fast { pairs, peaks, factors } = &mut self.inputs {
            let frames = &frames[..blocks * self.tiling.frame()];
            let most = frames.iter().fold(L::zero(), |most, cell| L::load(cell).max(most));
            let peak = most.largest().max(SMALLEST_PEAK);
            peaks[board] = peak;
            let factors = factors.map(|factor| factor / peak);
            for (block, frame) in frames.chunks_exact(self.tiling.frame()).enumerate() {
                let pairs = &mut pairs[board * tiles * blocks + block..];
                transform_inputs(self.tiling, frame, |point, tile, value: L| {
                    pairs[point * stride + tile * blocks] = value.mul(L::splat(factors[point])).to_pairs();
                });
            }
        }
    }
}

/// From a point to the next: a vector more than there are, since at powers of two all points would compete for the same places of the cache.
fn stride(rows: usize, blocks: usize) -> usize {
    rows * blocks + 1
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
            for (block, frame) in frames.chunks_exact(frame).enumerate() {
                self.domain.take_block::<L>(board, block, frame);
            }
            self.domain.take_board::<L>(board, frames);
        }
    }
}
