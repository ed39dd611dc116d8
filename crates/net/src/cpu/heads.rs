//! Heads: from channels to outputs.
//!
//! The first 1×1 convolutions of all heads are one product over all cells. Dense layers are products with a row for each board.

use super::Arithmetic;
use super::blocks::{Inner, Keep};
use super::domain::{Domain, Take};
use super::lanes::{LANES, Lanes, Vector, Work};
use super::layers::{Apply, Convolution, Linear};
use super::set::Chosen;
use super::tiling::Tiling;
use crate::backend::Outputs;
use crate::description::{Description, ValueKind};
use crate::layers::{Conv, HeadLayers, Policy, Scalar};
use crate::network::Tensor;

/// All heads with their weights.
pub(super) struct Heads {
    /// The first 1×1 convolutions of all heads, with ReLU.
    convs: Linear,
    policy: PolicyHead,
    value: (ScalarHead, ValueKind),
    margin: Option<ScalarHead>,
    moves_left: Option<ScalarHead>,
    ownership: Option<PlanesHead>,
    reply: Option<PolicyHead>,
}

enum PolicyHead {
    /// Two 3×3 convolutions, and how many planes come out.
    Convolutions {
        first: Convolution,
        second: Convolution,
        planes: usize,
    },
    /// Two 1×1 convolutions.
    Planes(PlanesHead),
    Dense {
        channels: Channels,
        dense: Linear,
        outputs: usize,
    },
}

/// A 1×1 convolution after the first.
struct PlanesHead {
    channels: Channels,
    conv: Linear,
    planes: usize,
}

struct ScalarHead {
    channels: Channels,
    hidden: Linear,
    output: Linear,
}

/// Which channels of the first convolutions a head has.
#[derive(Clone, Copy)]
struct Channels {
    first: usize,
    count: usize,
}

/// The first convolutions, as they are collected.
#[derive(Default)]
struct Collected<'n> {
    convs: Vec<&'n Conv<Tensor>>,
    channels: usize,
}

impl<'n> Collected<'n> {
    fn push(&mut self, conv: &'n Conv<Tensor>) -> Channels {
        let (first, count) = (self.channels, conv.weight.shape[0]);
        self.convs.push(conv);
        self.channels += count;
        Channels { first, count }
    }

    fn policy(&mut self, set: Chosen, arithmetic: Arithmetic, head: &'n Policy<Tensor>) -> PolicyHead {
        match head {
            Policy::Convolution { first, second } if first.weight.shape[2] == 3 => PolicyHead::Convolutions {
                first: Convolution::new(set, arithmetic, &[first]),
                second: Convolution::new(set, arithmetic, &[second]),
                planes: second.weight.shape[0],
            },
            Policy::Convolution { first, second } => PolicyHead::Planes(self.planes(set, first, second)),
            Policy::Dense { conv, dense } => PolicyHead::Dense {
                channels: self.push(conv),
                dense: Linear::dense(set, dense),
                outputs: dense.weight.shape[0],
            },
        }
    }

    fn planes(&mut self, set: Chosen, first: &'n Conv<Tensor>, second: &Conv<Tensor>) -> PlanesHead {
        PlanesHead {
            channels: self.push(first),
            conv: Linear::convolutions(set, &[second]),
            planes: second.weight.shape[0],
        }
    }

    fn scalar(&mut self, set: Chosen, head: &'n Scalar<Tensor>) -> ScalarHead {
        ScalarHead {
            channels: self.push(&head.conv),
            hidden: Linear::dense(set, &head.hidden),
            output: Linear::dense(set, &head.output),
        }
    }
}

