//! What a network is made of, once for all uses: with names and shapes for files, with weights for kernels, with addresses for devices.

use crate::description::{BlockKind, Description, PolicyKind, ScalarKind};

/// All layers of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers<T> {
    /// From planes to channels.
    pub stem: Conv<T>,
    /// The residual blocks.
    pub blocks: Vec<Block<T>>,
    /// What comes after them.
    pub heads: HeadLayers<T>,
}

/// A convolution: weights `[outputs, inputs, side, side]`, and a bias for each output.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the parts of a layer")]
pub struct Conv<T> {
    pub weight: T,
    pub bias: T,
}

/// A dense layer: weights `[outputs, inputs]`, and a bias for each output. Inputs that come from a board are ordered by channel, then row, then column.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the parts of a layer")]
pub struct Dense<T> {
    pub weight: T,
    pub bias: T,
}

/// A residual block; see [`BlockKind`].
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the parts of a block")]
pub enum Block<T> {
    /// `relu(x + second(relu(first(x))))`.
    Plain { first: Conv<T>, second: Conv<T> },
    /// `z = second(relu(first(x)))`, `s = excite(relu(squeeze(mean over the board of z)))`, `relu(x + sigmoid(s[..c]) * z + s[c..])`.
    SqueezeExcitation { first: Conv<T>, second: Conv<T>, squeeze: Dense<T>, excite: Dense<T> },
    /// `g = relu(pool(x))`, `p = shift(mean, scaled mean and maximum over the board of g)`, `relu(x + second(relu(first(x) + p)))`. The mean is scaled by
    /// a tenth of what the side of the board has more than 14.
    GlobalPooling { first: Conv<T>, pool: Conv<T>, shift: Dense<T>, second: Conv<T> },
}

/// What a mean over the board is scaled by when it is pooled a second time, so that a network may play on boards of several sizes.
pub fn pooled_scale(cells: usize) -> f64 {
    ((cells as f64).sqrt() - 14.0) / 10.0
}

/// The heads; see [`Heads`](crate::Heads).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the heads by their names")]
pub struct HeadLayers<T> {
    pub policy: Policy<T>,
    pub value: Scalar<T>,
    pub margin: Option<Scalar<T>>,
    pub moves_left: Option<Scalar<T>>,
    /// Two 1×1 convolutions, ReLU between them and a hyperbolic tangent after the second, which has one channel.
    pub ownership: Option<(Conv<T>, Conv<T>)>,
    pub reply: Option<Policy<T>>,
}

/// The layers of a policy; see [`PolicyKind`].
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the parts of a head")]
pub enum Policy<T> {
    Convolution { first: Conv<T>, second: Conv<T> },
    Dense { conv: Conv<T>, dense: Dense<T> },
}

/// The layers of a value or another number.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the parts of a head")]
pub struct Scalar<T> {
    pub conv: Conv<T>,
    pub hidden: Dense<T>,
    pub output: Dense<T>,
}

/// The name and the shape of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Its name in a file.
    pub name: String,
    /// Its shape, the slowest dimension first.
    pub shape: Vec<usize>,
}

