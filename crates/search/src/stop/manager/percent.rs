//! Percentages of what is left.

use super::{Budget, Situation, scaled};

/// The same percentage of what is left at every move.
pub fn alphazero(situation: &Situation) -> Budget {
    situation.budget(scaled(situation.left, situation.options.alphazero_time_pct / 100.0))
}

/// A percentage of what is left that grows with the game, and a part of the increment.
pub fn simple(situation: &Situation) -> Budget {
    let options = situation.options;
    let bonus = if situation.is_first_move { options.simple_opening_bonus_pct } else { 0.0 };
    let percent = options.simple_base_pct + options.simple_ply_pct * situation.ply as f64 + bonus;
    let increment = scaled(situation.increment, options.increment_share);
    situation.budget(scaled(situation.left, percent / 100.0).saturating_add(increment))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use outplay_core::Player;

    use crate::Clock;
    use crate::stop::{Spent, StopOptions, TimeManagement, TimeManager, Turn};

    /// The share of a clock of 100 seconds and 4 a move, in milliseconds.
    fn share(manager: &mut TimeManager, options: &StopOptions, ply: usize) -> u128 {
        let clock = Clock {
            remaining: [Duration::from_secs(100); 2],
            increment: [Duration::from_secs(4); 2],
            moves_to_go: None,
        };
        let turn = Turn { mover: Player::First, ply };
        let share = manager.budget(&clock, turn, options).share(0);
        manager.finished(Player::First, &Spent { time: share, nodes: 1, reused: 0 }, options);
        share.as_millis()
    }

    #[test]
    fn alphazero_takes_its_percentage_whatever_the_move() {
        let options = StopOptions {
            move_overhead: 0,
            time_manager: TimeManagement::AlphaZero,
            alphazero_time_pct: 5.0,
            ..StopOptions::default()
        };
        let mut manager = TimeManager::default();
        assert_eq!([0, 40, 200].map(|ply| share(&mut manager, &options, ply)), [5_000; 3]);
    }

    #[test]
    fn simple_takes_more_as_the_game_goes_on_and_for_its_first_move() {
        let options = StopOptions {
            move_overhead: 0,
            time_manager: TimeManagement::Simple,
            simple_base_pct: 1.0,
            simple_ply_pct: 0.1,
            simple_opening_bonus_pct: 2.0,
            ..StopOptions::default()
        };
        let mut manager = TimeManager::default();
        // 1 % and 2 % for the first move, then 3 % and 6 %; three of the increment's four seconds each time.
        assert_eq!([0, 20, 50].map(|ply| share(&mut manager, &options, ply)), [6_000, 6_000, 9_000]);
    }
}
