//! Convolutions of whole batches by Winograd's method, and their gradients.
//!
//! The transforms are those of play (`cpu/winograd.rs`): a tile becomes 36 points, and each point of the output is a product of matrices,
//! `[tile][input] · [input][output]`. Turned around they give gradients: of the input by a convolution with turned weights, of the weights by the products
//! `[input][tile] · [tile][output]` of each point.

use super::map::{Buffer, Map};
use super::product::{Left, product};
use super::workers::Workers;
use crate::cpu::lanes::{LANES, Lanes, Vector, Work, numbers, numbers_mut};
use crate::cpu::set::Chosen;
use crate::cpu::tiling::{POINTS, SIDE, TILE, Tiling};
use crate::cpu::winograd::{Cells, G, Points, transform_inputs, transform_outputs, weights};

/// Points of weights, `[point][input][output]`, both filled up to whole vectors.
pub(super) struct Weights {
    /// Vectors of inputs.
    inputs: usize,
    /// Vectors of outputs.
    outputs: usize,
    points: Vec<Vector>,
}

impl Weights {
    /// The points of weights `[output][input][3][3]`; or, for the gradient of the input, of those turned around with inputs and outputs exchanged.
    pub fn new(kernels: &[f32], inputs: usize, turned: bool) -> Weights {
        let outputs = kernels.len() / 9 / inputs;
        let (from, to) = if turned { (outputs, inputs) } else { (inputs, outputs) };
        let (from, to) = (from.div_ceil(LANES), to.div_ceil(LANES));
        let mut points = vec![Vector::ZERO; POINTS * from * LANES * to];
        let values = numbers_mut(&mut points);
        for (number, kernel) in kernels.as_chunks::<9>().0.iter().enumerate() {
            let (output, input) = (number / inputs, number % inputs);
            let (row, column, kernel) = match turned {
                true => (output, input, std::array::from_fn(|i| kernel[8 - i])),
                false => (input, output, *kernel),
            };
            for (point, value) in weights(&kernel).into_iter().enumerate() {
                values[(point * from * LANES + row) * to * LANES + column] = value as f32;
            }
        }
        Weights { inputs: from, outputs: to, points }
    }
}

/// Convolves all boards.
pub(super) fn convolve(x: &Map, weights: &Weights, tiling: Tiling, workers: Workers) -> Map {
    let Weights { inputs, outputs, ref points } = *weights;
    assert_eq!(x.vectors, inputs);
    let mut y = Map::zeros(x.boards, x.cells, outputs * LANES);
    let work = x.pieces().into_iter().zip(y.vectors_mut()).collect();
    let scratch = || (Vec::new(), Vec::new());
    workers.map(work, scratch, |(of_x, of_y): &mut (Vec<Vector>, Vec<Vector>), (boards, y)| {
        let tiles = boards.len() * tiling.tiles();
        of_x.resize(POINTS * tiles * inputs, Vector::ZERO);
        of_y.resize(POINTS * tiles * outputs, Vector::ZERO);
        let points_of_x = of_x.chunks_exact_mut(tiles * inputs).collect();
        Chosen::best().run(Transform {
            tiling,
            cells: x.part_vectors(&boards),
            vectors: inputs,
            points: points_of_x,
            of: Of::Inputs,
        });
        for point in 0..POINTS {
            let a = Left::Plain { values: &of_x[point * tiles * inputs..][..tiles * inputs], row: inputs };
            let b = &points[point * inputs * LANES * outputs..][..inputs * LANES * outputs];
            product(&mut of_y[point * tiles * outputs..][..tiles * outputs], a, b, (tiles, inputs * LANES));
        }
        Chosen::best().run(TransformBack { tiling, points: of_y, vectors: outputs, cells: y });
    });
    y
}

/// The gradient of weights `[output][input][3][3]`, by the input of a convolution and the gradient of its output.
pub(super) fn gradient_of_weights(
    x: &Map,
    gradient: &Map,
    (inputs, outputs): (usize, usize),
    tiling: Tiling,
    workers: Workers,
) -> Vec<f32> {
    let tiles = x.boards * tiling.tiles();
    let of_x = all_points(x, tiling, workers, Of::Inputs);
    let of_gradient = all_points(gradient, tiling, workers, Of::Gradients);
    // The points are independent of each other, and each sums up its tiles in their order.
    let points = workers.map(
        (0..POINTS).collect(),
        || (),
        |(), point| {
            let mut sums = vec![Vector::ZERO; x.channels() * gradient.vectors];
            let values = &of_x[point * tiles * x.vectors..][..tiles * x.vectors];
            let b = &of_gradient[point * tiles * gradient.vectors..][..tiles * gradient.vectors];
            product(&mut sums, Left::Turned { values, row: x.vectors, first: 0 }, b, (x.channels(), tiles));
            sums
        },
    );
    let mut kernels = vec![0.0; outputs * inputs * 9];
    for (number, kernel) in kernels.chunks_exact_mut(9).enumerate() {
        let (output, input) = (number / inputs, number % inputs);
        let at = |row: usize, column: usize| {
            f64::from(numbers(&points[SIDE * row + column])[input * gradient.channels() + output])
        };
        let half: [[f64; SIDE]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|column| (0..SIDE).map(|row| G[row][i] * at(row, column)).sum())
        });
        for (place, weight) in kernel.iter_mut().enumerate() {
            *weight =
                (0..SIDE).map(|column| half[place / 3][column] * G[column][place % 3]).sum::<f64>() as f32;
        }
    }
    kernels
}

