//! The operations of a graph, and the shapes that they make of shapes. A shape is that of one position: the dimension of the batch is left out.

use crate::network::Tensor;

/// What a step does.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Convolution(Convolution),
    /// Weights `[outputs, inputs]` on the last dimension, and a bias for each output.
    Dense {
        weight: Tensor,
        bias: Vec<f32>,
    },
    Relu,
    Tanh,
    Sigmoid,
    /// Over the dimensions from the first to before the second, taken as one.
    Softmax {
        from: usize,
        to: usize,
    },
    /// Of two values with as many dimensions; where one has size 1 it is repeated.
    Add,
    Mul,
    /// With a constant for each number of the value.
    AddConstant(Vec<f32>),
    MulConstant(Vec<f32>),
    /// The same numbers in another shape.
    Reshape(Vec<usize>),
    /// The mean over the last two dimensions; whether these stay, with size 1.
    BoardMean {
        keeps: bool,
    },
    /// The maximum over the last two dimensions, which stay with size 1.
    BoardMaximum,
    MaxPool(Window),
    Concat {
        axis: usize,
    },
    /// A part of a dimension.
    Slice {
        axis: usize,
        from: usize,
        to: usize,
    },
}

/// A convolution over the last two dimensions: weights `[outputs, inputs of a group, rows, columns]`.
#[derive(Clone, Debug)]
pub(crate) struct Convolution {
    pub(crate) weight: Tensor,
    pub(crate) bias: Vec<f32>,
    pub(crate) window: Window,
    pub(crate) groups: usize,
}

/// Where a kernel is laid, by rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) size: [usize; 2],
    pub(crate) strides: [usize; 2],
    pub(crate) dilations: [usize; 2],
    /// Rows added before the first and columns added left of the first.
    pub(crate) before: [usize; 2],
    /// Rows and columns added at the other end.
    pub(crate) after: [usize; 2],
}

/// More than any board needs, and few enough that sums of them are no danger.
const MOST_REACH: usize = 1 << 12;

impl Window {
    /// A square kernel that is laid on every cell and keeps the size of the board.
    pub(crate) fn keeping_size(side: usize) -> Window {
        let reach = [side / 2; 2];
        Window { size: [side; 2], strides: [1; 2], dilations: [1; 2], before: reach, after: reach }
    }

    /// How many rows and columns come out.
    fn laid_on(&self, board: [usize; 2]) -> Result<[usize; 2], String> {
        let parts = [self.size, self.strides, self.dilations, self.before, self.after];
        if parts.iter().flatten().any(|&part| part > MOST_REACH) {
            return Err(format!("a kernel with a part above {MOST_REACH}"));
        }
        if parts[..3].iter().flatten().any(|&part| part == 0) {
            return Err("a kernel, stride or dilation of size 0".to_string());
        }
        let mut out = [0; 2];
        for axis in 0..2 {
            let span = (self.size[axis] - 1) * self.dilations[axis] + 1;
            let room = board[axis] + self.before[axis] + self.after[axis];
            let steps = room.checked_sub(span).ok_or("a kernel that is larger than the board")?;
            out[axis] = steps / self.strides[axis] + 1;
        }
        Ok(out)
    }

    /// The cell under a part of the kernel, for a cell of the result; `None` beside the board.
    pub(crate) fn cell(&self, axis: usize, at: usize, part: usize, size: usize) -> Option<usize> {
        let place = at * self.strides[axis] + part * self.dilations[axis];
        place.checked_sub(self.before[axis]).filter(|&place| place < size)
    }
}

