//! Networks of Leela Chess Zero: residual towers become networks of ours; what has attention is refused.
//!
//! An lc0 file is a protocol buffer, usually packed by gzip: a format, which says how the network is built, and weights layer by layer. Its input
//! is 112 planes, which our encoder "chess-112" writes in the same order and with the same numbers (the counter of the fifty-move rule as it is, not
//! divided by anything). Cell 0 is a1 for the player to move, whose pieces come first; Black sees the board upside down.

mod weights;

#[cfg(test)]
mod tests;

use crate::describe::describe;
use crate::description::{BoardSize, Input};
use crate::layers::{Block, Conv, HeadLayers, Layers, Policy, Scalar};
use crate::network::{NetError, Network, Tensor};
use crate::protobuf::{Value, fields};
use weights::{ConvBlock, Residual, Weights};

const BOARD: BoardSize = BoardSize { rows: 8, columns: 8 };
const BIT_PLANES: usize = 104;
const CONSTANT_PLANES: usize = 8;
/// Planes of a convolution policy: 73 mean something, lc0's networks have 80, and so has our encoder.
const POLICY_PLANES: usize = 80;
const USED_POLICY_PLANES: usize = 73;
/// Moves that a dense policy tells apart.
const MOVES: usize = 1858;
/// What every lc0 file begins with: field 1 as four bytes, and lc0's number.
const MAGIC: [u8; 5] = [0x0D, 0xC0, 0x01, 0x00, 0x00];

