//! Products of matrices, most of the work of training.

use crate::cpu::lanes::{Lanes, Vector, Work, numbers};
use crate::cpu::product::{ROWS, by_shape, panels, parts};
use crate::cpu::set::Chosen;

/// The first factor of a product, whose rows are vectors.
#[derive(Clone, Copy)]
pub(super) enum Left<'a> {
    /// As it stands.
    Plain {
        values: &'a [Vector],
        /// Vectors of a row.
        row: usize,
    },
    /// Turned: its columns stand as rows.
    Turned {
        values: &'a [Vector],
        /// Vectors of a row.
        row: usize,
        /// The first column that is taken.
        first: usize,
    },
}

/// `c = a · b`, of so many rows and steps. Rows of `b` and `c` have the same number of vectors. Each number is summed up in the order of the steps, on every
/// processor that has fused multiplication and addition.
pub(super) fn product(c: &mut [Vector], a: Left, b: &[Vector], (rows, steps): (usize, usize)) {
    let columns = c.len().checked_div(rows).unwrap_or(0);
    assert!(c.len() == rows * columns && b.len() == steps * columns);
    Chosen::best().run(Product { c, a, b, rows, columns });
}

struct Product<'a> {
    c: &'a mut [Vector],
    a: Left<'a>,
    b: &'a [Vector],
    rows: usize,
    /// Vectors of a row of `b` and `c`.
    columns: usize,
}

impl Work for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Product { c, a, b, rows, columns } = self;
        for (first, width) in panels(columns, L::PANEL) {
            for (row, rows) in parts(rows, ROWS) {
                let c = &mut c[row * columns..][..rows * columns];
                let tile = Tile { a, b, c, row, first };
                by_shape!(L, Shaped, tile, rows, width);
            }
        }
    }
}

/// What is kept in registers: some rows of some columns.
struct Tile<'a> {
    a: Left<'a>,
    b: &'a [Vector],
    c: &'a mut [Vector],
    /// The first row.
    row: usize,
    /// The first vector of columns.
    first: usize,
}

struct Shaped<'a, const ROWS: usize, const WIDTH: usize>(Tile<'a>);

impl<const ROWS: usize, const WIDTH: usize> Work for Shaped<'_, ROWS, WIDTH> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Tile { a, b, c, row, first } = self.0;
        let columns = c.len() / ROWS;
        let mut sums = [[L::zero(); WIDTH]; ROWS];
        match a {
            Left::Plain { values, row: length } => {
                let mut rows: [&[f32]; ROWS] = [&[]; ROWS];
                for (i, numbers_of_row) in rows.iter_mut().enumerate() {
                    *numbers_of_row = numbers(&values[(row + i) * length..][..length]);
                }
                for (k, b) in b.chunks_exact(columns).enumerate() {
                    let mut column = [0.0; ROWS];
                    for (number, row) in column.iter_mut().zip(rows) {
                        *number = row[k];
                    }
                    add_step(&mut sums, column, &b[first..][..WIDTH]);
                }
            }
            Left::Turned { values, row: length, first: first_row } => {
                for (of_step, b) in values.chunks_exact(length).zip(b.chunks_exact(columns)) {
                    let column = numbers(of_step)[first_row + row..].first_chunk();
                    add_step(
                        &mut sums,
                        *column.expect("rows are columns of what is turned"),
                        &b[first..][..WIDTH],
                    );
                }
            }
        }
        for (c, sums) in c.chunks_exact_mut(columns).zip(sums) {
            for (sum, c) in sums.into_iter().zip(&mut c[first..]) {
                sum.store(c);
            }
        }
    }
}

/// Adds the products of a number for each row and vectors of columns.
#[inline(always)]
fn add_step<L: Lanes, const ROWS: usize, const WIDTH: usize>(
    sums: &mut [[L; WIDTH]; ROWS],
    column: [f32; ROWS],
    b: &[Vector],
) {
    let mut vectors = [L::zero(); WIDTH];
    for (vector, b) in vectors.iter_mut().zip(b) {
        *vector = L::load(b);
    }
    for (sums, a) in sums.iter_mut().zip(column) {
        let a = L::splat(a);
        for (sum, b) in sums.iter_mut().zip(vectors) {
            *sum = a.fma(b, *sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;
    use crate::cpu::lanes::numbers_mut;

    #[test]
    fn products_of_all_shapes_are_those_of_the_definition() {
        let mut rng = Rng::new(1);
        let mut random = |vectors: usize| {
            let mut values = vec![Vector::ZERO; vectors];
            numbers_mut(&mut values).iter_mut().for_each(|value| *value = rng.below(7) as f32 - 3.0);
            values
        };
        for (rows, steps, columns) in
            [(1, 1_usize, 1), (2, 3, 2), (5, 7, 4), (6, 16, 5), (7, 0, 1), (13, 9, 7), (24, 64, 4)]
        {
            let inner = 16 * steps.div_ceil(16).max(1);
            let (plain, b) = (random(rows * inner / 16), random(steps * columns));
            // The same turned, after two other columns.
            let outer = (rows + 2_usize).next_multiple_of(16);
            let mut turned = random(steps * outer / 16);
            for (row, step) in (0..rows * steps).map(|i| (i / steps, i % steps)) {
                numbers_mut(&mut turned)[step * outer + row + 2] = numbers(&plain)[row * inner + step];
            }
            let forms = [
                Left::Plain { values: &plain, row: inner / 16 },
                Left::Turned { values: &turned, row: outer / 16, first: 2 },
            ];
            for a in forms {
                let mut c = random(rows * columns);
                product(&mut c, a, &b, (rows, steps));
                for (i, &c) in numbers(&c).iter().enumerate() {
                    let (row, column) = (i / columns / 16, i % (columns * 16));
                    let at =
                        |k: usize| numbers(&plain)[row * inner + k] * numbers(&b)[k * columns * 16 + column];
                    assert_eq!(c, (0..steps).map(at).sum::<f32>(), "{rows} {steps} {columns}");
                }
            }
        }
    }
}
