//! The weights of a network in the form that training changes them.

use std::ops::Range;

use outplay_core::Rng;

use crate::description::Description;
use crate::layers::{Block, Conv, Layers, Policy};
use crate::network::{NetError, Network, Tensor};

/// Added to variances, so that a channel that never changes can be divided by its deviation.
pub const EPSILON: f32 = 1e-5;
/// How much of the running statistics a step keeps.
pub const KEEP: f32 = 0.95;

/// All that training changes, and all that is kept of batches, each in one vector.
///
/// Convolutions are followed by batch normalisation, but for the last ones of heads. What a network's file has as the bias of such a convolution
/// is the shift of its normalisation here; the scale and the running statistics stand beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    description: Description,
    pub(super) layers: Layers<Slot>,
    /// Everything that has a gradient: tensors in the order of the network, then the scales of normalisations.
    pub(super) values: Vec<f32>,
    /// Means and variances of the channels that are normalised, as the batches so far had them.
    pub(super) running: Vec<f32>,
}

/// Where a tensor stands among what is trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its numbers.
    pub at: Range<usize>,
    /// Its shape, the slowest dimension first.
    pub shape: Vec<usize>,
    /// Where the scale of a normalisation stands and where its running statistics, the means first, if this is the bias of a convolution that is normalised.
    pub norm: Option<NormSlot>,
}

/// Where what belongs to a normalisation stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormSlot {
    /// Its scale, among what is trained.
    pub scale: Range<usize>,
    /// Its means and then its variances, among the running statistics.
    pub running: Range<usize>,
}

impl Parameters {
    /// A network to begin with, the same for each seed. The second convolution of a block begins with a scale of zero, so that a deep network begins as a
    /// shallow one.
    ///
    /// # Errors
    /// If the description makes no sense.
    pub fn new(description: Description, seed: u64) -> Result<Parameters, NetError> {
        description.check()?;
        let mut parameters = Parameters::blank(description);
        let mut rng = Rng::new(seed);
        for slot in parameters.layers.tensors() {
            // Biases begin at zero.
            if slot.shape.len() > 1 {
                let inputs: usize = slot.shape[1..].iter().product();
                let deviation = (2.0 / inputs as f32).sqrt();
                parameters.values[slot.at.clone()]
                    .iter_mut()
                    .for_each(|value| *value = deviation * normal(&mut rng));
            }
        }
        parameters.quieten_heads();
        Ok(parameters)
    }

    /// Goes on with a network of which nothing but its file is known: normalisation then begins as if every channel had been normal.
    pub fn from_network(network: &Network) -> Parameters {
        let mut parameters = Parameters::blank(network.description().clone());
        for (slot, tensor) in parameters.layers.tensors().into_iter().zip(network.layers().tensors()) {
            parameters.values[slot.at.clone()].copy_from_slice(&tensor.values);
        }
        parameters
    }

    /// All zeros, but for scales and variances of one.
    pub(super) fn blank(description: Description) -> Parameters {
        let specs = description.layers();
        let mut length = 0;
        let slots = specs.try_map(|spec| {
            let at = length..length + spec.len();
            length = at.end;
            Ok::<_, NetError>(Slot { at, shape: spec.shape, norm: None })
        });
        let Ok(mut layers) = slots else { unreachable!("nothing fails there") };
        let mut values = vec![0.0; length];
        let mut running = Vec::new();
        for conv in normalised(&mut layers) {
            let channels = conv.bias.at.len();
            let (scale, statistics) = (values.len(), running.len());
            values.resize(scale + channels, 1.0);
            running.resize(statistics + channels, 0.0);
            running.resize(statistics + 2 * channels, 1.0);
            conv.bias.norm = Some(NormSlot {
                scale: scale..scale + channels,
                running: statistics..statistics + 2 * channels,
            });
        }
        Parameters { description, layers, values, running }
    }

