//! The course of a run, apart from who plays: what is to be compared next, and what follows from results, which may come in any order.
//!
//! First a method looks for better values, in groups of comparisons. Then what it has found plays the start until a sequential test has decided:
//! only what is accepted there is better.

use std::collections::HashMap;

use serde::Serialize;

use super::axis::{Axis, Point, settings_of, start_of};
use super::method::Method;
use super::spsa::{Gains, Spsa};
use super::trials::{Choice, Trials, grid};
use crate::stats::{Decision, GameResult, PairTally, Sprt, Summary};

/// How values are looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Search {
    /// By pairs in which both sides are moved.
    Spsa(Gains),
    /// All points with so many values on each axis.
    Grid {
        /// How many.
        values: usize,
    },
    /// Points of which most is expected.
    Bayes {
        /// How many points are tried.
        trials: usize,
    },
}

/// What is to be done.
#[derive(Clone, Debug)]
pub struct CoursePlan {
    /// What is tuned.
    pub axes: Vec<Axis>,
    /// How.
    pub search: Search,
    /// Comparisons in a group: those after which SPSA moves, or those that a point is tried with.
    pub group: usize,
    /// Where chance begins.
    pub seed: u64,
    /// The test in the end.
    pub sprt: Sprt,
    /// Pairs of games in that, at most.
    pub most_test_pairs: u64,
}

/// A part of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Values are looked for.
    Search,
    /// What was found plays the start.
    Test,
}

impl Phase {
    pub(super) fn word(self) -> &'static str {
        match self {
            Phase::Search => "search",
            Phase::Test => "test",
        }
    }

    pub(super) fn of_word(word: &str) -> Option<Phase> {
        [Phase::Search, Phase::Test].into_iter().find(|phase| phase.word() == word)
    }
}

/// Two sets of settings to be compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// The part of the run.
    pub phase: Phase,
    /// Its number in that, counted from 0.
    pub number: u64,
    /// By what it is decided: the number of an opening or of a position.
    pub task: usize,
    /// The settings of both sides.
    pub settings: [Vec<(String, String)>; 2],
}

/// How a comparison came out, in the view of the first side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Comparison {
    /// A pair of games.
    Games([GameResult; 2]),
    /// The share that it has of something, from 0 to 1.
    Share(f64),
}

impl Comparison {
    /// The share of the points that the first side has won.
    pub fn share(self) -> f64 {
        let points = |result| match result {
            GameResult::Loss => 0.0,
            GameResult::Draw => 0.25,
            GameResult::Win => 0.5,
        };
        match self {
            Comparison::Games(results) => results.map(points).iter().sum(),
            Comparison::Share(share) => share,
        }
    }
}

/// A comparison that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The part of the run.
    pub phase: Phase,
    /// Its number in that.
    pub number: u64,
    /// How it came out.
    pub result: Comparison,
}

/// What a run has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It goes on.
    Running,
    /// What was found is the start.
    Unchanged,
    /// What was found is better.
    Accepted,
    /// What was found is not better.
    Rejected,
    /// The test had not enough games.
    Undecided,
}

/// A run under way.
pub struct Course {
    axes: Vec<Axis>,
    method: Box<dyn Method>,
    group: usize,
    groups: usize,
    sprt: Sprt,
    most_test_pairs: u64,
    /// Groups that the method has learned from.
    learned: usize,
    /// Results that are not learned from or counted yet.
    waiting: HashMap<(Phase, u64), Comparison>,
    /// What was given out last, and everything before it was given out or has a result.
    next: [u64; 2],
    tally: PairTally,
    /// The log-likelihood ratio after each pair of the test.
    ratios: Vec<f64>,
}

impl Course {
    /// A run at its start. `pairs` is how many comparisons the search has; a grid has as many as it has points.
    pub fn new(plan: &CoursePlan, pairs: u64) -> Course {
        let CoursePlan { axes, search, seed, sprt, most_test_pairs, .. } = plan;
        let group = plan.group.max(1);
        let (method, groups): (Box<dyn Method>, usize) = match *search {
            Search::Spsa(gains) => {
                let groups = (pairs as usize).div_ceil(group);
                (Box::new(Spsa::new(axes, gains, *seed, group, groups)), groups)
            }
            Search::Grid { values } => {
                let points = grid(axes, values);
                let count = points.len();
                (Box::new(Trials::new(axes, Choice::Grid(points), group)), count)
            }
            Search::Bayes { trials } => {
                let by_chance = (trials / 4).clamp(1, 2 + 2 * axes.len());
                (Box::new(Trials::new(axes, Choice::Bayes { seed: *seed, by_chance }, group)), trials)
            }
        };
        Course {
            axes: axes.clone(),
            method,
            group,
            groups,
            sprt: *sprt,
            most_test_pairs: *most_test_pairs,
            learned: 0,
            waiting: HashMap::new(),
            next: [0; 2],
            tally: PairTally::default(),
            ratios: Vec::new(),
        }
    }

