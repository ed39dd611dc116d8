//! What the oracle knows, as labels for positions to learn from.

use outplay_core::Game;
use outplay_search::{ExactLabels, Labeller};

use super::{ConnectFour, Oracle, Rules};

/// Labels positions that have few empty cells with their true result, by an [`Oracle`] without limits: so a label does not depend on what was asked before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OracleLabels {
    rules: Rules,
    most_empty: u32,
}

/// Memory of a thread's oracle: late positions need little.
const MEBIBYTES: usize = 2;

impl OracleLabels {
    /// As many empty cells as take less than a millisecond on average, a few milliseconds at most.
    pub const USUAL_EMPTY: u32 = 24;

    /// For positions on one board, with no more empty cells than this.
    pub const fn new(rules: Rules, most_empty: u32) -> OracleLabels {
        OracleLabels { rules, most_empty }
    }
}

impl ExactLabels<ConnectFour> for OracleLabels {
    fn begin(&self) -> Box<dyn Labeller<ConnectFour>> {
        Box::new(OracleLabeller { labels: *self, oracle: Oracle::new(self.rules, MEBIBYTES) })
    }
}

/// A thread's side of it.
struct OracleLabeller {
    labels: OracleLabels,
    oracle: Oracle,
}

impl Labeller<ConnectFour> for OracleLabeller {
    fn label(&mut self, position: &ConnectFour) -> Option<i16> {
        let rules = position.rules();
        let empty = (rules.columns() * rules.rows()) as u32 - position.occupied().count_ones();
        match empty <= self.labels.most_empty && position.outcome().is_none() {
            true => self.oracle.result(position).ok(),
            false => None,
        }
    }
}
