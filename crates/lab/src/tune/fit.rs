//! Finding the parameters with which a model foretells games best.

use outplay_core::{Rng, mix};

use super::loss::{Judge, Labelled, Model, best_slope};

/// How to fit.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// How often every sample is looked at, at most.
    pub epochs: usize,
    /// Ends after so many epochs that brought nothing on held-out games.
    pub patience: usize,
    /// Samples for each step.
    pub batch: usize,
    /// The first steps' length, in hundredths of the game's unit; it shrinks to a hundredth of that.
    pub rate: f64,
    /// How strongly parameters are pulled back to where they started: the loss that a way of 100 costs each of them.
    pub pull: f64,
    /// How much the search's score counts beside the result, 0 to 1.
    pub blend: f64,
    /// One game of so many is held out.
    pub hold_out: u32,
    /// Where random numbers start.
    pub seed: u64,
    /// Threads, which change nothing but the time.
    pub threads: usize,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions {
            epochs: 40,
            patience: 10,
            batch: 8_192,
            rate: 3.0,
            pull: 1e-6,
            blend: 0.6,
            hold_out: 10,
            seed: 1,
            threads: 1,
        }
    }
}

/// The loss on the games that are learnt from, and on those that are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// Mean square error on games that parameters were fitted to.
    pub learnt: f64,
    /// Mean square error on games held out.
    pub held_out: f64,
}

/// What is told after each epoch.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Which epoch, counted from 1.
    pub epoch: usize,
    /// The losses after it.
    pub losses: Losses,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The parameters that were best on held-out games.
    pub parameters: Vec<f64>,
    /// How a value becomes an expectation: by the logistic function of this times the value.
    pub slope: f64,
    /// The losses of the parameters that it started from.
    pub before: Losses,
    /// The losses of those that were found.
    pub after: Losses,
    /// How many samples were learnt from and held out.
    pub samples: [usize; 2],
    /// Epochs that were run.
    pub epochs: usize,
}

/// Fits the parameters of a model to samples, from `start`. `watch` hears every epoch.
///
/// The slope between values and results is fitted first, to the start, and stays: so the scale of the values stays too.
pub fn fit<M: Model>(
    model: &M,
    samples: &[Labelled<M::Sample>],
    start: &[f64],
    options: &FitOptions,
    watch: &mut dyn FnMut(Step),
) -> Fit {
    let one_of = u64::from(options.hold_out.max(2));
    let is_held_out =
        |labelled: &&Labelled<M::Sample>| mix(u64::from(labelled.game) ^ options.seed).is_multiple_of(one_of);
    let (held_out, mut learnt): (Vec<_>, Vec<_>) = samples.iter().partition(is_held_out);
    let known: Vec<(f64, f64)> = learnt
        .iter()
        .map(|labelled| (model.value(&labelled.sample, start), f64::from(labelled.result)))
        .collect();
    let slope = best_slope(&known);
    let judge = Judge { model, slope, blend: options.blend, threads: options.threads };
    let losses = |parameters: &[f64], learnt: &[&Labelled<M::Sample>]| Losses {
        learnt: judge.loss(learnt, parameters),
        held_out: judge.loss(&held_out, parameters),
    };
    let before = losses(start, &learnt);
    let mut best = Fit {
        parameters: start.to_vec(),
        slope,
        before,
        after: before,
        samples: [learnt.len(), held_out.len()],
        epochs: 0,
    };
    // The derivative of the square of a way, which is counted in hundreds.
    let pull: Vec<f64> =
        (0..start.len()).map(|index| 2.0 * options.pull * model.reluctance(index) / 1e4).collect();
    let (mut parameters, mut adam) = (start.to_vec(), Adam::new(start.len()));
    let (mut rng, mut best_epoch) = (Rng::new(options.seed), 0);
    for epoch in 1..=options.epochs {
        rng.shuffle(&mut learnt);
        let done = (epoch - 1) as f64 / options.epochs as f64;
        let rate = options.rate * 0.01_f64.powf(done);
        for batch in learnt.chunks(options.batch.max(1)) {
            let mut gradient = judge.gradient(batch, &parameters);
            for (index, slope) in gradient.iter_mut().enumerate() {
                *slope += pull[index] * (parameters[index] - start[index]);
            }
            adam.step(&mut parameters, &gradient, rate);
        }
        let now = losses(&parameters, &learnt);
        watch(Step { epoch, losses: now });
        best.epochs = epoch;
        if now.held_out < best.after.held_out {
            (best_epoch, best.after) = (epoch, now);
            best.parameters.clone_from(&parameters);
        } else if epoch - best_epoch >= options.patience {
            break;
        }
    }
    best
}

