//! What a network is: its board, its planes, its blocks and its heads.

use outplay_core::Planes;
use serde::{Deserialize, Serialize};

use crate::NetError;

/// A network without its weights.
///
/// Convolutions have a bias and keep the size of the board; batch normalisation is folded into them. After the stem and after each block comes ReLU.
///
/// ```
/// use outplay_net::{BlockKind, BoardSize, Description, Heads, Input, PolicyKind, ValueKind};
///
/// let othello = Description {
///     game: "othello".to_string(),
///     board: BoardSize { rows: 8, columns: 8 },
///     input: Input { encoder: "othello-3".to_string(), bit_planes: 2, constant_planes: 1 },
///     channels: 64,
///     blocks: vec![BlockKind::SqueezeExcitation { hidden: 16 }; 6],
///     heads: Heads {
///         policy: PolicyKind::Dense { channels: 8, outputs: 65 },
///         value: ValueKind::WinDrawLoss { channels: 8, hidden: 64 },
///         ..Heads::default()
///     },
///     made_by: None,
/// };
/// othello.check().unwrap();
/// assert_eq!(othello.parameters(), 531_636);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The game, by its name in the catalogue, with its variant if that matters.
    pub game: String,
    /// The board that the planes show.
    pub board: BoardSize,
    /// How positions are shown.
    pub input: Input,
    /// Channels between stem and heads.
    pub channels: usize,
    /// The blocks, from the stem to the heads.
    pub blocks: Vec<BlockKind>,
    /// What comes out.
    pub heads: Heads,
    /// Where it comes from, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
}

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardSize {
    /// From bottom to top.
    pub rows: usize,
    /// From left to right.
    pub columns: usize,
}

impl BoardSize {
    /// How many cells there are.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }
}

/// How positions are shown to a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The encoder, by its name: it also says which number of the policy means which move.
    pub encoder: String,
    /// How many planes of bits it writes.
    pub bit_planes: usize,
    /// How many planes with one number for all cells it writes after them.
    pub constant_planes: usize,
}

impl Input {
    /// How many planes it writes in all.
    pub fn planes(&self) -> usize {
        self.bit_planes + self.constant_planes
    }
}

/// A residual block: two 3×3 convolutions beside which its input is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BlockKind {
    /// Nothing else.
    Plain {},
    /// Squeeze and excitation with a scale and a shift for each channel, as lc0 has it.
    SqueezeExcitation {
        /// Numbers between squeeze and excitation.
        hidden: usize,
    },
    /// A third convolution whose channels are pooled over the board and shift the channels of the first, as KataGo has it.
    GlobalPooling {
        /// How many channels are pooled.
        channels: usize,
    },
}

/// What comes out of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heads {
    /// How good the moves look.
    pub policy: PolicyKind,
    /// Who wins.
    pub value: ValueKind,
    /// By how much, in the units of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<ScalarKind>,
    /// How many plies the game will last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_left: Option<ScalarKind>,
    /// Whose the cells will be at the end: channels of the layer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ownership: Option<usize>,
    /// What the opponent will reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<PolicyKind>,
}

impl Default for Heads {
    fn default() -> Heads {
        Heads {
            policy: PolicyKind::Dense { channels: 1, outputs: 1 },
            value: ValueKind::Scalar { channels: 1, hidden: 1 },
            margin: None,
            moves_left: None,
            ownership: None,
            reply: None,
        }
    }
}

/// How a policy is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PolicyKind {
    /// Two convolutions, ReLU between them: a number for each plane and cell.
    Convolution {
        /// The side of both kernels: 1 or 3.
        kernel: usize,
        /// Channels between them.
        channels: usize,
        /// Planes that come out.
        planes: usize,
    },
    /// A 1×1 convolution, ReLU, and a dense layer.
    Dense {
        /// Channels of the convolution.
        channels: usize,
        /// Numbers that come out.
        outputs: usize,
    },
}

impl PolicyKind {
    /// How many numbers a policy has.
    pub fn size(self, board: BoardSize) -> usize {
        match self {
            PolicyKind::Convolution { planes, .. } => planes * board.cells(),
            PolicyKind::Dense { outputs, .. } => outputs,
        }
    }
}

/// How a value is computed: a 1×1 convolution, ReLU, a dense layer, ReLU, and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ValueKind {
    /// Chances to win, draw and lose, by a softmax.
    WinDrawLoss {
        /// Channels of the convolution.
        channels: usize,
        /// Numbers between the dense layers.
        hidden: usize,
    },
    /// Wins minus losses, by a hyperbolic tangent.
    Scalar {
        /// Channels of the convolution.
        channels: usize,
        /// Numbers between the dense layers.
        hidden: usize,
    },
}

