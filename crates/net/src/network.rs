//! A network: its description and its weights.

use outplay_core::Rng;

use crate::description::Description;
use crate::layers::{Layers, Spec};

/// A network that fits its description.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    description: Description,
    layers: Layers<Tensor>,
}

/// Numbers in a shape, the slowest dimension first.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the parts of a tensor")]
pub struct Tensor {
    pub shape: Vec<usize>,
    pub values: Vec<f32>,
}

/// How a file keeps its weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// As they are.
    Single,
    /// In 16 bits, rounded to nearest.
    Half,
}

/// Why a network cannot be had or cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The description makes no sense.
    #[error("the description of the network is wrong: {0}")]
    Description(String),
    /// The file is no network, or is damaged.
    #[error("this is not a network file: {0}")]
    Format(String),
    /// The weights are not those that the description asks for.
    #[error("the weights do not fit the description: {0}")]
    Weights(String),
    /// A network that somebody else made has something that this program does not know.
    #[error("this network cannot be imported: {0}")]
    Unsupported(String),
    /// It does not fit the game or its encoder.
    #[error("this network does not fit: {0}")]
    Misfit(String),
    /// A device fails.
    #[error("the device failed: {0}")]
    Device(String),
    /// A file cannot be read or written.
    #[error("{0}")]
    File(String),
}

impl Network {
    /// A network of tensors that were made for this description.
    ///
    /// # Errors
    /// If the description makes no sense, or if a tensor has another shape than the description says, another number of values than its shape, or a
    /// value that is no finite number.
    pub fn new(description: Description, layers: Layers<Tensor>) -> Result<Network, NetError> {
        description.check()?;
        let specs = description.layers();
        let (wanted, given) = (specs.tensors(), layers.tensors());
        if wanted.len() != given.len() {
            let (wanted, given) = (wanted.len(), given.len());
            return Err(NetError::Weights(format!("{given} tensors, expected {wanted}")));
        }
        for (spec, tensor) in wanted.into_iter().zip(given) {
            tensor.check(spec)?;
        }
        Ok(Network { description, layers })
    }

    /// A network of chance: weights as training begins with, so that values neither grow nor vanish from layer to layer. The same seed gives the same
    /// network everywhere.
    ///
    /// # Errors
    /// If the description makes no sense.
    pub fn random(description: Description, seed: u64) -> Result<Network, NetError> {
        description.check()?;
        let mut rng = Rng::new(seed);
        let layers =
            description.layers().try_map(|spec| Ok::<_, NetError>(Tensor::random(spec, &mut rng)))?;
        Ok(Network { description, layers })
    }

    /// What it is.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Its weights.
    pub fn layers(&self) -> &Layers<Tensor> {
        &self.layers
    }

    /// Its parts.
    pub fn into_parts(self) -> (Description, Layers<Tensor>) {
        (self.description, self.layers)
    }
}

impl Tensor {
    /// A tensor of zeros.
    pub fn zeros(shape: Vec<usize>) -> Tensor {
        Tensor { values: vec![0.0; shape.iter().product()], shape }
    }

    fn check(&self, spec: &Spec) -> Result<(), NetError> {
        let name = &spec.name;
        if self.shape != spec.shape || self.values.len() != spec.len() {
            let (given, wanted) = (&self.shape, &spec.shape);
            return Err(NetError::Weights(format!("{name} has the shape {given:?}, expected {wanted:?}")));
        }
        match self.values.iter().position(|value| !value.is_finite()) {
            Some(place) => {
                Err(NetError::Weights(format!("{name} has {} at place {place}", self.values[place])))
            }
            None => Ok(()),
        }
    }

    /// Weights of a layer by He's rule, evenly distributed; biases small, so that no test can overlook them.
    fn random(spec: Spec, rng: &mut Rng) -> Tensor {
        let inputs: usize = spec.shape[1..].iter().product();
        let reach = if spec.shape.len() == 1 { 0.1 } else { (6.0 / inputs as f32).sqrt() };
        let unit = |rng: &mut Rng| (rng.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0;
        Tensor { values: (0..spec.len()).map(|_| unit(rng) * reach).collect(), shape: spec.shape }
    }
}
