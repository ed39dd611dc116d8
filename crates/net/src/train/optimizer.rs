//! How gradients change weights.

/// Which rule changes the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Stochastic gradient descent with momentum. Decay is added to the gradient, as `c‖θ‖²` in the loss has it.
    Momentum {
        /// How much of the last step goes on.
        momentum: f32,
    },
    /// Adam with decay that is not scaled by the gradient's history (Loshchilov and Hutter 2019).
    AdamW {
        /// How long the mean of gradients remembers.
        beta1: f32,
        /// How long the mean of their squares remembers.
        beta2: f32,
    },
}

/// An optimiser and what it remembers of earlier steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimizer {
    rule: Rule,
    /// How strongly weights are pulled to zero.
    decay: f32,
    /// The mean of gradients, or the last step.
    pub(super) first: Vec<f32>,
    /// The mean of their squares.
    pub(super) second: Vec<f32>,
    /// Steps so far.
    pub(super) steps: u64,
}

/// Keeps Adam from dividing by zero.
pub const LEAST: f32 = 1e-8;

impl Optimizer {
    /// An optimiser for so many numbers.
    pub fn new(rule: Rule, decay: f32, count: usize) -> Optimizer {
        let second = match rule {
            Rule::Momentum { .. } => Vec::new(),
            Rule::AdamW { .. } => vec![0.0; count],
        };
        Optimizer { rule, decay, first: vec![0.0; count], second, steps: 0 }
    }

    /// How many steps it has made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Makes a step of this size. `decays` says which numbers are pulled to zero.
    pub fn step(&mut self, rate: f32, values: &mut [f32], gradients: &[f32], decays: &[bool]) {
        self.steps += 1;
        let decay = |i: usize| if decays[i] { self.decay } else { 0.0 };
        match self.rule {
            Rule::Momentum { momentum } => {
                for (i, value) in values.iter_mut().enumerate() {
                    let step = momentum * self.first[i] + gradients[i] + decay(i) * *value;
                    self.first[i] = step;
                    *value -= rate * step;
                }
            }
            Rule::AdamW { beta1, beta2 } => {
                // Both means begin at zero and are scaled to what they would be had they been fed forever.
                let steps = self.steps.min(1 << 20) as i32;
                let (whole1, whole2) = (1.0 - beta1.powi(steps), 1.0 - beta2.powi(steps));
                for (i, value) in values.iter_mut().enumerate() {
                    let gradient = gradients[i];
                    self.first[i] += (1.0 - beta1) * (gradient - self.first[i]);
                    self.second[i] += (1.0 - beta2) * (gradient * gradient - self.second[i]);
                    let deviation = (self.second[i] / whole2).sqrt() + LEAST;
                    *value -= rate * (self.first[i] / whole1 / deviation + decay(i) * *value);
                }
            }
        }
    }
}

/// Shortens gradients that are longer than this, all by the same factor; how long they were.
pub(super) fn clip(gradients: &mut [f32], longest: f32) -> f32 {
    let squares: f64 = gradients.iter().map(|&g| f64::from(g) * f64::from(g)).sum();
    let length = squares.sqrt() as f32;
    if length > longest {
        let factor = longest / length;
        gradients.iter_mut().for_each(|gradient| *gradient *= factor);
    }
    length
}
