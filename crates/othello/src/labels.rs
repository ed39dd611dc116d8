//! The last moves of a game, searched to the end: labels for positions to learn from.

use outplay_core::{Game, Move, MoveList};
use outplay_search::{ExactLabels, Labeller};

use crate::Othello;
use crate::kernels::count_bits;

/// Labels positions with few empty squares by the exact margin. Nothing is kept from one to the next.
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
        Box::new(*self)
    }
}

impl Labeller<Othello> for EndgameLabels {
    fn label(&mut self, position: &Othello) -> Option<i16> {
        (count_bits(position.empty()) <= self.most_empty).then(|| solve(position, -64, 64))
    }
}

/// With fewer empty squares, putting moves into order costs more than it saves.
const LEAST_ORDERED: u32 = 5;

/// By how much the player to move wins with best play, as far as it matters between the bounds: alpha-beta to the end, moves that leave the opponent least to choose from first.
fn solve(position: &Othello, mut alpha: i16, beta: i16) -> i16 {
    if let Some(outcome) = position.outcome() {
        return outcome.for_player(position.to_move());
    }
    let mut replies = [(0, Move::new(0)); 32];
    let mut count = 0;
    let is_ordered = count_bits(position.empty()) >= LEAST_ORDERED;
    for m in position.legal_moves().each() {
        let next = || position.after(m);
        let left = if is_ordered { count_bits(next().legal_moves().squares()) } else { 0 };
        replies[count] = (left, m);
        count += 1;
    }
    if is_ordered {
        replies[..count].sort_unstable();
    }
    for &(_, m) in &replies[..count] {
        alpha = alpha.max(-solve(&position.after(m), -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}
