//! A run in a few numbers.

use serde::Serialize;

use super::judge::Certainty;
use super::metrics::{Metrics, Rates};
use super::run::{Searched, SuiteRun};

/// A run in total; the definitions are in [the module](crate::suite).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Totals {
    /// Positions that were searched.
    pub positions: usize,
    /// Positions with something to solve.
    pub to_solve: usize,
    /// Positions that were solved.
    pub solved: usize,
    /// Positions whose result is known.
    pub to_prove: usize,
    /// Positions whose result was proved.
    pub proved: usize,
    /// Positions about which something false was claimed with certainty.
    pub false_claims: usize,
    /// Positions in which something went wrong.
    pub faults: usize,
    /// Time of all searches.
    pub seconds: f64,
    /// Nodes of all searches that told.
    pub nodes: Option<u64>,
    /// Time to solution of the solved positions.
    pub solution_seconds: Option<Typical>,
    /// Nodes to solution of the solved positions that told.
    pub solution_nodes: Option<Typical>,
    /// What the searches were like.
    pub metrics: Metrics,
}

/// Mean and median.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Typical {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
}

impl Typical {
    /// `None` if there are no values.
    fn of(values: impl Iterator<Item = f64>) -> Option<Typical> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let (low, high) = (values.get(values.len().checked_sub(1)? / 2)?, values.get(values.len() / 2)?);
        Some(Typical { mean: values.iter().sum::<f64>() / values.len() as f64, median: (low + high) / 2.0 })
    }
}

impl SuiteRun {
    /// The run in total.
    pub fn totals(&self) -> Totals {
        let count =
            |is: &dyn Fn(&Searched) -> bool| self.searches.iter().filter(|searched| is(searched)).count();
        let claimed = |certainty| count(&|searched| searched.certainty == Some(certainty));
        let mut rates = Rates::default();
        self.searches.iter().for_each(|searched| rates += searched.rates);
        let solutions = || self.searches.iter().filter_map(|searched| searched.solution);
        let nodes: Vec<u64> = self.searches.iter().filter_map(|searched| searched.nodes).collect();
        let depth = Typical::of(self.searches.iter().filter_map(|searched| searched.metrics.depth));
        Totals {
            positions: self.searches.len(),
            to_solve: count(&|searched| searched.solved.is_some()),
            solved: count(&|searched| searched.solved == Some(true)),
            to_prove: count(&|searched| searched.certainty.is_some()),
            proved: claimed(Certainty::Proved),
            false_claims: claimed(Certainty::False),
            faults: count(&|searched| searched.fault.is_some()),
            seconds: self.searches.iter().map(|searched| searched.seconds).sum(),
            nodes: (!nodes.is_empty())
                .then(|| nodes.iter().fold(0u64, |sum, &nodes| sum.saturating_add(nodes))),
            solution_seconds: Typical::of(solutions().map(|solution| solution.seconds)),
            solution_nodes: Typical::of(solutions().filter_map(|solution| Some(solution.nodes? as f64))),
            metrics: rates.metrics(depth.map(|depth| depth.median)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let typical = |values: &[f64]| Typical::of(values.iter().copied());
        assert_eq!(typical(&[]), None);
        assert_eq!(typical(&[3.0]), Some(Typical { mean: 3.0, median: 3.0 }));
        assert_eq!(typical(&[9.0, 1.0, 2.0]), Some(Typical { mean: 4.0, median: 2.0 }));
        assert_eq!(typical(&[9.0, 1.0, 2.0, 4.0]), Some(Typical { mean: 4.0, median: 3.0 }));
    }
}
