//! Weights of patterns, fitted to margins.
//!
//! A value is a sum of weights, so each position can say by how much it was missed and share that out among its weights: stochastic gradient
//! descent on the square of the error, one position at a time. Steps get shorter from epoch to epoch. A weight that few positions have a say in stays near
//! zero, which is what is to be expected of it.

use outplay_core::{Rng, mix};
use outplay_othello::patterns::tuning::{SETS, TERMS, file, sets, terms, weights};

use super::samples::PatternSample;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct PatternFitOptions {
    /// How often every position is looked at.
    pub epochs: usize,
    /// How much of its error a position corrects in the first epoch.
    pub rate: f32,
    /// What that shrinks to in the last one.
    pub last_rate: f32,
    /// One game of so many is held out.
    pub hold_out: u32,
    /// Where random numbers start.
    pub seed: u64,
}

impl Default for PatternFitOptions {
    fn default() -> PatternFitOptions {
        PatternFitOptions { epochs: 10, rate: 0.3, last_rate: 0.01, hold_out: 20, seed: 1 }
    }
}

/// What is told after each epoch.
#[derive(Clone, Copy, Debug)]
pub struct PatternEpoch {
    /// Which one, counted from 1.
    pub epoch: usize,
    /// The root of the mean square of the error, in discs: of positions when they were learnt from, and of those held out.
    pub learnt: f64,
    /// The same of those held out.
    pub held_out: f64,
}

/// What was found.
pub struct PatternFit {
    /// The file of weights.
    pub file: Vec<u8>,
    /// Samples of games that were held out.
    pub held_out: Vec<PatternSample>,
    /// How many were learnt from.
    pub learnt: usize,
}

/// Fits weights to samples, from nothing. `watch` hears every epoch.
pub fn fit_patterns(
    samples: Vec<PatternSample>,
    options: &PatternFitOptions,
    watch: &mut dyn FnMut(PatternEpoch),
) -> PatternFit {
    let one_of = u64::from(options.hold_out.max(2));
    let is_held_out =
        |sample: &PatternSample| mix(u64::from(sample.game) ^ options.seed).is_multiple_of(one_of);
    let (held_out, mut learnt): (Vec<_>, Vec<_>) = samples.into_iter().partition(is_held_out);
    let mut learning = Learning { weights: vec![[0.0; SETS]; weights()] };
    let mut rng = Rng::new(options.seed);
    for epoch in 1..=options.epochs {
        shuffle(&mut learnt, &mut rng);
        let progress = (epoch - 1) as f32 / options.epochs.saturating_sub(1).max(1) as f32;
        let rate = options.rate * (options.last_rate / options.rate).powf(progress);
        let root = |square: f64, count: usize| (square / count.max(1) as f64).sqrt();
        let squares: f64 = learnt.iter().map(|sample| learning.step(sample, rate)).sum();
        let unseen: f64 = held_out.iter().map(|sample| learning.step(sample, 0.0)).sum();
        let (learnt, held_out) = (root(squares, learnt.len()), root(unseen, held_out.len()));
        watch(PatternEpoch { epoch, learnt, held_out });
    }
    let set = |set: usize| learning.weights.iter().map(|weight| 100.0 * weight[set]).collect();
    let sets: Vec<Vec<f32>> = (0..SETS).map(set).collect();
    PatternFit { file: file(&sets), held_out, learnt: learnt.len() }
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for at in (1..items.len()).rev() {
        items.swap(at, rng.below(at + 1));
    }
}

/// Weights on their way, in discs; those of all sets side by side, because two of them are always needed together.
struct Learning {
    weights: Vec<[f32; SETS]>,
}

impl Learning {
    /// Corrects a part of the error about a position, and returns the square of that error.
    fn step(&mut self, sample: &PatternSample, rate: f32) -> f64 {
        let position = sample.position();
        let (terms, (first, share)) = (terms(&position), sets(&position));
        let shares = [1.0 - share, share];
        let of_term = |&term: &u32| {
            let weight = &self.weights[term as usize];
            weight[first] * shares[0] + weight[first + 1] * shares[1]
        };
        let error = f32::from(sample.margin) - terms.iter().map(of_term).sum::<f32>();
        if rate > 0.0 {
            let step = rate * error / TERMS as f32;
            for term in terms {
                let weight = &mut self.weights[term as usize];
                weight[first] += step * shares[0];
                weight[first + 1] += step * shares[1];
            }
        }
        f64::from(error * error)
    }
}
