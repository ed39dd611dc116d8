//! Simultaneous perturbation stochastic approximation by pairs of games (J. C. Spall, "Multivariate stochastic approximation using a simultaneous
//! perturbation gradient approximation", 1992).
//!
//! Each pair is played between the values moved by one random step in every parameter at once and those moved the other way, so that every pair
//! says something of every parameter. What it says moves all of them. Steps begin wide and end at the step of the axis; how far a result moves the
//! values follows from the budget and the number of parameters ([`Gains`]).

use outplay_core::{Rng, mix};

use super::axis::{Axis, LEAST_WHOLE_STEP, Point, start_of};
use super::method::{Method, Proposal};

/// How fast what a result moves becomes less.
const ALPHA: f64 = 0.602;
/// How fast steps become smaller.
const GAMMA: f64 = 0.101;
/// The part of the budget by which the beginning is made gentler.
const STABILITY: f64 = 0.1;
/// Values are averaged over this last part of the run.
const AVERAGED: f64 = 0.25;
/// Groups that are played while others have not ended yet: threads need not wait for the last game of a group. Part of the method, so that the
/// course is the same on any number of threads.
const AHEAD: usize = 1;

/// How far values are varied and moved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// The budget, in pairs.
    pub pairs: f64,
    /// In the end a pair that is won and not lost moves a parameter by half of this share of its step.
    pub r_end: f64,
}

impl Gains {
    /// Those that do best with so many pairs and parameters in simulations of smooth surfaces, 30 Elo from the optimum: 0.02 for 4,000 pairs, less for
    /// more of them; and the less, the more parameters make noise for each other.
    pub fn derived(pairs: u64, parameters: usize) -> Gains {
        let pairs = pairs.max(1) as f64;
        let by_budget = 0.02 * (4000.0 / pairs).powf(0.83);
        Gains { pairs, r_end: by_budget.min(0.6 / parameters.max(1) as f64) }
    }

    /// How many of an axis's steps values are varied by, when so many pairs were played.
    pub fn width(&self, played: f64) -> f64 {
        (self.pairs / (played + 1.0)).powf(GAMMA)
    }

    /// How many steps the result of a pair moves a value, for each point that it is above half.
    fn gain(&self, played: f64) -> f64 {
        let settled = STABILITY * self.pairs;
        let rate = self.r_end * ((settled + self.pairs) / (settled + played + 1.0)).powf(ALPHA);
        rate / self.width(played)
    }
}

/// The method.
pub(super) struct Spsa {
    axes: Vec<Axis>,
    gains: Gains,
    seed: u64,
    group: usize,
    groups: usize,
    /// The values after each group whose results are known, and before the first.
    course: Vec<Point>,
}

impl Spsa {
    pub(super) fn new(axes: &[Axis], gains: Gains, seed: u64, group: usize, groups: usize) -> Spsa {
        Spsa { axes: axes.to_vec(), gains, seed, group, groups, course: vec![start_of(axes)] }
    }

    fn played_before(&self, group: usize) -> f64 {
        (group * self.group) as f64
    }

    /// The directions of a pair.
    fn signs(&self, number: u64) -> Vec<f64> {
        let mut rng = Rng::new(mix(self.seed ^ mix(number)));
        self.axes.iter().map(|_| if rng.next_u64() >> 63 == 0 { -1.0 } else { 1.0 }).collect()
    }

    /// What decides how the numbers of a pair are rounded: the same for both sides, so that they keep their distance.
    fn dithers(&self, number: u64) -> Vec<f64> {
        let mut rng = Rng::new(mix(!self.seed ^ mix(number)));
        self.axes.iter().map(|_| rng.unit()).collect()
    }

    /// By how much an axis is varied in a group.
    fn width(&self, axis: &Axis, group: usize) -> f64 {
        let width = axis.step * self.gains.width(self.played_before(group));
        if axis.kind == super::AxisKind::Whole { width.max(LEAST_WHOLE_STEP) } else { width }
    }
}

impl Method for Spsa {
    fn ahead(&self) -> usize {
        AHEAD
    }

    fn propose(&self, group: usize, place: usize) -> Proposal {
        let number = (group * self.group + place) as u64;
        // What was known when the group might first begin, even if more is known by now.
        let base = &self.course[group.saturating_sub(AHEAD)];
        let side = |sign: f64| {
            let (signs, dithers) = (self.signs(number), self.dithers(number));
            let moved = self.axes.iter().zip(base).zip(signs).zip(dithers);
            moved
                .map(|(((axis, value), direction), dither)| {
                    axis.setting(value + sign * direction * self.width(axis, group), dither)
                })
                .collect()
        };
        [side(1.0), side(-1.0)]
    }

    fn learn(&mut self, group: usize, shares: &[f64]) {
        let gain = self.gains.gain(self.played_before(group));
        let mut next = self.course[group].clone();
        for (place, share) in shares.iter().enumerate() {
            let signs = self.signs((group * self.group + place) as u64);
            for ((value, axis), sign) in next.iter_mut().zip(&self.axes).zip(signs) {
                *value = axis.clamped(*value + gain * axis.step * (share - 0.5) * sign);
            }
        }
        self.course.push(next);
    }

    fn course(&self) -> Vec<(u64, Point)> {
        let numbered = self.course.iter().enumerate();
        numbered.map(|(group, point)| ((group * self.group) as u64, point.clone())).collect()
    }

    /// The mean of the last part of the run: it is less noisy than the last values, and no worse where those are good.
    fn best(&self) -> Point {
        let counted = ((self.groups as f64 * AVERAGED) as usize).clamp(1, self.course.len());
        let last = &self.course[self.course.len() - counted..];
        (0..self.axes.len())
            .map(|at| last.iter().map(|point| point[at]).sum::<f64>() / counted as f64)
            .collect()
    }
}
