//! Networks of any shape: a row of operations, each on results of earlier ones. What comes from other programs and has not the shape of our family runs
//! here, plainly and one position after the other.

mod backend;
mod compute;
mod operation;

pub use backend::{GraphNetwork, ValueForm};
pub(crate) use backend::{GraphOutputs, PlaneValue, PolicyOutput};
pub(crate) use operation::{Convolution, Operation, Window, broadcast, repeated};

use crate::network::NetError;

/// Numbers that the values of one position may have in all, so that no file can ask for more memory than there is.
const MOST_NUMBERS: usize = 1 << 26;
/// Weights that all steps may have together: a file can name the same ones in many steps.
const MOST_WEIGHTS: usize = 1 << 28;
/// No graph has more steps.
const MOST_STEPS: usize = 1 << 14;
/// No value has more dimensions.
const MOST_DIMENSIONS: usize = 8;

/// Operations in order. Value 0 is the input, value `n + 1` the result of step `n`. Shapes are those of one position.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    input: Vec<usize>,
    steps: Vec<Step>,
    /// Numbers that all values have, and what convolutions need beside them.
    numbers: usize,
    weights: usize,
}

/// An operation and what it works on.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) operation: Operation,
    pub(crate) inputs: Vec<usize>,
    shape: Vec<usize>,
}

impl Graph {
    /// A graph that has an input only.
    pub(crate) fn new(input: Vec<usize>) -> Result<Graph, NetError> {
        let numbers = size(&input)?;
        Ok(Graph { input, steps: Vec::new(), numbers, weights: 0 })
    }

    /// Adds a step and gives the number of its result.
    ///
    /// # Errors
    /// If the operation does not fit its inputs, or if the graph becomes too large.
    pub(crate) fn push(&mut self, operation: Operation, inputs: Vec<usize>) -> Result<usize, NetError> {
        let shapes: Vec<&[usize]> = inputs.iter().map(|&value| self.shape(value)).collect();
        let shape = operation.shape(&shapes).map_err(NetError::Unsupported)?;
        let needed = size(&shape)?.saturating_add(operation.scratch(&shape));
        self.numbers = self.numbers.saturating_add(needed);
        self.weights = self.weights.saturating_add(operation.weights());
        let is_too_large = self.numbers > MOST_NUMBERS || self.weights > MOST_WEIGHTS;
        if is_too_large || self.steps.len() >= MOST_STEPS {
            return Err(too_large());
        }
        self.steps.push(Step { operation, inputs, shape });
        Ok(self.steps.len())
    }

    /// The shape of a value.
    pub(crate) fn shape(&self, value: usize) -> &[usize] {
        match value.checked_sub(1) {
            None => &self.input,
            Some(step) => &self.steps[step].shape,
        }
    }

    /// How a value is made; `None` for the input.
    pub(crate) fn step(&self, value: usize) -> Option<&Step> {
        value.checked_sub(1).map(|step| &self.steps[step])
    }

    /// How a value is made, to change it to something with a result of the same shape.
    pub(crate) fn operation_mut(&mut self, value: usize) -> Option<&mut Operation> {
        value.checked_sub(1).map(|step| &mut self.steps[step].operation)
    }
}

fn too_large() -> NetError {
    NetError::Unsupported(format!(
        "a graph that is too large; expected at most {MOST_STEPS} steps, {MOST_WEIGHTS} weights, {MOST_NUMBERS} numbers for a position and \
         {MOST_DIMENSIONS} dimensions"
    ))
}

fn size(shape: &[usize]) -> Result<usize, NetError> {
    if shape.len() > MOST_DIMENSIONS {
        return Err(too_large());
    }
    let size = shape.iter().try_fold(1usize, |all, &size| all.checked_mul(size));
    match size {
        Some(0) => Err(NetError::Unsupported(format!("an empty value, of the shape {shape:?}"))),
        size => size.filter(|&size| size <= MOST_NUMBERS).ok_or_else(too_large),
    }
}