impl Spec {
    /// How many numbers it has.
    #[expect(clippy::len_without_is_empty, reason = "no tensor is empty")]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

impl Description {
    /// The names and shapes of all its tensors.
    pub fn layers(&self) -> Layers<Spec> {
        let c = self.channels;
        let blocks = self.blocks.iter().enumerate().map(|(number, kind)| {
            let conv = |name: &str, outputs: usize| conv(&format!("blocks.{number}.{name}"), outputs, c, 3);
            let dense = |name: &str, outputs: usize, inputs: usize| {
                dense(&format!("blocks.{number}.{name}"), outputs, inputs)
            };
            let (first, second) = (conv("first", c), conv("second", c));
            match *kind {
                BlockKind::Plain {} => Block::Plain { first, second },
                BlockKind::SqueezeExcitation { hidden } => Block::SqueezeExcitation {
                    first,
                    second,
                    squeeze: dense("squeeze", hidden, c),
                    excite: dense("excite", 2 * c, hidden),
                },
                BlockKind::GlobalPooling { channels } => Block::GlobalPooling {
                    first,
                    pool: conv("pool", channels),
                    shift: dense("shift", c, 3 * channels),
                    second,
                },
            }
        });
        let scalar = |name: &str, ScalarKind { channels, hidden }: ScalarKind, outputs: usize| Scalar {
            conv: conv(&format!("{name}.conv"), channels, c, 1),
            hidden: dense(&format!("{name}.hidden"), hidden, channels * self.board.cells()),
            output: dense(&format!("{name}.output"), outputs, hidden),
        };
        let policy = |name: &str, kind: PolicyKind| match kind {
            PolicyKind::Convolution { kernel, channels, planes } => Policy::Convolution {
                first: conv(&format!("{name}.first"), channels, c, kernel),
                second: conv(&format!("{name}.second"), planes, channels, kernel),
            },
            PolicyKind::Dense { channels, outputs } => Policy::Dense {
                conv: conv(&format!("{name}.conv"), channels, c, 1),
                dense: dense(&format!("{name}.dense"), outputs, channels * self.board.cells()),
            },
        };
        let heads = &self.heads;
        Layers {
            stem: conv("stem", c, self.input.planes(), 3),
            blocks: blocks.collect(),
            heads: HeadLayers {
                policy: policy("policy", heads.policy),
                value: scalar("value", heads.value.shape(), heads.value.outputs()),
                margin: heads.margin.map(|kind| scalar("margin", kind, 1)),
                moves_left: heads.moves_left.map(|kind| scalar("moves_left", kind, 1)),
                ownership: heads.ownership.map(|channels| {
                    (conv("ownership.first", channels, c, 1), conv("ownership.second", 1, channels, 1))
                }),
                reply: heads.reply.map(|kind| policy("reply", kind)),
            },
        }
    }
}

fn conv(name: &str, outputs: usize, inputs: usize, side: usize) -> Conv<Spec> {
    Conv {
        weight: Spec { name: format!("{name}.weight"), shape: vec![outputs, inputs, side, side] },
        bias: Spec { name: format!("{name}.bias"), shape: vec![outputs] },
    }
}

fn dense(name: &str, outputs: usize, inputs: usize) -> Dense<Spec> {
    Dense {
        weight: Spec { name: format!("{name}.weight"), shape: vec![outputs, inputs] },
        bias: Spec { name: format!("{name}.bias"), shape: vec![outputs] },
    }
}

impl<T> Layers<T> {
    /// The same layers with something else in the place of each tensor, in the order of the network.
    pub fn try_map<U, E>(self, mut f: impl FnMut(T) -> Result<U, E>) -> Result<Layers<U>, E> {
        let f = &mut f;
        let HeadLayers { policy, value, margin, moves_left, ownership, reply } = self.heads;
        Ok(Layers {
            stem: self.stem.try_map(f)?,
            blocks: self.blocks.into_iter().map(|block| block.try_map(f)).collect::<Result<_, _>>()?,
            heads: HeadLayers {
                policy: policy.try_map(f)?,
                value: value.try_map(f)?,
                margin: margin.map(|head| head.try_map(f)).transpose()?,
                moves_left: moves_left.map(|head| head.try_map(f)).transpose()?,
                ownership: match ownership {
                    Some((first, second)) => Some((first.try_map(f)?, second.try_map(f)?)),
                    None => None,
                },
                reply: reply.map(|head| head.try_map(f)).transpose()?,
            },
        })
    }

    /// All tensors, in the order of the network.
    pub fn tensors(&self) -> Vec<&T>
    where
        T: Clone,
    {
        let mut all = Vec::new();
        let Ok(_) = self.as_ref().try_map(|tensor| {
            all.push(tensor);
            Ok::<(), std::convert::Infallible>(())
        });
        all
    }

