//! Layers as kernels read them: channels padded to vectors of sixteen, weights packed.

use super::integers::PackedIntegers;
use super::lanes::{LANES, Lanes, Vector, Work};
use super::product::{Packed, Product};
use super::set::Chosen;
use super::tiling::POINTS;
use super::{Arithmetic, winograd};
use crate::layers::{Conv, Dense};
use crate::network::Tensor;

/// A 3×3 convolution.
pub(super) struct Convolution {
    pub weights: Weights,
    pub bias: Vec<Vector>,
}

/// The weights of a convolution at each point.
pub(super) enum Weights {
    Exact(Packed),
    Fast(PackedIntegers),
}

impl Convolution {
    /// Convolutions of the same inputs, as one: the outputs of each begin with a vector of their own.
    pub fn new(set: Chosen, arithmetic: Arithmetic, convs: &[&Conv<Tensor>]) -> Convolution {
        let channels = |conv: &Conv<Tensor>| (conv.weight.shape[0], conv.weight.shape[1]);
        let inputs = channels(convs[0]).1.div_ceil(LANES);
        let outputs: usize = convs.iter().map(|conv| channels(conv).0.div_ceil(LANES)).sum();
        // [input][output][point]
        let mut transformed = vec![[0.0; POINTS]; inputs * outputs * LANES * LANES];
        let mut bias = Vec::with_capacity(outputs);
        for conv in convs {
            let (to, from) = channels(conv);
            for (i, kernel) in conv.weight.values.as_chunks::<9>().0.iter().enumerate() {
                let output = bias.len() * LANES + i / from;
                transformed[i % from * outputs * LANES + output] = winograd::weights(kernel);
            }
            bias.extend(padded(&conv.bias.values));
            debug_assert_eq!(conv.bias.values.len(), to);
        }
        let weight =
            |point: usize, input: usize, output: usize| transformed[input * outputs * LANES + output][point];
        let weights = match arithmetic {
            Arithmetic::Exact => {
                Weights::Exact(Packed::new(set.panel(), POINTS, inputs, outputs, |p, i, o| {
                    weight(p, i, o) as f32
                }))
            }
            Arithmetic::Fast => Weights::Fast(PackedIntegers::new(set.panel(), inputs, outputs, weight)),
        };
        Convolution { weights, bias }
    }

    /// Vectors of inputs.
    pub fn inputs(&self) -> usize {
        match &self.weights {
            Weights::Exact(packed) => packed.inputs,
            Weights::Fast(packed) => packed.inputs,
        }
    }

    /// Vectors of outputs.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }
}

/// A dense layer, or a 1×1 convolution, which is one for each cell.
pub(super) struct Linear {
    weights: Packed,
    bias: Vec<Vector>,
}

impl Linear {
    /// A dense layer.
    pub fn dense(set: Chosen, layer: &Dense<Tensor>) -> Linear {
        Linear::of_parts(set, layer, 1, 1)
    }

    /// A dense layer whose inputs and outputs consist of equal parts, each of which begins with a vector of its own.
    pub fn of_parts(set: Chosen, layer: &Dense<Tensor>, input_parts: usize, output_parts: usize) -> Linear {
        let (outputs, inputs) = (layer.weight.shape[0], layer.weight.shape[1]);
        let (of_inputs, of_outputs) = (inputs / input_parts, outputs / output_parts);
        let weight = |input: usize, output: usize| {
            let (input, output) = (unpadded(input, of_inputs)?, unpadded(output, of_outputs)?);
            Some(layer.weight.values[output * inputs + input])
        };
        let weights = Packed::new(
            set.panel(),
            1,
            of_inputs.div_ceil(LANES) * input_parts,
            of_outputs.div_ceil(LANES) * output_parts,
            |_, input, output| weight(input, output).unwrap_or(0.0),
        );
        Linear { weights, bias: layer.bias.values.chunks(of_outputs).flat_map(padded).collect() }
    }

    /// 1×1 convolutions of the same inputs, as one: their outputs follow each other without gaps.
    pub fn convolutions(set: Chosen, convs: &[&Conv<Tensor>]) -> Linear {
        let inputs = convs[0].weight.shape[1];
        let values: Vec<f32> = convs.iter().flat_map(|conv| conv.weight.values.iter().copied()).collect();
        let bias: Vec<f32> = convs.iter().flat_map(|conv| conv.bias.values.iter().copied()).collect();
        let (weight, bias) = (
            Tensor { shape: vec![bias.len(), inputs], values },
            Tensor { shape: vec![bias.len()], values: bias },
        );
        Linear::dense(set, &Dense { weight, bias })
    }

    /// Vectors of inputs.
    pub fn inputs(&self) -> usize {
        self.weights.inputs
    }

    /// Vectors of outputs.
    pub fn outputs(&self) -> usize {
        self.weights.outputs
    }
}

/// A layer applied to some rows.
pub(super) struct Apply<'a> {
    pub layer: &'a Linear,
    pub rows: usize,
    /// `[row][vector]`.
    pub input: &'a [Vector],
    /// `[row][vector]`.
    pub output: &'a mut [Vector],
    /// Whether ReLU follows.
    pub relu: bool,
}

impl Work for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Apply { layer: Linear { weights, bias }, rows, input, output, relu } = self;
        let least = L::splat(if relu { 0.0 } else { f32::NEG_INFINITY });
        L::call(Product { weights, rows, input, input_stride: 0, output: &mut *output, output_stride: 0 });
        for row in output.chunks_exact_mut(bias.len()).take(rows) {
            for (value, bias) in row.iter_mut().zip(bias) {
                L::load(value).add(L::load(bias)).max(least).store(value);
            }
        }
    }
}

/// Values in vectors, with zeros after the last.
pub(super) fn padded(values: &[f32]) -> impl Iterator<Item = Vector> {
    values.chunks(LANES).map(|values| {
        let mut vector = Vector::ZERO;
        vector.0[..values.len()].copy_from_slice(values);
        vector
    })
}

/// The number of a value in equal parts without the padding after each; `None` if it is padding.
fn unpadded(padded: usize, of_part: usize) -> Option<usize> {
    let length = of_part.next_multiple_of(LANES);
    let (part, place) = (padded / length, padded % length);
    (place < of_part).then_some(part * of_part + place)
}
