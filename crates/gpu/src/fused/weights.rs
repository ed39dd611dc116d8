//! Weights in the order in which the kernel's layers take them from the ring, and biases in the order of the layers.

use outplay_net::{Conv, Dense, Tensor, f32_to_f16};

use super::shape::TILE;

/// Inputs of a step.
const STEP: usize = 16;

/// Weights and biases as they are collected.
pub(super) struct Weights {
    /// Units of a chunk.
    units: usize,
    /// Tiles of channels: the most that a convolution computes at once.
    tiles: usize,
    chunks: Vec<u16>,
    biases: Vec<f32>,
}

impl Weights {
    pub fn new(units: usize, tiles: usize) -> Weights {
        Weights { units, tiles, chunks: Vec::new(), biases: Vec::new() }
    }

    /// How many chunks there are by now.
    pub fn chunks(&self) -> usize {
        self.chunks.len() / (self.units * TILE * STEP)
    }

    /// The chunks, then the biases, and zeros for what a last round of outputs reads beyond them.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.biases.extend(std::iter::repeat_n(0.0, self.tiles * TILE));
        let chunks = self.chunks.iter().flat_map(|half| half.to_le_bytes());
        chunks.chain(self.biases.iter().flat_map(|bias| bias.to_le_bytes())).collect()
    }

    /// A convolution over so many padded inputs: its inputs are taken tap by tap.
    pub fn conv(&mut self, conv: &Conv<Tensor>, padded_inputs: usize) {
        let [outputs, inputs, side, _] = conv.weight.shape[..] else {
            unreachable!("a network checks its shapes")
        };
        let taps = side * side;
        self.product(outputs, taps * padded_inputs, self.tiles, |output, k| {
            let (tap, input) = (k / padded_inputs, k % padded_inputs);
            let known = input < inputs;
            if known { conv.weight.values[(output * inputs + input) * taps + tap] } else { 0.0 }
        });
        self.bias(&conv.bias.values);
    }

    /// A dense layer over a vector that is longer than its inputs.
    pub fn dense_padded(&mut self, dense: &Dense<Tensor>, length: usize) {
        let inputs = dense.weight.shape[1];
        self.matrix(dense, length, |input| (input < inputs).then_some(input));
    }

    /// A dense layer over a map that was made a vector: `cell` says which cell a place of a board is, if it is one.
    pub fn dense_of_map(
        &mut self,
        dense: &Dense<Tensor>,
        cells: usize,
        places: usize,
        cell: impl Fn(usize) -> Option<usize>,
    ) {
        let channels = dense.weight.shape[1] / cells;
        self.matrix(dense, channels * places, |k| cell(k % places).map(|cell| k / places * cells + cell));
    }

    fn matrix(&mut self, dense: &Dense<Tensor>, length: usize, column: impl Fn(usize) -> Option<usize>) {
        let [outputs, inputs] = dense.weight.shape[..] else { unreachable!("a network checks its shapes") };
        self.product(outputs, length, 1, |output, k| {
            column(k).map_or(0.0, |column| dense.weight.values[output * inputs + column])
        });
        self.bias(&dense.bias.values);
    }

    /// The last layer of a value, which is computed in single precision: its weights stand among the biases.
    pub fn plain(&mut self, dense: &Dense<Tensor>) {
        self.bias(&dense.weight.values);
        self.bias(&dense.bias.values);
    }

    /// The layer whose outputs shift all channels of a block at once.
    pub fn shifts(&mut self, dense: &Dense<Tensor>) {
        let [outputs, inputs] = dense.weight.shape[..] else { unreachable!("a network checks its shapes") };
        self.product(outputs, inputs, self.tiles, |output, k| dense.weight.values[output * inputs + k]);
        self.bias(&dense.bias.values);
    }

    /// The excitation of a block: gates for all channels, then shifts, each in whole tiles.
    pub fn excitation(&mut self, dense: &Dense<Tensor>, channels: usize) {
        let [outputs, inputs] = dense.weight.shape[..] else { unreachable!("a network checks its shapes") };
        let padded = channels.next_multiple_of(TILE);
        let row = |output: usize| {
            let (kind, channel) = (output / padded, output % padded);
            (channel < channels).then_some(kind * channels + channel)
        };
        debug_assert_eq!(outputs, 2 * channels);
        self.product(2 * padded, inputs, self.units, |output, k| {
            row(output).filter(|_| k < inputs).map_or(0.0, |row| dense.weight.values[row * inputs + k])
        });
        let biases: Vec<f32> =
            (0..2 * padded).map(|output| row(output).map_or(0.0, |row| dense.bias.values[row])).collect();
        self.bias(&biases);
    }

    /// A product of so many outputs and inputs. The kernel computes so many tiles of outputs at once, and takes as many whole steps from a chunk as fit.
    fn product(
        &mut self,
        outputs: usize,
        inputs: usize,
        most_tiles: usize,
        weight: impl Fn(usize, usize) -> f32,
    ) {
        let (all_tiles, steps) = (outputs.div_ceil(TILE), inputs.div_ceil(STEP));
        let tiles = all_tiles.min(most_tiles);
        let steps_of_chunk = self.units / tiles;
        for first_tile in (0..all_tiles).step_by(tiles) {
            for first_step in (0..steps).step_by(steps_of_chunk) {
                let mut units = 0;
                for step in first_step..steps.min(first_step + steps_of_chunk) {
                    for tile in first_tile..first_tile + tiles {
                        self.unit(tile * TILE, step * STEP, |output, k| {
                            if output < outputs && k < inputs { weight(output, k) } else { 0.0 }
                        });
                        units += 1;
                    }
                }
                let missing = (self.units - units) * TILE * STEP;
                self.chunks.extend(std::iter::repeat_n(0, missing));
            }
        }
    }

    /// Weights of 64 outputs for 16 inputs: by eight inputs, then by output.
    fn unit(&mut self, first_output: usize, first_input: usize, weight: impl Fn(usize, usize) -> f32) {
        for eight in 0..2 {
            for output in 0..TILE {
                for i in 0..8 {
                    let weight = weight(first_output + output, first_input + eight * 8 + i);
                    self.chunks.push(f32_to_f16(weight));
                }
            }
        }
    }

    /// Biases take whole tiles.
    fn bias(&mut self, biases: &[f32]) {
        self.biases.extend(biases);
        self.biases.resize(self.biases.len().next_multiple_of(TILE), 0.0);
    }
}
