//! The operations of a graph, computed plainly for one position.

use super::operation::{Convolution, Operation, Window};

/// A value with its shape.
#[derive(Clone, Copy)]
pub(super) struct View<'v> {
    pub(super) shape: &'v [usize],
    pub(super) numbers: &'v [f32],
}

impl Operation {
    /// Computes the result, for which `out` has the shape and room; `scratch` is anybody's.
    pub(super) fn compute(
        &self,
        inputs: &[View<'_>],
        shape: &[usize],
        out: &mut [f32],
        scratch: &mut Vec<f32>,
    ) {
        let first = inputs[0];
        let x = first.numbers;
        let each = |out: &mut [f32], f: &dyn Fn(f32) -> f32| {
            out.iter_mut().zip(x).for_each(|(out, &x)| *out = f(x));
        };
        match self {
            Operation::Convolution(conv) => convolve(conv, first, shape, out, scratch),
            Operation::Dense { weight, bias } => {
                let inputs = weight.shape[1];
                for (out, x) in out.chunks_mut(bias.len()).zip(x.chunks(inputs)) {
                    for ((out, row), bias) in out.iter_mut().zip(weight.values.chunks(inputs)).zip(bias) {
                        *out = bias + dot(row, x);
                    }
                }
            }
            Operation::Relu => each(out, &|x| x.max(0.0)),
            Operation::Tanh => each(out, &f32::tanh),
            Operation::Sigmoid => each(out, &|x| 1.0 / (1.0 + (-x).exp())),
            Operation::Softmax { from, to } => {
                let inner: usize = first.shape[*to..].iter().product();
                let length: usize = first.shape[*from..*to].iter().product();
                softmax(x, length, inner, out);
            }
            Operation::Add => together(inputs, shape, out, |a, b| a + b),
            Operation::Mul => together(inputs, shape, out, |a, b| a * b),
            Operation::AddConstant(constant) => {
                out.iter_mut().zip(x.iter().zip(constant)).for_each(|(out, (x, c))| *out = x + c);
            }
            Operation::MulConstant(constant) => {
                out.iter_mut().zip(x.iter().zip(constant)).for_each(|(out, (x, c))| *out = x * c);
            }
            Operation::Reshape(_) => out.copy_from_slice(x),
            Operation::BoardMean { .. } => {
                let cells = x.len() / out.len();
                let mean = |cells: &[f32]| cells.iter().sum::<f32>() / cells.len() as f32;
                out.iter_mut().zip(x.chunks(cells)).for_each(|(out, cells)| *out = mean(cells));
            }
            Operation::BoardMaximum => {
                let cells = x.len() / out.len();
                let most = |cells: &[f32]| cells.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                out.iter_mut().zip(x.chunks(cells)).for_each(|(out, cells)| *out = most(cells));
            }
            Operation::MaxPool(window) => max_pool(window, first, shape, out),
            Operation::Concat { axis } => {
                let outer: usize = shape[..*axis].iter().product();
                let mut rest = out;
                for part in 0..outer {
                    for input in inputs {
                        let length = input.numbers.len() / outer;
                        let (here, after) = rest.split_at_mut(length);
                        here.copy_from_slice(&input.numbers[part * length..][..length]);
                        rest = after;
                    }
                }
            }
            Operation::Slice { axis, from, to } => {
                let inner: usize = shape[axis + 1..].iter().product();
                let whole = first.shape[*axis] * inner;
                for (out, x) in out.chunks_mut((to - from) * inner).zip(x.chunks(whole)) {
                    out.copy_from_slice(&x[from * inner..to * inner]);
                }
            }
        }
    }
}

/// A sum of products in eight parts, which keeps rounding errors small and lets the compiler use wide registers.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// For each group, what lies under each part of the kernel is laid out in a row over the cells; then each output is a weighted sum of rows.
fn convolve(conv: &Convolution, x: View<'_>, shape: &[usize], out: &mut [f32], scratch: &mut Vec<f32>) {
    let (&[channels, rows, columns], &[outputs, out_rows, out_columns]) = (x.shape, shape) else {
        unreachable!("checked when the step was added")
    };
    let (window, groups) = (&conv.window, conv.groups);
    let [height, width] = window.size;
    let (inputs, outputs, out_cells) = (channels / groups, outputs / groups, out_rows * out_columns);
    for group in 0..groups {
        scratch.clear();
        for channel in group * inputs..(group + 1) * inputs {
            let cells = &x.numbers[channel * rows * columns..][..rows * columns];
            for (part_row, part_column) in (0..height * width).map(|part| (part / width, part % width)) {
                for at in 0..out_rows {
                    let row = window.cell(0, at, part_row, rows);
                    scratch.extend((0..out_columns).map(|at| {
                        let column = window.cell(1, at, part_column, columns);
                        row.zip(column).map_or(0.0, |(row, column)| cells[row * columns + column])
                    }));
                }
            }
        }
        let parts = inputs * height * width;
        for output in group * outputs..(group + 1) * outputs {
            let sums = &mut out[output * out_cells..][..out_cells];
            sums.fill(conv.bias[output]);
            let weights = &conv.weight.values[output * parts..][..parts];
            for (weight, row) in weights.iter().zip(scratch.chunks(out_cells)) {
                sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += weight * x);
            }
        }
    }
}

