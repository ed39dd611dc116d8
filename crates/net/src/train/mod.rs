//! Training: how a network learns from samples.
//!
//! A [`Trainer`] has the weights in the form that training changes ([`Parameters`]) and an [`Optimizer`]. A step runs the network forward over a batch
//! (`pass.rs`, `block.rs`), says how far it is from what it should say (`loss.rs`), runs back through all layers, which gives each weight its gradient, and
//! changes the weights. The work is done by `winograd.rs` and `product.rs`, on several threads whose number changes nothing about the result: one seed gives
//! the same network, bit for bit.

mod block;
mod checkpoint;
mod elementwise;
mod layer;
mod loss;
mod map;
mod norm;
mod optimizer;
mod parameters;
mod pass;
mod product;
mod winograd;
mod workers;

pub use loss::{LossWeights, Losses, Samples};
pub use optimizer::{Optimizer, Rule};
pub use parameters::{NormSlot, Parameters, Slot};
pub use workers::Workers;

/// Numbers that whoever trains in another way has to take over: what is added to variances, what a step keeps of running statistics, what keeps Adam from
/// dividing by zero, and the unit of margins and plies.
pub mod constants {
    pub use super::loss::UNIT;
    pub use super::optimizer::LEAST;
    pub use super::parameters::{EPSILON, KEEP};
}

use block::BlockPass;
use map::Map;
use pass::{Backward, Forward, PolicyPass, ScalarPass};

use crate::cpu::tiling::Tiling;
use crate::network::{NetError, Network};

/// How a network is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingOptions {
    /// How gradients change weights.
    pub rule: Rule,
    /// How strongly weights are pulled to zero.
    pub decay: f32,
    /// Gradients that are longer are shortened to this.
    pub longest_gradient: f32,
    /// What the heads count.
    pub weights: LossWeights,
    /// How much of the averaged weights a step keeps; 0 for no average.
    pub average: f32,
    /// Threads.
    pub workers: Workers,
}

impl Default for TrainingOptions {
    fn default() -> TrainingOptions {
        TrainingOptions {
            rule: Rule::AdamW { beta1: 0.9, beta2: 0.999 },
            decay: 1e-4,
            longest_gradient: 5.0,
            weights: LossWeights::default(),
            average: 0.0,
            workers: Workers::new(1),
        }
    }
}

/// A network that learns.
#[derive(Clone)]
pub struct Trainer {
    parameters: Parameters,
    /// A slowly following copy of the weights and of the running statistics, which plays better than the weights of any one step.
    averaged: Option<Parameters>,
    optimizer: Optimizer,
    options: TrainingOptions,
    decays: Vec<bool>,
}

impl Trainer {
    /// Begins to train.
    pub fn new(parameters: Parameters, options: TrainingOptions) -> Trainer {
        let optimizer = Optimizer::new(options.rule, options.decay, parameters.count());
        let averaged = (options.average > 0.0).then(|| parameters.clone());
        Trainer { decays: parameters.decays(), averaged, optimizer, parameters, options }
    }

    /// The weights.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// The network for play: of the averaged weights if there are any.
    ///
    /// # Errors
    /// If training has diverged.
    pub fn network(&self) -> Result<Network, NetError> {
        self.averaged.as_ref().unwrap_or(&self.parameters).network()
    }

    /// Learns from a batch, with steps of this size.
    ///
    /// # Errors
    /// If the samples do not fit the network, or if the loss is no finite number any more; the weights are then as they were.
    pub fn step(&mut self, samples: &Samples, rate: f32) -> Result<Losses, NetError> {
        let Gradients { mut losses, mut gradients, statistics } = self.gradients(samples)?;
        losses.gradient = optimizer::clip(&mut gradients, self.options.longest_gradient);
        if !losses.gradient.is_finite() || !losses.total.is_finite() {
            return Err(NetError::Weights("training has diverged: try a lower learning rate".to_string()));
        }
        self.optimizer.step(rate, &mut self.parameters.values, &gradients, &self.decays);
        for (norm, means, variances) in &statistics {
            self.parameters.keep_statistics(norm, means, variances);
        }
        if let Some(averaged) = &mut self.averaged {
            // At first what is averaged is little: then the average follows faster.
            let keep = self.options.average.min(1.0 - 1.0 / (self.optimizer.steps() as f32 + 1.0));
            let follow = |to: &mut [f32], from: &[f32]| {
                to.iter_mut().zip(from).for_each(|(to, from)| *to += (1.0 - keep) * (from - *to));
            };
            follow(&mut averaged.values, &self.parameters.values);
            follow(&mut averaged.running, &self.parameters.running);
        }
        Ok(losses)
    }

    /// How it is trained.
    pub fn options(&self) -> &TrainingOptions {
        &self.options
    }

    /// The losses of a batch and the gradient of each number that is trained, as it is before it is shortened. Nothing is changed.
    ///
    /// # Errors
    /// If the samples do not fit the network.
    pub fn gradient(&self, samples: &Samples) -> Result<(Losses, Vec<f32>), NetError> {
        self.gradients(samples).map(|Gradients { losses, gradients, .. }| (losses, gradients))
    }

