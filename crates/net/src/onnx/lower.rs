//! From the nodes of an ONNX file to the operations of a graph. Constants are worked in, batch normalisations and biases are folded into the layer before
//! them, and nodes that do nothing vanish.

use std::collections::{BTreeMap, BTreeSet};

use super::attributes::Attributes;
use super::model::{Constant, Model, Node};
use crate::graph::{Convolution, Graph, Operation, Window, broadcast};
use crate::network::{NetError, Tensor};

/// A graph, and which of its values has which name in the file.
pub(super) struct Lowered {
    pub(super) graph: Graph,
    pub(super) values: BTreeMap<String, usize>,
}

/// Makes a graph of a model with one input.
pub(super) fn lower(model: &Model, input: &str) -> Result<Lowered, NetError> {
    let port = model.inputs.iter().find(|port| port.name == input).ok_or_else(|| {
        let names: Vec<&str> = model.inputs.iter().map(|port| port.name.as_str()).collect();
        NetError::Misfit(format!("there is no input {input:?}; it has {names:?}"))
    })?;
    let (batch, shape) = match port.shape.as_slice() {
        [batch, planes, rows, columns] => (*batch, [*planes, *rows, *columns]),
        _ => return Err(NetError::Unsupported(format!("the input {input:?} has not four dimensions"))),
    };
    let [Some(planes), Some(rows), Some(columns)] = shape else {
        return Err(NetError::Unsupported(format!(
            "the input {input:?} leaves planes, rows or columns open"
        )));
    };
    let mut uses = BTreeMap::new();
    for name in model.nodes.iter().flat_map(|node| &node.inputs).chain(&model.outputs) {
        *uses.entry(name.as_str()).or_insert(0) += 1;
    }
    let mut lowering = Lowering {
        opset: model.opset,
        batch,
        uses,
        graph: Graph::new(vec![planes, rows, columns])?,
        values: BTreeMap::from([(input.to_string(), 0)]),
        shared: BTreeSet::new(),
        constants: model.constants.clone(),
    };
    for node in &model.nodes {
        lowering.node(node).map_err(|error| in_node(node, error))?;
    }
    Ok(Lowered { graph: lowering.graph, values: lowering.values })
}

fn in_node(node: &Node, error: NetError) -> NetError {
    match error {
        NetError::Unsupported(reason) => {
            NetError::Unsupported(format!("the node {:?} ({}) has {reason}", node.name, node.kind))
        }
        other => other,
    }
}

struct Lowering<'m> {
    opset: u64,
    /// The size of the batch, where the file has a fixed one.
    batch: Option<usize>,
    uses: BTreeMap<&'m str, usize>,
    graph: Graph,
    values: BTreeMap<String, usize>,
    /// Values that have several names, one of which is used more than once.
    shared: BTreeSet<usize>,
    constants: BTreeMap<String, Constant>,
}

fn unsupported<T>(reason: impl Into<String>) -> Result<T, NetError> {
    Err(NetError::Unsupported(reason.into()))
}

/// The operators that are known, for people whose network has others.
const KNOWN: &str = "Add, BatchNormalization, Concat, Constant, Conv, Dropout, Flatten, Gemm, GlobalAveragePool, GlobalMaxPool, Identity, MatMul, \
                     MaxPool, Mul, ReduceMean, Relu, Reshape, Sigmoid, Softmax, Split, Squeeze, Tanh and Unsqueeze";

