//! Networks in ONNX, the format that other programs exchange: ours are written in it, others are read.
//!
//! [`model.rs`](model) reads a file, [`lower.rs`](lower) makes operations of its nodes, and [`recognise.rs`](recognise) sees whether these are a tower of
//! our family, which the fast kernels run; if not, they run as they are. [`export.rs`](export) writes.

mod attributes;
mod export;
mod lower;
mod mapping;
mod model;
mod recognise;

#[cfg(test)]
mod tests;

pub use mapping::{Mapping, PlaneSource, PolicySource, ValueSource};

use crate::describe::describe;
use crate::description::Description;
use crate::graph::{GraphNetwork, GraphOutputs, PolicyOutput};
use crate::network::{NetError, Network};
use crate::open::Opened;
use lower::Lowered;
use model::{Model, Port};

/// Where our exported networks have their description.
const DESCRIPTION: &str = "outplay";

/// Reads an ONNX network. Without a mapping, it must be one that we wrote or have the layout of [`Mapping::connect_four`].
///
/// # Errors
/// If it is damaged, has operators that are not known, or does not fit the mapping.
pub fn import_onnx(bytes: &[u8], mapping: Option<&Mapping>) -> Result<Opened, NetError> {
    let model = Model::read(bytes)?;
    let own: Option<Description> = match model.metadata.get(DESCRIPTION) {
        Some(text) => {
            Some(serde_json::from_str(text).map_err(|error| NetError::Description(error.to_string()))?)
        }
        None => None,
    };
    let guessed = match &own {
        Some(description) => Some(Mapping::of_export(description)),
        None => looks_like_connect_four(&model).then(Mapping::connect_four),
    };
    let Some(mapping) = mapping.or(guessed.as_ref()) else {
        let (inputs, outputs) = (described(&model.inputs), &model.outputs);
        return Err(NetError::Misfit(format!(
            "nothing says what this ONNX network means: it has the inputs {inputs} and the outputs {outputs:?}; \
             give a mapping file"
        )));
    };
    let made_by = match (own.and_then(|description| description.made_by), model.producer.as_str()) {
        (Some(made_by), _) => Some(made_by),
        (None, "outplay") => None,
        (None, "") => Some("imported from an ONNX file".to_string()),
        (None, producer) => Some(format!("imported from an ONNX file made by {producer}")),
    };
    interpret(&model, mapping, made_by)
}

/// Whether this may be an ONNX file: it begins with the version of the format, as all of them do.
pub(crate) fn looks_like_onnx(bytes: &[u8]) -> bool {
    matches!(bytes, [0x08, 1..=64, ..])
}

fn looks_like_connect_four(model: &Model) -> bool {
    let layout = [Some(3), Some(6), Some(7)];
    let has = |name: &str| model.outputs.iter().any(|output| output == name);
    matches!(model.inputs.as_slice(), [Port { shape, .. }] if shape.get(1..) == Some(&layout))
        && has("policy_logits")
        && has("value")
}

fn described(ports: &[Port]) -> String {
    let describe = |port: &Port| {
        let sizes: Vec<String> =
            port.shape.iter().map(|size| size.map_or("?".to_string(), |size| size.to_string())).collect();
        format!("{:?} [{}]", port.name, sizes.join(", "))
    };
    ports.iter().map(describe).collect::<Vec<_>>().join(" and ")
}

/// What the mapping says of the graph, found and checked.
fn interpret(model: &Model, mapping: &Mapping, made_by: Option<String>) -> Result<Opened, NetError> {
    let input = match (&mapping.input_name, model.inputs.as_slice()) {
        (Some(name), _) => name,
        (None, [port]) => &port.name,
        (None, ports) => {
            return Err(NetError::Misfit(format!(
                "the network has the inputs {}; the mapping must say which by \"input_name\"",
                described(ports)
            )));
        }
    };
    mapping.description(1, String::new()).check()?;
    let planes = mapping.plane_values()?;
    let lowered = lower::lower(model, input)?;
    let wanted = [planes.len(), mapping.board.rows, mapping.board.columns];
    if lowered.graph.shape(0) != wanted {
        return Err(NetError::Misfit(format!(
            "the network's input has the shape {:?}, the mapping says {wanted:?} (planes, rows, columns)",
            lowered.graph.shape(0)
        )));
    }
    let (outputs, size) = find_outputs(&lowered, mapping)?;
    let description = mapping
        .description(size, made_by.clone().unwrap_or_else(|| "imported from an ONNX file".to_string()));
    description.check()?;
    if let Some(layers) = recognise::layers(&lowered.graph, mapping, &planes, &outputs, size) {
        let (game, input) = (mapping.game.clone(), mapping.input.clone());
        let described = Description { made_by, ..describe(&layers, game, mapping.board, input) };
        // What looks like a tower but has sizes that no tower has, runs as a graph.
        if let Ok(network) = Network::new(described, layers) {
            return Ok(Opened::Tower(network));
        }
    }
    Ok(Opened::Graph(GraphNetwork::new(lowered.graph, description, planes, mapping.flip_rows, outputs)))
}

fn find_outputs(lowered: &Lowered, mapping: &Mapping) -> Result<(GraphOutputs, usize), NetError> {
    let find = |name: &str, wanted: Option<usize>| {
        let value = *lowered.values.get(name).ok_or_else(|| {
            NetError::Misfit(format!("the mapping names {name:?}, which the network does not have"))
        })?;
        let numbers: usize = lowered.graph.shape(value).iter().product();
        match wanted {
            Some(wanted) if wanted != numbers => {
                Err(NetError::Misfit(format!("{name:?} has {numbers} numbers, expected {wanted}")))
            }
            _ => Ok((value, numbers)),
        }
    };
    let optional = |name: &Option<String>, wanted: usize| match name {
        Some(name) => find(name, Some(wanted)).map(|(value, _)| Some(value)),
        None => Ok(None),
    };
    let (policy, numbers) = find(&mapping.policy.output, None)?;
    let (order, size) = mapping.policy_order(numbers)?;
    let (value, _) = find(&mapping.value.output, Some(mapping.value.form.outputs()))?;
    let reply = optional(&mapping.reply, numbers)?;
    let outputs = GraphOutputs {
        reply: reply.map(|value| PolicyOutput { value, order: order.clone() }),
        policy: PolicyOutput { value: policy, order },
        value: (value, mapping.value.form),
        margin: optional(&mapping.margin, 1)?,
        moves_left: optional(&mapping.moves_left, 1)?,
        ownership: optional(&mapping.ownership, mapping.board.cells())?,
    };
    Ok((outputs, size))
}
