//! Residual blocks: what happens between one product of matrices and the next.
//!
//! Products are transformed back into channels, sixteen at a time; bias, gates, residual and ReLU are applied, and the result is transformed for the next
//! layer while it is still in the nearest cache.

use super::Arithmetic;
use super::domain::Domain;
use super::lanes::{Lanes, Vector, Work};
use super::layers::{Apply, Convolution, Linear};
use super::set::Chosen;
use crate::layers::{Block, pooled_scale};
use crate::network::Tensor;

/// A block with its weights.
pub(super) struct Residual {
    first: Convolution,
    second: Convolution,
    kind: Kind,
}

enum Kind {
    Plain,
    SqueezeExcitation {
        squeeze: Linear,
        /// The gates of all channels, then their shifts.
        excite: Linear,
    },
    /// The first convolution has the pooled channels after those of the block.
    GlobalPooling {
        /// From means, scaled means and maxima.
        shift: Linear,
    },
}

impl Residual {
    pub fn new(set: Chosen, arithmetic: Arithmetic, block: &Block<Tensor>) -> Residual {
        let conv = |convs: &[&_]| Convolution::new(set, arithmetic, convs);
        match block {
            Block::Plain { first, second } => {
                Residual { first: conv(&[first]), second: conv(&[second]), kind: Kind::Plain }
            }
            Block::SqueezeExcitation { first, second, squeeze, excite } => Residual {
                first: conv(&[first]),
                second: conv(&[second]),
                kind: Kind::SqueezeExcitation {
                    squeeze: Linear::dense(set, squeeze),
                    excite: Linear::of_parts(set, excite, 1, 2),
                },
            },
            Block::GlobalPooling { first, pool, shift, second } => Residual {
                first: conv(&[first, pool]),
                second: conv(&[second]),
                kind: Kind::GlobalPooling { shift: Linear::of_parts(set, shift, 3, 1) },
            },
        }
    }

    /// Vectors of products at most.
    pub fn products(&self) -> usize {
        self.first.outputs()
    }

    /// Vectors of memory beside the channels.
    pub fn scratch(&self) -> usize {
        match &self.kind {
            Kind::Plain => 0,
            Kind::SqueezeExcitation { squeeze, excite } => {
                squeeze.inputs() + squeeze.outputs() + excite.outputs()
            }
            Kind::GlobalPooling { shift } => shift.inputs() + shift.outputs(),
        }
    }

    /// Runs the block. Its inputs were taken by the domain, and stand in the frames, which are overwritten with what comes out; that is also taken, unless
    /// this block is the last.
    pub fn run(&self, set: Chosen, memory: Memory, is_last: bool) {
        let Memory { domain, frames, inner, scratch } = memory;
        domain.multiply(set, &self.first);
        set.run(Inner {
            bias: &self.first.bias,
            pooling: match &self.kind {
                Kind::GlobalPooling { shift } => Some(shift),
                _ => None,
            },
            outputs: self.second.inputs(),
            domain,
            inner,
            scratch,
        });
        domain.multiply(set, &self.second);
        set.run(Outer {
            bias: &self.second.bias,
            gating: match &self.kind {
                Kind::SqueezeExcitation { squeeze, excite } => Some((squeeze, excite)),
                _ => None,
            },
            domain,
            frames,
            inner,
            scratch,
            is_last,
        });
    }
}

/// The memory that blocks work in.
pub(super) struct Memory<'a> {
    pub domain: &'a mut Domain,
    /// The channels of the group, `[board][vector][cell of the frame]`.
    pub frames: &'a mut [Vector],
    /// Channels of one board inside a block.
    pub inner: &'a mut [Vector],
    pub scratch: &'a mut [Vector],
}

/// What follows the first convolution of a block: bias, ReLU, and on to the next.
pub(super) struct Inner<'a> {
    pub bias: &'a [Vector],
    /// What turns pooled channels, which come after the others, into shifts of the others.
    pub pooling: Option<&'a Linear>,
    /// Vectors that go on.
    pub outputs: usize,
    pub domain: &'a mut Domain,
    pub inner: &'a mut [Vector],
    pub scratch: &'a mut [Vector],
}

impl Work for Inner<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Inner { bias, pooling, outputs, domain, inner, scratch } = self;
        let frame = domain.tiling.frame();
        domain.expect(outputs);
        for board in 0..domain.boards() {
            let scale = L::splat(domain.scale(board));
            if let Some(shift) = pooling {
                pool::<L>(domain, board, &bias[outputs..], shift, scratch);
            }
            for (block, frame) in inner.chunks_exact_mut(frame).take(outputs).enumerate() {
                let mut bias = L::load(&bias[block]);
                if pooling.is_some() {
                    bias = bias.add(L::load(&scratch[block]));
                }
                domain.outputs(board, block, |place, value: L| {
                    value.fma(scale, bias).max(L::zero()).store(&mut frame[place]);
                });
                domain.take_block::<L>(board, block, frame);
            }
            domain.take_board::<L>(board, inner);
        }
    }
}

