//! Products of matrices, most of the work of training.

use crate::lanes::{Lanes, for_this_processor};

/// A matrix whose number in row `i` and column `k` is `values[i * row + k * step]`: plain or turned.
#[derive(Clone, Copy)]
pub(super) struct Strided<'a> {
    pub values: &'a [f32],
    pub row: usize,
    pub step: usize,
}

/// The size of a product: `rows`×`steps` times `steps`×`columns`.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub rows: usize,
    pub steps: usize,
    /// A multiple of 16.
    pub columns: usize,
}

/// `c = a · b`, or `c += a · b`. Rows of `b` and `c` lie one behind the other. Each number is summed up in the order of the steps.
pub(super) fn product(c: &mut [f32], a: Strided, b: &[f32], size: Size, add: bool) {
    let Size { rows, steps, columns } = size;
    if rows == 0 || columns == 0 {
        return;
    }
    assert!(columns.is_multiple_of(16) && c.len() >= rows * columns && b.len() >= steps * columns);
    assert!(steps == 0 || a.values.len() > (rows - 1) * a.row + (steps - 1) * a.step);
    // SAFETY: the sizes were compared above.
    unsafe { on_this_processor(c.as_mut_ptr(), a.values.as_ptr(), (a.row, a.step), b.as_ptr(), size, add) }
}

for_this_processor! {
    /// # Safety
    /// The matrices have the sizes that `size` says.
    unsafe fn on_this_processor =
        all_rows(c: *mut f32, a: *const f32, strides: (usize, usize), b: *const f32, size: Size, add: bool)
}

/// # Safety
/// The matrices have the sizes that `size` says.
#[inline(always)]
unsafe fn all_rows<L: Lanes, const WIDE: usize>(
    c: *mut f32,
    a: *const f32,
    strides: (usize, usize),
    b: *const f32,
    size: Size,
    add: bool,
) {
    let mut column = 0;
    // SAFETY: as the caller promises; blocks stay within the columns.
    unsafe {
        while column + 16 * WIDE <= size.columns {
            columns::<L, WIDE>(c.add(column), a, strides, b.add(column), size, add);
            column += 16 * WIDE;
        }
        while column < size.columns {
            columns::<L, 1>(c.add(column), a, strides, b.add(column), size, add);
            column += 16;
        }
    }
}

/// Some columns of all rows.
///
/// # Safety
/// As for [`all_rows`], from the first of these columns on.
#[inline(always)]
unsafe fn columns<L: Lanes, const WIDE: usize>(
    c: *mut f32,
    a: *const f32,
    strides: (usize, usize),
    b: *const f32,
    size: Size,
    add: bool,
) {
    let mut row = 0;
    // SAFETY: as the caller promises; blocks stay within the rows.
    unsafe {
        let at = |row: usize| (c.add(row * size.columns), a.add(row * strides.0));
        while row + 6 <= size.rows {
            let (c, a) = at(row);
            block::<L, 6, WIDE>(c, a, strides, b, size, add);
            row += 6;
        }
        while row + 2 <= size.rows {
            let (c, a) = at(row);
            block::<L, 2, WIDE>(c, a, strides, b, size, add);
            row += 2;
        }
        if row < size.rows {
            let (c, a) = at(row);
            block::<L, 1, WIDE>(c, a, strides, b, size, add);
        }
    }
}

/// A few rows and columns, whose sums stay in registers.
///
/// # Safety
/// As for [`all_rows`], from the first of these rows and columns on.
#[inline(always)]
unsafe fn block<L: Lanes, const ROWS: usize, const WIDE: usize>(
    c: *mut f32,
    a: *const f32,
    (row, step): (usize, usize),
    b: *const f32,
    size: Size,
    add: bool,
) {
    // SAFETY: as the caller promises.
    unsafe {
        let mut sums = [[L::splat(0.0); WIDE]; ROWS];
        if add {
            for (r, sums) in sums.iter_mut().enumerate() {
                for (w, sum) in sums.iter_mut().enumerate() {
                    *sum = L::load(c.add(r * size.columns + 16 * w));
                }
            }
        }
        for k in 0..size.steps {
            let mut weights = [L::splat(0.0); WIDE];
            for (w, weights) in weights.iter_mut().enumerate() {
                *weights = L::load(b.add(k * size.columns + 16 * w));
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let x = L::splat(*a.add(r * row + k * step));
                for (sum, &weights) in sums.iter_mut().zip(&weights) {
                    *sum = x.multiply_add(weights, *sum);
                }
            }
        }
        for (r, sums) in sums.into_iter().enumerate() {
            for (w, sum) in sums.into_iter().enumerate() {
                sum.store(c.add(r * size.columns + 16 * w));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    #[test]
    fn products_of_all_shapes_are_those_of_the_definition() {
        let mut rng = Rng::new(1);
        let mut numbers =
            |count: usize| -> Vec<f32> { (0..count).map(|_| (rng.below(7) as f32) - 3.0).collect() };
        for (rows, steps, columns) in
            [(1, 1, 16), (2, 3, 32), (5, 7, 64), (6, 16, 80), (7, 0, 16), (13, 9, 112), (24, 64, 64)]
        {
            let (a, b, before) = (numbers(rows * steps), numbers(steps * columns), numbers(rows * columns));
            let plain = Strided { values: &a, row: steps, step: 1 };
            let turned: Vec<f32> = (0..rows * steps).map(|i| a[i % rows * steps + i / rows]).collect();
            let turned = Strided { values: &turned, row: 1, step: rows };
            for (a_form, add) in [(plain, false), (turned, true)] {
                let mut c = before.clone();
                product(&mut c, a_form, &b, Size { rows, steps, columns }, add);
                for (i, c) in c.into_iter().enumerate() {
                    let (row, column) = (i / columns, i % columns);
                    let sum: f32 = (0..steps).map(|k| a[row * steps + k] * b[k * columns + column]).sum();
                    assert_eq!(c, sum + if add { before[i] } else { 0.0 }, "{rows} {steps} {columns}");
                }
            }
        }
    }
}