impl Heads {
    pub fn new(
        set: Chosen,
        arithmetic: Arithmetic,
        description: &Description,
        layers: &HeadLayers<Tensor>,
    ) -> Heads {
        let mut all = Collected::default();
        let policy = all.policy(set, arithmetic, &layers.policy);
        let value = (all.scalar(set, &layers.value), description.heads.value);
        let margin = layers.margin.as_ref().map(|head| all.scalar(set, head));
        let moves_left = layers.moves_left.as_ref().map(|head| all.scalar(set, head));
        let ownership = layers.ownership.as_ref().map(|(first, second)| all.planes(set, first, second));
        let reply = layers.reply.as_ref().map(|head| all.policy(set, arithmetic, head));
        let convs = Linear::convolutions(set, &all.convs);
        Heads { convs, policy, value, margin, moves_left, ownership, reply }
    }

    /// Vectors of inputs and of products that a domain must have room for.
    pub fn widths(&self) -> (usize, usize) {
        let widths = std::iter::once(&self.policy).chain(&self.reply).map(|head| match head {
            PolicyHead::Convolutions { first, second, .. } => {
                (second.inputs(), first.outputs().max(second.outputs()))
            }
            _ => (0, 0),
        });
        widths.fold((0, 0), |most, width| (most.0.max(width.0), most.1.max(width.1)))
    }

    /// Writes what the heads say of a group of boards, from the place of the first one on.
    pub fn run(&self, group: &mut Group, outputs: &mut Outputs, first: usize) {
        group.convolve(&self.convs);
        group.policy(&self.policy, &mut outputs.policy, first);
        let (head, kind) = &self.value;
        let values = &mut outputs.value[first..][..group.boards];
        match kind {
            ValueKind::WinDrawLoss { .. } => {
                group.scalar(head, |board, logits| values[board] = [logits[0], logits[1], logits[2]]);
                group.set.run(Softmax(values));
            }
            ValueKind::Scalar { .. } => {
                group.scalar(head, |board, value| values[board] = [value[0], 0.0, 0.0]);
                group.set.run(Tanh(values.as_flattened_mut()));
                for value in values {
                    *value = [(1.0 + value[0]) / 2.0, 0.0, (1.0 - value[0]) / 2.0];
                }
            }
        }
        if let Some(head) = &self.margin {
            group.scalar(head, |board, value| outputs.margin[first + board] = value[0]);
        }
        if let Some(head) = &self.moves_left {
            group.scalar(head, |board, value| outputs.moves_left[first + board] = value[0].max(0.0));
        }
        if let Some(head) = &self.ownership {
            let cells = group.tiling.cells();
            let ownership = &mut outputs.ownership[first * cells..][..group.boards * cells];
            group.planes(head, ownership);
            group.set.run(Tanh(ownership));
        }
        if let Some(head) = &self.reply {
            group.policy(head, &mut outputs.reply, first);
        }
    }
}

/// A group of boards after the blocks, and memory for its heads.
pub(super) struct Group<'a> {
    pub set: Chosen,
    pub tiling: Tiling,
    pub boards: usize,
    /// Boards of the largest group.
    pub most: usize,
    /// `[board][vector][cell of the frame]`.
    pub frames: &'a [Vector],
    /// Vectors of channels.
    pub blocks: usize,
    pub domain: &'a mut Domain,
    /// Channels of one board inside a head.
    pub inner: &'a mut [Vector],
    pub memory: &'a mut HeadMemory,
}

/// Memory for heads. It grows to what they need the first time.
#[derive(Default)]
pub(super) struct HeadMemory {
    /// The first convolutions of all heads, `[board][cell][vector]`, and how many vectors that are for a cell.
    convs: Vec<Vector>,
    width: usize,
    input: Vec<Vector>,
    hidden: Vec<Vector>,
    output: Vec<Vector>,
}