/// The points of all boards, `[point][tile][channel]`.
fn all_points(map: &Map, tiling: Tiling, workers: Workers, of: Of) -> Buffer {
    let (of_board, vectors) = (tiling.tiles() * map.vectors, map.vectors);
    let mut points = Buffer::zeros(POINTS * map.boards * of_board);
    // A piece of work writes its tiles of each of the points.
    let mut parts: Vec<Vec<&mut [Vector]>> = map.pieces().iter().map(|_| Vec::new()).collect();
    for mut of_point in points.chunks_mut(map.boards * of_board) {
        for (piece, parts) in map.pieces().iter().zip(&mut parts) {
            let (own, rest) = of_point.split_at_mut(piece.len() * of_board);
            parts.push(own);
            of_point = rest;
        }
    }
    let work = map.pieces().into_iter().zip(parts).collect();
    workers.map(
        work,
        || (),
        |(), (boards, points)| {
            Chosen::best().run(Transform { tiling, cells: map.part_vectors(&boards), vectors, points, of });
        },
    );
    points
}

/// What is transformed.
#[derive(Clone, Copy)]
enum Of {
    /// What a convolution reads.
    Inputs,
    /// The gradient of what it writes.
    Gradients,
}

/// Turns the cells of some boards, `[board][cell][channel]`, into points `[point][tile][channel]`.
struct Transform<'a> {
    tiling: Tiling,
    cells: &'a [Vector],
    /// Vectors of channels.
    vectors: usize,
    /// The tiles of each point.
    points: Vec<&'a mut [Vector]>,
    of: Of,
}

impl Work for Transform<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Transform { tiling, cells, vectors, mut points, of } = self;
        let mut frame = vec![Vector::ZERO; tiling.frame()];
        for (number, board) in cells.chunks_exact(tiling.cells() * vectors).enumerate() {
            for vector in 0..vectors {
                for (cell, place) in tiling.places().flatten().enumerate() {
                    frame[place] = board[cell * vectors + vector];
                }
                for (tile, (row, column)) in tiling.corners().enumerate() {
                    let transformed = match of {
                        Of::Inputs => {
                            transform_inputs::<L>(&frame, row * tiling.width() + column, tiling.width())
                        }
                        Of::Gradients => {
                            transform_gradients(&frame, tiling.place(row, column), tiling.width())
                        }
                    };
                    let place = (number * tiling.tiles() + tile) * vectors + vector;
                    for (value, of_point) in transformed.as_flattened().iter().zip(&mut points) {
                        value.store(&mut of_point[place]);
                    }
                }
            }
        }
    }
}

/// Turns points `[point][tile][channel]` into the cells of some boards: what a convolution writes.
struct TransformBack<'a> {
    tiling: Tiling,
    points: &'a [Vector],
    /// Vectors of channels.
    vectors: usize,
    cells: &'a mut [Vector],
}

impl Work for TransformBack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let TransformBack { tiling, points, vectors, cells } = self;
        let tiles = points.len() / POINTS / vectors;
        let mut frame = Frame(vec![Vector::ZERO; tiling.frame()]);
        for (number, board) in cells.chunks_exact_mut(tiling.cells() * vectors).enumerate() {
            for vector in 0..vectors {
                for (tile, corner) in tiling.corners().enumerate() {
                    let place = (number * tiling.tiles() + tile) * vectors + vector;
                    let points = Points::new(&points[place..], tiles * vectors);
                    transform_outputs::<L>(tiling, corner, points, &mut frame);
                }
                for (cell, place) in tiling.places().flatten().enumerate() {
                    board[cell * vectors + vector] = frame.0[place];
                }
            }
        }
    }
}

/// A framed board.
struct Frame(Vec<Vector>);

impl<L: Lanes> Cells<L> for Frame {
    #[inline(always)]
    fn put(&mut self, place: usize, value: L) {
        value.store(&mut self.0[place]);
    }
}

/// Transforms the gradient of a tile's cells, which begin at a corner of the frame.
#[inline(always)]
fn transform_gradients<L: Lanes>(frame: &[Vector], corner: usize, width: usize) -> [[L; SIDE]; SIDE] {
    let mut half = [[L::zero(); SIDE]; TILE];
    for y in 0..TILE {
        let mut row = [L::zero(); TILE];
        for (value, cell) in row.iter_mut().zip(&frame[corner + y * width..][..TILE]) {
            *value = L::load(cell);
        }
        half[y] = gradients(row);
    }
    let mut whole = [[L::zero(); SIDE]; SIDE];
    for x in 0..SIDE {
        let mut column = [L::zero(); TILE];
        for y in 0..TILE {
            column[y] = half[y][x];
        }
        let column = gradients(column);
        for y in 0..SIDE {
            whole[y][x] = column[y];
        }
    }
    whole
}

/// Gradients along one dimension: the transform of outputs turned around.
#[inline(always)]
fn gradients<L: Lanes>(g: [L; TILE]) -> [L; SIDE] {
    let (two, four) = (L::splat(2.0), L::splat(4.0));
    let (even, odd) = (g[0].add(g[2]), g[1].add(g[3]));
    let (even_2, odd_2) = (g[2].fma(four, g[0]), g[3].fma(four, g[1]).mul(two));
    [g[0], even.add(odd), even.sub(odd), even_2.add(odd_2), even_2.sub(odd_2), g[3]]
}
