//! One pass through the network and back.

use super::elementwise::{add, affine, flatten, unflatten, unrectify};
use super::layer::{Layer, add_bias, gradient_of_bias};
use super::map::Map;
use super::norm::Normal;
use super::parameters::{NormSlot, Parameters, Slot};
use super::workers::Workers;
use crate::cpu::tiling::Tiling;
use crate::layers::{Conv, Dense, Policy, Scalar};

/// What a pass forward reads, and what it learns of statistics.
pub(super) struct Forward<'p> {
    pub parameters: &'p Parameters,
    pub tiling: Tiling,
    pub workers: Workers,
    /// Normalisations with the means and variances that this batch had.
    pub statistics: Vec<(NormSlot, Vec<f32>, Vec<f32>)>,
}

/// What the pass back fills.
pub(super) struct Backward<'p> {
    pub parameters: &'p Parameters,
    pub tiling: Tiling,
    pub workers: Workers,
    /// A gradient for each number that is trained.
    pub gradients: Vec<f32>,
}

/// A convolution that was normalised: what came out of it, and how that was normalised.
pub(super) struct Normalised {
    pub y: Map,
    pub normal: Normal,
}

/// A convolution, normalised and rectified.
pub(super) struct Rectified {
    of: Normalised,
    pub out: Map,
}

impl Forward<'_> {
    fn layer(&self, slot: &Slot) -> Layer<'_> {
        Layer::new(&self.parameters.values[slot.at.clone()], &slot.shape, self.tiling, self.workers)
    }

    pub fn normalised(&mut self, conv: &Conv<Slot>, x: &Map) -> Normalised {
        let y = self.layer(&conv.weight).forward(x);
        let norm = conv.bias.norm.as_ref().expect("this convolution is normalised");
        let values = &self.parameters.values;
        let normal = Normal::of(&y, &values[norm.scale.clone()], &values[conv.bias.at.clone()], self.workers);
        self.statistics.push((norm.clone(), normal.means.clone(), normal.variances.clone()));
        Normalised { y, normal }
    }

    pub fn rectified(&mut self, conv: &Conv<Slot>, x: &Map) -> Rectified {
        let of = self.normalised(conv, x);
        let out = affine(&of.y, &of.normal.affine(), None, true, self.workers);
        Rectified { of, out }
    }

    /// A layer with a bias, a dense one or the last convolution of a head.
    pub fn biased(&self, weight: &Slot, bias: &Slot, x: &Map) -> Map {
        let mut y = self.layer(weight).forward(x);
        add_bias(&mut y, &self.parameters.values[bias.at.clone()]);
        y
    }

    pub fn dense(&self, layer: &Dense<Slot>, x: &Map) -> Map {
        self.biased(&layer.weight, &layer.bias, x)
    }

    /// A dense layer, rectified.
    pub fn hidden(&self, layer: &Dense<Slot>, x: &Map) -> Map {
        let mut y = self.dense(layer, x);
        y.numbers_mut().iter_mut().for_each(|value| *value = value.max(0.0));
        y
    }
}

impl Backward<'_> {
    fn layer(&self, slot: &Slot) -> Layer<'_> {
        Layer::new(&self.parameters.values[slot.at.clone()], &slot.shape, self.tiling, self.workers)
    }

    fn learn(&mut self, at: std::ops::Range<usize>, gradient: &[f32]) {
        self.gradients[at].iter_mut().zip(gradient).for_each(|(sum, gradient)| *sum += gradient);
    }

    /// Learns the weights of a layer; the gradient of its input.
    fn through(&mut self, weight: &Slot, x: &Map, gradient: &Map, wants_input: bool) -> Option<Map> {
        let layer = self.layer(weight);
        let of_weights = layer.gradient(x, gradient);
        let of_input = wants_input.then(|| layer.backward(gradient));
        self.learn(weight.at.clone(), &of_weights);
        of_input
    }

    fn unnormalise(&mut self, conv: &Conv<Slot>, of: &Normalised, gradient: &mut Map) {
        let norm = conv.bias.norm.clone().expect("this convolution is normalised");
        let (of_scale, of_shift) = of.normal.backward(&of.y, gradient, self.workers);
        self.learn(norm.scale, &of_scale);
        self.learn(conv.bias.at.clone(), &of_shift);
    }

    /// Back through a convolution that was normalised; the gradient of its input.
    pub fn normalised(&mut self, conv: &Conv<Slot>, x: &Map, of: &Normalised, mut gradient: Map) -> Map {
        self.unnormalise(conv, of, &mut gradient);
        self.through(&conv.weight, x, &gradient, true).expect("was asked for")
    }

    /// Back through the first convolution of all, whose input learns nothing.
    pub fn stem(&mut self, conv: &Conv<Slot>, x: &Map, stem: &Rectified, mut gradient: Map) {
        unrectify(&mut gradient, &stem.out, self.workers);
        self.unnormalise(conv, &stem.of, &mut gradient);
        self.through(&conv.weight, x, &gradient, false);
    }

    pub fn rectified(&mut self, conv: &Conv<Slot>, x: &Map, of: &Rectified, mut gradient: Map) -> Map {
        unrectify(&mut gradient, &of.out, self.workers);
        self.normalised(conv, x, &of.of, gradient)
    }

    pub fn biased(&mut self, weight: &Slot, bias: &Slot, x: &Map, gradient: &Map) -> Map {
        let of_bias = gradient_of_bias(gradient, bias.at.len(), self.workers);
        self.learn(bias.at.clone(), &of_bias);
        self.through(weight, x, gradient, true).expect("was asked for")
    }

    pub fn dense(&mut self, layer: &Dense<Slot>, x: &Map, gradient: &Map) -> Map {
        self.biased(&layer.weight, &layer.bias, x, gradient)
    }
}

