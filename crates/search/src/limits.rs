//! How long a search may run.

use std::time::Duration;

use outplay_core::Move;

use crate::Tier;

/// What ends a search. All limits that are set apply together; none at all means "until stopped".
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Limits {
    /// Plies from the root; on average, for searches that grow a tree.
    pub depth: Option<u32>,
    /// Nodes visited by this search (simulations, for the Monte Carlo searches).
    pub nodes: Option<u64>,
    /// Visits of the root, those that a search has kept from earlier ones included; for others, the same as `nodes`.
    pub visits: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The game clock, from which the search takes its share.
    pub clock: Option<Clock>,
    /// Stop when a win in so many moves of the winner, or fewer, has been found; two plies are counted as a move.
    pub mate: Option<u32>,
    /// Search until told to stop, whatever else is set; only memory and an exact value end it sooner.
    pub infinite: bool,
    /// Think on the opponent's time: the time limits sleep until the opponent has moved as expected.
    pub ponder: bool,
    /// No move is to be played: somebody wants to know what a search finds, not what an opening book says.
    pub analysis: bool,
    /// Consider only these moves at the root; empty means all.
    pub only: Vec<Move>,
    /// Groups of root moves, the best first, if it is certain that no move of a group is better than one of an earlier group: then none is
    /// preferred to one of an earlier group, whatever a search finds. Searches that cannot do so look at `only` alone. Empty if nothing is
    /// known.
    pub tiers: Vec<Tier>,
    /// How many of the best moves to report with exact values; 0 counts as 1.
    pub lines: usize,
}

impl Limits {
    /// Whether the best of all moves is all that is asked for.
    pub(crate) fn ask_for_best_alone(&self) -> bool {
        self.lines <= 1 && self.only.is_empty() && self.tiers.is_empty()
    }
}

/// The game clock as protocols send it.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left, by player.
    pub remaining: [Duration; 2],
    /// Time added after each move, by player.
    pub increment: [Duration; 2],
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}