/// Adam (Kingma and Ba 2014): steps whose length does not depend on how steep the ground is, with momentum.
struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    const MEAN_KEPT: f64 = 0.9;
    const SQUARE_KEPT: f64 = 0.999;
    /// Below this a slope counts as flat.
    const FLAT: f64 = 1e-10;

    fn new(parameters: usize) -> Adam {
        Adam { mean: vec![0.0; parameters], square: vec![0.0; parameters], steps: 0 }
    }

    fn step(&mut self, parameters: &mut [f64], gradient: &[f64], rate: f64) {
        self.steps += 1;
        // Both began at zero and are too small at first.
        let mean_share = 1.0 - Self::MEAN_KEPT.powi(self.steps);
        let square_share = 1.0 - Self::SQUARE_KEPT.powi(self.steps);
        for (index, slope) in gradient.iter().enumerate() {
            let (mean, square) = (&mut self.mean[index], &mut self.square[index]);
            *mean = Self::MEAN_KEPT * *mean + (1.0 - Self::MEAN_KEPT) * slope;
            *square = Self::SQUARE_KEPT * *square + (1.0 - Self::SQUARE_KEPT) * slope * slope;
            parameters[index] -= rate * (*mean / mean_share) / ((*square / square_share).sqrt() + Self::FLAT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value is the sum of two numbers, each times its parameter.
    struct Line;

    impl Model for Line {
        type Sample = [f64; 2];

        fn value(&self, sample: &[f64; 2], parameters: &[f64]) -> f64 {
            sample[0] * parameters[0] + sample[1] * parameters[1]
        }

        fn add_gradient(&self, sample: &[f64; 2], _: &[f64], factor: f64, into: &mut [f64]) {
            into[0] += factor * sample[0];
            into[1] += factor * sample[1];
        }
    }

    /// Games whose results are drawn with the chances that `truth` gives them.
    fn samples(truth: [f64; 2], slope: f64) -> Vec<Labelled<[f64; 2]>> {
        let mut rng = Rng::new(5);
        (0..40_000)
            .map(|game| {
                let sample = [rng.unit() * 8.0 - 4.0, rng.unit() * 8.0 - 4.0];
                let value = Line.value(&sample, &truth);
                let wins = rng.unit() < 1.0 / (1.0 + (-slope * value).exp());
                Labelled { sample, result: f32::from(u8::from(wins)), score: value as f32, game }
            })
            .collect()
    }

    #[test]
    fn parameters_that_made_the_results_are_found_again() {
        let (truth, slope) = ([100.0, -30.0], 0.01);
        let samples = samples(truth, slope);
        let options = FitOptions { blend: 0.0, batch: 4096, rate: 5.0, pull: 0.0, ..FitOptions::default() };
        let found = fit(&Line, &samples, &[80.0, 10.0], &options, &mut |_| ());
        // The slope belongs to the start, so only products with it can be compared.
        for (parameter, truth) in found.parameters.iter().zip(truth) {
            assert!((parameter * found.slope - truth * slope).abs() < 0.06, "{found:?}");
        }
        assert!(found.after.held_out < found.before.held_out - 0.005, "{found:?}");
        assert!(found.samples[1] > 3_000 && found.samples[0] > 30_000, "{found:?}");
    }

    #[test]
    fn threads_change_no_bit_and_seeds_do() {
        let samples = samples([50.0, 20.0], 0.01);
        let run = |threads, seed| {
            let options = FitOptions { epochs: 2, threads, seed, ..FitOptions::default() };
            fit(&Line, &samples, &[100.0, 0.0], &options, &mut |_| ()).parameters
        };
        assert_eq!(run(1, 1), run(3, 1));
        assert_ne!(run(1, 1), run(1, 2));
    }

    #[test]
    fn the_pull_keeps_parameters_where_they_started() {
        let samples = samples([50.0, 20.0], 0.01);
        let way = |pull| {
            let options = FitOptions { pull, ..FitOptions::default() };
            let found = fit(&Line, &samples, &[100.0, 0.0], &options, &mut |_| ());
            (found.parameters[1] - 0.0).abs()
        };
        assert!(way(100.0) < way(0.0) / 4.0);
    }
}
