//! How long a search may run.

use std::time::Duration;

use outplay_core::{Move, Player};

/// What ends a search. All limits that are set apply together; none at all means "until stopped".
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Limits {
    /// Plies from the root.
    pub depth: Option<u32>,
    /// Nodes visited (simulations, for the Monte Carlo searches).
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The game clock, from which the search takes its share.
    pub clock: Option<Clock>,
    /// Stop when a win in so many moves of the winner, or fewer, has been found.
    pub mate: Option<u32>,
    /// Search until told to stop, whatever else is set.
    pub infinite: bool,
    /// Think on the opponent's time: the time limits sleep until the opponent has moved as expected.
    pub ponder: bool,
    /// Consider only these moves at the root; empty means all.
    pub only: Vec<Move>,
    /// How many of the best moves to report with exact values; 0 counts as 1.
    pub lines: usize,
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

impl Clock {
    /// How much to spend on this move, and the most that may be spent.
    ///
    /// Plans for thirty more moves, or those to the time control; never plans with the last `overhead`, which is
    /// what the way to the clock and back may cost.
    pub fn budget(&self, player: Player, overhead: Duration) -> Budget {
        const MOVES_AHEAD: u32 = 30;
        let left = self.remaining[player.index()].saturating_sub(overhead);
        let moves = self.moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD);
        let share = left / moves + self.increment[player.index()] * 3 / 4;
        let most = if moves == 1 { left } else { left / 2 };
        Budget { target: share.min(most), most: (share * 3).min(most) }
    }
}

/// A move's share of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// After this much, no new iteration is begun.
    pub target: Duration,
    /// After this much, the search stops wherever it is.
    pub most: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: [Duration::from_millis(remaining_ms); 2],
            increment: [Duration::from_millis(increment_ms); 2],
            moves_to_go,
        }
    }

    #[test]
    fn a_game_never_runs_out_of_time_however_it_is_cut() {
        let overhead = Duration::from_millis(10);
        for (base, increment, to_go) in [
            (1_000, 0, None),
            (60_000, 100, None),
            (5_000, 0, Some(40)),
            (20, 10, None),
            (0, 0, None),
            (100, 0, Some(1)),
        ] {
            let mut clock = clock(base, increment, to_go);
            for _ in 0..to_go.unwrap_or(300) {
                let budget = clock.budget(Player::First, overhead);
                assert!(budget.target <= budget.most, "{budget:?}");
                assert!(
                    budget.most <= clock.remaining[0].saturating_sub(overhead),
                    "{budget:?} of {clock:?}"
                );
                clock.remaining[0] = clock.remaining[0] - budget.most + clock.increment[0];
                clock.moves_to_go = clock.moves_to_go.map(|n| (n - 1).max(1));
            }
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_take_all_that_is_left() {
        let budget = clock(10_000, 0, Some(1)).budget(Player::Second, Duration::from_millis(50));
        assert_eq!(budget.most, Duration::from_millis(9_950));
    }
}