impl Group<'_> {
    /// Applies the first convolutions of all heads.
    fn convolve(&mut self, convs: &Linear) {
        let growth = (self.boards, self.most);
        let (cells, frame) = (self.tiling.cells(), self.tiling.frame());
        let rows = self.boards * cells;
        let input = room(&mut self.memory.input, rows * self.blocks, growth);
        let boards = self.frames.chunks_exact(self.blocks * frame);
        for (frames, input) in boards.zip(input.chunks_exact_mut(cells * self.blocks)) {
            for (place, cell) in self.tiling.places().flatten().zip(input.chunks_exact_mut(self.blocks)) {
                for (block, value) in cell.iter_mut().enumerate() {
                    *value = frames[block * frame + place];
                }
            }
        }
        self.memory.width = convs.outputs();
        let output = room(&mut self.memory.convs, rows * convs.outputs(), growth);
        self.set.run(Apply { layer: convs, rows, input, output, relu: true });
    }

    fn policy(&mut self, head: &PolicyHead, all: &mut [f32], first: usize) {
        let growth = (self.boards, self.most);
        let cells = self.tiling.cells();
        match head {
            PolicyHead::Convolutions { first: layer, second, planes } => {
                let to = &mut all[first * planes * cells..][..self.boards * planes * cells];
                self.convolutions(layer, second, *planes, to);
            }
            PolicyHead::Planes(head) => {
                self.planes(
                    head,
                    &mut all[first * head.planes * cells..][..self.boards * head.planes * cells],
                );
            }
            PolicyHead::Dense { channels, dense, outputs } => {
                self.flatten(*channels, dense.inputs());
                let output = room(&mut self.memory.output, self.boards * dense.outputs(), growth);
                let input = &self.memory.input;
                self.set.run(Apply {
                    layer: dense,
                    rows: self.boards,
                    input,
                    output: &mut *output,
                    relu: false,
                });
                for (board, to) in
                    all[first * outputs..].chunks_exact_mut(*outputs).take(self.boards).enumerate()
                {
                    let row = &output[board * dense.outputs()..];
                    to.iter_mut().enumerate().for_each(|(i, to)| *to = number(row, i));
                }
            }
        }
    }

    /// Two 3×3 convolutions, ReLU between them.
    fn convolutions(&mut self, first: &Convolution, second: &Convolution, planes: usize, to: &mut [f32]) {
        let Group { set, ref mut domain, frames, blocks, .. } = *self;
        set.run(Take { domain, frames, blocks });
        domain.multiply(set, first);
        let (inner, outputs) = (&mut *self.inner, second.inputs());
        set.run(Inner { bias: &first.bias, pooling: None, outputs, domain, inner, scratch: &mut [] });
        domain.multiply(set, second);
        set.run(Emit { domain, bias: &second.bias, inner: self.inner, planes, to });
    }

    /// A second 1×1 convolution: `to` is `[board][plane][cell]`.
    fn planes(&mut self, head: &PlanesHead, to: &mut [f32]) {
        let growth = (self.boards, self.most);
        let PlanesHead { channels: Channels { first, count }, conv, planes } = head;
        let cells = self.tiling.cells();
        let rows = self.boards * cells;
        let HeadMemory { width, convs, input, output, .. } = &mut *self.memory;
        let input = room(input, rows * conv.inputs(), growth);
        for (row, input) in input.chunks_exact_mut(conv.inputs()).enumerate() {
            input.fill(Vector::ZERO);
            (0..*count).for_each(|i| *number_mut(input, i) = number(convs, row * *width * LANES + first + i));
        }
        let output = room(output, rows * conv.outputs(), growth);
        self.set.run(Apply { layer: conv, rows, input, output: &mut *output, relu: false });
        for (i, to) in to.iter_mut().enumerate() {
            let (board, plane, cell) = (i / (planes * cells), i / cells % planes, i % cells);
            *to = number(output, (board * cells + cell) * conv.outputs() * LANES + plane);
        }
    }

    /// Dense layers, ReLU between them: `put` gets each board with a vector of outputs.
    fn scalar(&mut self, head: &ScalarHead, mut put: impl FnMut(usize, &[f32; LANES])) {
        let growth = (self.boards, self.most);
        let ScalarHead { channels, hidden: layer, output: last } = head;
        self.flatten(*channels, layer.inputs());
        let rows = self.boards;
        let HeadMemory { input, hidden, output, .. } = &mut *self.memory;
        let hidden = room(hidden, rows * layer.outputs(), growth);
        let output = room(output, rows * last.outputs(), growth);
        self.set.run(Apply { layer, rows, input, output: &mut *hidden, relu: true });
        self.set.run(Apply { layer: last, rows, input: hidden, output: &mut *output, relu: false });
        output.chunks_exact(last.outputs()).enumerate().for_each(|(board, row)| put(board, &row[0].0));
    }

    /// Brings channels of the first convolutions into the order of dense layers: channel, row, column.
    fn flatten(&mut self, channels: Channels, blocks: usize) {
        let growth = (self.boards, self.most);
        let cells = self.tiling.cells();
        let HeadMemory { width, convs, input, .. } = &mut *self.memory;
        let input = room(input, self.boards * blocks, growth);
        for (board, input) in input.chunks_exact_mut(blocks).enumerate() {
            // What pads the last vector must be no garbage: it is multiplied by zero, and infinities do not vanish so.
            input[blocks - 1] = Vector::ZERO;
            for cell in 0..cells {
                let row = &convs[(board * cells + cell) * *width..][..*width];
                for channel in 0..channels.count {
                    *number_mut(input, channel * cells + cell) = number(row, channels.first + channel);
                }
            }
        }
    }
}

