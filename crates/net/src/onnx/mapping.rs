//! What a network from elsewhere means: which game it plays, in which order it sees planes and numbers moves.

use serde::{Deserialize, Serialize};

use crate::description::{BoardSize, Description, Heads, Input, PolicyKind, ScalarKind, ValueKind};
use crate::graph::{PlaneValue, ValueForm};
use crate::network::NetError;

/// What the inputs and outputs of an ONNX network mean in one of our games. It is a JSON file beside the network; only what differs from our own order
/// must be said.
///
/// ```
/// use outplay_net::Mapping;
///
/// let mapping = Mapping::from_json(r#"{
///     "game": "othello",
///     "board": { "rows": 8, "columns": 8 },
///     "input": { "encoder": "othello-3", "bit_planes": 2, "constant_planes": 1 },
///     "input_name": "board",
///     "flip_rows": true,
///     "planes": [1, 0, { "plane": 2, "scale": 2.0 }, { "constant": 1.0 }],
///     "policy": { "output": "moves", "order": [null, 0, 1, 2], "size": 65 },
///     "value": { "output": "winner", "form": "win_draw_loss_logits" }
/// }"#).unwrap();
/// assert_eq!(mapping.policy.order.unwrap()[1], Some(0));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// The game, by its name in the catalogue.
    pub game: String,
    /// The board that the planes show.
    pub board: BoardSize,
    /// Our encoder and what it writes.
    pub input: Input,
    /// The network's input; needed only if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_name: Option<String>,
    /// Whether the network's first row is the top of the board. Ours is the bottom. This concerns planes and ownership; the policy has its order.
    #[serde(default)]
    pub flip_rows: bool,
    /// For each plane of the network, what it shows. Without it, the encoder's planes in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planes: Option<Vec<PlaneSource>>,
    /// How good the moves look, in logits.
    pub policy: PolicySource,
    /// Who wins.
    pub value: ValueSource,
    /// The output with the margin, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<String>,
    /// The output with the number of plies to come, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_left: Option<String>,
    /// The output with a number for each cell from -1 (the opponent's) to 1 (the mover's), if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ownership: Option<String>,
    /// The output with the opponent's reply in the order of the policy, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
}

/// What a plane of a network shows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PlaneSource {
    /// This plane of our encoder.
    Plane(usize),
    /// This plane of our encoder, times a number.
    Scaled {
        /// The plane, from 0.
        plane: usize,
        /// The number.
        scale: f32,
    },
    /// The same number in all cells.
    Constant {
        /// The number.
        constant: f32,
    },
}

/// Where a network has its policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicySource {
    /// The output.
    pub output: String,
    /// For each of its numbers, the policy index in our encoder's order, or null for one without a meaning. Without it, our order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<Option<usize>>>,
    /// How many indices our encoder has, if that is more than the order names; those that are not named have the logit 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
}

/// Where a network has its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueSource {
    /// The output.
    pub output: String,
    /// What its numbers are.
    pub form: ValueForm,
}

impl Mapping {
    /// Reads a mapping file.
    ///
    /// # Errors
    /// If it is not JSON of this form.
    pub fn from_json(text: &str) -> Result<Mapping, NetError> {
        serde_json::from_str(text).map_err(|error| NetError::Misfit(format!("the mapping file: {error}")))
    }

    /// The layout of the freely available Connect Four networks: planes of my stones, theirs and whether the first player moves, row 0 at the bottom;
    /// a logit for each column, and a value.
    pub fn connect_four() -> Mapping {
        let encoder = "connect4-3".to_string();
        Mapping {
            game: "connect4".to_string(),
            board: BoardSize { rows: 6, columns: 7 },
            input: Input { encoder, bit_planes: 2, constant_planes: 1 },
            input_name: None,
            flip_rows: false,
            planes: None,
            policy: PolicySource { output: "policy_logits".to_string(), order: None, size: None },
            value: ValueSource { output: "value".to_string(), form: ValueForm::Tanh },
            margin: None,
            moves_left: None,
            ownership: None,
            reply: None,
        }
    }

