//! Convolutions by Winograd's method: sixteen outputs of a 3×3 convolution with thirty-six multiplications instead of a hundred and forty-four
//! (Lavin and Gray 2016).
//!
//! The board is divided into tiles of 4×4 cells. What a tile depends on, 6×6 cells, becomes 36 numbers, its *points*; so do the weights; and each point of
//! the output is the product of both, summed over the channels. That is a product of matrices for each point, `[tile][input] · [input][output]`.
//!
//! The same transforms, turned around, give gradients: of the input by a convolution with turned weights, of the weights by the products
//! `[input][tile] · [tile][output]` of each point.

use std::ops::Range;

use super::map::Map;
use super::product::{Size, Strided, product};
use super::workers::Workers;
use crate::lanes::{Lanes, for_this_processor};

/// Numbers of a tile, with the cells around it.
pub(super) const POINTS: usize = 36;
/// Cells of a tile's side.
const TILE: usize = 4;

/// The sides of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub rows: usize,
    pub columns: usize,
}

impl Sides {
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    fn tiles(self) -> usize {
        self.rows.div_ceil(TILE) * self.columns.div_ceil(TILE)
    }

    /// Where a tile begins.
    fn corner(self, tile: usize) -> (usize, usize) {
        let across = self.columns.div_ceil(TILE);
        (tile / across * TILE, tile % across * TILE)
    }
}

/// Points of weights, `[point][input][output]`, both filled up to a multiple of 16.
pub(super) struct Weights {
    inputs: usize,
    outputs: usize,
    points: Vec<f32>,
}

/// The transform of weights: from three numbers to six.
const G: [[f32; 3]; 6] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];

impl Weights {
    /// The points of weights `[output][input][3][3]`; or, for the gradient of the input, of those turned around with inputs and outputs exchanged.
    pub fn new(weights: &[f32], inputs: usize, turned: bool) -> Weights {
        let outputs = weights.len() / 9 / inputs;
        let (from, to) = if turned { (outputs, inputs) } else { (inputs, outputs) };
        let (wide_from, wide_to) = (from.next_multiple_of(16), to.next_multiple_of(16));
        let mut points = vec![0.0; POINTS * wide_from * wide_to];
        for (number, kernel) in weights.chunks_exact(9).enumerate() {
            let (output, input) = (number / inputs, number % inputs);
            let at = |row: usize, column: usize| {
                kernel[if turned { 8 - 3 * row - column } else { 3 * row + column }]
            };
            let (from, to) = if turned { (output, input) } else { (input, output) };
            // G g, then (G g) Gᵗ.
            let half: [[f32; 3]; 6] =
                G.map(|row| std::array::from_fn(|column| (0..3).map(|i| row[i] * at(i, column)).sum()));
            for (point, (row, column)) in (0..POINTS).map(|point| (point, (point / 6, point % 6))) {
                let value: f32 = (0..3).map(|i| half[row][i] * G[column][i]).sum();
                points[(point * wide_from + from) * wide_to + to] = value;
            }
        }
        Weights { inputs: wide_from, outputs: wide_to, points }
    }
}

/// Convolves all boards. The bias is for each output.
pub(super) fn convolve(x: &Map, weights: &Weights, sides: Sides, workers: Workers) -> Map {
    assert_eq!(x.channels, weights.inputs);
    let mut y = Map::zeros(x.boards, x.cells, weights.outputs);
    let work = x.pieces().into_iter().zip(y.parts_mut()).collect();
    let scratch = || (Vec::new(), Vec::new());
    workers.map(work, scratch, |(inputs, outputs): &mut (Vec<f32>, Vec<f32>), (boards, y)| {
        let tiles = boards.len() * sides.tiles();
        inputs.resize(POINTS * tiles * weights.inputs, 0.0);
        outputs.resize(POINTS * tiles * weights.outputs, 0.0);
        points_of_inputs(x.part(&boards), weights.inputs, sides, inputs);
        for point in 0..POINTS {
            let of_inputs = &inputs[point * tiles * weights.inputs..][..tiles * weights.inputs];
            let of_weights = &weights.points[point * weights.inputs * weights.outputs..];
            let of_outputs = &mut outputs[point * tiles * weights.outputs..][..tiles * weights.outputs];
            let a = Strided { values: of_inputs, row: weights.inputs, step: 1 };
            let size = Size { rows: tiles, steps: weights.inputs, columns: weights.outputs };
            product(of_outputs, a, of_weights, size, false);
        }
        cells_of_outputs(outputs, weights.outputs, sides, y);
    });
    y
}

