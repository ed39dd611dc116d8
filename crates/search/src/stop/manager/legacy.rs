//! What is left, shared among the moves that a game of this length has still to come.

use std::time::Duration;

use super::{Budget, Situation, Spent, scaled, seconds};

/// Plies of the opening that count for the bonus of the first move.
const MOST_BOOK_PLIES: usize = 12;

/// What is remembered between moves.
#[derive(Clone, Default, Debug)]
pub struct Legacy {
    /// Time that earlier moves were to take and did not.
    saved: Duration,
    /// What the move that is being searched for should take.
    planned: Duration,
}

impl Legacy {
    pub fn budget(&mut self, situation: &Situation) -> Budget {
        let options = situation.options;
        let saved = self.saved.min(situation.left);
        let moves = situation.expected_moves(options.legacy_midpoint_move, options.legacy_steepness);
        let all = (situation.left - saved).as_secs_f64() + situation.increment.as_secs_f64() * (moves - 1.0);
        let book_plies = situation.ply.min(MOST_BOOK_PLIES) as f64;
        let bonus = if situation.is_first_move {
            options.legacy_first_move_bonus + options.legacy_book_ply_bonus * book_plies
        } else {
            0.0
        };
        let share = seconds(all / moves * options.legacy_slowmover * (1.0 + bonus));
        let from_saved = scaled(saved, options.legacy_immediate_use);
        let budget = situation.budget(share.saturating_add(from_saved));
        self.saved = saved.saturating_sub(from_saved);
        self.planned = budget.share(0);
        budget
    }

    pub fn finished(&mut self, spent: &Spent) {
        self.saved = self.saved.saturating_add(self.planned.saturating_sub(spent.time));
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Player;

    use super::*;
    use crate::Clock;
    use crate::stop::{StopOptions, TimeManagement, TimeManager, Turn};

    fn options() -> StopOptions {
        StopOptions {
            move_overhead: 0,
            time_manager: TimeManagement::Legacy,
            legacy_first_move_bonus: 0.0,
            legacy_book_ply_bonus: 0.0,
            ..StopOptions::default()
        }
    }

    /// A game of ten moves for 100 seconds, so that the numbers can be checked by hand.
    fn share(manager: &mut TimeManager, ply: usize, remaining: u64, options: &StopOptions) -> Duration {
        let remaining = [Duration::from_secs(remaining); 2];
        let clock = Clock { remaining, moves_to_go: Some(10), ..Clock::default() };
        manager.budget(&clock, Turn { mover: Player::First, ply }, options).share(0)
    }

    fn used(manager: &mut TimeManager, time: u64) {
        let spent = Spent { time: Duration::from_secs(time), nodes: 1, reused: 0 };
        manager.finished(Player::First, &spent, &options());
    }

    #[test]
    fn time_saved_is_spent_on_the_next_move() {
        let mut manager = TimeManager::default();
        assert_eq!(share(&mut manager, 0, 100, &options()), Duration::from_secs(10));
        used(&mut manager, 2);
        // Of the 98 seconds, 8 were saved; the move gets its tenth of the others and those.
        assert_eq!(share(&mut manager, 2, 98, &options()), Duration::from_secs(17));
        used(&mut manager, 17);
        assert_eq!(share(&mut manager, 4, 80, &options()), Duration::from_secs(8), "all is spent");
        used(&mut manager, 9);
        assert_eq!(share(&mut manager, 6, 70, &options()), Duration::from_secs(7), "nothing was saved");
    }

    #[test]
    fn what_is_not_spent_at_once_is_kept() {
        let options = StopOptions { legacy_immediate_use: 0.5, ..options() };
        let mut manager = TimeManager::default();
        assert_eq!(share(&mut manager, 0, 100, &options), Duration::from_secs(10));
        used(&mut manager, 2);
        assert_eq!(share(&mut manager, 2, 98, &options), Duration::from_secs(9 + 4));
        used(&mut manager, 13);
        // Four of the eight seconds are left, and half of those are spent.
        assert_eq!(share(&mut manager, 4, 84, &options), Duration::from_secs(8 + 2));
    }

    #[test]
    fn a_clock_that_shows_less_than_was_saved_is_right() {
        let mut manager = TimeManager::default();
        share(&mut manager, 0, 100, &options());
        used(&mut manager, 0);
        let share = share(&mut manager, 2, 4, &options());
        assert_eq!(share, Duration::from_secs(2), "half of the clock at most");
    }

    #[test]
    fn the_first_move_of_a_game_takes_longer_and_more_so_after_a_long_opening() {
        let options = StopOptions { legacy_first_move_bonus: 0.5, legacy_book_ply_bonus: 0.1, ..options() };
        for (ply, expected) in [(0, 15), (5, 20), (12, 27), (40, 27)] {
            let mut manager = TimeManager::default();
            assert_eq!(share(&mut manager, ply, 100, &options), Duration::from_secs(expected), "{ply}");
            used(&mut manager, 100);
            assert_eq!(share(&mut manager, ply + 2, 100, &options), Duration::from_secs(10));
            // An earlier ply is another game.
            let again = share(&mut manager, 0, 100, &options);
            assert_eq!(again, Duration::from_secs(15));
        }
    }

    #[test]
    fn the_clocks_of_the_players_are_kept_apart() {
        let mut manager = TimeManager::default();
        share(&mut manager, 0, 100, &options());
        used(&mut manager, 0);
        let clock =
            Clock { remaining: [Duration::from_secs(100); 2], moves_to_go: Some(10), ..Clock::default() };
        let other = manager.budget(&clock, Turn { mover: Player::Second, ply: 1 }, &options());
        assert_eq!(other.share(0), Duration::from_secs(10));
    }
}
