//! Products in 16-bit integers: the fast mode.
//!
//! Activations are never negative and each board knows the largest of a layer, its peak. From that follows the most that a transformed input can be at each
//! point, whatever the activations are; that becomes 32,767. So nothing is ever cut off, nothing was measured beforehand, and a board's numbers depend on no
//! other board. Weights have a scale for each point and output, such that no sum of products can exceed 32 bits.

use super::lanes::{Integers, LANES, Lanes, Pairs, Vector, Work};
use super::product::{ROWS, Strides, by_shape, panels, parts};
use super::tiling::POINTS;
use super::winograd;

/// The largest integer of an activation or a weight.
const LARGEST: f64 = 32_767.0;
/// What the weights of one output may sum up to, before they are rounded: then 32,768 times their sum fits into 31 bits.
const LARGEST_SUM: f64 = 65_535.0 - (CHUNK * LANES / 2) as f64;
/// How many vectors of inputs are summed up as integers. More would leave too few bits for each weight; so sums of chunks are added up as numbers.
const CHUNK: usize = 8;
/// A peak is no smaller, so that it can be divided by.
pub(super) const SMALLEST_PEAK: f32 = 1e-30;

/// What activations between 0 and 1 are multiplied by at each point to become integers.
pub(super) fn factors() -> [f32; POINTS] {
    winograd::bounds().map(|bound| (LARGEST / bound) as f32)
}

/// The weights of a convolution at each point, as integers.
#[derive(Debug)]
pub(super) struct PackedIntegers {
    /// Vectors of inputs in a row.
    pub inputs: usize,
    /// Vectors of outputs in a row.
    pub outputs: usize,
    panel: usize,
    // [point][chunk][panel][pair of inputs][vector of the panel]
    values: Vec<Integers>,
    // [point][chunk][vector of outputs]
    scales: Vec<Vector>,
}

impl PackedIntegers {
    /// Packs `weight(point, input, output)`; counts are in vectors of sixteen.
    pub fn new(
        panel: usize,
        inputs: usize,
        outputs: usize,
        weight: impl Fn(usize, usize, usize) -> f64,
    ) -> PackedIntegers {
        let (mut values, mut scales) = (Vec::new(), Vec::new());
        for (point, factor) in factors().into_iter().enumerate() {
            for (chunk, length) in chunks(inputs) {
                let range = chunk * LANES..(chunk + length) * LANES;
                let scale = |output: usize| {
                    let weights = range.clone().map(|input| weight(point, input, output).abs());
                    let (sum, most) =
                        weights.fold((0.0, 0.0), |(sum, most): (f64, f64), w| (sum + w, most.max(w)));
                    (sum / LARGEST_SUM).max(most / LARGEST)
                };
                let of_outputs: Vec<f64> = (0..outputs * LANES).map(scale).collect();
                let integer = |input: usize, output: usize| match of_outputs[output] {
                    0.0 => 0,
                    scale => (weight(point, input, output) / scale).round() as i32,
                };
                for (first, width) in panels(outputs, panel) {
                    for input in range.clone().step_by(2) {
                        for vector in first..first + width {
                            values.push(Integers(std::array::from_fn(|lane| {
                                let output = vector * LANES + lane;
                                integer(input, output) & 0xFFFF | integer(input + 1, output) << 16
                            })));
                        }
                    }
                }
                let scale = |output: usize| (of_outputs[output] / f64::from(factor)) as f32;
                scales.extend(
                    (0..outputs).map(|vector| Vector(std::array::from_fn(|i| scale(vector * LANES + i)))),
                );
            }
        }
        PackedIntegers { inputs, outputs, panel, values, scales }
    }
}

fn chunks(inputs: usize) -> impl Iterator<Item = (usize, usize)> {
    parts(inputs, CHUNK)
}

/// All products of some rows, as numbers, still to be multiplied by the peak of their board.
pub(super) struct IntegerProduct<'a> {
    pub weights: &'a PackedIntegers,
    pub rows: usize,
    /// With two points each.
    pub input: &'a [Pairs],
    pub input_strides: Strides,
    pub output: &'a mut [Vector],
    pub output_strides: Strides,
}