/// The gradient of weights `[output][input][3][3]`, by the input of a convolution and the gradient of its output.
pub(super) fn gradient_of_weights(
    x: &Map,
    gradient: &Map,
    (inputs, outputs): (usize, usize),
    sides: Sides,
    workers: Workers,
) -> Vec<f32> {
    let tiles = x.boards * sides.tiles();
    let of_x = all_points(x, sides, workers, points_of_inputs);
    let of_gradient = all_points(gradient, sides, workers, points_of_gradient);
    // The points are independent of each other, and each sums up its tiles in their order.
    let points = workers.map(
        (0..POINTS).collect(),
        || (),
        |(), point| {
            let mut sums = vec![0.0; x.channels * gradient.channels];
            let a = Strided {
                values: &of_x[point * tiles * x.channels..][..tiles * x.channels],
                row: 1,
                step: x.channels,
            };
            let b = &of_gradient[point * tiles * gradient.channels..][..tiles * gradient.channels];
            product(
                &mut sums,
                a,
                b,
                Size { rows: x.channels, steps: tiles, columns: gradient.channels },
                false,
            );
            sums
        },
    );
    let mut weights = vec![0.0; outputs * inputs * 9];
    for (number, kernel) in weights.chunks_exact_mut(9).enumerate() {
        let (output, input) = (number / inputs, number % inputs);
        let at = |row: usize, column: usize| points[6 * row + column][input * gradient.channels + output];
        let half: [[f32; 6]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|column| (0..6).map(|row| G[row][i] * at(row, column)).sum())
        });
        for (place, weight) in kernel.iter_mut().enumerate() {
            *weight = (0..6).map(|column| half[place / 3][column] * G[column][place % 3]).sum();
        }
    }
    weights
}

/// The points of all boards, `[point][tile][channel]`.
fn all_points(
    map: &Map,
    sides: Sides,
    workers: Workers,
    transform: fn(&[f32], usize, Sides, &mut [f32]),
) -> Vec<f32> {
    let (of_board, channels) = (sides.tiles(), map.channels);
    let tiles = map.boards * of_board;
    let mut points = vec![0.0; POINTS * tiles * channels];
    // A piece of work writes its tiles of each of the points.
    let mut rows: Vec<Vec<&mut [f32]>> = map.pieces().iter().map(|_| Vec::new()).collect();
    for mut of_point in points.chunks_mut(tiles * channels) {
        for (piece, rows) in map.pieces().iter().zip(&mut rows) {
            let (own, rest) = of_point.split_at_mut(piece.len() * of_board * channels);
            rows.push(own);
            of_point = rest;
        }
    }
    let work: Vec<(Range<usize>, Vec<&mut [f32]>)> = map.pieces().into_iter().zip(rows).collect();
    workers.map(work, Vec::new, |scratch: &mut Vec<f32>, (boards, rows)| {
        let length = boards.len() * of_board * channels;
        scratch.resize(POINTS * length, 0.0);
        transform(map.part(&boards), channels, sides, scratch);
        rows.into_iter().zip(scratch.chunks(length)).for_each(|(to, from)| to.copy_from_slice(from));
    });
    points
}

/// Turns the cells of some boards into points `[point][tile][channel]`: what a convolution reads.
fn points_of_inputs(cells: &[f32], channels: usize, sides: Sides, points: &mut [f32]) {
    let boards = check(cells, channels, sides, points);
    // SAFETY: the sizes were compared.
    unsafe { read_inputs(cells.as_ptr(), channels, sides, boards, points.as_mut_ptr()) }
}

/// Turns gradients of the cells of some boards into points `[point][tile][channel]`.
fn points_of_gradient(cells: &[f32], channels: usize, sides: Sides, points: &mut [f32]) {
    let boards = check(cells, channels, sides, points);
    // SAFETY: the sizes were compared.
    unsafe { read_gradient(cells.as_ptr(), channels, sides, boards, points.as_mut_ptr()) }
}

