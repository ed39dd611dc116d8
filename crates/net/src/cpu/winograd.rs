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

/// Rows become columns. Transforms are written without loops, so that compilers keep all numbers in registers as long as there are any.
#[inline(always)]
fn turned<L: Lanes>([a, b, c, d, e, f]: [[L; SIDE]; SIDE]) -> [[L; SIDE]; SIDE] {
    [
        [a[0], b[0], c[0], d[0], e[0], f[0]],
        [a[1], b[1], c[1], d[1], e[1], f[1]],
        [a[2], b[2], c[2], d[2], e[2], f[2]],
        [a[3], b[3], c[3], d[3], e[3], f[3]],
        [a[4], b[4], c[4], d[4], e[4], f[4]],
        [a[5], b[5], c[5], d[5], e[5], f[5]],
    ]
}

/// Cells of a frame, one after the other.
#[inline(always)]
fn cells<L: Lanes>(frame: &[Vector], place: usize) -> [L; SIDE] {
    let [a, b, c, d, e, f] = frame[place..].first_chunk().expect("a frame has whole tiles");
    [L::load(a), L::load(b), L::load(c), L::load(d), L::load(e), L::load(f)]
}

/// Transforms sixteen channels of a tile and its surroundings, which begin at a corner of the frame.
#[inline(always)]
pub(crate) fn transform_inputs<L: Lanes>(frame: &[Vector], corner: usize, width: usize) -> [[L; SIDE]; SIDE] {
    let rows = [
        cells(frame, corner),
        cells(frame, corner + width),
        cells(frame, corner + 2 * width),
        cells(frame, corner + 3 * width),
        cells(frame, corner + 4 * width),
        cells(frame, corner + 5 * width),
    ];
    let [a, b, c, d, e, f] = turned(rows);
    let columns = [inputs(a), inputs(b), inputs(c), inputs(d), inputs(e), inputs(f)];
    let [a, b, c, d, e, f] = turned(columns);
    [inputs(a), inputs(b), inputs(c), inputs(d), inputs(e), inputs(f)]
}

/// What is done with the cells of a board, sixteen channels at a time. It is a trait instead of a closure because it must be inlined.
pub(crate) trait Cells<L> {
    /// Takes a cell, with its place in the frame.
    fn put(&mut self, place: usize, value: L);
}

/// The points of a tile and a vector of channels, in memory that has those of other tiles between them.
#[derive(Clone, Copy)]
pub(crate) struct Points<'a> {
    values: &'a [Vector],
    stride: usize,
}

impl<'a> Points<'a> {
    /// The first point comes first, the others at this distance.
    #[inline(always)]
    pub fn new(values: &'a [Vector], stride: usize) -> Points<'a> {
        assert!(values.len() > stride.saturating_mul(POINTS - 1), "a tile has all points");
        Points { values, stride }
    }

    #[inline(always)]
    fn load<L: Lanes>(self, point: usize) -> L {
        debug_assert!(point < POINTS);
        // SAFETY: there are as many values, and points are fewer than `POINTS`.
        L::load(unsafe { self.values.get_unchecked(point * self.stride) })
    }

    /// The points of a column.
    #[inline(always)]
    fn column<L: Lanes>(self, x: usize) -> [L; SIDE] {
        let [a, b, c, d, e, f] = [0, SIDE, 2 * SIDE, 3 * SIDE, 4 * SIDE, 5 * SIDE];
        [
            self.load(a + x),
            self.load(b + x),
            self.load(c + x),
            self.load(d + x),
            self.load(e + x),
            self.load(f + x),
        ]
    }
}

/// The same, to be written.
pub(crate) struct PointsMut<'a> {
    values: &'a mut [Vector],
    stride: usize,
}

impl<'a> PointsMut<'a> {
    #[inline(always)]
    pub fn new(values: &'a mut [Vector], stride: usize) -> PointsMut<'a> {
        assert!(values.len() > stride.saturating_mul(POINTS - 1), "a tile has all points");
        PointsMut { values, stride }
    }

    #[inline(always)]
    pub fn store<L: Lanes>(self, points: &[[L; SIDE]; SIDE]) {
        for (point, value) in points.as_flattened().iter().enumerate() {
            // SAFETY: there are as many values.
            value.store(unsafe { self.values.get_unchecked_mut(point * self.stride) });
        }
    }
}

/// Transforms the products of a tile back into sixteen channels of its cells: those that lie on the board.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "rows and columns are alike")]
pub(crate) fn transform_outputs<L: Lanes>(
    tiling: Tiling,
    (row, column): (usize, usize),
    points: Points,
    cells: &mut impl Cells<L>,
) {
    let [a, b, c, d, e, f] = [
        outputs(points.column(0)),
        outputs(points.column(1)),
        outputs(points.column(2)),
        outputs(points.column(3)),
        outputs(points.column(4)),
        outputs(points.column(5)),
    ];
    let corner = tiling.place(row, column);
    let is_whole = row + TILE <= tiling.rows && column + TILE <= tiling.columns;
    for y in 0..TILE {
        let values = outputs([a[y], b[y], c[y], d[y], e[y], f[y]]);
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