    /// The losses of a batch and the gradients of all that is trained.
    fn gradients(&self, samples: &Samples) -> Result<Gradients, NetError> {
        let parameters = &self.parameters;
        let description = parameters.description();
        samples.check(description)?;
        let tiling = Tiling::new(description.board);
        let workers = self.options.workers;
        let (layers, weights) = (&parameters.layers, self.options.weights);
        let mut forward = Forward { parameters, tiling, workers, statistics: Vec::new() };
        let planes = self.planes(samples);
        let stem = forward.rectified(&layers.stem, &planes);
        let mut blocks: Vec<BlockPass> = Vec::new();
        for block in &layers.blocks {
            let x = blocks.last().map_or(&stem.out, |before| &before.out).clone();
            blocks.push(BlockPass::forward(&mut forward, block, x));
        }
        let x = blocks.last().map_or(&stem.out, |last| &last.out).clone();
        let heads = &layers.heads;
        let mut policy = PolicyPass::forward(&mut forward, &heads.policy, &x);
        let mut value = ScalarPass::forward(&mut forward, &heads.value, &x);
        let mut margin =
            heads.margin.as_ref().map(|head| (head, ScalarPass::forward(&mut forward, head, &x)));
        let mut moves_left =
            heads.moves_left.as_ref().map(|head| (head, ScalarPass::forward(&mut forward, head, &x)));
        let mut reply = heads.reply.as_ref().map(|head| (head, PolicyPass::forward(&mut forward, head, &x)));
        let mut ownership = heads.ownership.as_ref().map(|(first, second)| {
            let conv = forward.rectified(first, &x);
            let out = forward.biased(&second.weight, &second.bias, &conv.out);
            (first, second, conv, out)
        });
        let statistics = forward.statistics;

        let mut losses = Losses::default();
        let size = description.heads.policy.size(description.board);
        losses.policy =
            loss::cross_entropy(&mut policy.logits, &samples.policy, &samples.weight, size, weights.policy);
        losses.value = loss::value_loss(description.heads.value, &mut value.out, samples, weights.value);
        if let Some((_, pass)) = &mut margin {
            losses.margin =
                loss::distance_loss(&mut pass.out, &samples.margin, &samples.weight, weights.margin);
        }
        if let Some((_, pass)) = &mut moves_left {
            losses.moves_left =
                loss::distance_loss(&mut pass.out, &samples.moves_left, &samples.weight, weights.moves_left);
        }
        if let (Some((_, pass)), Some(kind)) = (&mut reply, description.heads.reply) {
            let size = kind.size(description.board);
            losses.reply =
                loss::cross_entropy(&mut pass.logits, &samples.reply, &samples.weight, size, weights.reply);
        }
        if let Some((.., out)) = &mut ownership {
            losses.ownership =
                loss::ownership_loss(out, &samples.ownership, &samples.weight, weights.ownership);
        }
        losses.total = weights.policy * losses.policy
            + weights.value * losses.value
            + weights.margin * losses.margin
            + weights.moves_left * losses.moves_left
            + weights.ownership * losses.ownership
            + weights.reply * losses.reply;

        let mut backward = Backward { parameters, tiling, workers, gradients: vec![0.0; parameters.count()] };
        let mut of_x = x.like();
        // What came out of a head holds its gradient by now.
        let gradient = std::mem::take(&mut policy.logits);
        policy.backward(&mut backward, &heads.policy, &x, &gradient, &mut of_x);
        if let Some((head, mut pass)) = reply {
            let gradient = std::mem::take(&mut pass.logits);
            pass.backward(&mut backward, head, &x, &gradient, &mut of_x);
        }
        for (head, mut pass) in [Some((&heads.value, value)), margin, moves_left].into_iter().flatten() {
            let gradient = std::mem::take(&mut pass.out);
            pass.backward(&mut backward, head, &x, &gradient, &mut of_x);
        }
        if let Some((first, second, conv, gradient)) = ownership {
            let of_conv = backward.biased(&second.weight, &second.bias, &conv.out, &gradient);
            let of_head = backward.rectified(first, &x, &conv, of_conv);
            elementwise::add(&mut of_x, &of_head, workers);
        }
        for (block, pass) in layers.blocks.iter().zip(blocks).rev() {
            of_x = pass.backward(&mut backward, block, of_x);
        }
        backward.stem(&layers.stem, &planes, &stem, of_x);
        Ok(Gradients { losses, gradients: backward.gradients, statistics })
    }

    /// The planes of all positions.
    fn planes(&self, samples: &Samples) -> Map {
        let planes = self.parameters.description().planes();
        let mut map = Map::zeros(samples.len(), planes.cells(), planes.count());
        let channels = map.channels();
        let positions = samples.positions.chunks_exact(planes.words());
        for (board, words) in map.numbers_mut().chunks_exact_mut(planes.cells() * channels).zip(positions) {
            for (cell, row) in board.chunks_exact_mut(channels).enumerate() {
                row[..planes.count()]
                    .iter_mut()
                    .enumerate()
                    .for_each(|(plane, value)| *value = planes.value(words, plane, cell));
            }
        }
        map
    }
}

struct Gradients {
    losses: Losses,
    gradients: Vec<f32>,
    statistics: Vec<(NormSlot, Vec<f32>, Vec<f32>)>,
}

#[cfg(test)]
mod tests;