impl Operation {
    /// The shape of the result; an error says what does not fit, as part of a sentence.
    pub(super) fn shape(&self, inputs: &[&[usize]]) -> Result<Vec<usize>, String> {
        let &[first, ref others @ ..] = inputs else { return Err("an operation without inputs".to_string()) };
        let expected = |what: &str| Err(format!("a value of the shape {first:?} where {what} is expected"));
        match self {
            Operation::Convolution(conv) => {
                let (&[inputs, rows, columns], &[outputs, of_group, height, width]) =
                    (first, conv.weight.shape.as_slice())
                else {
                    return expected("channels, rows and columns");
                };
                let groups = conv.groups;
                if groups == 0 || outputs % groups != 0 || of_group.checked_mul(groups) != Some(inputs) {
                    return expected(&format!("{of_group} channels for each of {groups} groups"));
                }
                if conv.bias.len() != outputs || conv.window.size != [height, width] {
                    return Err(format!("a kernel of {height}×{width} whose bias or size does not fit"));
                }
                let [rows, columns] = conv.window.laid_on([rows, columns])?;
                Ok(vec![outputs, rows, columns])
            }
            Operation::Dense { weight, bias } => match (weight.shape.as_slice(), first.split_last()) {
                (&[outputs, inputs], Some((&last, before))) if inputs == last && bias.len() == outputs => {
                    Ok([before, &[outputs]].concat())
                }
                _ => expected(&format!("weights of the shape {:?}", weight.shape)),
            },
            Operation::Relu | Operation::Tanh | Operation::Sigmoid => Ok(first.to_vec()),
            Operation::Softmax { from, to } => match from < to && *to <= first.len() {
                true => Ok(first.to_vec()),
                false => expected(&format!("a softmax over dimension {from}")),
            },
            Operation::Add | Operation::Mul => match others {
                [second] => broadcast(first, second),
                _ => Err("an addition or multiplication with other than two inputs".to_string()),
            },
            Operation::AddConstant(constant) | Operation::MulConstant(constant) => {
                match first.iter().product::<usize>() == constant.len() {
                    true => Ok(first.to_vec()),
                    false => expected(&format!("{} numbers", constant.len())),
                }
            }
            Operation::Reshape(shape) => {
                let same = shape.iter().try_fold(1usize, |all, &size| all.checked_mul(size))
                    == Some(first.iter().product());
                if same { Ok(shape.clone()) } else { expected(&format!("one that can become {shape:?}")) }
            }
            Operation::BoardMean { .. } | Operation::BoardMaximum => match first {
                [before @ .., rows, columns] if rows * columns > 0 => {
                    let keeps = !matches!(self, Operation::BoardMean { keeps: false });
                    let ones: &[usize] = if keeps { &[1, 1] } else { &[] };
                    Ok([before, ones].concat())
                }
                _ => expected("rows and columns"),
            },
            Operation::MaxPool(window) => match *first {
                [channels, rows, columns] => {
                    // A window that lies wholly beside the board would have no maximum.
                    let span = |axis: usize| window.size[axis].saturating_sub(1) * window.dilations[axis];
                    if (0..2).any(|axis| window.before[axis].max(window.after[axis]) > span(axis)) {
                        return Err("a pool with more padding than kernel".to_string());
                    }
                    let [rows, columns] = window.laid_on([rows, columns])?;
                    Ok(vec![channels, rows, columns])
                }
                _ => expected("channels, rows and columns"),
            },
            Operation::Concat { axis } => {
                let mut shape = first.to_vec();
                for other in others {
                    let fits = other.len() == shape.len()
                        && shape.iter().zip(*other).enumerate().all(|(at, (a, b))| at == *axis || a == b);
                    if !fits || *axis >= shape.len() {
                        return Err(format!("{other:?} joined to {first:?} along dimension {axis}"));
                    }
                    shape[*axis] = shape[*axis].saturating_add(other[*axis]);
                }
                Ok(shape)
            }
            Operation::Slice { axis, from, to } => match first.get(*axis) {
                Some(&size) if from < to && *to <= size => {
                    let mut shape = first.to_vec();
                    shape[*axis] = to - from;
                    Ok(shape)
                }
                _ => expected(&format!("at least {to} numbers along dimension {axis}")),
            },
        }
    }

    /// Weights that it holds.
    pub(super) fn weights(&self) -> usize {
        match self {
            Operation::Convolution(conv) => conv.weight.values.len(),
            Operation::Dense { weight, .. } => weight.values.len(),
            Operation::AddConstant(constant) | Operation::MulConstant(constant) => constant.len(),
            _ => 0,
        }
    }

    /// Numbers that it needs for itself, for a result of this shape.
    pub(super) fn scratch(&self, result: &[usize]) -> usize {
        match (self, result) {
            (Operation::Convolution(conv), &[_, rows, columns]) => {
                let [height, width] = conv.window.size;
                [conv.weight.shape[1], height, width, rows, columns]
                    .into_iter()
                    .fold(1, usize::saturating_mul)
            }
            _ => 0,
        }
    }
}

/// The shape that two shapes make together: sizes are equal, or one of them is 1.
pub(crate) fn broadcast(a: &[usize], b: &[usize]) -> Result<Vec<usize>, String> {
    let pair = |(&a, &b): (&usize, &usize)| match (a, b) {
        (a, 1) => Some(a),
        (1, b) => Some(b),
        (a, b) => (a == b).then_some(a),
    };
    let shape: Option<Vec<usize>> =
        if a.len() == b.len() { a.iter().zip(b).map(pair).collect() } else { None };
    shape.ok_or_else(|| format!("values of the shapes {a:?} and {b:?} together"))
}

/// Where the number at a place of `shape` comes from, in a value that is repeated along dimensions of size 1.
pub(crate) fn repeated(mut place: usize, shape: &[usize], value: &[usize]) -> usize {
    let (mut from, mut stride) = (0, 1);
    for (&size, &own) in shape.iter().zip(value).rev() {
        from += if own == 1 { 0 } else { place % size * stride };
        stride *= own;
        place /= size;
    }
    from
}