    /// Begins with opinions near zero and blocks that change nothing.
    fn quieten_heads(&mut self) {
        let heads = &self.layers.heads;
        let mut quiet = vec![&heads.value.output.weight];
        quiet.extend(heads.margin.iter().chain(&heads.moves_left).map(|head| &head.output.weight));
        for policy in std::iter::once(&heads.policy).chain(&heads.reply) {
            quiet.push(match policy {
                Policy::Convolution { second, .. } => &second.weight,
                Policy::Dense { dense, .. } => &dense.weight,
            });
        }
        for slot in quiet {
            self.values[slot.at.clone()].iter_mut().for_each(|value| *value *= 0.1);
        }
        for block in &self.layers.blocks {
            let (Block::Plain { second, .. }
            | Block::SqueezeExcitation { second, .. }
            | Block::GlobalPooling { second, .. }) = block;
            let scale = second.bias.norm.as_ref().map(|norm| norm.scale.clone());
            scale.into_iter().flatten().for_each(|at| self.values[at] = 0.0);
        }
    }

    /// What is trained.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Where the tensors of all layers stand.
    pub fn layers(&self) -> &Layers<Slot> {
        &self.layers
    }

    /// Everything that is trained.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The running statistics of normalisations.
    pub fn running(&self) -> &[f32] {
        &self.running
    }

    /// How many numbers are trained.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The network for play: normalisation by the running statistics is folded into the convolutions.
    ///
    /// # Errors
    /// If a number is not finite: training has diverged.
    pub fn network(&self) -> Result<Network, NetError> {
        let of =
            |slot: &Slot| Tensor { shape: slot.shape.clone(), values: self.values[slot.at.clone()].to_vec() };
        let mut layers = self.layers.as_ref().try_map(|slot| Ok::<_, NetError>(of(slot)))?;
        let mut slots = self.layers.clone();
        for (conv, slot) in normalised(&mut layers).into_iter().zip(normalised(&mut slots)) {
            let Some(norm) = &slot.bias.norm else { continue };
            let (means, variances) = self.running[norm.running.clone()].split_at(norm.scale.len());
            let of_channel = conv.weight.values.len() / means.len();
            for (channel, weights) in conv.weight.values.chunks_mut(of_channel).enumerate() {
                let scale = self.values[norm.scale.start + channel] / (variances[channel] + EPSILON).sqrt();
                weights.iter_mut().for_each(|weight| *weight *= scale);
                conv.bias.values[channel] -= scale * means[channel];
            }
        }
        Network::new(self.description.clone(), layers)
    }

    /// Takes the statistics of a batch over, which may have more channels than the layer.
    pub(super) fn keep_statistics(&mut self, norm: &NormSlot, means: &[f32], variances: &[f32]) {
        let channels = norm.scale.len();
        let seen = means[..channels].iter().chain(&variances[..channels]);
        for (kept, seen) in self.running[norm.running.clone()].iter_mut().zip(seen) {
            *kept = KEEP * *kept + (1.0 - KEEP) * seen;
        }
    }

    /// Which numbers are kept small: the weights of layers, not shifts and scales.
    pub fn decays(&self) -> Vec<bool> {
        let mut decays = vec![false; self.values.len()];
        for slot in self.layers.tensors().into_iter().filter(|slot| slot.shape.len() > 1) {
            decays[slot.at.clone()].fill(true);
        }
        decays
    }
}

/// The convolutions that are normalised: all but the last ones of heads.
fn normalised<T>(layers: &mut Layers<T>) -> Vec<&mut Conv<T>> {
    let mut all = vec![&mut layers.stem];
    for block in &mut layers.blocks {
        match block {
            Block::Plain { first, second } | Block::SqueezeExcitation { first, second, .. } => {
                all.extend([first, second])
            }
            Block::GlobalPooling { first, pool, second, .. } => all.extend([first, pool, second]),
        }
    }
    let heads = &mut layers.heads;
    for policy in std::iter::once(&mut heads.policy).chain(&mut heads.reply) {
        let (Policy::Convolution { first: conv, .. } | Policy::Dense { conv, .. }) = policy;
        all.push(conv);
    }
    let scalars = std::iter::once(&mut heads.value).chain(&mut heads.margin).chain(&mut heads.moves_left);
    all.extend(scalars.map(|head| &mut head.conv));
    all.extend(heads.ownership.as_mut().map(|(first, _)| first));
    all
}

/// A number from the normal distribution (Marsaglia's polar method).
fn normal(rng: &mut Rng) -> f32 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return (x * (-2.0 * square.ln() / square).sqrt()) as f32;
        }
    }
}
