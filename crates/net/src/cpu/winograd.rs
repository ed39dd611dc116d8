//! Winograd's convolution F(4×4, 3×3).
//!
//! A tile of 4×4 outputs of a 3×3 convolution depends on 6×6 inputs. In one dimension, three weights are a polynomial g of degree 2, and the
//! convolution is a product of polynomials: known by its values at six points, here 0, 1, -1, 2, -2 and infinity. So the weights are evaluated at the points
//! once (`G`), the inputs are brought to a form in which products with them are all that is left (`B`), and products become outputs (`A`):
//! `y = A [(G g) ∘ (B d)]`, in two dimensions along columns and rows. 36 products do the work of 144, and over many channels each point is a product of
//! matrices of its own.

use super::lanes::{Lanes, Vector};
use super::tiling::{POINTS, SIDE, TILE, Tiling};

/// What weights become: a row for each point.
pub(crate) const G: [[f64; 3]; SIDE] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// What inputs become: a row for each point. [`inputs`] computes it with common parts shared.
const B: [[f64; SIDE]; SIDE] = [
    [4.0, 0.0, -5.0, 0.0, 1.0, 0.0],
    [0.0, -4.0, -4.0, 1.0, 1.0, 0.0],
    [0.0, 4.0, -4.0, -1.0, 1.0, 0.0],
    [0.0, -2.0, -1.0, 2.0, 1.0, 0.0],
    [0.0, 2.0, -1.0, -2.0, 1.0, 0.0],
    [0.0, 4.0, 0.0, -5.0, 0.0, 1.0],
];

/// The weights of a 3×3 kernel at all points.
pub(crate) fn weights(kernel: &[f32; 9]) -> [f64; POINTS] {
    std::array::from_fn(|point| {
        let (down, across) = (G[point / SIDE], G[point % SIDE]);
        (0..9).map(|i| down[i / 3] * across[i % 3] * f64::from(kernel[i])).sum()
    })
}

/// The most that inputs between 0 and 1 can become at each point, in either direction.
pub(crate) fn bounds() -> [f64; POINTS] {
    std::array::from_fn(|point| {
        let factors = (0..POINTS).map(|i| B[point / SIDE][i / SIDE] * B[point % SIDE][i % SIDE]);
        let (up, down) = factors.fold((0.0, 0.0), |(up, down): (f64, f64), factor| {
            (up + factor.max(0.0), down - factor.min(0.0))
        });
        up.max(down)
    })
}

/// Inputs along one dimension: `B d`.
#[inline(always)]
fn inputs<L: Lanes>(d: [L; SIDE]) -> [L; SIDE] {
    let c = L::splat;
    let even = d[2].fma(c(-4.0), d[4]);
    let odd = d[1].fma(c(-4.0), d[3]);
    let even_2 = d[4].sub(d[2]);
    let odd_2 = d[3].sub(d[1]);
    [
        d[0].fma(c(4.0), d[2].fma(c(-5.0), d[4])),
        even.add(odd),
        even.sub(odd),
        odd_2.fma(c(2.0), even_2),
        odd_2.fma(c(-2.0), even_2),
        d[1].fma(c(4.0), d[3].fma(c(-5.0), d[5])),
    ]
}

/// Outputs along one dimension: `A m`.
#[inline(always)]
fn outputs<L: Lanes>(m: [L; SIDE]) -> [L; TILE] {
    let c = L::splat;
    let (sum_1, difference_1) = (m[1].add(m[2]), m[1].sub(m[2]));
    let (sum_2, difference_2) = (m[3].add(m[4]), m[3].sub(m[4]));
    [
        m[0].add(sum_1).add(sum_2),
        difference_2.fma(c(2.0), difference_1),
        sum_2.fma(c(4.0), sum_1),
        difference_2.fma(c(8.0), difference_1.add(m[5])),
    ]
}

/// Transforms sixteen channels of a tile and its surroundings, which begin at a corner of the frame.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "rows and columns are alike")]
pub(crate) fn transform_inputs<L: Lanes>(frame: &[Vector], corner: usize, width: usize) -> [[L; SIDE]; SIDE] {
    let mut half = [[L::zero(); SIDE]; SIDE];
    for (y, row) in half.iter_mut().enumerate() {
        for (value, cell) in row.iter_mut().zip(&frame[corner + y * width..][..SIDE]) {
            *value = L::load(cell);
        }
    }
    for x in 0..SIDE {
        let mut column = [L::zero(); SIDE];
        for y in 0..SIDE {
            column[y] = half[y][x];
        }
        let column = inputs(column);
        for y in 0..SIDE {
            half[y][x] = column[y];
        }
    }
    for row in &mut half {
        *row = inputs(*row);
    }
    half
}

