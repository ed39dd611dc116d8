//! Linear equations with a symmetric, positive definite matrix.

/// A square matrix, row by row.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, entries: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    pub(super) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }

    pub(super) fn times(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for row in 0..self.size {
            for inner in 0..self.size {
                let factor = self.at(row, inner);
                for column in 0..self.size {
                    *product.at_mut(row, column) += factor * other.at(inner, column);
                }
            }
        }
        product
    }

    pub(super) fn into_entries(self) -> Vec<f64> {
        self.entries
    }
}

/// The lower triangular `L` with `L Lᵀ` the matrix.
pub(super) struct Cholesky(Matrix);

impl Cholesky {
    /// The matrix is symmetric and positive definite.
    pub(super) fn of(matrix: &Matrix) -> Cholesky {
        let size = matrix.size;
        let mut lower = Matrix::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| lower.at(row, k) * lower.at(column, k)).sum();
                let rest = matrix.at(row, column) - known;
                *lower.at_mut(row, column) =
                    if row == column { rest.sqrt() } else { rest / lower.at(column, column) };
            }
        }
        Cholesky(lower)
    }

    /// The `x` for which the matrix times `x` is `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Cholesky(lower) = self;
        let mut x = right.to_vec();
        for row in 0..x.len() {
            let known: f64 = (0..row).map(|k| lower.at(row, k) * x[k]).sum();
            x[row] = (x[row] - known) / lower.at(row, row);
        }
        for row in (0..x.len()).rev() {
            let known: f64 = (row + 1..x.len()).map(|k| lower.at(k, row) * x[k]).sum();
            x[row] = (x[row] - known) / lower.at(row, row);
        }
        x
    }

    pub(super) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::zero(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, entry) in self.solve(&unit).into_iter().enumerate() {
                *inverse.at_mut(row, column) = entry;
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let mut rng = Rng::new(3);
        for size in 0..12 {
            // A Gram matrix, with something on the diagonal to keep it well conditioned.
            let mut factor = Matrix::zero(size);
            factor.entries.fill_with(|| rng.unit() - 0.5);
            let mut matrix = Matrix::zero(size);
            for row in 0..size {
                for column in 0..size {
                    *matrix.at_mut(row, column) =
                        (0..size).map(|k| factor.at(row, k) * factor.at(column, k)).sum();
                }
                *matrix.at_mut(row, row) += 0.1;
            }
            let product = matrix.times(&Cholesky::of(&matrix).inverse());
            for row in 0..size {
                for column in 0..size {
                    let expected = f64::from(u8::from(row == column));
                    assert!((product.at(row, column) - expected).abs() < 1e-11, "{product:?}");
                }
            }
        }
    }
}
