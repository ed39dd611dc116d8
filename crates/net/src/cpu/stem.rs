//! The stem: from packed bits to channels.
//!
//! Most bits are zero. So each bit that is one adds its weights to the nine cells around it, and a constant plane, which does the same to all cells but
//! those at the edge, is added up for each kind of cell.

use outplay_core::Planes;

use super::lanes::{LANES, Lanes, Vector, Work};
use super::layers::padded;
use super::tiling::Tiling;
use crate::layers::Conv;
use crate::network::Tensor;

/// Kinds of cells: whether there is a row below, a row above, a column to the left, a column to the right.
const KINDS: usize = 16;

/// The first convolution, with ReLU.
pub(super) struct Stem {
    planes: Planes,
    blocks: usize,
    // [plane of bits][row of the kernel][column][vector]
    weights: Vec<Vector>,
    // [constant plane][kind of cell][vector]: the sum of the weights that lie on the board
    constants: Vec<Vector>,
    bias: Vec<Vector>,
}

impl Stem {
    pub fn new(planes: Planes, conv: &Conv<Tensor>) -> Stem {
        let (outputs, inputs) = (conv.weight.shape[0], conv.weight.shape[1]);
        let weight = |output: usize, input: usize, tap: usize| match output < outputs {
            true => conv.weight.values[(output * inputs + input) * 9 + tap],
            false => 0.0,
        };
        let blocks = outputs.div_ceil(LANES);
        let vectors = |of: &dyn Fn(usize) -> f32| -> Vec<Vector> {
            (0..blocks).map(|block| Vector(std::array::from_fn(|lane| of(block * LANES + lane)))).collect()
        };
        let bits = (0..planes.bits * 9).flat_map(|i| vectors(&|output| weight(output, i / 9, i % 9)));
        let constants = (0..planes.constants * KINDS).flat_map(|i| {
            let (plane, kind) = (planes.bits + i / KINDS, i % KINDS);
            let taps = (0..9).filter(move |tap| reaches(kind, tap / 3, tap % 3));
            vectors(&|output| taps.clone().map(|tap| weight(output, plane, tap)).sum())
        });
        Stem {
            planes,
            blocks,
            weights: bits.collect(),
            constants: constants.collect(),
            bias: padded(&conv.bias.values).collect(),
        }
    }

    /// How many vectors of memory [`Stem::run`] needs.
    pub fn scratch(&self) -> usize {
        KINDS * self.blocks
    }
}

/// Whether a weight of the kernel lies on the board, seen from a cell of this kind.
fn reaches(kind: usize, row: usize, column: usize) -> bool {
    let has = |side: usize| kind >> side & 1 == 1;
    (row != 0 || has(0)) && (row != 2 || has(1)) && (column != 0 || has(2)) && (column != 2 || has(3))
}

fn kind_of(tiling: Tiling, row: usize, column: usize) -> usize {
    let sides = [row > 0, row + 1 < tiling.rows, column > 0, column + 1 < tiling.columns];
    (0..4).map(|side| usize::from(sides[side]) << side).sum()
}

/// Shows positions to the stem.
pub(super) struct Show<'a> {
    pub stem: &'a Stem,
    pub tiling: Tiling,
    pub positions: &'a [&'a [u64]],
    pub scratch: &'a mut [Vector],
    /// `[board][vector][cell of the frame]`.
    pub frames: &'a mut [Vector],
}

impl Work for Show<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Show { stem, tiling, positions, scratch, frames } = self;
        let frame = tiling.frame();
        for (words, frames) in positions.iter().zip(frames.chunks_exact_mut(stem.blocks * frame)) {
            let (bits, constants) = words.split_at(stem.planes.bits * stem.planes.words_of_plane());
            stem.begin::<L>(constants, scratch);
            for row in 0..tiling.rows {
                for column in 0..tiling.columns {
                    let (kind, place) = (kind_of(tiling, row, column), tiling.place(row, column));
                    for block in 0..stem.blocks {
                        frames[block * frame + place] = scratch[kind * stem.blocks + block];
                    }
                }
            }
            let planes = bits.chunks_exact(stem.planes.words_of_plane());
            for (plane, weights) in planes.zip(stem.weights.chunks_exact(9 * stem.blocks)) {
                for (number, &word) in plane.iter().enumerate() {
                    let mut left = word;
                    while left != 0 {
                        let cell = number * 64 + left.trailing_zeros() as usize;
                        left &= left - 1;
                        if cell < tiling.cells() {
                            stem.add::<L>(tiling, cell, weights, frames);
                        }
                    }
                }
            }
            for frame in frames.chunks_exact_mut(frame) {
                for place in tiling.places() {
                    L::load(&frame[place]).max(L::zero()).store(&mut frame[place]);
                }
            }
        }
    }
}

impl Stem {
    /// The bias and the constant planes, for each kind of cell.
    #[inline(always)]
    fn begin<L: Lanes>(&self, constants: &[u64], scratch: &mut [Vector]) {
        for kind in scratch.chunks_exact_mut(self.blocks) {
            kind.copy_from_slice(&self.bias);
        }
        for (&word, weights) in constants.iter().zip(self.constants.chunks_exact(KINDS * self.blocks)) {
            let value = L::splat(f32::from_bits(word as u32));
            for (sum, weight) in scratch.iter_mut().zip(weights) {
                value.fma(L::load(weight), L::load(sum)).store(sum);
            }
        }
    }

    /// Adds the weights of a bit to the cells around it.
    #[inline(always)]
    fn add<L: Lanes>(&self, tiling: Tiling, cell: usize, weights: &[Vector], frames: &mut [Vector]) {
        let (row, column) = (cell / tiling.columns, cell % tiling.columns);
        for tap in 0..9 {
            // The weight at the top right of the kernel is for the cell at the bottom left of the bit.
            let (row, column) = ((row + 1).wrapping_sub(tap / 3), (column + 1).wrapping_sub(tap % 3));
            if row < tiling.rows && column < tiling.columns {
                let place = tiling.place(row, column);
                for (block, weight) in weights[tap * self.blocks..][..self.blocks].iter().enumerate() {
                    let sum = &mut frames[block * tiling.frame() + place];
                    L::load(sum).add(L::load(weight)).store(sum);
                }
            }
        }
    }
}