/// Turns points `[point][tile][channel]` into cells: what a convolution writes.
fn cells_of_outputs(points: &[f32], channels: usize, sides: Sides, cells: &mut [f32]) {
    let boards = check(cells, channels, sides, points);
    // SAFETY: the sizes were compared.
    unsafe { write_outputs(points.as_ptr(), channels, sides, boards, cells.as_mut_ptr()) }
}

/// Whether cells and points have the sizes that belong together; how many boards they are.
fn check(cells: &[f32], channels: usize, sides: Sides, points: &[f32]) -> usize {
    let boards = cells.len() / (sides.cells() * channels);
    assert!(channels.is_multiple_of(16) && cells.len() == boards * sides.cells() * channels);
    assert_eq!(points.len(), POINTS * boards * sides.tiles() * channels);
    boards
}

for_this_processor! {
    /// # Safety
    /// See [`check`].
    unsafe fn read_inputs =
        inputs_of_tiles(cells: *const f32, channels: usize, sides: Sides, boards: usize, points: *mut f32)
}

for_this_processor! {
    /// # Safety
    /// See [`check`].
    unsafe fn read_gradient =
        gradients_of_tiles(cells: *const f32, channels: usize, sides: Sides, boards: usize, points: *mut f32)
}

for_this_processor! {
    /// # Safety
    /// See [`check`].
    unsafe fn write_outputs =
        outputs_of_tiles(points: *const f32, channels: usize, sides: Sides, boards: usize, cells: *mut f32)
}

/// # Safety
/// See [`check`].
#[inline(always)]
unsafe fn inputs_of_tiles<L: Lanes, const WIDE: usize>(
    cells: *const f32,
    channels: usize,
    sides: Sides,
    boards: usize,
    points: *mut f32,
) {
    let tiles = boards * sides.tiles();
    for tile in 0..tiles {
        let (board, (top, left)) = (tile / sides.tiles(), sides.corner(tile % sides.tiles()));
        for channel in (0..channels).step_by(16) {
            // SAFETY: cells outside of the board are not read, and there is a place for each tile, point and channel.
            unsafe {
                let mut square = [[L::splat(0.0); 6]; 6];
                for (r, row) in square.iter_mut().enumerate() {
                    for (c, place) in row.iter_mut().enumerate() {
                        let (r, c) = ((top + r).wrapping_sub(1), (left + c).wrapping_sub(1));
                        if r < sides.rows && c < sides.columns {
                            let cell = board * sides.cells() + r * sides.columns + c;
                            *place = L::load(cells.add(cell * channels + channel));
                        }
                    }
                }
                let half = square.map(|row| six_of_six(row));
                write_columns(
                    half,
                    |column| six_of_six(column),
                    |point, value| {
                        value.store(points.add((point * tiles + tile) * channels + channel));
                    },
                );
            }
        }
    }
}

/// # Safety
/// See [`check`].
#[inline(always)]
unsafe fn gradients_of_tiles<L: Lanes, const WIDE: usize>(
    cells: *const f32,
    channels: usize,
    sides: Sides,
    boards: usize,
    points: *mut f32,
) {
    let tiles = boards * sides.tiles();
    for tile in 0..tiles {
        let (board, (top, left)) = (tile / sides.tiles(), sides.corner(tile % sides.tiles()));
        for channel in (0..channels).step_by(16) {
            // SAFETY: cells outside of the board are not read, and there is a place for each tile, point and channel.
            unsafe {
                let mut square = [[L::splat(0.0); 4]; 4];
                for (r, row) in square.iter_mut().enumerate() {
                    for (c, place) in row.iter_mut().enumerate() {
                        if top + r < sides.rows && left + c < sides.columns {
                            let cell = board * sides.cells() + (top + r) * sides.columns + left + c;
                            *place = L::load(cells.add(cell * channels + channel));
                        }
                    }
                }
                let half = square.map(|row| six_of_four(row));
                write_columns(
                    half,
                    |column| six_of_four(column),
                    |point, value| {
                        value.store(points.add((point * tiles + tile) * channels + channel));
                    },
                );
            }
        }
    }
}

