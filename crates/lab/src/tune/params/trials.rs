//! Methods that try one point after the other against the start: all of a grid, or those that a Bayesian sampler expects most of.
//!
//! The sampler is the tree-structured Parzen estimator of the crate `optimizer` (J. Bergstra and others, "Algorithms for hyper-parameter
//! optimization", 2011).

use std::collections::HashMap;

use optimizer::distribution::{CategoricalDistribution, Distribution, FloatDistribution, IntDistribution};
use optimizer::param::ParamValue;
use optimizer::parameter::ParamId;
use optimizer::sampler::grid::{generate_float_grid_points, generate_int_grid_points};
use optimizer::sampler::tpe::TpeSampler;
use optimizer::sampler::{CompletedTrial, Sampler};

use super::axis::{Axis, AxisKind, Point, settings_of, start_of};
use super::method::{Method, Proposal};

/// What the start scores against itself.
const EVEN: f64 = 0.5;

/// How points are chosen.
pub(super) enum Choice {
    /// All of these, one after the other.
    Grid(Vec<Point>),
    /// By what is known of the others.
    Bayes {
        /// Where chance begins.
        seed: u64,
        /// How many are chosen by chance before.
        by_chance: usize,
    },
}

pub(super) struct Trials {
    axes: Vec<Axis>,
    choice: Choice,
    group: usize,
    /// The points that were tried, with what they scored.
    tried: Vec<(Point, f64)>,
    /// The one that is tried now, if it is not of a grid.
    next: Point,
}

/// How many points a grid has with so many values on each axis.
pub fn grid_size(axes: &[Axis], values: usize) -> u64 {
    axes.iter().map(|axis| along(axis, values).len() as u64).fold(1, u64::saturating_mul)
}

/// The values of a grid on one axis: words are as many as there are.
fn along(axis: &Axis, values: usize) -> Vec<f64> {
    match distribution(axis) {
        Distribution::Int(whole) => {
            generate_int_grid_points(&whole, values).into_iter().map(|value| value as f64).collect()
        }
        Distribution::Float(number) => generate_float_grid_points(&number, values),
        Distribution::Categorical(words) => (0..words.n_choices).map(|word| word as f64).collect(),
    }
}

/// All points of a grid with so many values on each axis.
pub(super) fn grid(axes: &[Axis], values: usize) -> Vec<Point> {
    let mut points = vec![Vec::new()];
    for axis in axes {
        let along = along(axis, values);
        points = points
            .iter()
            .flat_map(|point: &Point| along.iter().map(move |&value| [point.as_slice(), &[value]].concat()))
            .collect();
    }
    points
}

fn distribution(axis: &Axis) -> Distribution {
    match &axis.kind {
        AxisKind::Whole => Distribution::Int(IntDistribution {
            low: axis.min as i64,
            high: axis.max as i64,
            log_scale: false,
            step: None,
        }),
        AxisKind::Number => Distribution::Float(FloatDistribution {
            low: axis.min,
            high: axis.max,
            log_scale: false,
            step: None,
        }),
        AxisKind::Word(words) => {
            Distribution::Categorical(CategoricalDistribution { n_choices: words.len() })
        }
    }
}

impl Trials {
    pub(super) fn new(axes: &[Axis], choice: Choice, group: usize) -> Trials {
        let mut trials =
            Trials { axes: axes.to_vec(), choice, group, tried: Vec::new(), next: start_of(axes) };
        trials.choose();
        trials
    }

    fn choose(&mut self) {
        let Choice::Bayes { seed, by_chance } = self.choice else { return };
        let sample = |(number, axis): (usize, &Axis)| self.sample(number, axis, seed, by_chance);
        let next = self.axes.iter().enumerate().map(sample).collect();
        self.next = next;
    }

    /// A value for one axis. Each has a sampler and a history of its own: the crate's takes parameters with the same range for one.
    fn sample(&self, number: usize, axis: &Axis, seed: u64, by_chance: usize) -> f64 {
        let builder =
            TpeSampler::builder().seed(seed.wrapping_add(number as u64)).n_startup_trials(by_chance);
        // The seed and the number of trials are all that was said, and any of those will do.
        let Ok(sampler) = builder.build() else { return axis.start };
        let (id, distribution) = (ParamId::new(), distribution(axis));
        let history: Vec<CompletedTrial> = self
            .tried
            .iter()
            .enumerate()
            .map(|(trial, (point, share))| {
                let value = match axis.kind {
                    AxisKind::Whole => ParamValue::Int(point[number] as i64),
                    AxisKind::Number => ParamValue::Float(point[number]),
                    AxisKind::Word(_) => ParamValue::Categorical(point[number] as usize),
                };
                let (values, ranges) = ([(id, value)], [(id, distribution.clone())]);
                // The crate looks for what is least.
                CompletedTrial::new(trial as u64, values.into(), ranges.into(), HashMap::new(), -share)
            })
            .collect();
        match sampler.sample(&distribution, self.tried.len() as u64, &history) {
            ParamValue::Int(value) => axis.clamped(value as f64),
            ParamValue::Float(value) => axis.clamped(value),
            ParamValue::Categorical(value) => axis.clamped(value as f64),
        }
    }

    fn point(&self, group: usize) -> &Point {
        match &self.choice {
            Choice::Grid(points) => &points[group],
            Choice::Bayes { .. } => &self.next,
        }
    }
}

impl Method for Trials {
    fn ahead(&self) -> usize {
        match &self.choice {
            // Nothing in a grid depends on results.
            Choice::Grid(points) => points.len(),
            Choice::Bayes { .. } => 0,
        }
    }

    fn propose(&self, group: usize, _: usize) -> Proposal {
        [settings_of(&self.axes, self.point(group)), settings_of(&self.axes, &start_of(&self.axes))]
    }

    fn compares_groups(&self) -> bool {
        true
    }

    fn learn(&mut self, group: usize, shares: &[f64]) {
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        self.tried.push((self.point(group).clone(), mean));
        self.choose();
    }

    fn course(&self) -> Vec<(u64, Point)> {
        let tried = self.tried.iter().enumerate();
        tried.map(|(trial, (point, _))| (((trial + 1) * self.group) as u64, point.clone())).collect()
    }

    fn best(&self) -> Point {
        let better = |best: (Point, f64), other: &(Point, f64)| {
            if other.1 > best.1 { other.clone() } else { best }
        };
        self.tried.iter().fold((start_of(&self.axes), EVEN), better).0
    }

    fn shares(&self) -> Vec<f64> {
        self.tried.iter().map(|(_, share)| *share).collect()
    }
}
