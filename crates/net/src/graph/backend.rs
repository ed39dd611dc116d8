//! A graph as a network: which planes it is shown, and what its outputs mean.

use super::Graph;
use super::compute::View;
use crate::backend::{Backend, Outputs, Runner};
use crate::description::Description;
use crate::network::NetError;

/// A network of any shape, which runs plainly. Its [`Description`] is true for game, board, input and what comes out; of layers it has the least that a
/// description can have, because a graph need not have any of ours.
pub struct GraphNetwork {
    graph: Graph,
    description: Description,
    planes: Vec<PlaneValue>,
    is_flipped: bool,
    outputs: GraphOutputs,
}

/// What a plane of the graph's input shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlaneValue {
    /// A plane that our encoder writes, times a number.
    Plane { plane: usize, scale: f32 },
    /// The same number in all cells.
    Constant(f32),
}

/// Where the graph has what we want to know: numbers of values.
pub(crate) struct GraphOutputs {
    pub(crate) policy: PolicyOutput,
    pub(crate) value: (usize, ValueForm),
    pub(crate) margin: Option<usize>,
    pub(crate) moves_left: Option<usize>,
    pub(crate) ownership: Option<usize>,
    pub(crate) reply: Option<PolicyOutput>,
}

/// A policy, and which of our indices each of its numbers has; `None` for numbers that mean nothing to us.
pub(crate) struct PolicyOutput {
    pub(crate) value: usize,
    pub(crate) order: Vec<Option<usize>>,
}

/// How a graph says who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueForm {
    /// Wins minus losses, from -1 to 1.
    Tanh,
    /// The same before the hyperbolic tangent.
    TanhLogit,
    /// Chances to win, to draw and to lose.
    WinDrawLoss,
    /// The same before the softmax.
    WinDrawLossLogits,
}

impl GraphNetwork {
    /// A graph with what it is shown and what it says. The caller has checked the description and that all numbers of planes, values and indices exist.
    pub(crate) fn new(
        graph: Graph,
        description: Description,
        planes: Vec<PlaneValue>,
        is_flipped: bool,
        outputs: GraphOutputs,
    ) -> GraphNetwork {
        GraphNetwork { graph, description, planes, is_flipped, outputs }
    }

    /// How many operations it has.
    pub fn steps(&self) -> usize {
        self.graph.steps.len()
    }
}

impl std::fmt::Debug for GraphNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraphNetwork")
            .field("steps", &self.steps())
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}

impl Backend for GraphNetwork {
    fn description(&self) -> &Description {
        &self.description
    }

    fn name(&self) -> String {
        format!("processor, plain graph of {} operations", self.steps())
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn begin(&self) -> Box<dyn Runner + '_> {
        let values = (0..=self.steps()).map(|value| vec![0.0; self.graph.shape(value).iter().product()]);
        Box::new(Run { network: self, values: values.collect(), scratch: Vec::new() })
    }
}

/// The values of a position, as they are computed.
struct Run<'n> {
    network: &'n GraphNetwork,
    values: Vec<Vec<f32>>,
    scratch: Vec<f32>,
}

impl Runner for Run<'_> {
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        let network = self.network;
        outputs.resize(&network.description, positions.len());
        for (number, words) in positions.iter().enumerate() {
            network.description.check_words(words)?;
            self.show(words);
            self.compute();
            self.answer(number, outputs);
        }
        let Outputs { policy, value, margin, moves_left, ownership, reply, .. } = &*outputs;
        let others = [policy, margin, moves_left, ownership, reply];
        let mut all = others.into_iter().flatten().chain(value.as_flattened());
        match all.all(|number| number.is_finite()) {
            true => Ok(()),
            false => Err(NetError::Misfit("it answers with a number that is not finite".to_string())),
        }
    }
}

impl Run<'_> {
    fn show(&mut self, words: &[u64]) {
        let layout = self.network.description.planes();
        let (rows, columns) = (layout.rows, layout.columns);
        for (plane, cells) in self.network.planes.iter().zip(self.values[0].chunks_mut(layout.cells())) {
            match *plane {
                PlaneValue::Constant(number) => cells.fill(number),
                PlaneValue::Plane { plane, scale } => {
                    for (place, cell) in cells.iter_mut().enumerate() {
                        let (row, column) = (place / columns, place % columns);
                        let row = if self.network.is_flipped { rows - 1 - row } else { row };
                        *cell = scale * layout.value(words, plane, row * columns + column);
                    }
                }
            }
        }
    }

    fn compute(&mut self) {
        let graph = &self.network.graph;
        for (number, step) in graph.steps.iter().enumerate() {
            let (before, after) = self.values.split_at_mut(number + 1);
            let inputs: Vec<View<'_>> = step
                .inputs
                .iter()
                .map(|&value| View { shape: graph.shape(value), numbers: &before[value] })
                .collect();
            step.operation.compute(&inputs, &step.shape, &mut after[0], &mut self.scratch);
        }
    }

    fn answer(&self, number: usize, outputs: &mut Outputs) {
        let (wanted, values) = (&self.network.outputs, &self.values);
        let description = &self.network.description;
        let policy = |output: &PolicyOutput, size: usize, all: &mut [f32]| {
            let logits = &mut all[number * size..][..size];
            // An index that the graph has nothing for.
            logits.fill(0.0);
            for (&logit, index) in values[output.value].iter().zip(&output.order) {
                if let Some(index) = *index {
                    logits[index] = logit;
                }
            }
        };
        let size = description.heads.policy.size(description.board);
        policy(&wanted.policy, size, &mut outputs.policy);
        if let Some(output) = &wanted.reply {
            policy(output, size, &mut outputs.reply);
        }
        let (value, form) = wanted.value;
        outputs.value[number] = form.chances(&values[value]);
        if let Some(value) = wanted.margin {
            outputs.margin[number] = values[value][0];
        }
        if let Some(value) = wanted.moves_left {
            outputs.moves_left[number] = values[value][0].max(0.0);
        }
        if let Some(value) = wanted.ownership {
            let (cells, columns) = (description.board.cells(), description.board.columns);
            let to = outputs.ownership[number * cells..][..cells].chunks_mut(columns);
            let rows = values[value].chunks(columns);
            if self.network.is_flipped {
                to.zip(rows.rev()).for_each(|(to, row)| to.copy_from_slice(row));
            } else {
                to.zip(rows).for_each(|(to, row)| to.copy_from_slice(row));
            }
        }
    }
}

impl ValueForm {
    /// How many numbers there are.
    pub(crate) fn outputs(self) -> usize {
        match self {
            ValueForm::Tanh | ValueForm::TanhLogit => 1,
            ValueForm::WinDrawLoss | ValueForm::WinDrawLossLogits => 3,
        }
    }

    fn chances(self, numbers: &[f32]) -> [f32; 3] {
        let of_value = |v: f32| [(1.0 + v) / 2.0, 0.0, (1.0 - v) / 2.0];
        match (self, numbers) {
            (ValueForm::TanhLogit, [logit, ..]) => of_value(logit.tanh()),
            (ValueForm::Tanh, [value, ..]) => of_value(*value),
            (ValueForm::WinDrawLoss, &[win, draw, loss]) => [win, draw, loss],
            (ValueForm::WinDrawLossLogits, &[win, draw, loss]) => {
                let most = win.max(draw).max(loss);
                let powers = [win, draw, loss].map(|logit| (logit - most).exp());
                powers.map(|power| power / powers.iter().sum::<f32>())
            }
            _ => unreachable!("checked when the network was made"),
        }
    }
}
