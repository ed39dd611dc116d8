//! The weights in an lc0 file: layers in one of four encodings, and batch normalisations, which are folded into the convolutions before them.

use crate::half::f16_to_f32;
use crate::layers::{Conv, Dense};
use crate::network::{NetError, Tensor};
use crate::protobuf::fields;

/// What lc0 adds to a variance before it takes the root.
const EPSILON: f32 = 1e-5;

/// All weights that a residual tower has.
#[derive(Default)]
pub(super) struct Weights {
    pub(super) input: ConvBlock,
    pub(super) blocks: Vec<Residual>,
    pub(super) policy_first: ConvBlock,
    pub(super) policy: ConvBlock,
    pub(super) policy_dense: Matrix,
    pub(super) value: ScalarHead,
    pub(super) moves_left: ScalarHead,
    /// Whether there are layers of attention, which this program does not know.
    pub(super) has_attention: bool,
}

#[derive(Default)]
pub(super) struct ScalarHead {
    pub(super) conv: ConvBlock,
    pub(super) hidden: Matrix,
    pub(super) output: Matrix,
}

#[derive(Default)]
pub(super) struct Residual {
    pub(super) first: ConvBlock,
    pub(super) second: ConvBlock,
    pub(super) excitation: Option<(Matrix, Matrix)>,
}

/// A convolution and the batch normalisation after it.
#[derive(Default)]
pub(super) struct ConvBlock {
    pub(super) weights: Vec<f32>,
    pub(super) biases: Vec<f32>,
    pub(super) means: Vec<f32>,
    /// Called standard deviations in the file, but variances.
    pub(super) variances: Vec<f32>,
    pub(super) gammas: Vec<f32>,
    pub(super) betas: Vec<f32>,
}

/// A dense layer.
#[derive(Default)]
pub(super) struct Matrix {
    pub(super) weights: Vec<f32>,
    pub(super) biases: Vec<f32>,
}

impl Weights {
    pub(super) fn read(message: &[u8]) -> Result<Weights, NetError> {
        let mut all = Weights::default();
        for field in fields(message) {
            let (number, value) = field?;
            let message = || value.bytes();
            match number {
                1 => all.input = ConvBlock::read(message()?)?,
                2 => all.blocks.push(Residual::read(message()?)?),
                3 => all.policy = ConvBlock::read(message()?)?,
                4 => all.policy_dense.weights = numbers(message()?)?,
                5 => all.policy_dense.biases = numbers(message()?)?,
                6 => all.value.conv = ConvBlock::read(message()?)?,
                7 => all.value.hidden.weights = numbers(message()?)?,
                8 => all.value.hidden.biases = numbers(message()?)?,
                9 => all.value.output.weights = numbers(message()?)?,
                10 => all.value.output.biases = numbers(message()?)?,
                11 => all.policy_first = ConvBlock::read(message()?)?,
                12 => all.moves_left.conv = ConvBlock::read(message()?)?,
                13 => all.moves_left.hidden.weights = numbers(message()?)?,
                14 => all.moves_left.hidden.biases = numbers(message()?)?,
                15 => all.moves_left.output.weights = numbers(message()?)?,
                16 => all.moves_left.output.biases = numbers(message()?)?,
                // Encoders of policy and body.
                21 | 27 => all.has_attention = true,
                _ => (),
            }
        }
        Ok(all)
    }
}

impl Residual {
    fn read(message: &[u8]) -> Result<Residual, NetError> {
        let mut block = Residual::default();
        for field in fields(message) {
            match field? {
                (1, value) => block.first = ConvBlock::read(value.bytes()?)?,
                (2, value) => block.second = ConvBlock::read(value.bytes()?)?,
                (3, value) => {
                    let (mut squeeze, mut excite) = (Matrix::default(), Matrix::default());
                    for field in fields(value.bytes()?) {
                        match field? {
                            (1, value) => squeeze.weights = numbers(value.bytes()?)?,
                            (2, value) => squeeze.biases = numbers(value.bytes()?)?,
                            (3, value) => excite.weights = numbers(value.bytes()?)?,
                            (4, value) => excite.biases = numbers(value.bytes()?)?,
                            _ => (),
                        }
                    }
                    block.excitation = Some((squeeze, excite));
                }
                _ => (),
            }
        }
        Ok(block)
    }
}

impl ConvBlock {
    fn read(message: &[u8]) -> Result<ConvBlock, NetError> {
        let mut block = ConvBlock::default();
        for field in fields(message) {
            match field? {
                (1, value) => block.weights = numbers(value.bytes()?)?,
                (2, value) => block.biases = numbers(value.bytes()?)?,
                (3, value) => block.means = numbers(value.bytes()?)?,
                (4, value) => block.variances = numbers(value.bytes()?)?,
                (5, value) => block.gammas = numbers(value.bytes()?)?,
                (6, value) => block.betas = numbers(value.bytes()?)?,
                _ => (),
            }
        }
        Ok(block)
    }