/// A policy head on its way.
pub(super) struct PolicyPass {
    conv: Rectified,
    flat: Map,
    /// Logits: a row for each board, ordered as the policy is.
    pub logits: Map,
}

impl PolicyPass {
    pub fn forward(pass: &mut Forward, head: &Policy<Slot>, x: &Map) -> PolicyPass {
        match head {
            Policy::Convolution { first, second } => {
                let conv = pass.rectified(first, x);
                let planes = pass.biased(&second.weight, &second.bias, &conv.out);
                PolicyPass { conv, flat: Map::default(), logits: flatten(&planes, second.bias.at.len()) }
            }
            Policy::Dense { conv, dense } => {
                let channels = conv.bias.at.len();
                let conv = pass.rectified(conv, x);
                let flat = flatten(&conv.out, channels);
                let logits = pass.dense(dense, &flat);
                PolicyPass { conv, flat, logits }
            }
        }
    }

    /// Adds to the gradient of `x`.
    pub fn backward(self, pass: &mut Backward, head: &Policy<Slot>, x: &Map, gradient: &Map, of_x: &mut Map) {
        let of_head = match head {
            Policy::Convolution { first, second } => {
                let planes = unflatten(gradient, second.bias.at.len(), x.cells);
                let of_conv = pass.biased(&second.weight, &second.bias, &self.conv.out, &planes);
                pass.rectified(first, x, &self.conv, of_conv)
            }
            Policy::Dense { conv, dense } => {
                let of_flat = pass.dense(dense, &self.flat, gradient);
                let of_conv = unflatten(&of_flat, conv.bias.at.len(), x.cells);
                pass.rectified(conv, x, &self.conv, of_conv)
            }
        };
        add(of_x, &of_head, pass.workers);
    }
}

/// A value head, or another of its kind, on its way.
pub(super) struct ScalarPass {
    conv: Rectified,
    flat: Map,
    hidden: Map,
    pub out: Map,
}

impl ScalarPass {
    pub fn forward(pass: &mut Forward, head: &Scalar<Slot>, x: &Map) -> ScalarPass {
        let conv = pass.rectified(&head.conv, x);
        let flat = flatten(&conv.out, head.conv.bias.at.len());
        let hidden = pass.hidden(&head.hidden, &flat);
        let out = pass.dense(&head.output, &hidden);
        ScalarPass { conv, flat, hidden, out }
    }

    /// Adds to the gradient of `x`.
    pub fn backward(self, pass: &mut Backward, head: &Scalar<Slot>, x: &Map, gradient: &Map, of_x: &mut Map) {
        let mut of_hidden = pass.dense(&head.output, &self.hidden, gradient);
        unrectify(&mut of_hidden, &self.hidden, pass.workers);
        let of_flat = pass.dense(&head.hidden, &self.flat, &of_hidden);
        let of_conv = unflatten(&of_flat, head.conv.bias.at.len(), x.cells);
        let of_head = pass.rectified(&head.conv, x, &self.conv, of_conv);
        add(of_x, &of_head, pass.workers);
    }
}