/// What is done with the cells of a board, sixteen channels at a time. It is a trait instead of a closure because it must be inlined.
pub(crate) trait Cells<L> {
    /// Takes a cell, with its place in the frame.
    fn put(&mut self, place: usize, value: L);
}

/// Transforms the products of a tile back into sixteen channels of its cells: those that lie on the board.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "rows and columns are alike")]
pub(crate) fn transform_outputs<L: Lanes>(
    tiling: Tiling,
    (row, column): (usize, usize),
    points: &[Vector; POINTS],
    cells: &mut impl Cells<L>,
) {
    let mut half = [[L::zero(); SIDE]; TILE];
    for x in 0..SIDE {
        let mut column = [L::zero(); SIDE];
        for y in 0..SIDE {
            column[y] = L::load(&points[y * SIDE + x]);
        }
        let column = outputs(column);
        for y in 0..TILE {
            half[y][x] = column[y];
        }
    }
    let corner = tiling.place(row, column);
    let is_whole = row + TILE <= tiling.rows && column + TILE <= tiling.columns;
    for y in 0..TILE {
        let values = outputs(half[y]);
        for x in 0..TILE {
            if is_whole || row + y < tiling.rows && column + x < tiling.columns {
                cells.put(corner + y * tiling.width() + x, values[x]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Portable;
    use super::*;

    fn first_lane(values: &[Portable]) -> Vec<f32> {
        let mut vector = Vector::ZERO;
        let mut lane = |value: &Portable| {
            value.store(&mut vector);
            vector.0[0]
        };
        values.iter().map(&mut lane).collect()
    }

    /// By linearity it is enough that one input and one weight are one and the others zero.
    #[test]
    fn every_input_and_every_weight_contribute_as_the_definition_says() {
        for (input, weight) in (0..SIDE).flat_map(|input| (0..3).map(move |weight| (input, weight))) {
            let d = std::array::from_fn(|i| Portable::splat(f32::from(i == input)));
            let points = first_lane(&inputs(d));
            for (point, value) in points.iter().enumerate() {
                assert_eq!(f64::from(*value), B[point][input], "point {point}, input {input}");
            }
            let m = std::array::from_fn(|i| Portable::splat(points[i] * G[i][weight] as f32));
            for (output, value) in first_lane(&outputs(m)).into_iter().enumerate() {
                let wanted = f32::from(output + weight == input);
                assert!((value - wanted).abs() < 1e-6, "input {input}, weight {weight}, output {output}");
            }
        }
    }

    /// Transforms are linear, so that inputs of 0 and 1 are the extremes.
    #[test]
    fn no_inputs_between_0_and_1_exceed_the_bounds_and_some_reach_them() {
        let tiling = Tiling::new(crate::BoardSize { rows: 4, columns: 4 });
        let transformed = |cells: &dyn Fn(usize) -> bool| {
            let frame: Vec<Vector> = (0..POINTS).map(|i| Vector([f32::from(cells(i)); 16])).collect();
            let points = transform_inputs::<Portable>(&frame, 0, tiling.width());
            first_lane(points.as_flattened())
        };
        let bounds = bounds();
        let mut rng = outplay_core::Rng::new(1);
        for _ in 0..1000 {
            let cells = rng.next_u64();
            for (point, value) in transformed(&|i| cells >> i & 1 == 1).into_iter().enumerate() {
                assert!(f64::from(value.abs()) <= bounds[point], "point {point}");
            }
        }
        for (point, &bound) in bounds.iter().enumerate() {
            let reach = |sign: f64| {
                let factor = |i: usize| B[point / SIDE][i / SIDE] * B[point % SIDE][i % SIDE];
                f64::from(transformed(&|i| factor(i) * sign > 0.0)[point].abs())
            };
            assert_eq!(bound, reach(1.0).max(reach(-1.0)), "point {point}");
        }
    }
}