/// Pools the channels that come after those of the block; their shifts come to stand first in the scratch.
#[inline(always)]
fn pool<L: Lanes>(domain: &Domain, board: usize, bias: &[Vector], shift: &Linear, scratch: &mut [Vector]) {
    let (shifts, pooled) = scratch.split_at_mut(shift.outputs());
    let cells = domain.tiling.cells();
    let (one, scaled) = (1.0 / cells as f32, (pooled_scale(cells) / cells as f64) as f32);
    let scale = L::splat(domain.scale(board));
    for (block, bias) in bias.iter().enumerate() {
        let bias = L::load(bias);
        let (mut sum, mut most) = (L::zero(), L::zero());
        domain.outputs(board, shift.outputs() + block, |_, value: L| {
            let value = value.fma(scale, bias).max(L::zero());
            sum = sum.add(value);
            most = value.max(most);
        });
        sum.mul(L::splat(one)).store(&mut pooled[block]);
        sum.mul(L::splat(scaled)).store(&mut pooled[shift.inputs() / 3 + block]);
        most.store(&mut pooled[shift.inputs() / 3 * 2 + block]);
    }
    L::call(Apply { layer: shift, rows: 1, input: pooled, output: shifts, relu: false });
}

/// What follows the second convolution of a block: bias, gates, residual, ReLU, and on to the next block.
struct Outer<'a> {
    bias: &'a [Vector],
    gating: Option<(&'a Linear, &'a Linear)>,
    domain: &'a mut Domain,
    frames: &'a mut [Vector],
    inner: &'a mut [Vector],
    scratch: &'a mut [Vector],
    is_last: bool,
}

impl Work for Outer<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Outer { bias, gating, domain, frames, inner, scratch, is_last } = self;
        let blocks = bias.len();
        let frame = domain.tiling.frame();
        domain.expect(blocks);
        for board in 0..domain.boards() {
            let frames = &mut frames[board * blocks * frame..][..blocks * frame];
            let scale = L::splat(domain.scale(board));
            if let Some((squeeze, excite)) = gating {
                gates::<L>(domain, board, bias, (squeeze, excite), inner, scratch);
            }
            for (block, residual) in frames.chunks_exact_mut(frame).enumerate() {
                if gating.is_some() {
                    let (gate, shift) = (L::load(&scratch[block]), L::load(&scratch[blocks + block]));
                    let inner = &inner[block * frame..][..frame];
                    for place in domain.tiling.places() {
                        let value = L::load(&inner[place]).fma(gate, shift);
                        value.add(L::load(&residual[place])).max(L::zero()).store(&mut residual[place]);
                    }
                } else {
                    let bias = L::load(&bias[block]);
                    domain.outputs(board, block, |place, value: L| {
                        let value = value.fma(scale, bias).add(L::load(&residual[place]));
                        value.max(L::zero()).store(&mut residual[place]);
                    });
                }
                if !is_last {
                    domain.take_block::<L>(board, block, residual);
                }
            }
            if !is_last {
                domain.take_board::<L>(board, frames);
            }
        }
    }
}

/// Transforms the products of a board back, bias included; its gates and then its shifts come to stand first in the scratch.
#[inline(always)]
fn gates<L: Lanes>(
    domain: &Domain,
    board: usize,
    bias: &[Vector],
    (squeeze, excite): (&Linear, &Linear),
    inner: &mut [Vector],
    scratch: &mut [Vector],
) {
    let (gates, rest) = scratch.split_at_mut(excite.outputs());
    let (hidden, means) = rest.split_at_mut(squeeze.outputs());
    let scale = L::splat(domain.scale(board));
    let one = L::splat(1.0 / domain.tiling.cells() as f32);
    for (block, frame) in inner.chunks_exact_mut(domain.tiling.frame()).take(bias.len()).enumerate() {
        let bias = L::load(&bias[block]);
        let mut sum = L::zero();
        domain.outputs(board, block, |place, value: L| {
            let value = value.fma(scale, bias);
            sum = sum.add(value);
            value.store(&mut frame[place]);
        });
        sum.mul(one).store(&mut means[block]);
    }
    L::call(Apply { layer: squeeze, rows: 1, input: means, output: &mut *hidden, relu: true });
    L::call(Apply { layer: excite, rows: 1, input: hidden, output: &mut *gates, relu: false });
    for gate in &mut gates[..bias.len()] {
        L::load(gate).sigmoid().store(gate);
    }
    debug_assert_eq!(gates.len(), 2 * bias.len());
}