    /// Something to compare; `None` if there is nothing to be had until more results are in.
    pub fn take(&mut self) -> Option<Job> {
        loop {
            let phase = self.phase()?;
            let number = self.next[phase as usize];
            let job = match phase {
                Phase::Search => {
                    let (group, place) = ((number as usize) / self.group, number as usize % self.group);
                    if group >= self.groups || group > self.learned + self.method.ahead() {
                        return None;
                    }
                    // Groups that were learned from need no comparison, and the method no longer knows of them.
                    let settings = (group >= self.learned).then(|| self.method.propose(group, place));
                    let task = if self.method.compares_groups() { place } else { number as usize };
                    settings.map(|settings| Job { phase, number, task, settings })
                }
                Phase::Test if number >= self.most_test_pairs => return None,
                Phase::Test => {
                    let settings =
                        [self.best(), start_of(&self.axes)].map(|point| settings_of(&self.axes, &point));
                    let counted = number < self.tally.pairs().pairs();
                    (!counted).then_some(Job { phase, number, task: number as usize, settings })
                }
            };
            self.next[phase as usize] += 1;
            if let Some(job) = job.filter(|job| !self.waiting.contains_key(&(job.phase, job.number))) {
                return Some(job);
            }
        }
    }

    /// Takes in a result. One that is known already, or that nobody can have asked for, changes nothing: then it is false.
    pub fn tell(&mut self, record: &Record) -> bool {
        let Record { phase, number, result } = record;
        let known = match phase {
            Phase::Search => *number < (self.learned * self.group) as u64,
            Phase::Test => *number < self.tally.pairs().pairs(),
        };
        let possible = match phase {
            Phase::Search => *number < self.pairs(),
            Phase::Test => matches!(result, Comparison::Games(_)),
        };
        if known || !possible || self.waiting.contains_key(&(*phase, *number)) {
            return false;
        }
        self.waiting.insert((*phase, *number), *result);
        self.learn();
        self.count();
        true
    }

    fn learn(&mut self) {
        while self.learned < self.groups {
            let numbers = (self.learned * self.group) as u64..((self.learned + 1) * self.group) as u64;
            let shares: Option<Vec<f64>> = numbers
                .clone()
                .map(|number| Some(self.waiting.get(&(Phase::Search, number))?.share()))
                .collect();
            let Some(shares) = shares else { return };
            self.method.learn(self.learned, &shares);
            self.learned += 1;
            for number in numbers {
                self.waiting.remove(&(Phase::Search, number));
            }
        }
    }

    /// Counts pairs of the test in order until it is decided, so that the verdict does not depend on who was faster.
    fn count(&mut self) {
        while self.is_found() && self.decision() == Decision::Continue {
            let number = self.tally.pairs().pairs();
            let Some(Comparison::Games([first, second])) = self.waiting.remove(&(Phase::Test, number)) else {
                return;
            };
            self.tally.record(first, second);
            self.ratios.push(self.sprt.llr(self.tally.pairs()));
        }
    }

    fn decision(&self) -> Decision {
        self.ratios.last().map_or(Decision::Continue, |&ratio| self.sprt.decision(ratio))
    }

    /// Whether the search has ended.
    pub fn is_found(&self) -> bool {
        self.learned == self.groups
    }

    /// The part of the run that is under way.
    pub fn phase(&self) -> Option<Phase> {
        match self.verdict() {
            Verdict::Running if self.is_found() => Some(Phase::Test),
            Verdict::Running => Some(Phase::Search),
            _ => None,
        }
    }

    /// What the run has come to.
    pub fn verdict(&self) -> Verdict {
        if !self.is_found() {
            return Verdict::Running;
        }
        if self.changes().is_empty() {
            return Verdict::Unchanged;
        }
        match self.decision() {
            Decision::AcceptH1 => Verdict::Accepted,
            Decision::AcceptH0 => Verdict::Rejected,
            Decision::Continue if self.tally.pairs().pairs() >= self.most_test_pairs => Verdict::Undecided,
            Decision::Continue => Verdict::Running,
        }
    }

    /// Comparisons that the search has in all.
    pub fn pairs(&self) -> u64 {
        (self.groups * self.group) as u64
    }

    /// How many results there are of a part of the run.
    pub fn done(&self, phase: Phase) -> u64 {
        let counted = match phase {
            Phase::Search => (self.learned * self.group) as u64,
            Phase::Test => self.tally.pairs().pairs(),
        };
        counted + self.waiting.keys().filter(|(of, _)| *of == phase).count() as u64
    }

    /// What is tuned.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The values on the way, by the number of comparisons after which they were.
    pub fn course(&self) -> Vec<(u64, Point)> {
        self.method.course()
    }

    /// What each point of that has scored against the start, where points are tried one by one.
    pub fn shares(&self) -> Vec<f64> {
        self.method.shares()
    }

    /// The values that are thought best so far.
    pub fn best(&self) -> Point {
        self.method.best()
    }

    /// What the best values change: the axis, and its setting before and after.
    pub fn changes(&self) -> Vec<(&Axis, String, String)> {
        let best = self.best();
        let pairs = self.axes.iter().zip(&best);
        let texts = pairs.map(|(axis, &value)| (axis, axis.text(axis.start, 0.5), axis.text(value, 0.5)));
        texts.filter(|(_, before, after)| before != after).collect()
    }

    /// The test so far; `None` before its first pair.
    pub fn test(&self) -> Option<Summary> {
        (!self.ratios.is_empty()).then(|| Summary::of_pairs(&self.tally, Some(self.sprt)))
    }

    /// The log-likelihood ratio of the test after each of its pairs.
    pub fn ratios(&self) -> &[f64] {
        &self.ratios
    }
}