impl Work for IntegerProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let PackedIntegers { inputs, outputs, panel, ref values, ref scales } = *self.weights;
        let of_point = inputs * LANES / 2 * outputs;
        let chunk_count = inputs.div_ceil(CHUNK);
        for point in 0..POINTS {
            let (input, is_second) = (&self.input[point / 2 * self.input_strides.point..], point % 2 == 1);
            let output = &mut self.output[point * self.output_strides.point..];
            for (number, (chunk, length)) in chunks(inputs).enumerate() {
                let values = &values[point * of_point + chunk * LANES / 2 * outputs..];
                let scales = &scales[(point * chunk_count + number) * outputs..][..outputs];
                for (first, width) in panels(outputs, panel) {
                    let of_panel = length * LANES / 2;
                    let weights = &values[first * of_panel..][..width * of_panel];
                    let scales = &scales[first..][..width];
                    for (row, rows) in parts(self.rows, ROWS) {
                        let tile = Tile {
                            input: &input[row * self.input_strides.row..],
                            input_row: self.input_strides.row,
                            is_second,
                            chunk,
                            weights,
                            scales,
                            output: &mut output[row * self.output_strides.row + first..],
                            output_row: self.output_strides.row,
                        };
                        by_shape!(L, Shaped, tile, rows, width);
                    }
                }
            }
        }
    }
}

/// What is kept in registers; see [`product`](super::product).
struct Tile<'a> {
    input: &'a [Pairs],
    /// From a row of the input to the next.
    input_row: usize,
    /// Which of two points it is.
    is_second: bool,
    /// The first vector of the inputs. What comes after the first chunk is added to the outputs.
    chunk: usize,
    weights: &'a [Integers],
    scales: &'a [Vector],
    output: &'a mut [Vector],
    /// From a row of the output to the next.
    output_row: usize,
}

struct Shaped<'a, const ROWS: usize, const WIDTH: usize>(Tile<'a>);

impl<const ROWS: usize, const WIDTH: usize> Work for Shaped<'_, ROWS, WIDTH> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Tile { input, input_row, is_second, chunk, weights, scales, output, output_row } = self.0;
        let mut sums = [[L::splat_integer(0); WIDTH]; ROWS];
        for (vector, weights) in weights.chunks_exact(LANES / 2 * WIDTH).enumerate() {
            let mut rows = [&Pairs::ZERO; ROWS];
            for (row, values) in rows.iter_mut().enumerate() {
                *values = &input[row * input_row + chunk + vector];
            }
            for (four, weights) in weights.chunks_exact(2 * WIDTH).enumerate() {
                for pair in 0..2 {
                    let mut of_pair = [L::splat_integer(0); WIDTH];
                    for (loaded, weight) in of_pair.iter_mut().zip(&weights[pair * WIDTH..][..WIDTH]) {
                        *loaded = L::load_integers(weight);
                    }
                    for (sums, row) in sums.iter_mut().zip(rows) {
                        let value = L::splat_integer(row.0[four][usize::from(is_second)][pair]);
                        for (sum, weight) in sums.iter_mut().zip(of_pair) {
                            *sum = L::dot(*sum, value, weight);
                        }
                    }
                }
            }
        }
        let scales: &[Vector; WIDTH] = scales.first_chunk().expect("a scale for each output");
        for row in 0..ROWS {
            let output: &mut [Vector; WIDTH] =
                output[row * output_row..].first_chunk_mut().expect("rows have all outputs");
            for i in 0..WIDTH {
                let before = if chunk == 0 { L::zero() } else { L::load(&output[i]) };
                L::from_integers(sums[row][i]).fma(L::load(&scales[i]), before).store(&mut output[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::set::Chosen;
    use super::*;
    use crate::InstructionSet;

    /// The worst that can be: all activations at the peak of a pattern, all weights alike and as large as they may be. The sums must not overflow, which
    /// would change their sign, and must be right to the precision of numbers.
    #[test]
    fn the_largest_sums_do_not_overflow() {
        for inputs in [1, 4, 8, 9, 20] {
            for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
                let set = Chosen::new(set).unwrap();
                for (sign, weight) in [(32_767, 1.0), (-32_768, 1.0), (-32_768, -1.0), (32_767, -1e-3)] {
                    let weights = PackedIntegers::new(set.panel(), inputs, 1, |_, _, _| weight);
                    let pair = sign & 0xFFFF | sign << 16;
                    let pairs = Pairs([[[pair; 2]; 2]; LANES / 4]);
                    let input = vec![pairs; inputs * POINTS / 2];
                    let mut output = vec![Vector::ZERO; POINTS];
                    set.run(IntegerProduct {
                        weights: &weights,
                        rows: 1,
                        input: &input,
                        input_strides: Strides { row: 0, point: inputs },
                        output: &mut output,
                        output_strides: Strides { row: 0, point: 1 },
                    });
                    for (value, factor) in output.iter().zip(factors()) {
                        let wanted = f64::from(sign) / f64::from(factor) * weight * (inputs * LANES) as f64;
                        let given = f64::from(value.0[7]);
                        // Weights are rounded to integers of at least 500.
                        assert!(
                            (given / wanted - 1.0).abs() < 1e-3,
                            "{inputs} {set:?}: {given}, not {wanted}"
                        );
                    }
                }
            }
        }
    }
}