impl ValueKind {
    /// The shape of its layers.
    pub fn shape(self) -> ScalarKind {
        let (ValueKind::WinDrawLoss { channels, hidden } | ValueKind::Scalar { channels, hidden }) = self;
        ScalarKind { channels, hidden }
    }

    /// How many numbers come out.
    pub fn outputs(self) -> usize {
        match self {
            ValueKind::WinDrawLoss { .. } => 3,
            ValueKind::Scalar { .. } => 1,
        }
    }
}

/// How another number is computed: the layers of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalarKind {
    /// Channels of the convolution.
    pub channels: usize,
    /// Numbers between the dense layers.
    pub hidden: usize,
}

/// No side of a board is longer.
const MOST_SIDE: usize = 32;
/// No layer is wider.
const MOST_WIDTH: usize = 1 << 14;
/// No network is deeper.
const MOST_BLOCKS: usize = 256;
/// Moves are numbered in 16 bits.
const MOST_POLICY: usize = 1 << 16;

impl Description {
    /// Whether it makes sense.
    pub fn check(&self) -> Result<(), NetError> {
        let within = |what: &str, value: usize, most: usize| match value {
            1.. if value <= most => Ok(()),
            _ => Err(NetError::Description(format!("{what} is {value}, expected 1 to {most}"))),
        };
        within("board.rows", self.board.rows, MOST_SIDE)?;
        within("board.columns", self.board.columns, MOST_SIDE)?;
        within("input.bit_planes", self.input.bit_planes, MOST_WIDTH)?;
        if self.input.constant_planes > MOST_WIDTH {
            let planes = self.input.constant_planes;
            return Err(NetError::Description(format!(
                "input.constant_planes is {planes}, expected {MOST_WIDTH} at most"
            )));
        }
        within("channels", self.channels, MOST_WIDTH)?;
        if self.blocks.len() > MOST_BLOCKS {
            let blocks = self.blocks.len();
            return Err(NetError::Description(format!(
                "it has {blocks} blocks, expected {MOST_BLOCKS} at most"
            )));
        }
        for block in &self.blocks {
            match *block {
                BlockKind::Plain {} => (),
                BlockKind::SqueezeExcitation { hidden } => within("hidden of a block", hidden, MOST_WIDTH)?,
                BlockKind::GlobalPooling { channels } => within("channels of a block", channels, MOST_WIDTH)?,
            }
        }
        let Heads { policy, value, margin, moves_left, ownership, reply } = &self.heads;
        for policy in std::iter::once(policy).chain(reply) {
            match *policy {
                PolicyKind::Convolution { kernel, channels, planes } => {
                    if kernel != 1 && kernel != 3 {
                        return Err(NetError::Description(format!(
                            "the kernel of a policy is {kernel}, expected 1 or 3"
                        )));
                    }
                    within("planes of a policy", planes, MOST_WIDTH)?;
                    within("channels of a policy", channels, MOST_WIDTH)?;
                }
                PolicyKind::Dense { channels, .. } => within("channels of a policy", channels, MOST_WIDTH)?,
            }
            // Only now: planes without a bound times cells could be too large to count.
            within("size of a policy", policy.size(self.board), MOST_POLICY)?;
        }
        for ScalarKind { channels, hidden } in
            std::iter::once(value.shape()).chain(*margin).chain(*moves_left)
        {
            within("channels of a value", channels, MOST_WIDTH)?;
            within("hidden of a value", hidden, MOST_WIDTH)?;
        }
        ownership.map_or(Ok(()), |channels| within("ownership", channels, MOST_WIDTH))
    }

    /// How positions are packed.
    pub fn planes(&self) -> Planes {
        let (BoardSize { rows, columns }, input) = (self.board, &self.input);
        Planes { rows, columns, bits: input.bit_planes, constants: input.constant_planes }
    }

    /// Whether a packed position has the size that the network expects.
    pub fn check_words(&self, words: &[u64]) -> Result<(), NetError> {
        match (words.len(), self.planes().words()) {
            (given, wanted) if given == wanted => Ok(()),
            (given, wanted) => {
                Err(NetError::Misfit(format!("a position has {given} words, expected {wanted}")))
            }
        }
    }

    /// How many weights it has, biases included.
    pub fn parameters(&self) -> usize {
        self.layers().tensors().iter().map(|spec| spec.len()).sum()
    }
}
