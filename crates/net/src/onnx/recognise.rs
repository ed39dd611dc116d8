//! Sees a tower of our family in a graph: from the outputs back to the value that all heads share, and from there block by block to the input.
//!
//! Each function takes the number of a value and tells how it was made, or `None` if not in the way that is asked for.

use super::mapping::Mapping;
use crate::graph::{Graph, GraphOutputs, Operation, PlaneValue, PolicyOutput, ValueForm, Window};
use crate::layers::{Block, Conv, Dense, HeadLayers, Layers, Policy, Scalar, pooled_scale};
use crate::network::Tensor;

/// The layers of a graph that is a tower, in our order of planes and moves; `None` for any other graph.
pub(super) fn layers(
    graph: &Graph,
    mapping: &Mapping,
    planes: &[PlaneValue],
    outputs: &GraphOutputs,
    policy_size: usize,
) -> Option<Layers<Tensor>> {
    if mapping.flip_rows {
        return None;
    }
    let tower = Tower(graph);
    let (policy, trunk) = tower.policy(&outputs.policy, policy_size)?;
    let from_trunk = |(head, from): (_, usize)| (from == trunk).then_some(head);
    // A head that is there must be recognised; one that is not, not.
    let optional =
        |value: Option<usize>, scalar: &dyn Fn(usize) -> Option<(Scalar<Tensor>, usize)>| match value {
            Some(value) => scalar(value).and_then(from_trunk).map(Some),
            None => Some(None),
        };
    let heads = HeadLayers {
        policy,
        value: tower.value(outputs.value).and_then(from_trunk)?,
        margin: optional(outputs.margin, &|value| tower.scalar(value))?,
        // Whether it is cut off at zero in the graph or by us is the same.
        moves_left: optional(outputs.moves_left, &|value| {
            tower.scalar(tower.of(value, &Operation::Relu).unwrap_or(value))
        })?,
        ownership: match outputs.ownership {
            Some(value) => {
                let (second, between) = tower.conv(tower.of(value, &Operation::Tanh)?, 1)?;
                let (first, from) = tower.conv(tower.relu(between)?, 1)?;
                Some((from == trunk).then_some((first, second))?)
            }
            None => None,
        },
        reply: match &outputs.reply {
            Some(reply) => {
                let (reply, from) = tower.policy(reply, policy_size)?;
                Some((from == trunk).then_some(reply)?)
            }
            None => None,
        },
    };
    let (mut blocks, mut value) = (Vec::new(), trunk);
    while let Some((block, before)) = tower.block(value) {
        blocks.push(block);
        value = before;
    }
    blocks.reverse();
    let (stem, input) = tower.conv(tower.relu(value)?, 3)?;
    let stem =
        if input == 0 { reordered_planes(stem, planes, mapping.input.planes())? } else { return None };
    Some(Layers { stem, blocks, heads })
}

struct Tower<'g>(&'g Graph);

