//! From the nodes of an ONNX file to the operations of a graph. Constants are worked in, batch normalisations and biases are folded into the layer before
//! them, and nodes that do nothing vanish.

mod layers;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::attributes::Attributes;
use super::model::{Constant, Model, Node};
use crate::graph::{Graph, Operation};
use crate::network::NetError;

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

/// The shape of a constant, and its numbers.
type Numbers<'c> = (&'c [usize], &'c [f32]);

struct Lowering<'m> {
    opset: u64,
    /// The size of the batch, where the file has a fixed one.
    batch: Option<usize>,
    uses: BTreeMap<&'m str, usize>,
    graph: Graph,
    values: BTreeMap<String, usize>,
    /// Values that have several names, one of which is used more than once.
    shared: BTreeSet<usize>,
    constants: BTreeMap<String, Rc<Constant>>,
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
    fn floats(&self, node: &Node, place: usize) -> Result<Option<Numbers<'_>>, NetError> {
        let Some(constant) = self.constant(node, place)? else { return Ok(None) };
        match constant.floats() {
            Some(numbers) if numbers.iter().all(|number| number.is_finite()) => {
                Ok(Some((&constant.shape, numbers)))
            }
            Some(_) => unsupported(format!("a weight in input {place} that is not finite")),
            None => unsupported(format!("whole numbers as input {place}; expected others")),
        }
    }

    fn wanted_floats(&self, node: &Node, place: usize) -> Result<Numbers<'_>, NetError> {
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
            Some(name) => drop(self.constants.insert(name.clone(), Rc::new(constant))),
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
}
