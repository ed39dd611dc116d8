//! The last moves of a game, searched to the end: labels for positions to learn from.

use outplay_search::{ExactLabels, Labeller};

use crate::Othello;
use crate::endgame::{Limits, Solver};
use crate::kernels::count_bits;

/// Labels positions with few empty squares by the exact margin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameLabels {
    most_empty: u32,
}

impl Default for EndgameLabels {
    /// As many as take less than a millisecond.
    fn default() -> EndgameLabels {
        EndgameLabels::new(10)
    }
}

impl EndgameLabels {
    /// For positions with no more empty squares than this.
    pub const fn new(most_empty: u32) -> EndgameLabels {
        EndgameLabels { most_empty }
    }
}

impl ExactLabels<Othello> for EndgameLabels {
    fn begin(&self) -> Box<dyn Labeller<Othello>> {
        Box::new(Solving { most_empty: self.most_empty, solver: Solver::new(1, 0) })
    }
}

/// One thread's labels. What its solver remembers makes later ones cheaper, and changes none.
struct Solving {
    most_empty: u32,
    solver: Solver,
}

impl Labeller<Othello> for Solving {
    fn label(&mut self, position: &Othello) -> Option<i16> {
        let is_near = count_bits(position.empty()) <= self.most_empty;
        is_near.then(|| self.solver.value(position, &mut Limits::default()).exact()).flatten()
    }
}
