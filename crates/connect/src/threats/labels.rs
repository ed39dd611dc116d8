//! Wins by threats, as labels for positions to learn from.

use outplay_search::{ExactLabels, Labeller};

use super::{Limits, Solver, Threats, Verdict};
use crate::position::Connect;
use crate::rules::Rules;

/// Labels positions in which a win by double threats is found within few nodes, as won; all others have no label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreatLabels {
    rules: Rules,
    nodes: u64,
}

impl ThreatLabels {
    /// As many nodes as take a millisecond or so where nothing is found.
    pub const USUAL_NODES: u64 = 200;

    /// For a game by these rules, with so many nodes for each position.
    pub const fn new(rules: Rules, nodes: u64) -> ThreatLabels {
        ThreatLabels { rules, nodes }
    }
}

impl ExactLabels<Connect> for ThreatLabels {
    fn begin(&self) -> Box<dyn Labeller<Connect>> {
        Box::new(ThreatLabeller { nodes: self.nodes, solver: Solver::new(self.rules).ok() })
    }
}

/// A thread's side of it.
struct ThreatLabeller {
    nodes: u64,
    /// `None` if the rules are not of the kind that it knows.
    solver: Option<Solver>,
}

impl Labeller<Connect> for ThreatLabeller {
    fn label(&mut self, position: &Connect) -> Option<i16> {
        let limits = Limits { nodes: self.nodes, ..Limits::default() };
        let solution = self.solver.as_mut()?.solve(position, Threats::Double, limits).ok()?;
        matches!(solution.verdict, Verdict::Win(_)).then_some(1)
    }
}
