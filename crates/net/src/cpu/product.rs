//! Products of matrices: rows of numbers times packed weights.
//!
//! A row has its inputs one after the other, weights have sixteen outputs a vector. Each output sums up its inputs in their order, whatever the instruction
//! set and the number of rows: so results do not depend on them.

use super::lanes::{LANES, Lanes, Vector, Work};

/// No more rows are kept in registers.
pub(crate) const ROWS: usize = 6;
/// How many vectors before they are needed weights are asked for that are used only once.
const AHEAD: usize = 32;

/// Calls the function of a shape: `by_shape!(L, Shaped, tile, rows, width)`.
macro_rules! by_shape {
    ($lanes:ident, $shaped:ident, $tile:expr, $rows:expr, $width:expr) => {
        by_shape!(@ $lanes, $shaped, $tile, $rows, $width, 1 2 3 4 5 6)
    };
    (@ $lanes:ident, $shaped:ident, $tile:expr, $rows:expr, $width:expr, $($count:literal)*) => {
        match ($rows, $width) {
            $(
                ($count, 1) => $lanes::call($shaped::<$count, 1>($tile)),
                ($count, 2) => $lanes::call($shaped::<$count, 2>($tile)),
                ($count, 4) => $lanes::call($shaped::<$count, 4>($tile)),
            )*
            _ => unreachable!("parts and panels have these shapes"),
        }
    };
}
pub(crate) use by_shape;

/// The weights of one matrix or of several, one for each point of a transform, packed in panels of as many outputs as fit into registers.
#[derive(Debug)]
pub(crate) struct Packed {
    /// Vectors of inputs in a row.
    pub inputs: usize,
    /// Vectors of outputs in a row.
    pub outputs: usize,
    points: usize,
    panel: usize,
    // [point][panel][input][vector of the panel]
    values: Vec<Vector>,
}

impl Packed {
    /// Packs `weight(point, input, output)`; counts are in vectors of sixteen.
    pub fn new(
        panel: usize,
        points: usize,
        inputs: usize,
        outputs: usize,
        mut weight: impl FnMut(usize, usize, usize) -> f32,
    ) -> Packed {
        let mut values = Vec::with_capacity(points * inputs * LANES * outputs);
        for point in 0..points {
            for (first, width) in panels(outputs, panel) {
                for input in 0..inputs * LANES {
                    for vector in first..first + width {
                        values
                            .push(Vector(std::array::from_fn(|i| weight(point, input, vector * LANES + i))));
                    }
                }
            }
        }
        Packed { inputs, outputs, points, panel, values }
    }
}

/// Cuts vectors of outputs into panels: where each begins, and its width of 4, 2 or 1.
pub(crate) fn panels(vectors: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let width = [4, 2, 1].into_iter().find(|&width| width <= most.min(vectors - first))?;
        first += width;
        Some((first - width, width))
    })
}

/// Cuts rows into as few parts as may be, about equal: where each begins and how many rows it has.
pub(crate) fn parts(rows: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = rows.div_ceil(most);
    let (length, longer) = (rows / count.max(1), rows % count.max(1));
    (0..count).map(move |part| (part * length + part.min(longer), length + usize::from(part < longer)))
}

/// How rows lie in memory.
#[derive(Clone, Copy)]
pub(crate) struct Strides {
    /// From a row to the next, in vectors.
    pub row: usize,
    /// From a point of a transform to the next.
    pub point: usize,
}

impl Strides {
    /// Rows of so many vectors one after the other, without points.
    pub fn rows(vectors: usize) -> Strides {
        Strides { row: vectors, point: 0 }
    }
}

/// All products of some rows.
pub(crate) struct Product<'a> {
    pub weights: &'a Packed,
    pub rows: usize,
    pub input: &'a [Vector],
    pub input_strides: Strides,
    pub output: &'a mut [Vector],
    pub output_strides: Strides,
}

impl Work for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Packed { inputs, outputs, points, panel, ref values } = *self.weights;
        for point in 0..points {
            let input = &self.input[point * self.input_strides.point..];
            let output = &mut self.output[point * self.output_strides.point..];
            let values = &values[point * inputs * LANES * outputs..];
            for (first, width) in panels(outputs, panel) {
                let weights = &values[first * inputs * LANES..][..width * inputs * LANES];
                for (row, rows) in parts(self.rows, ROWS) {
                    let tile = Tile {
                        input: &input[row * self.input_strides.row..],
                        input_row: self.input_strides.row,
                        weights,
                        output: &mut output[row * self.output_strides.row + first..],
                        output_row: self.output_strides.row,
                    };
                    if self.rows <= ROWS {
                        by_shape!(L, Streaming, tile, rows, width);
                    } else {
                        by_shape!(L, Shaped, tile, rows, width);
                    }
                }
            }
        }
    }
}