impl Lowering<'_> {
    fn node(&mut self, node: &Node) -> Result<(), NetError> {
        if !(node.domain.is_empty() || node.domain == "ai.onnx") {
            return unsupported(format!("operators of {:?}; expected the standard ones", node.domain));
        }
        let attributes = Attributes(&node.attributes);
        let operation = match node.kind.as_str() {
            "Constant" => return self.constant_node(node),
            "Identity" | "Dropout" => return self.same(node),
            "Conv" => self.convolution(node)?,
            "BatchNormalization" => return self.batch_normalisation(node),
            "Gemm" => self.gemm(node)?,
            "MatMul" => self.mat_mul(node)?,
            "Add" | "Mul" => return self.arithmetic(node),
            "Relu" => Operation::Relu,
            "Tanh" => Operation::Tanh,
            "Sigmoid" => Operation::Sigmoid,
            "Softmax" => self.softmax(node)?,
            "Flatten" => match attributes.int("axis", 1)? {
                1 => Operation::Reshape(vec![self.shape(node, 0)?.iter().product()]),
                axis => return unsupported(format!("axis {axis}; expected 1")),
            },
            "Reshape" => self.reshape(node)?,
            "Squeeze" | "Unsqueeze" => self.unit_dimensions(node)?,
            "GlobalAveragePool" => Operation::BoardMean { keeps: true },
            "GlobalMaxPool" => Operation::BoardMaximum,
            "ReduceMean" => self.reduce_mean(node)?,
            "MaxPool" => self.max_pool(node)?,
            "Concat" => self.concat(node)?,
            "Split" => return self.split(node),
            _ => return unsupported(format!("an unknown operator; expected {KNOWN}")),
        };
        let inputs = match node.kind.as_str() {
            "Concat" => {
                (0..node.inputs.len()).map(|place| self.value(node, place)).collect::<Result<_, _>>()?
            }
            _ => vec![self.value(node, 0)?],
        };
        self.push(node, operation, inputs)
    }

    fn push(&mut self, node: &Node, operation: Operation, inputs: Vec<usize>) -> Result<(), NetError> {
        let value = self.graph.push(operation, inputs)?;
        self.name(node, value)
    }

    /// Gives the first output its value.
    fn name(&mut self, node: &Node, value: usize) -> Result<(), NetError> {
        match node.outputs.first() {
            Some(name) => {
                self.values.insert(name.clone(), value);
                Ok(())
            }
            None => unsupported("no output"),
        }
    }

    fn value(&self, node: &Node, place: usize) -> Result<usize, NetError> {
        let name = node.inputs.get(place).map_or("", String::as_str);
        match self.values.get(name) {
            Some(&value) => Ok(value),
            None if self.constants.contains_key(name) => {
                unsupported(format!("the constant {name:?} as input {place}; expected a computed value"))
            }
            None => unsupported(format!("the input {name:?}, which nothing before it makes")),
        }
    }

    fn shape(&self, node: &Node, place: usize) -> Result<&[usize], NetError> {
        Ok(self.graph.shape(self.value(node, place)?))
    }

    /// A constant input; `None` where an optional one is left out.
    fn constant(&self, node: &Node, place: usize) -> Result<Option<&Constant>, NetError> {
        match node.inputs.get(place).map(String::as_str) {
            None | Some("") => Ok(None),
            Some(name) => match self.constants.get(name) {
                Some(constant) => Ok(Some(constant)),
                None => {
                    unsupported(format!("the computed value {name:?} as input {place}; expected a constant"))
                }
            },
        }
    }

    /// The numbers of a constant input, all finite.
    fn floats(&self, node: &Node, place: usize) -> Result<Option<(&[usize], &[f32])>, NetError> {
        let Some(constant) = self.constant(node, place)? else { return Ok(None) };
        match constant.floats() {
            Some(numbers) if numbers.iter().all(|number| number.is_finite()) => {
                Ok(Some((&constant.shape, numbers)))
            }
            Some(_) => unsupported(format!("a weight in input {place} that is not finite")),
            None => unsupported(format!("whole numbers as input {place}; expected others")),
        }
    }

    fn wanted_floats(&self, node: &Node, place: usize) -> Result<(&[usize], &[f32]), NetError> {
        match self.floats(node, place)? {
            Some(found) => Ok(found),
            None => unsupported(format!("no input {place}")),
        }
    }

    /// Whole numbers, from an attribute or, in later versions of ONNX, from an input.
    fn ints(&self, node: &Node, attribute: &str, place: usize) -> Result<Option<Vec<i64>>, NetError> {
        if let Some(ints) = Attributes(&node.attributes).ints(attribute)? {
            return Ok(Some(ints.to_vec()));
        }
        match self.constant(node, place)?.map(Constant::ints) {
            None => Ok(None),
            Some(Some(ints)) => Ok(Some(ints.to_vec())),
            Some(None) => unsupported(format!("other than whole numbers as input {place}")),
        }
    }

    fn constant_node(&mut self, node: &Node) -> Result<(), NetError> {
        let constant = Attributes(&node.attributes).constant()?;
        match node.outputs.first() {
            Some(name) => drop(self.constants.insert(name.clone(), constant)),
            None => return unsupported("no output"),
        }
        Ok(())
    }

    fn same(&mut self, node: &Node) -> Result<(), NetError> {
        let constant = node.inputs.first().and_then(|name| self.constants.get(name)).cloned();
        match (constant, node.outputs.first()) {
            (Some(constant), Some(name)) => {
                self.constants.insert(name.clone(), constant);
                Ok(())
            }
            _ => {
                let value = self.value(node, 0)?;
                if self.uses.get(node.inputs[0].as_str()) != Some(&1) {
                    self.shared.insert(value);
                }
                self.name(node, value)
            }
        }
    }

    fn convolution(&self, node: &Node) -> Result<Operation, NetError> {
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

    fn max_pool(&self, node: &Node) -> Result<Operation, NetError> {
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
    fn batch_normalisation(&mut self, node: &Node) -> Result<(), NetError> {
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

    fn gemm(&self, node: &Node) -> Result<Operation, NetError> {
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

    fn mat_mul(&self, node: &Node) -> Result<Operation, NetError> {
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

    fn arithmetic(&mut self, node: &Node) -> Result<(), NetError> {
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
                let from = |mut place: usize| {
                    let (mut from, mut stride) = (0, 1);
                    for (&size, &own) in shape.iter().zip(&full).rev() {
                        from += if own == 1 { 0 } else { place % size * stride };
                        stride *= own;
                        place /= size;
                    }
                    from
                };
                Ok((0..total).map(|place| numbers[from(place)]).collect())
            }
            _ => unsupported(format!("a constant of the shape {own:?} for a value of the shape {shape:?}")),
        }
    }

    fn softmax(&self, node: &Node) -> Result<Operation, NetError> {
        let dimensions = self.shape(node, 0)?.len();
        // Before version 13, all dimensions from the axis on were one.
        let is_old = self.opset < 13;
        let axis = Attributes(&node.attributes).int("axis", if is_old { 1 } else { -1 })?;
        let from = position_axis(axis, dimensions)?;
        Ok(Operation::Softmax { from, to: if is_old { dimensions } else { from + 1 } })
    }

    fn reshape(&self, node: &Node) -> Result<Operation, NetError> {
        let Some(target) = self.ints(node, "shape", 1)? else { return unsupported("no shape") };
        if Attributes(&node.attributes).int("allowzero", 0)? != 0 {
            return unsupported("allowzero");
        }
        let shape = self.shape(node, 0)?;
        let total: usize = shape.iter().product();
        let Some((&batch, rest)) = target.split_first() else { return unsupported("an empty shape") };
        let is_batch = match batch {
            0 => true,
            -1 => !rest.contains(&-1),
            fixed => self.batch.is_some_and(|batch| usize::try_from(fixed) == Ok(batch)),
        };
        if !is_batch {
            return unsupported(format!(
                "the shape {target:?}; expected one that begins with the batch (0 or -1)"
            ));
        }
        let mut sizes = Vec::new();
        for (place, &size) in rest.iter().enumerate() {
            sizes.push(match size {
                0 => shape.get(place).copied(),
                -1 => Some(0),
                size => usize::try_from(size).ok(),
            });
        }
        let Some(mut sizes) = sizes.into_iter().collect::<Option<Vec<usize>>>() else {
            return unsupported(format!("the shape {target:?} for a value of the shape {shape:?}"));
        };
        let known =
            sizes.iter().filter(|&&size| size != 0).try_fold(1usize, |all, &size| all.checked_mul(size));
        if let (Some(open), Some(known)) = (rest.iter().position(|&size| size == -1), known) {
            sizes[open] = total / known;
        }
        Ok(Operation::Reshape(sizes))
    }

    fn unit_dimensions(&self, node: &Node) -> Result<Operation, NetError> {
        let shape = self.shape(node, 0)?;
        let Some(axes) = self.ints(node, "axes", 1)? else { return unsupported("no axes") };
        let mut sizes = shape.to_vec();
        let mut places = axes
            .iter()
            .map(|&axis| {
                position_axis(
                    axis,
                    if node.kind == "Squeeze" { shape.len() } else { shape.len() + axes.len() },
                )
            })
            .collect::<Result<Vec<_>, _>>()?;
        places.sort_unstable();
        if node.kind == "Squeeze" {
            for place in places.into_iter().rev() {
                match sizes.get(place) {
                    Some(1) => drop(sizes.remove(place)),
                    _ => return unsupported(format!("axes {axes:?} for a value of the shape {shape:?}")),
                }
            }
        } else {
            for place in places {
                if place > sizes.len() {
                    return unsupported(format!("axes {axes:?} for a value of the shape {shape:?}"));
                }
                sizes.insert(place, 1);
            }
        }
        Ok(Operation::Reshape(sizes))
    }

    fn reduce_mean(&self, node: &Node) -> Result<Operation, NetError> {
        let dimensions = self.shape(node, 0)?.len();
        let axes = self.ints(node, "axes", 1)?.unwrap_or_default();
        let mut places =
            axes.iter().map(|&axis| position_axis(axis, dimensions)).collect::<Result<Vec<_>, _>>()?;
        places.sort_unstable();
        if dimensions != 3 || places != [1, 2] {
            return unsupported(format!("axes {axes:?}; expected rows and columns, 2 and 3"));
        }
        Ok(Operation::BoardMean { keeps: Attributes(&node.attributes).int("keepdims", 1)? != 0 })
    }

    fn concat(&self, node: &Node) -> Result<Operation, NetError> {
        let dimensions = self.shape(node, 0)?.len();
        let axis = Attributes(&node.attributes).int("axis", 1)?;
        Ok(Operation::Concat { axis: position_axis(axis, dimensions)? })
    }

    fn split(&mut self, node: &Node) -> Result<(), NetError> {
        let value = self.value(node, 0)?;
        let shape = self.graph.shape(value).to_vec();
        let axis = position_axis(Attributes(&node.attributes).int("axis", 0)?, shape.len())?;
        let (size, parts) = (shape[axis], node.outputs.len());
        let lengths = match self.ints(node, "split", 1)? {
            Some(lengths) => lengths.iter().map(|&length| usize::try_from(length).unwrap_or(0)).collect(),
            None if parts > 0 && size % parts == 0 => vec![size / parts; parts],
            None => return unsupported(format!("{parts} outputs for {size} numbers")),
        };
        if lengths.len() != parts {
            return unsupported(format!("{parts} outputs for the parts {lengths:?}"));
        }
        let mut from = 0usize;
        for (name, length) in node.outputs.iter().zip(lengths) {
            let to = from.saturating_add(length);
            let part = self.graph.push(Operation::Slice { axis, from, to }, vec![value])?;
            self.values.insert(name.clone(), part);
            from = to;
        }
        Ok(())
    }
}

/// The place of an axis in the shape of a position, which has no dimension for the batch.
fn position_axis(axis: i64, dimensions: usize) -> Result<usize, NetError> {
    let with_batch = dimensions as i64 + 1;
    let place = if axis < 0 { axis.saturating_add(with_batch) } else { axis };
    match usize::try_from(place - 1) {
        Ok(place) if place < dimensions => Ok(place),
        _ => unsupported(format!("axis {axis}; expected one of {dimensions} after the batch")),
    }
}
