//! The description of layers that come from elsewhere.

use crate::description::{
    BlockKind, BoardSize, Description, Heads, Input, PolicyKind, ScalarKind, ValueKind,
};
use crate::layers::{Block, Layers, Policy, Scalar};
use crate::network::Tensor;

/// What layers are, by the number of biases that each has. Whether the rest fits, [`Network::new`](crate::Network::new) says.
pub(crate) fn describe(layers: &Layers<Tensor>, game: String, board: BoardSize, input: Input) -> Description {
    let heads = &layers.heads;
    let ScalarKind { channels, hidden } = scalar(&heads.value);
    Description {
        game,
        board,
        input,
        channels: width(&layers.stem.bias),
        blocks: layers.blocks.iter().map(block).collect(),
        heads: Heads {
            policy: policy(&heads.policy),
            value: match width(&heads.value.output.bias) {
                3 => ValueKind::WinDrawLoss { channels, hidden },
                _ => ValueKind::Scalar { channels, hidden },
            },
            margin: heads.margin.as_ref().map(scalar),
            moves_left: heads.moves_left.as_ref().map(scalar),
            ownership: heads.ownership.as_ref().map(|(first, _)| width(&first.bias)),
            reply: heads.reply.as_ref().map(policy),
        },
        made_by: None,
    }
}

fn width(bias: &Tensor) -> usize {
    bias.values.len()
}

fn block(block: &Block<Tensor>) -> BlockKind {
    match block {
        Block::Plain { .. } => BlockKind::Plain {},
        Block::SqueezeExcitation { squeeze, .. } => {
            BlockKind::SqueezeExcitation { hidden: width(&squeeze.bias) }
        }
        Block::GlobalPooling { pool, .. } => BlockKind::GlobalPooling { channels: width(&pool.bias) },
    }
}

fn policy(policy: &Policy<Tensor>) -> PolicyKind {
    match policy {
        Policy::Convolution { first, second } => PolicyKind::Convolution {
            kernel: first.weight.shape.last().copied().unwrap_or(0),
            channels: width(&first.bias),
            planes: width(&second.bias),
        },
        Policy::Dense { conv, dense } => {
            PolicyKind::Dense { channels: width(&conv.bias), outputs: width(&dense.bias) }
        }
    }
}

fn scalar(head: &Scalar<Tensor>) -> ScalarKind {
    ScalarKind { channels: width(&head.conv.bias), hidden: width(&head.hidden.bias) }
}