    /// What our own exported networks need.
    pub(super) fn of_export(description: &Description) -> Mapping {
        let heads = &description.heads;
        let named = |name: &str, has: bool| has.then(|| name.to_string());
        Mapping {
            game: description.game.clone(),
            board: description.board,
            input: description.input.clone(),
            input_name: None,
            flip_rows: false,
            planes: None,
            policy: PolicySource { output: "policy".to_string(), order: None, size: None },
            value: ValueSource {
                output: "value".to_string(),
                form: match heads.value {
                    ValueKind::WinDrawLoss { .. } => ValueForm::WinDrawLoss,
                    ValueKind::Scalar { .. } => ValueForm::Tanh,
                },
            },
            margin: named("margin", heads.margin.is_some()),
            moves_left: named("moves_left", heads.moves_left.is_some()),
            ownership: named("ownership", heads.ownership.is_some()),
            reply: named("reply", heads.reply.is_some()),
        }
    }

    /// What each plane of the network shows.
    pub(super) fn plane_values(&self) -> Result<Vec<PlaneValue>, NetError> {
        let count = self.input.planes();
        let Some(planes) = &self.planes else {
            return Ok((0..count).map(|plane| PlaneValue::Plane { plane, scale: 1.0 }).collect());
        };
        let value = |source: &PlaneSource| match *source {
            PlaneSource::Plane(plane) => PlaneValue::Plane { plane, scale: 1.0 },
            PlaneSource::Scaled { plane, scale } => PlaneValue::Plane { plane, scale },
            PlaneSource::Constant { constant } => PlaneValue::Constant(constant),
        };
        let values: Vec<PlaneValue> = planes.iter().map(value).collect();
        for value in &values {
            match *value {
                PlaneValue::Plane { plane, .. } if plane >= count => {
                    return Err(NetError::Misfit(format!(
                        "the mapping names plane {plane}; the encoder has 0 to {}",
                        count - 1
                    )));
                }
                PlaneValue::Plane { scale: number, .. } | PlaneValue::Constant(number)
                    if !number.is_finite() =>
                {
                    return Err(NetError::Misfit("the mapping has a number that is not finite".to_string()));
                }
                _ => (),
            }
        }
        Ok(values)
    }

    /// The policy index of each of so many numbers, and how many indices there are.
    pub(super) fn policy_order(&self, numbers: usize) -> Result<(Vec<Option<usize>>, usize), NetError> {
        let order = match &self.policy.order {
            None => (0..numbers).map(Some).collect(),
            Some(order) if order.len() == numbers => order.clone(),
            Some(order) => {
                let given = order.len();
                return Err(NetError::Misfit(format!(
                    "the mapping's order of the policy has {given} numbers, the network {numbers}"
                )));
            }
        };
        let mut named: Vec<usize> = order.iter().copied().flatten().collect();
        named.sort_unstable();
        let size = self.policy.size.unwrap_or(named.len());
        if let Some(pair) = named.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(NetError::Misfit(format!("the mapping names policy index {} twice", pair[0])));
        }
        match named.last() {
            Some(&last) if last < size => Ok((order, size)),
            Some(last) => Err(NetError::Misfit(format!(
                "the mapping names policy index {last}; expected 0 to {}, each once (say \"size\" if there are more)",
                size as i64 - 1
            ))),
            None => Err(NetError::Misfit("the mapping names no policy index".to_string())),
        }
    }

    /// The description of a graph: true for what goes in and comes out, with the least layers that a description can have.
    pub(super) fn description(&self, policy: usize, made_by: String) -> Description {
        let least = ScalarKind { channels: 1, hidden: 1 };
        let policy = PolicyKind::Dense { channels: 1, outputs: policy };
        Description {
            game: self.game.clone(),
            board: self.board,
            input: self.input.clone(),
            channels: 1,
            blocks: Vec::new(),
            heads: Heads {
                policy,
                value: match self.value.form.outputs() {
                    3 => ValueKind::WinDrawLoss { channels: 1, hidden: 1 },
                    _ => ValueKind::Scalar { channels: 1, hidden: 1 },
                },
                margin: self.margin.is_some().then_some(least),
                moves_left: self.moves_left.is_some().then_some(least),
                ownership: self.ownership.is_some().then_some(1),
                reply: self.reply.is_some().then_some(policy),
            },
            made_by: Some(made_by),
        }
    }
}