/// Whether these bytes, unpacked, are an lc0 file.
pub(crate) fn looks_like_lc0(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// How a network is built, by lc0's numbers.
#[derive(Default)]
struct Format {
    input: u64,
    network: u64,
    policy: u64,
    value: u64,
    moves_left: u64,
    default_activation: u64,
}

/// Reads an lc0 network, unpacked.
///
/// # Errors
/// If it is damaged, or of a kind that has no place in our family; the message says which.
pub fn import_lc0(bytes: &[u8]) -> Result<Network, NetError> {
    if !looks_like_lc0(bytes) {
        return Err(NetError::Format("it does not begin like a file of lc0".to_string()));
    }
    let (mut format, mut weights) = (None, None);
    for field in fields(bytes) {
        match field? {
            (4, value) => format = Format::read(value)?,
            (10, value) => weights = Some(value),
            (11, _) => {
                return unsupported(
                    "the file of lc0 holds an ONNX model; take that out and import it".into(),
                );
            }
            _ => (),
        }
    }
    // Files from before there were formats are of the oldest kind.
    let format = format.unwrap_or(Format { input: 1, network: 1, ..Format::default() }).completed();
    format.check()?;
    let weights = weights.ok_or_else(|| NetError::Format("it has no weights".to_string()))?;
    let weights = Weights::read(weights.bytes()?)?;
    if weights.has_attention {
        return unsupported("it has encoder layers (attention); expected a residual tower".into());
    }
    build(&format, weights)
}

fn unsupported<T>(reason: String) -> Result<T, NetError> {
    Err(NetError::Unsupported(reason))
}

impl Format {
    fn read(value: Value<'_>) -> Result<Option<Format>, NetError> {
        let mut format = None;
        for field in fields(value.bytes()?) {
            let (2, network_format) = field? else { continue };
            let format = format.insert(Format::default());
            for field in fields(network_format.bytes()?) {
                let (number, value) = field?;
                match number {
                    1 => format.input = value.number()?,
                    3 => format.network = value.number()?,
                    4 => format.policy = value.number()?,
                    5 => format.value = value.number()?,
                    6 => format.moves_left = value.number()?,
                    7 => format.default_activation = value.number()?,
                    _ => (),
                }
            }
        }
        Ok(format)
    }

    /// Kinds from before heads had formats have classical heads.
    fn completed(self) -> Format {
        match self.network {
            1 | 2 => Format { policy: 1, value: 1, ..self },
            _ => self,
        }
    }

    fn check(&self) -> Result<(), NetError> {
        match self.network {
            1..=4 => (),
            5 => return unsupported("it is an ONNX model in a file of lc0".into()),
            6 | 7 | 134 => {
                return unsupported(
                    "its body is attention; expected a classical or SE residual tower".into(),
                );
            }
            other => return unsupported(format!("its structure has the unknown number {other}")),
        }
        match self.input {
            1 => (),
            2 => {
                return unsupported(
                    "its input shows castling by rooks; expected the classical 112 planes".into(),
                );
            }
            3..=5 | 132 | 133 => {
                return unsupported(
                    "its input is turned to a canonical board; expected the classical 112 planes".into(),
                );
            }
            other => return unsupported(format!("its input has the unknown number {other}")),
        }
        match self.policy {
            1 | 2 => (),
            3 => {
                return unsupported(
                    "its policy is attention; expected a classical or convolution policy".into(),
                );
            }
            other => return unsupported(format!("its policy has the unknown number {other}")),
        }
        if !matches!(self.value, 1 | 2) {
            return unsupported(format!(
                "its value has number {}; expected 1 (a single value) or 2 (win, draw, loss)",
                self.value
            ));
        }
        if self.moves_left > 1 {
            return unsupported(format!("its moves-left head has the unknown number {}", self.moves_left));
        }
        match self.default_activation {
            0 => Ok(()),
            1 => unsupported("its activation is Mish; expected ReLU".into()),
            other => unsupported(format!("its activation has the unknown number {other}; expected ReLU")),
        }
    }
}

fn build(format: &Format, weights: Weights) -> Result<Network, NetError> {
    let planes = BIT_PLANES + CONSTANT_PLANES;
    let stem = weights.input.fold("input", planes, 3)?;
    let channels = stem.bias.values.len();
    let mut blocks = Vec::new();
    for (number, Residual { first, second, excitation }) in weights.blocks.into_iter().enumerate() {
        let name = |part: &str| format!("residual {number}, {part}");
        let conv = |block: ConvBlock, part: &str| block.fold_to(&name(part), channels, channels, 3);
        let (first, second) = (conv(first, "conv1")?, conv(second, "conv2")?);
        blocks.push(match excitation {
            None => Block::Plain { first, second },
            Some((squeeze, excite)) => {
                let squeeze = squeeze.layer(&name("squeeze"), channels)?;
                let hidden = squeeze.bias.values.len();
                let excite = excite.layer_to(&name("excite"), hidden, 2 * channels)?;
                Block::SqueezeExcitation { first, second, squeeze, excite }
            }
        });
    }
    let scalar =
        |head: weights::ScalarHead, name: &str, outputs: usize| -> Result<Scalar<Tensor>, NetError> {
            let conv = head.conv.fold(&format!("the convolution of {name}"), channels, 1)?;
            let inputs = conv.bias.values.len() * BOARD.cells();
            let hidden = head.hidden.layer(&format!("the first dense layer of {name}"), inputs)?;
            let width = hidden.bias.values.len();
            let output = head.output.layer_to(&format!("the last dense layer of {name}"), width, outputs)?;
            Ok(Scalar { conv, hidden, output })
        };
    let is_convolution = format.policy == 2;
    let (policy, encoder) = if is_convolution {
        let first = weights.policy_first.fold("the first convolution of the policy", channels, 3)?;
        let width = first.bias.values.len();
        let second = weights.policy.fold("the second convolution of the policy", width, 3)?;
        (Policy::Convolution { first, second: padded(second)? }, "chess-112")
    } else {
        let conv = weights.policy.fold("the convolution of the policy", channels, 1)?;
        let inputs = conv.bias.values.len() * BOARD.cells();
        let dense = weights.policy_dense.layer_to("the dense layer of the policy", inputs, MOVES)?;
        (Policy::Dense { conv, dense }, "chess-112-dense")
    };
    let outputs = if format.value == 2 { 3 } else { 1 };
    let value = scalar(weights.value, "the value", outputs)?;
    let moves_left = match format.moves_left {
        1 => Some(scalar(weights.moves_left, "the moves-left head", 1)?),
        _ => None,
    };
    let layers = Layers {
        stem,
        blocks,
        heads: HeadLayers { policy, value, margin: None, moves_left, ownership: None, reply: None },
    };
    let input =
        Input { encoder: encoder.to_string(), bit_planes: BIT_PLANES, constant_planes: CONSTANT_PLANES };
    let mut description = describe(&layers, "chess".to_string(), BOARD, input);
    description.made_by = Some("imported from a file of lc0".to_string());
    Network::new(description, layers)
}

/// Planes that mean nothing are added to a policy that has less than our encoder knows.
fn padded(mut conv: Conv<Tensor>) -> Result<Conv<Tensor>, NetError> {
    let planes = conv.bias.values.len();
    if !(USED_POLICY_PLANES..=POLICY_PLANES).contains(&planes) {
        return Err(NetError::Weights(format!(
            "the policy has {planes} planes, expected {USED_POLICY_PLANES} to {POLICY_PLANES}"
        )));
    }
    let of_plane = conv.weight.values.len() / planes;
    conv.weight.values.resize(POLICY_PLANES * of_plane, 0.0);
    conv.weight.shape[0] = POLICY_PLANES;
    conv.bias.values.resize(POLICY_PLANES, 0.0);
    conv.bias.shape[0] = POLICY_PLANES;
    Ok(conv)
}