/// What is kept in registers: some rows of some outputs. It is a function of its own for each shape, since among other code the compiler runs out of
/// registers.
struct Tile<'a> {
    input: &'a [Vector],
    /// From a row of the input to the next.
    input_row: usize,
    weights: &'a [Vector],
    output: &'a mut [Vector],
    /// From a row of the output to the next.
    output_row: usize,
}

struct Shaped<'a, const ROWS: usize, const WIDTH: usize>(Tile<'a>);

impl<const ROWS: usize, const WIDTH: usize> Work for Shaped<'_, ROWS, WIDTH> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.0.multiply::<L, ROWS, WIDTH, false>();
    }
}

/// The same for so few rows that no other rows use the weights again, which come from a distant cache.
struct Streaming<'a, const ROWS: usize, const WIDTH: usize>(Tile<'a>);

impl<const ROWS: usize, const WIDTH: usize> Work for Streaming<'_, ROWS, WIDTH> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.0.multiply::<L, ROWS, WIDTH, true>();
    }
}

impl Tile<'_> {
    #[inline(always)]
    fn multiply<L: Lanes, const ROWS: usize, const WIDTH: usize, const STREAMS: bool>(self) {
        let Tile { input, input_row, weights, output, output_row } = self;
        let mut sums = [[L::zero(); WIDTH]; ROWS];
        for (vector, weights) in weights.chunks_exact(LANES * WIDTH).enumerate() {
            let mut rows = [&Vector::ZERO; ROWS];
            for (row, values) in rows.iter_mut().enumerate() {
                *values = &input[row * input_row + vector];
            }
            for lane in 0..LANES {
                let mut of_lane = [L::zero(); WIDTH];
                for (loaded, weight) in of_lane.iter_mut().zip(&weights[lane * WIDTH..][..WIDTH]) {
                    *loaded = L::load(weight);
                    if STREAMS {
                        L::prefetch(weight, AHEAD);
                    }
                }
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let value = L::splat(row.0[lane]);
                    for (sum, weight) in sums.iter_mut().zip(of_lane) {
                        *sum = value.fma(weight, *sum);
                    }
                }
            }
        }
        for row in 0..ROWS {
            let output: &mut [Vector; WIDTH] =
                output[row * output_row..].first_chunk_mut().expect("rows have all outputs");
            for i in 0..WIDTH {
                sums[row][i].store(&mut output[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::set::Chosen;
    use super::*;
    use crate::InstructionSet;

    #[test]
    fn rows_and_outputs_are_cut_without_gap_or_overlap() {
        for most in [1, 4, 6] {
            for count in 1..40 {
                for parts in [parts(count, most).collect::<Vec<_>>(), panels(count, most).collect()] {
                    let mut next = 0;
                    for (begin, length) in parts {
                        assert_eq!(begin, next);
                        assert!((1..=most).contains(&length));
                        next += length;
                    }
                    assert_eq!(next, count);
                }
            }
        }
    }

    /// Small integers, whose sums are exact: any order gives the same.
    #[test]
    fn products_of_every_shape_are_those_of_the_definition() {
        let small = |seed: usize| (seed * 2_654_435_761 % 1009 % 17) as f32 - 8.0;
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let set = Chosen::new(set).unwrap();
            for (rows, inputs, outputs, points) in
                (1..=13).flat_map(|rows| [(rows, 1, 1, 2), (rows, 2, 3, 1), (rows, 1, 7, 3)])
            {
                let weight = |p: usize, i: usize, o: usize| small(p * 7919 + i * 131 + o);
                let weights = Packed::new(set.panel(), points, inputs, outputs, weight);
                let (input_stride, output_stride) = (rows * inputs + 1, rows * outputs + 2);
                let input_strides = Strides { point: input_stride, ..Strides::rows(inputs) };
                let output_strides = Strides { point: output_stride, ..Strides::rows(outputs) };
                let input: Vec<Vector> = (0..points * input_stride)
                    .map(|i| Vector(std::array::from_fn(|lane| small(i * LANES + lane + 5))))
                    .collect();
                let mut output = vec![Vector::ZERO; points * output_stride];
                let (weights, given) = (&weights, &mut output);
                set.run(Product {
                    weights,
                    rows,
                    input: &input,
                    input_strides,
                    output: given,
                    output_strides,
                });
                for (p, row, o) in (0..points).flat_map(|p| {
                    (0..rows).flat_map(move |row| (0..outputs * LANES).map(move |o| (p, row, o)))
                }) {
                    let x = |i: usize| input[p * input_stride + row * inputs + i / LANES].0[i % LANES];
                    let wanted: f32 = (0..inputs * LANES).map(|i| x(i) * weight(p, i, o)).sum();
                    let vector = &output[p * output_stride + row * outputs + o / LANES];
                    assert_eq!(vector.0[o % LANES], wanted, "{set:?} {rows} rows, point {p}, output {o}");
                }
            }
        }
    }
}