fn max_pool(window: &Window, x: View<'_>, shape: &[usize], out: &mut [f32]) {
    let (&[_, rows, columns], &[_, out_rows, out_columns]) = (x.shape, shape) else {
        unreachable!("checked when the step was added")
    };
    for (place, out) in out.iter_mut().enumerate() {
        let (at_row, at_column) = (place / out_columns % out_rows, place % out_columns);
        let cells = &x.numbers[place / (out_rows * out_columns) * rows * columns..][..rows * columns];
        let under_row = (0..window.size[0]).filter_map(|part| window.cell(0, at_row, part, rows));
        let under = under_row.flat_map(|row| {
            (0..window.size[1])
                .filter_map(|part| window.cell(1, at_column, part, columns))
                .map(move |column| cells[row * columns + column])
        });
        *out = under.fold(f32::NEG_INFINITY, f32::max);
    }
}

/// Over each row of `length` numbers that stand `inner` apart.
fn softmax(x: &[f32], length: usize, inner: usize, out: &mut [f32]) {
    for (x, out) in x.chunks(length * inner).zip(out.chunks_mut(length * inner)) {
        for offset in 0..inner {
            let row = || x[offset..].iter().step_by(inner);
            let most = row().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = row().map(|x| (x - most).exp()).sum();
            out[offset..]
                .iter_mut()
                .step_by(inner)
                .zip(row())
                .for_each(|(out, x)| *out = (x - most).exp() / sum);
        }
    }
}

/// Two values, number by number; where one has size 1 it is repeated.
fn together(inputs: &[View<'_>], shape: &[usize], out: &mut [f32], f: impl Fn(f32, f32) -> f32) {
    let [a, b] = inputs else { unreachable!("checked when the step was added") };
    if a.shape == b.shape {
        return out
            .iter_mut()
            .zip(a.numbers.iter().zip(b.numbers))
            .for_each(|(out, (&a, &b))| *out = f(a, b));
    }
    for (place, out) in out.iter_mut().enumerate() {
        *out = f(a.numbers[repeated(place, shape, a.shape)], b.numbers[repeated(place, shape, b.shape)]);
    }
}

/// Where the number at a place of `shape` comes from, in a value that is repeated along dimensions of size 1.
fn repeated(mut place: usize, shape: &[usize], value: &[usize]) -> usize {
    let (mut from, mut stride) = (0, 1);
    for (&size, &own) in shape.iter().zip(value).rev() {
        from += if own == 1 { 0 } else { place % size * stride };
        stride *= own;
        place /= size;
    }
    from
}