/// The beginning of a buffer. If that is too short, it grows to what the largest group needs.
fn room(buffer: &mut Vec<Vector>, length: usize, (boards, most): (usize, usize)) -> &mut [Vector] {
    if buffer.len() < length {
        buffer.resize(length / boards * most, Vector::ZERO);
    }
    &mut buffer[..length]
}

/// One number of many vectors.
fn number(vectors: &[Vector], place: usize) -> f32 {
    vectors[place / LANES].0[place % LANES]
}

fn number_mut(vectors: &mut [Vector], place: usize) -> &mut f32 {
    &mut vectors[place / LANES].0[place % LANES]
}

/// Writes the planes of a last 3×3 convolution.
struct Emit<'a> {
    domain: &'a Domain,
    bias: &'a [Vector],
    inner: &'a mut [Vector],
    planes: usize,
    /// `[board][plane][cell]`.
    to: &'a mut [f32],
}

impl Work for Emit<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Emit { domain, bias, inner, planes, to } = self;
        let (cells, frame) = (domain.tiling.cells(), domain.tiling.frame());
        for (board, to) in to.chunks_exact_mut(planes * cells).enumerate() {
            let scale = L::splat(domain.scale(board));
            for (block, to) in to.chunks_mut(LANES * cells).enumerate() {
                let bias = L::load(&bias[block]);
                let frame = &mut inner[..frame];
                domain.outputs(board, block, &mut Keep { scale, bias, sum: L::zero(), frame });
                for (lane, plane) in to.chunks_exact_mut(cells).enumerate() {
                    for (place, to) in domain.tiling.places().flatten().zip(plane) {
                        *to = inner[place].0[lane];
                    }
                }
            }
        }
    }
}

/// Chances from logits.
struct Softmax<'a>(&'a mut [[f32; 3]]);

impl Work for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for logits in self.0 {
            let [win, draw, loss] = *logits;
            let most = win.max(draw).max(loss);
            let mut powers = Vector::ZERO;
            powers.0[..3].copy_from_slice(&[win - most, draw - most, loss - most]);
            L::load(&powers).exp().store(&mut powers);
            let [win, draw, loss, ..] = powers.0;
            let sum = win + draw + loss;
            *logits = [win / sum, draw / sum, loss / sum];
        }
    }
}

/// The hyperbolic tangent of each number.
struct Tanh<'a>(&'a mut [f32]);

impl Work for Tanh<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for values in self.0.chunks_mut(LANES) {
            let mut vector = Vector::ZERO;
            vector.0[..values.len()].copy_from_slice(values);
            L::load(&vector).tanh().store(&mut vector);
            values.copy_from_slice(&vector.0[..values.len()]);
        }
    }
}