impl Tower<'_> {
    /// Leaves out changes of shape, which keep the order of numbers.
    fn unshaped(&self, mut value: usize) -> usize {
        while let Some(step) = self.0.step(value)
            && let Operation::Reshape(_) = step.operation
        {
            value = step.inputs[0];
        }
        value
    }

    /// The input of an operation that has no settings.
    fn of(&self, value: usize, wanted: &Operation) -> Option<usize> {
        let step = self.0.step(self.unshaped(value))?;
        let same = std::mem::discriminant(&step.operation) == std::mem::discriminant(wanted);
        same.then_some(self.unshaped(step.inputs[0]))
    }

    fn relu(&self, value: usize) -> Option<usize> {
        self.of(value, &Operation::Relu)
    }

    /// The values that are added or multiplied.
    fn pair(&self, value: usize, wanted: &Operation) -> Option<[usize; 2]> {
        let step = self.0.step(self.unshaped(value))?;
        let same = std::mem::discriminant(&step.operation) == std::mem::discriminant(wanted);
        same.then(|| [step.inputs[0], step.inputs[1]])
    }

    /// A convolution that keeps the size of the board.
    fn conv(&self, value: usize, side: usize) -> Option<(Conv<Tensor>, usize)> {
        let value = self.unshaped(value);
        let step = self.0.step(value)?;
        let Operation::Convolution(conv) = &step.operation else { return None };
        // Numbers in another shape would have other neighbours.
        let is_on_board = self.0.shape(value)[1..] == self.0.shape(0)[1..];
        let fits = is_on_board && conv.groups == 1 && conv.window == Window::keeping_size(side);
        fits.then(|| {
            let bias = Tensor { shape: vec![conv.bias.len()], values: conv.bias.clone() };
            (Conv { weight: conv.weight.clone(), bias }, step.inputs[0])
        })
    }

    /// A dense layer, which may be written as a convolution on a board of one cell.
    fn dense(&self, value: usize) -> Option<(Dense<Tensor>, usize)> {
        let value = self.unshaped(value);
        let step = self.0.step(value)?;
        let input = self.unshaped(step.inputs[0]);
        let layer = |weight: &Tensor, bias: &[f32]| {
            let outputs = bias.len();
            let inputs = weight.values.len() / outputs;
            Dense {
                weight: Tensor { shape: vec![outputs, inputs], values: weight.values.clone() },
                bias: Tensor { shape: vec![outputs], values: bias.to_vec() },
            }
        };
        match &step.operation {
            Operation::Dense { weight, bias } if self.0.shape(value).len() == 1 => {
                Some((layer(weight, bias), input))
            }
            Operation::Convolution(conv)
                if conv.groups == 1
                    && conv.window == Window::keeping_size(1)
                    && self.0.shape(value)[1..] == [1, 1] =>
            {
                Some((layer(&conv.weight, &conv.bias), input))
            }
            _ => None,
        }
    }

    fn policy(&self, output: &PolicyOutput, size: usize) -> Option<(Policy<Tensor>, usize)> {
        if let Some((dense, between)) = self.dense(output.value) {
            let (conv, trunk) = self.conv(self.relu(between)?, 1)?;
            return Some((
                Policy::Dense { conv, dense: reordered_outputs(dense, &output.order, size) },
                trunk,
            ));
        }
        let is_ours = output.order.len() == size && output.order.iter().copied().eq((0..size).map(Some));
        [1, 3].into_iter().filter(|_| is_ours).find_map(|side| {
            let (second, between) = self.conv(output.value, side)?;
            let (first, trunk) = self.conv(self.relu(between)?, side)?;
            Some((Policy::Convolution { first, second }, trunk))
        })
    }

    fn scalar(&self, value: usize) -> Option<(Scalar<Tensor>, usize)> {
        let (output, between) = self.dense(value)?;
        let (hidden, between) = self.dense(self.relu(between)?)?;
        let (conv, trunk) = self.conv(self.relu(between)?, 1)?;
        Some((Scalar { conv, hidden, output }, trunk))
    }

    fn value(&self, (value, form): (usize, ValueForm)) -> Option<(Scalar<Tensor>, usize)> {
        let logits = match form {
            ValueForm::Tanh => self.of(value, &Operation::Tanh)?,
            ValueForm::WinDrawLoss => {
                let value = self.unshaped(value);
                let step = self.0.step(value)?;
                let all = self.0.shape(value).len();
                matches!(step.operation, Operation::Softmax { from: 0, to } if to == all)
                    .then_some(step.inputs[0])?
            }
            ValueForm::TanhLogit | ValueForm::WinDrawLossLogits => value,
        };
        self.scalar(logits)
    }

    /// A residual block and the value before it.
    fn block(&self, value: usize) -> Option<(Block<Tensor>, usize)> {
        let mut addends = Vec::new();
        self.collect_addends(self.relu(value)?, &mut addends);
        // What is added unchanged is the result of an earlier ReLU; everything else is made of it.
        (0..addends.len()).find_map(|skip| {
            let mut others = addends.clone();
            let skip = others.remove(skip);
            let block = match others.as_slice() {
                [one] => self.plain(*one, skip).or_else(|| self.global_pooling(*one, skip)).or_else(|| {
                    // Without a shift.
                    self.squeeze_excitation(*one, None, skip)
                }),
                [a, b] => self
                    .squeeze_excitation(*a, Some(*b), skip)
                    .or_else(|| self.squeeze_excitation(*b, Some(*a), skip)),
                _ => None,
            };
            block.map(|block| (block, skip))
        })
    }

    /// What a sum of sums adds up, as far as it can belong to one block.
    fn collect_addends(&self, value: usize, addends: &mut Vec<usize>) {
        match self.pair(value, &Operation::Add) {
            Some([a, b]) if addends.len() < 3 => {
                self.collect_addends(a, addends);
                self.collect_addends(b, addends);
            }
            _ => addends.push(value),
        }
    }

    /// Two convolutions from the value before the block.
    fn convs(&self, value: usize, skip: usize) -> Option<(Conv<Tensor>, Conv<Tensor>)> {
        let (second, between) = self.conv(value, 3)?;
        let (first, before) = self.conv(self.relu(between)?, 3)?;
        (before == skip).then_some((first, second))
    }

    fn plain(&self, value: usize, skip: usize) -> Option<Block<Tensor>> {
        self.convs(value, skip).map(|(first, second)| Block::Plain { first, second })
    }

    fn global_pooling(&self, value: usize, skip: usize) -> Option<Block<Tensor>> {
        let (second, between) = self.conv(value, 3)?;
        let [a, b] = self.pair(self.relu(between)?, &Operation::Add)?;
        [(a, b), (b, a)].into_iter().find_map(|(main, shift)| {
            let (first, before) = self.conv(main, 3)?;
            let (shift, pooled) = self.per_channel(shift).and_then(|shift| self.dense(shift))?;
            let step = self.0.step(pooled)?;
            let (Operation::Concat { axis: 0 }, &[mean, scaled, most]) =
                (&step.operation, step.inputs.as_slice())
            else {
                return None;
            };
            let board = self.of(mean, &Operation::BoardMean { keeps: true })?;
            let is_same = self.of(most, &Operation::BoardMaximum)? == board;
            let scaling = self.0.step(self.unshaped(scaled))?;
            let Operation::MulConstant(scales) = &scaling.operation else { return None };
            let cells = self.0.shape(board)[1..].iter().product();
            let is_scaled = scales.iter().all(|&scale| (f64::from(scale) - pooled_scale(cells)).abs() < 1e-6)
                && self.of(scaling.inputs[0], &Operation::BoardMean { keeps: true })? == board;
            let (pool, pool_before) = self.conv(self.relu(board)?, 3)?;
            (is_same && is_scaled && before == skip && pool_before == skip).then(|| Block::GlobalPooling {
                first,
                pool,
                shift,
                second: second.clone(),
            })
        })
    }

    fn squeeze_excitation(&self, scaled: usize, shift: Option<usize>, skip: usize) -> Option<Block<Tensor>> {
        let [a, b] = self.pair(scaled, &Operation::Mul)?;
        [(a, b), (b, a)].into_iter().find_map(|(z, gate)| {
            let (first, second) = self.convs(z, skip)?;
            let channels = second.bias.values.len();
            let gate = self.of(self.per_channel(gate)?, &Operation::Sigmoid)?;
            let (gate, squeezed) = self.excitation(gate, channels, 0)?;
            let shift = match shift {
                Some(shift) => {
                    let shift = self.unshaped(self.per_channel(shift)?);
                    let (shift, same) = self.excitation(shift, channels, channels)?;
                    (same == squeezed).then_some(shift)?
                }
                None => Dense {
                    weight: Tensor::zeros(gate.weight.shape.clone()),
                    bias: Tensor::zeros(gate.bias.shape.clone()),
                },
            };
            let (squeeze, pooled) = self.dense(self.relu(squeezed)?)?;
            let is_pooled = self.of(pooled, &Operation::BoardMean { keeps: true })? == self.unshaped(z);
            is_pooled.then(|| Block::SqueezeExcitation {
                first,
                second,
                squeeze,
                excite: Dense {
                    weight: joined(&gate.weight, &shift.weight),
                    bias: joined(&gate.bias, &shift.bias),
                },
            })
        })
    }

    /// A value that is the same in all cells of a channel.
    fn per_channel(&self, value: usize) -> Option<usize> {
        matches!(self.0.shape(value), [_, 1, 1]).then_some(value)
    }

    /// A layer with a number for each channel: by itself, or from this place on in a layer that has both scale and shift.
    fn excitation(&self, value: usize, channels: usize, place: usize) -> Option<(Dense<Tensor>, usize)> {
        if let Some(found) = self.dense(value) {
            return (found.0.bias.values.len() == channels).then_some(found);
        }
        let step = self.0.step(value)?;
        let Operation::Slice { axis: 0, from, to } = step.operation else { return None };
        if (from, to) != (place, place + channels) {
            return None;
        }
        let (whole, input) = self.dense(step.inputs[0])?;
        let inputs = whole.weight.shape[1];
        let weight = whole.weight.values[from * inputs..to * inputs].to_vec();
        Some((
            Dense {
                weight: Tensor { shape: vec![channels, inputs], values: weight },
                bias: Tensor { shape: vec![channels], values: whole.bias.values[from..to].to_vec() },
            },
            input,
        ))
    }
}