    /// The same layers, borrowed.
    pub fn as_ref(&self) -> Layers<&T> {
        let heads = &self.heads;
        Layers {
            stem: self.stem.as_ref(),
            blocks: self.blocks.iter().map(Block::as_ref).collect(),
            heads: HeadLayers {
                policy: heads.policy.as_ref(),
                value: heads.value.as_ref(),
                margin: heads.margin.as_ref().map(Scalar::as_ref),
                moves_left: heads.moves_left.as_ref().map(Scalar::as_ref),
                ownership: heads.ownership.as_ref().map(|(first, second)| (first.as_ref(), second.as_ref())),
                reply: heads.reply.as_ref().map(Policy::as_ref),
            },
        }
    }
}

impl<T> Conv<T> {
    fn try_map<U, E>(self, f: &mut impl FnMut(T) -> Result<U, E>) -> Result<Conv<U>, E> {
        Ok(Conv { weight: f(self.weight)?, bias: f(self.bias)? })
    }

    fn as_ref(&self) -> Conv<&T> {
        Conv { weight: &self.weight, bias: &self.bias }
    }
}

impl<T> Dense<T> {
    fn try_map<U, E>(self, f: &mut impl FnMut(T) -> Result<U, E>) -> Result<Dense<U>, E> {
        Ok(Dense { weight: f(self.weight)?, bias: f(self.bias)? })
    }

    fn as_ref(&self) -> Dense<&T> {
        Dense { weight: &self.weight, bias: &self.bias }
    }
}

impl<T> Block<T> {
    fn try_map<U, E>(self, f: &mut impl FnMut(T) -> Result<U, E>) -> Result<Block<U>, E> {
        Ok(match self {
            Block::Plain { first, second } => {
                Block::Plain { first: first.try_map(f)?, second: second.try_map(f)? }
            }
            Block::SqueezeExcitation { first, second, squeeze, excite } => Block::SqueezeExcitation {
                first: first.try_map(f)?,
                second: second.try_map(f)?,
                squeeze: squeeze.try_map(f)?,
                excite: excite.try_map(f)?,
            },
            Block::GlobalPooling { first, pool, shift, second } => Block::GlobalPooling {
                first: first.try_map(f)?,
                pool: pool.try_map(f)?,
                shift: shift.try_map(f)?,
                second: second.try_map(f)?,
            },
        })
    }

    fn as_ref(&self) -> Block<&T> {
        match self {
            Block::Plain { first, second } => Block::Plain { first: first.as_ref(), second: second.as_ref() },
            Block::SqueezeExcitation { first, second, squeeze, excite } => Block::SqueezeExcitation {
                first: first.as_ref(),
                second: second.as_ref(),
                squeeze: squeeze.as_ref(),
                excite: excite.as_ref(),
            },
            Block::GlobalPooling { first, pool, shift, second } => Block::GlobalPooling {
                first: first.as_ref(),
                pool: pool.as_ref(),
                shift: shift.as_ref(),
                second: second.as_ref(),
            },
        }
    }
}

impl<T> Policy<T> {
    fn try_map<U, E>(self, f: &mut impl FnMut(T) -> Result<U, E>) -> Result<Policy<U>, E> {
        Ok(match self {
            Policy::Convolution { first, second } => {
                Policy::Convolution { first: first.try_map(f)?, second: second.try_map(f)? }
            }
            Policy::Dense { conv, dense } => {
                Policy::Dense { conv: conv.try_map(f)?, dense: dense.try_map(f)? }
            }
        })
    }

    fn as_ref(&self) -> Policy<&T> {
        match self {
            Policy::Convolution { first, second } => {
                Policy::Convolution { first: first.as_ref(), second: second.as_ref() }
            }
            Policy::Dense { conv, dense } => Policy::Dense { conv: conv.as_ref(), dense: dense.as_ref() },
        }
    }
}

impl<T> Scalar<T> {
    fn try_map<U, E>(self, f: &mut impl FnMut(T) -> Result<U, E>) -> Result<Scalar<U>, E> {
        Ok(Scalar {
            conv: self.conv.try_map(f)?,
            hidden: self.hidden.try_map(f)?,
            output: self.output.try_map(f)?,
        })
    }

    fn as_ref(&self) -> Scalar<&T> {
        Scalar { conv: self.conv.as_ref(), hidden: self.hidden.as_ref(), output: self.output.as_ref() }
    }
}