/// # Safety
/// See [`check`].
#[inline(always)]
unsafe fn outputs_of_tiles<L: Lanes, const WIDE: usize>(
    points: *const f32,
    channels: usize,
    sides: Sides,
    boards: usize,
    cells: *mut f32,
) {
    let tiles = boards * sides.tiles();
    for tile in 0..tiles {
        let (board, (top, left)) = (tile / sides.tiles(), sides.corner(tile % sides.tiles()));
        for channel in (0..channels).step_by(16) {
            // SAFETY: cells outside of the board are not written, and there is a place for each tile, point and channel.
            unsafe {
                let mut square = [[L::splat(0.0); 6]; 6];
                for (point, place) in square.as_flattened_mut().iter_mut().enumerate() {
                    *place = L::load(points.add((point * tiles + tile) * channels + channel));
                }
                let half = square.map(|row| four_of_six(row));
                write_columns(
                    half,
                    |column| four_of_six(column),
                    |point, value| {
                        let (r, c) = (top + point / 4, left + point % 4);
                        if r < sides.rows && c < sides.columns {
                            let cell = board * sides.cells() + r * sides.columns + c;
                            value.store(cells.add(cell * channels + channel));
                        }
                    },
                );
            }
        }
    }
}

/// Transforms the columns of a square whose rows are transformed already, and hands the results out row by row.
#[inline(always)]
fn write_columns<L: Lanes, const FROM: usize, const TO: usize>(
    half: [[L; TO]; FROM],
    transform: impl Fn([L; FROM]) -> [L; TO],
    mut write: impl FnMut(usize, L),
) {
    for column in 0..TO {
        let whole = transform(half.map(|row| row[column]));
        for (row, value) in whole.into_iter().enumerate() {
            write(row * TO + column, value);
        }
    }
}

/// `Bᵗ d`, the transform of inputs.
///
/// # Safety
/// The processor has the instructions; likewise below.
#[inline(always)]
unsafe fn six_of_six<L: Lanes>(d: [L; 6]) -> [L; 6] {
    // SAFETY: as the caller promises.
    unsafe {
        let (two, four, five) = (L::splat(2.0), L::splat(4.0), L::splat(-5.0));
        let even = four.multiply(d[2]).subtract(d[4]);
        let odd = four.multiply(d[1]).subtract(d[3]);
        let near = d[4].subtract(d[2]);
        let far = two.multiply(d[3].subtract(d[1]));
        [
            four.multiply_add(d[0], five.multiply_add(d[2], d[4])),
            L::splat(0.0).subtract(even.add(odd)),
            odd.subtract(even),
            near.add(far),
            near.subtract(far),
            four.multiply_add(d[1], five.multiply_add(d[3], d[5])),
        ]
    }
}

/// `Aᵗ m`, the transform of outputs.
///
/// # Safety
/// See [`six_of_six`].
#[inline(always)]
unsafe fn four_of_six<L: Lanes>(m: [L; 6]) -> [L; 4] {
    // SAFETY: as the caller promises.
    unsafe {
        let (sum1, difference1) = (m[1].add(m[2]), m[1].subtract(m[2]));
        let (sum2, difference2) = (m[3].add(m[4]), m[3].subtract(m[4]));
        [
            m[0].add(sum1).add(sum2),
            L::splat(2.0).multiply_add(difference2, difference1),
            L::splat(4.0).multiply_add(sum2, sum1),
            L::splat(8.0).multiply_add(difference2, difference1).add(m[5]),
        ]
    }
}

/// `A g`, the transform of outputs turned around, for gradients.
///
/// # Safety
/// See [`six_of_six`].
#[inline(always)]
unsafe fn six_of_four<L: Lanes>(g: [L; 4]) -> [L; 6] {
    // SAFETY: as the caller promises.
    unsafe {
        let even = g[0].add(g[2]);
        let odd = g[1].add(g[3]);
        let even2 = L::splat(4.0).multiply_add(g[2], g[0]);
        let odd2 = L::splat(2.0).multiply(L::splat(4.0).multiply_add(g[3], g[1]));
        [g[0], even.add(odd), even.subtract(odd), even2.add(odd2), even2.subtract(odd2), g[3]]
    }
}
