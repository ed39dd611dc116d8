//! How long a search may run.

use std::time::Duration;

use outplay_core::{Move, Player};

use crate::options;

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
    /// Stop when a win in so many moves of the winner, or fewer, has been found; two plies are counted as a move.
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

options! {
    /// How a search deals with time.
    pub struct TimeOptions {
        /// Milliseconds kept back from every time limit for the way to the clock and back.
        pub move_overhead: i64 = 10, in 0..=10_000,
        /// How many more moves the clock is shared among when no time control is near.
        pub moves_ahead: i64 = 30, in 1..=1_000,
        /// How much of the increment is spent at once.
        pub increment_share: f64 = 0.75, in 0.0..=1.0,
        /// How far a move may go beyond its share of the clock to finish what it has begun.
        pub stretch: f64 = 3.0, in 1.0..=10.0,
        /// How much of the clock a single move may use at most, unless it is the last before the time control.
        pub most_share: f64 = 0.5, in 0.01..=1.0,
    }
}

impl TimeOptions {
    /// The time kept back.
    pub fn overhead(&self) -> Duration {
        Duration::from_millis(self.move_overhead.unsigned_abs())
    }
}

impl Clock {
    /// How much to spend on this move, and the most that may be spent: never the overhead, however little is left.
    pub fn budget(&self, player: Player, options: &TimeOptions) -> Budget {
        let left = self.remaining[player.index()].saturating_sub(options.overhead());
        let moves_ahead = u32::try_from(options.moves_ahead).unwrap_or(1);
        let moves = self.moves_to_go.unwrap_or(moves_ahead).clamp(1, moves_ahead);
        let most = if moves == 1 { left } else { scaled(left, options.most_share) };
        let increment = scaled(self.increment[player.index()], options.increment_share);
        let share = (left / moves).saturating_add(increment).min(most);
        Budget { share, most: scaled(share, options.stretch).min(most) }
    }
}

/// A time multiplied, without overflow.
fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

/// A move's part of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// What this move should take.
    pub share: Duration,
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
        let options = TimeOptions::default();
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
                let budget = clock.budget(Player::First, &options);
                assert!(budget.share <= budget.most, "{budget:?}");
                assert!(
                    budget.most <= clock.remaining[0].saturating_sub(options.overhead()),
                    "{budget:?} of {clock:?}"
                );
                clock.remaining[0] = clock.remaining[0] - budget.most + clock.increment[0];
                clock.moves_to_go = clock.moves_to_go.map(|n| (n - 1).max(1));
            }
        }
    }

    #[test]
    fn no_clock_is_too_large() {
        let clock = Clock { remaining: [Duration::MAX; 2], increment: [Duration::MAX; 2], moves_to_go: None };
        let budget = clock.budget(Player::First, &TimeOptions::default());
        assert!(budget.share <= budget.most && budget.most > Duration::from_secs(1 << 40));
    }

    #[test]
    fn the_last_move_before_the_control_may_take_all_that_is_left() {
        let budget = clock(10_000, 0, Some(1))
            .budget(Player::Second, &TimeOptions { move_overhead: 50, ..TimeOptions::default() });
        assert_eq!(budget.most, Duration::from_millis(9_950));
    }
}
