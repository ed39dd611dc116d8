//! Nodes that have weights: convolutions, dense layers, and the normalisations and biases that are folded into them.

use super::super::attributes::Attributes;
use super::super::model::Node;
use super::{Lowering, unsupported};
use crate::graph::{Convolution, Operation, Window, broadcast, repeated};
use crate::network::{NetError, Tensor};

impl Lowering<'_> {
    pub(super) fn convolution(&self, node: &Node) -> Result<Operation, NetError> {
        let (shape, weights) = self.wanted_floats(node, 1)?;
        let &[outputs, _, height, width] = shape else {
            return unsupported(format!("weights of the shape {shape:?}; expected four dimensions"));
        };
        let bias = match self.floats(node, 2)? {
            Some((_, bias)) => bias.to_vec(),
            None => vec![0.0; outputs],
        };
        let attributes = Attributes(&node.attributes);
        let groups = usize::try_from(attributes.int("group", 1)?).unwrap_or(0);
        let window = self.window(node, [height, width])?;
        Ok(Operation::Convolution(Convolution {
            weight: Tensor { shape: shape.to_vec(), values: weights.to_vec() },
            bias,
            window,
            groups,
        }))
    }

    pub(super) fn max_pool(&self, node: &Node) -> Result<Operation, NetError> {
        let attributes = Attributes(&node.attributes);
        if attributes.int("ceil_mode", 0)? != 0 || node.outputs.iter().skip(1).any(|name| !name.is_empty()) {
            return unsupported("ceil_mode or a second output");
        }
        match attributes.pair("kernel_shape")? {
            Some(size) => Ok(Operation::MaxPool(self.window(node, size)?)),
            None => unsupported("no kernel_shape"),
        }
    }

    fn window(&self, node: &Node, size: [usize; 2]) -> Result<Window, NetError> {
        match self.shape(node, 0)? {
            &[_, rows, columns] => Attributes(&node.attributes).window(size, [rows, columns]),
            other => {
                unsupported(format!("an input of the shape {other:?}; expected channels, rows and columns"))
            }
        }
    }

    /// Scales and shifts channels: in the convolution before it where nobody else sees that, as operations of their own otherwise.
    pub(super) fn batch_normalisation(&mut self, node: &Node) -> Result<(), NetError> {
        let epsilon = Attributes(&node.attributes).float("epsilon", 1e-5)?;
        let mut parts = Vec::new();
        for place in 1..=4 {
            parts.push(self.wanted_floats(node, place)?.1);
        }
        let channels = parts[0].len();
        if parts.iter().any(|part| part.len() != channels) || self.shape(node, 0)?.first() != Some(&channels)
        {
            return unsupported("another number of channels than its input");
        }
        let scales: Vec<f32> = parts[0]
            .iter()
            .zip(parts[3])
            .map(|(gamma, variance)| gamma / (variance + epsilon).sqrt())
            .collect();
        let shifts: Vec<f32> = scales
            .iter()
            .zip(parts[1].iter().zip(parts[2]))
            .map(|(scale, (beta, mean))| beta - mean * scale)
            .collect();
        if scales.iter().chain(&shifts).any(|number| !number.is_finite()) {
            return unsupported("a scale that is not finite");
        }
        let value = self.value(node, 0)?;
        if self.is_used_once(&node.inputs[0], value)
            && let Some(Operation::Convolution(conv)) = self.graph.operation_mut(value)
        {
            let of_output = conv.weight.values.len() / channels;
            for ((kernel, bias), (scale, shift)) in
                conv.weight.values.chunks_mut(of_output).zip(&mut conv.bias).zip(scales.iter().zip(&shifts))
            {
                kernel.iter_mut().for_each(|weight| *weight *= scale);
                *bias = *bias * scale + shift;
            }
            return self.name(node, value);
        }
        let of_channel: usize = self.graph.shape(value)[1..].iter().product();
        let spread = |numbers: Vec<f32>| {
            numbers.into_iter().flat_map(|number| std::iter::repeat_n(number, of_channel)).collect()
        };
        let scaled = self.graph.push(Operation::MulConstant(spread(scales)), vec![value])?;
        self.push(node, Operation::AddConstant(spread(shifts)), vec![scaled])
    }

    /// Whether the node that asks is the only one to see a value, so that it may be changed.
    fn is_used_once(&self, name: &str, value: usize) -> bool {
        self.uses.get(name) == Some(&1) && !self.shared.contains(&value)
    }

    pub(super) fn gemm(&self, node: &Node) -> Result<Operation, NetError> {
        let attributes = Attributes(&node.attributes);
        let (alpha, beta) = (attributes.float("alpha", 1.0)?, attributes.float("beta", 1.0)?);
        if attributes.int("transA", 0)? != 0 || self.shape(node, 0)?.len() != 1 {
            return unsupported("a transposed or many-dimensional first input");
        }
        let mut weight = self.matrix(node, attributes.int("transB", 0)? != 0)?;
        weight.values.iter_mut().for_each(|weight| *weight *= alpha);
        let outputs = weight.shape[0];
        let bias = match self.floats(node, 2)? {
            None => vec![0.0; outputs],
            Some(([] | [1] | [1, 1], &[number])) => vec![number * beta; outputs],
            Some(([_] | [1, _], numbers)) if numbers.len() == outputs => {
                numbers.iter().map(|number| number * beta).collect()
            }
            Some((shape, _)) => return unsupported(format!("a bias of the shape {shape:?}")),
        };
        Ok(Operation::Dense { weight, bias })
    }

    pub(super) fn mat_mul(&self, node: &Node) -> Result<Operation, NetError> {
        let weight = self.matrix(node, false)?;
        let bias = vec![0.0; weight.shape[0]];
        Ok(Operation::Dense { weight, bias })
    }

    /// The second input as `[outputs, inputs]`; it has it so if it is transposed.
    fn matrix(&self, node: &Node, is_transposed: bool) -> Result<Tensor, NetError> {
        let (shape, numbers) = self.wanted_floats(node, 1)?;
        let &[rows, columns] = shape else {
            return unsupported(format!("weights of the shape {shape:?}; expected a matrix"));
        };
        if is_transposed {
            return Ok(Tensor { shape: shape.to_vec(), values: numbers.to_vec() });
        }
        let column = |column: usize| (0..rows).map(move |row| numbers[row * columns + column]);
        Ok(Tensor { shape: vec![columns, rows], values: (0..columns).flat_map(column).collect() })
    }

    pub(super) fn arithmetic(&mut self, node: &Node) -> Result<(), NetError> {
        let is_constant =
            |place: usize| node.inputs.get(place).is_some_and(|name| self.constants.contains_key(name));
        let (place, constant) = match (is_constant(0), is_constant(1)) {
            (false, true) => (0, 1),
            (true, false) => (1, 0),
            _ => {
                let inputs = vec![self.value(node, 0)?, self.value(node, 1)?];
                let operation = if node.kind == "Add" { Operation::Add } else { Operation::Mul };
                return self.push(node, operation, inputs);
            }
        };
        let value = self.value(node, place)?;
        let numbers = self.spread(node, constant, self.graph.shape(value).to_vec())?;
        if node.kind == "Mul" {
            return self.push(node, Operation::MulConstant(numbers), vec![value]);
        }
        // A bias that stands apart from its layer, as MatMul has it.
        if self.is_used_once(&node.inputs[place], value) {
            let per_channel = |channels: usize| {
                let of_channel = numbers.len() / channels;
                let mut rows = numbers.chunks(of_channel);
                rows.all(|row| row.iter().all(|number| *number == row[0])).then_some(of_channel)
            };
            let (bias, of_channel) = match self.graph.operation_mut(value) {
                Some(Operation::Convolution(conv)) => {
                    let of_channel = per_channel(conv.bias.len());
                    (Some(&mut conv.bias), of_channel)
                }
                Some(Operation::Dense { bias, .. }) if bias.len() == numbers.len() => (Some(bias), Some(1)),
                _ => (None, None),
            };
            if let (Some(bias), Some(of_channel)) = (bias, of_channel) {
                bias.iter_mut()
                    .zip(numbers.iter().step_by(of_channel))
                    .for_each(|(bias, number)| *bias += number);
                return self.name(node, value);
            }
        }
        self.push(node, Operation::AddConstant(numbers), vec![value])
    }

    /// A constant, repeated as the rules of broadcasting say, for each number of a value.
    fn spread(&self, node: &Node, place: usize, shape: Vec<usize>) -> Result<Vec<f32>, NetError> {
        let (own, numbers) = self.wanted_floats(node, place)?;
        // The constant may have a dimension for the batch.
        let own = match own {
            [1, rest @ ..] if own.len() == shape.len() + 1 => rest,
            own => own,
        };
        let missing = shape.len().checked_sub(own.len());
        let full = missing.map(|missing| [vec![1; missing].as_slice(), own].concat());
        match full {
            Some(full) if broadcast(&full, &shape).as_ref() == Ok(&shape) => {
                let total: usize = shape.iter().product();
                Ok((0..total).map(|place| numbers[repeated(place, &shape, &full)]).collect())
            }
            _ => unsupported(format!("a constant of the shape {own:?} for a value of the shape {shape:?}")),
        }
    }
}
