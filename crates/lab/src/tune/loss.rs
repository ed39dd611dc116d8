//! How wrong a model is about games that have been played.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use outplay_core::Move;

use super::positions::KeptPosition;

/// Something that gives positions a value from parameters, and can say how the value depends on them.
pub trait Model: Sync {
    /// What it has to know of a position.
    type Sample: Send + Sync;

    /// The value for the first player, in hundredths of the game's unit.
    fn value(&self, sample: &Self::Sample, parameters: &[f64]) -> f64;

    /// Adds to `into` how the value changes with each parameter, times `factor`.
    fn add_gradient(&self, sample: &Self::Sample, parameters: &[f64], factor: f64, into: &mut [f64]);

    /// How much more than others a parameter is pulled back to where it started.
    fn reluctance(&self, parameter: usize) -> f64 {
        let _ = parameter;
        1.0
    }
}

/// A model that is the evaluation of a game, with its parameters in a file of the program's source.
pub trait EvaluationModel: Model {
    /// Whether a position is fit to learn from, given what the search would play.
    fn is_worth_keeping(&self, position: &str, best: Move) -> bool;

    /// What the model has to know of a position; `None` if its value does not come from parameters.
    fn sample(&self, position: &str) -> Option<Self::Sample>;

    /// The length of the first steps when it is fitted, see [`FitOptions::rate`](super::FitOptions::rate): the less, the more often a position uses a parameter.
    fn usual_rate(&self) -> f64;

    /// The parameters in use.
    fn current(&self) -> Vec<f64>;

    /// Plain guesses, from which fitting can start without knowing anything.
    fn first_guesses(&self) -> Vec<f64>;

    /// The file of the program's source that holds the parameters, with these.
    fn source(&self, parameters: &[f64]) -> String;
}

/// The positions that a model's parameters have a say in.
pub fn samples<M: EvaluationModel>(model: &M, positions: &[KeptPosition]) -> Vec<Labelled<M::Sample>> {
    let sample = |kept: &KeptPosition| {
        let sample = model.sample(&kept.position)?;
        Some(Labelled { sample, result: kept.result, score: kept.score as f32, game: kept.game })
    };
    positions.iter().filter_map(sample).collect()
}

/// A sample and what it should have foretold.
#[derive(Clone, Debug)]
pub struct Labelled<S> {
    /// The sample.
    pub sample: S,
    /// How the game ended for the first player: 1, 0.5 or 0.
    pub result: f32,
    /// What a search thought of the position, for the first player, in hundredths.
    pub score: f32,
    /// Which game it comes from: games are held out whole, because their positions resemble each other.
    pub game: u32,
}

/// Samples of a batch that one thread takes at a time. Sums are made part by part, so that the number of threads changes no bit.
const PART: usize = 1024;

/// The expected result of a value. `slope` says how steep the curve is in the middle, for a value in hundredths.
pub(super) fn expectation(value: f64, slope: f64) -> f64 {
    1.0 / (1.0 + (-slope * value).exp())
}

/// A model, the samples to judge it by and how.
pub(super) struct Judge<'a, M: Model> {
    pub model: &'a M,
    pub slope: f64,
    /// How much the search's score counts beside the result, 0 to 1.
    pub blend: f64,
    pub threads: usize,
}

impl<M: Model> Judge<'_, M> {
    fn target(&self, labelled: &Labelled<M::Sample>) -> f64 {
        let by_score = expectation(labelled.score.into(), self.slope);
        f64::from(labelled.result) * (1.0 - self.blend) + by_score * self.blend
    }

    /// The mean square of what the model gets wrong.
    pub fn loss(&self, samples: &[&Labelled<M::Sample>], parameters: &[f64]) -> f64 {
        let of_part = |part: Range<usize>| -> f64 {
            samples[part]
                .iter()
                .map(|labelled| {
                    let value = self.model.value(&labelled.sample, parameters);
                    (expectation(value, self.slope) - self.target(labelled)).powi(2)
                })
                .sum()
        };
        in_parts(samples.len(), self.threads, of_part).iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// The gradient of [`Judge::loss`].
    pub fn gradient(&self, samples: &[&Labelled<M::Sample>], parameters: &[f64]) -> Vec<f64> {
        let of_part = |part: Range<usize>| -> Vec<f64> {
            let mut gradient = vec![0.0; parameters.len()];
            for labelled in &samples[part] {
                let value = self.model.value(&labelled.sample, parameters);
                let expected = expectation(value, self.slope);
                let slope_here = self.slope * expected * (1.0 - expected);
                let factor = 2.0 * (expected - self.target(labelled)) * slope_here / samples.len() as f64;
                self.model.add_gradient(&labelled.sample, parameters, factor, &mut gradient);
            }
            gradient
        };
        let mut sum = vec![0.0; parameters.len()];
        for part in in_parts(samples.len(), self.threads, of_part) {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
        }
        sum
    }
}

/// The slope with which these values foretell the results best, found by cutting an interval to pieces.
pub(super) fn best_slope(values_and_results: &[(f64, f64)]) -> f64 {
    let loss = |slope: f64| -> f64 {
        values_and_results.iter().map(|(value, result)| (expectation(*value, slope) - result).powi(2)).sum()
    };
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    // From a pawn that decides nothing to a pawn that decides everything.
    let (mut low, mut high) = (0.0005, 0.05);
    while high - low > 1e-6 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if loss(left) < loss(right) { high = right } else { low = left }
    }
    (low + high) / 2.0
}

/// Does something for each part of `count` things on several threads; the answers come in the order of the parts.
fn in_parts<T: Send>(count: usize, threads: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let parts = count.div_ceil(PART);
    let part = |index: usize| index * PART..count.min((index + 1) * PART);
    if threads <= 1 || parts <= 1 {
        return (0..parts).map(|index| work(part(index))).collect();
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= parts {
                return done;
            }
            done.push((index, work(part(index))));
        }
    };
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads.min(parts)).map(|_| scope.spawn(worker)).collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answer)| answer).collect()
}