    /// The convolution with everything in it, with as many outputs as there are biases or means.
    pub(super) fn fold(self, name: &str, inputs: usize, side: usize) -> Result<Conv<Tensor>, NetError> {
        let outputs = self.biases.len().max(self.means.len());
        self.fold_to(name, inputs, outputs, side)
    }

    /// The convolution with everything in it.
    pub(super) fn fold_to(
        self,
        name: &str,
        inputs: usize,
        outputs: usize,
        side: usize,
    ) -> Result<Conv<Tensor>, NetError> {
        let ConvBlock { mut weights, mut biases, means, variances, mut gammas, mut betas } = self;
        expect(name, "weights", &weights, outputs * inputs * side * side)?;
        // Without beta and gamma they do nothing, and so do biases.
        if betas.is_empty() && gammas.is_empty() {
            (betas, gammas) = (vec![0.0; outputs], vec![1.0; outputs]);
        }
        if biases.is_empty() {
            biases = vec![0.0; outputs];
        }
        expect(name, "biases", &biases, outputs)?;
        if !means.is_empty() {
            for (part, values) in
                [("means", &means), ("variances", &variances), ("gammas", &gammas), ("betas", &betas)]
            {
                expect(name, part, values, outputs)?;
            }
            for (output, kernel) in weights.chunks_exact_mut(inputs * side * side).enumerate() {
                let scale = gammas[output] / (variances[output] + EPSILON).sqrt();
                kernel.iter_mut().for_each(|weight| *weight *= scale);
                biases[output] = (biases[output] - means[output]) * scale + betas[output];
            }
        }
        Ok(Conv {
            weight: Tensor { shape: vec![outputs, inputs, side, side], values: weights },
            bias: Tensor { shape: vec![outputs], values: biases },
        })
    }
}

impl Matrix {
    /// The layer, with as many outputs as it has biases.
    pub(super) fn layer(self, name: &str, inputs: usize) -> Result<Dense<Tensor>, NetError> {
        let outputs = self.biases.len();
        self.layer_to(name, inputs, outputs)
    }

    /// The layer.
    pub(super) fn layer_to(
        self,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Dense<Tensor>, NetError> {
        expect(name, "biases", &self.biases, outputs)?;
        expect(name, "weights", &self.weights, outputs * inputs)?;
        Ok(Dense {
            weight: Tensor { shape: vec![outputs, inputs], values: self.weights },
            bias: Tensor { shape: vec![outputs], values: self.biases },
        })
    }
}

fn expect(name: &str, part: &str, values: &[f32], wanted: usize) -> Result<(), NetError> {
    match values.len() {
        0 => Err(NetError::Weights(format!("{name} has no {part}"))),
        given if given != wanted => {
            Err(NetError::Weights(format!("{name} has {given} {part}, expected {wanted}")))
        }
        _ => Ok(()),
    }
}

/// The numbers of a layer.
fn numbers(message: &[u8]) -> Result<Vec<f32>, NetError> {
    let (mut least, mut most, mut encoding, mut bytes): (f32, f32, u64, &[u8]) = (0.0, 0.0, 1, &[]);
    for field in fields(message) {
        match field? {
            (1, value) => least = value.float()?,
            (2, value) => most = value.float()?,
            (3, value) => bytes = value.bytes()?,
            (4, value) => encoding = value.number()?,
            _ => (),
        }
    }
    let (twos, odd) = bytes.as_chunks::<2>();
    let halves = twos.iter().map(|&two| u16::from_le_bytes(two));
    let (numbers, odd): (Vec<f32>, &[u8]) = match encoding {
        // From the least number to the most in 65,535 equal steps.
        1 => {
            let at = |step: u16| {
                let share = f32::from(step) / f32::from(u16::MAX);
                least * (1.0 - share) + most * share
            };
            (halves.map(at).collect(), odd)
        }
        2 => (halves.map(f16_to_f32).collect(), odd),
        // The upper half of a number of single precision.
        3 => (halves.map(|half| f32::from_bits(u32::from(half) << 16)).collect(), odd),
        4 => {
            let (fours, odd) = bytes.as_chunks::<4>();
            (fours.iter().map(|&four| f32::from_le_bytes(four)).collect(), odd)
        }
        other => {
            return Err(NetError::Unsupported(format!(
                "a layer is kept in encoding {other}; expected 1 to 4 (linear, half, bfloat16 or single)"
            )));
        }
    };
    match odd {
        [] => Ok(numbers),
        _ => Err(NetError::Format("a layer ends in the middle of a number".to_string())),
    }
}
