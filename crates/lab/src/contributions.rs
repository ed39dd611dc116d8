//! What each machine has added to a match, and whether its results are those of the others.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::PlayedPair;
use crate::stats::GameResult;

/// Beyond so many standard deviations a machine's results are not those of the others: among a thousand honest ones about two.
const STRANGE: f64 = 3.0;

/// The pairs that one machine has played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Contribution {
    /// The machine.
    pub worker: String,
    /// How many pairs.
    pub pairs: usize,
    /// The points of a pair above what the same two players make on average, in the view of the first of them.
    pub residual: f64,
    /// The same in standard deviations of what chance does to so many pairs.
    pub deviations: f64,
}

impl std::fmt::Display for Contribution {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Contribution { worker, pairs, residual, deviations } = self;
        let strange = if deviations.abs() > STRANGE { ": not like the others'" } else { "" };
        write!(
            f,
            "{worker}: {pairs} pairs, residual {residual:+.3} points a pair ({deviations:+.1} σ){strange}"
        )
    }
}

fn points(result: GameResult) -> f64 {
    match result {
        GameResult::Win => 1.0,
        GameResult::Draw => 0.5,
        GameResult::Loss => 0.0,
    }
}

/// Gathers who has played what.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contributions {
    /// Machine, pairing and the points of the first player.
    pairs: Vec<(String, usize, f64)>,
}

impl Contributions {
    /// Takes in a pair, if another machine has played it.
    pub fn add(&mut self, pair: &PlayedPair, pairing: usize) {
        if let Some(by) = &pair.by {
            let points = pair.results().map(points).iter().sum();
            self.pairs.push((by.clone(), pairing, points));
        }
    }

    /// Every machine that has played.
    pub fn by_worker(&self) -> Vec<Contribution> {
        let mut sums: BTreeMap<usize, (f64, f64, f64)> = BTreeMap::new();
        for (_, pairing, points) in &self.pairs {
            let (count, sum, squares) = sums.entry(*pairing).or_default();
            (*count, *sum, *squares) = (*count + 1.0, *sum + points, *squares + points * points);
        }
        let mut workers: BTreeMap<&str, (usize, f64, f64)> = BTreeMap::new();
        for (worker, pairing, points) in &self.pairs {
            let (count, sum, squares) = sums[pairing];
            let mean = sum / count;
            let (pairs, residual, variance) = workers.entry(worker).or_default();
            *pairs += 1;
            *residual += points - mean;
            *variance += (squares / count - mean * mean).max(0.0);
        }
        let contribution = |(worker, (pairs, residual, variance)): (&str, (usize, f64, f64))| Contribution {
            worker: worker.to_string(),
            pairs,
            residual: residual / pairs as f64,
            deviations: if variance > 0.0 { residual / variance.sqrt() } else { 0.0 },
        };
        workers.into_iter().map(contribution).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_whose_results_are_not_those_of_the_others_stands_out() {
        let mut rng = outplay_core::Rng::new(4);
        let mut contributions = Contributions::default();
        for number in 0..3000 {
            let worker = ["honest", "even", "cheat"][number % 3];
            // The pairings differ in strength, which is no machine's fault.
            let pairing = usize::from(worker == "even");
            let points = match worker {
                "cheat" if rng.below(5) == 0 => 2.0,
                "even" => 0.5 * rng.below(2) as f64,
                _ => 0.5 * rng.below(5) as f64,
            };
            contributions.pairs.push((worker.to_string(), pairing, points));
        }
        let found = contributions.by_worker();
        let [cheat, even, honest] = &found[..] else { panic!("{found:?}") };
        assert!(cheat.deviations > STRANGE && cheat.to_string().contains("not like the others'"), "{cheat}");
        assert!(even.deviations.abs() < 1e-9 && !even.to_string().contains("others"), "{even}");
        assert!((honest.residual + cheat.residual).abs() < 1e-9 && honest.pairs == 1000, "{honest}");
    }
}
