//! What is left, shared among a fixed number of moves.

use super::{Budget, Situation, scaled};

/// An even share of what is left, and a part of the increment.
pub fn budget(situation: &Situation) -> Budget {
    let increment = scaled(situation.increment, situation.options.increment_share);
    situation.budget((situation.left / situation.moves_ahead()).saturating_add(increment))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use outplay_core::Player;

    use crate::Clock;
    use crate::stop::{Budget, StopOptions, TimeManager, Turn};

    fn budget(remaining_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Budget {
        let clock = Clock {
            remaining: [Duration::from_millis(remaining_ms); 2],
            increment: [Duration::from_millis(increment_ms); 2],
            moves_to_go,
        };
        let options = StopOptions { move_overhead: 50, ..StopOptions::default() };
        TimeManager::default().budget(&clock, Turn { mover: Player::Second, ply: 1 }, &options)
    }

    #[test]
    fn moves_share_what_is_left_and_most_of_the_increment() {
        let budget = budget(60_050, 1_000, None);
        assert_eq!(budget.share(0), Duration::from_millis(2_750));
        assert_eq!(budget.most, Duration::from_millis(8_250));
    }

    #[test]
    fn the_last_move_before_the_control_may_take_all_that_is_left() {
        assert_eq!(budget(10_000, 0, Some(1)).most, Duration::from_millis(9_950));
    }
}