fn joined(a: &Tensor, b: &Tensor) -> Tensor {
    let mut shape = a.shape.clone();
    shape[0] += b.shape[0];
    Tensor { shape, values: [a.values.as_slice(), &b.values].concat() }
}

/// The stem for the encoder's planes; `None` if the network has planes that the encoder does not write.
fn reordered_planes(stem: Conv<Tensor>, planes: &[PlaneValue], count: usize) -> Option<Conv<Tensor>> {
    let &[outputs, inputs, ..] = stem.weight.shape.as_slice() else { return None };
    let mut weight = Tensor::zeros(vec![outputs, count, 3, 3]);
    for (from, kernels) in stem.weight.values.chunks(inputs * 9).enumerate() {
        for (kernel, plane) in kernels.chunks(9).zip(planes) {
            let &PlaneValue::Plane { plane, scale } = plane else { return None };
            let to = &mut weight.values[(from * count + plane) * 9..][..9];
            to.iter_mut().zip(kernel).for_each(|(to, weight)| *to += weight * scale);
        }
    }
    Some(Conv { weight, bias: stem.bias })
}

/// A dense layer with its outputs in our order; zeros where it has none.
fn reordered_outputs(dense: Dense<Tensor>, order: &[Option<usize>], size: usize) -> Dense<Tensor> {
    let inputs = dense.weight.shape[1];
    let mut ours = Dense { weight: Tensor::zeros(vec![size, inputs]), bias: Tensor::zeros(vec![size]) };
    for ((row, bias), index) in dense.weight.values.chunks(inputs).zip(dense.bias.values).zip(order) {
        if let Some(index) = *index {
            ours.weight.values[index * inputs..][..inputs].copy_from_slice(row);
            ours.bias.values[index] = bias;
        }
    }
    ours
}
