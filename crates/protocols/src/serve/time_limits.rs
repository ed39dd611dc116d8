//! How long to think, as protocols tell it, and counted on where they do not.

use std::time::{Duration, Instant};

use outplay_core::Player;
use outplay_search::{Clock, Limits};

/// How long a turn takes if nothing was said.
const USUAL: Duration = Duration::from_secs(5);

/// How long a player may think.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeLimits {
    /// What is left on the clocks, by player.
    pub left: [Option<Duration>; 2],
    /// Moves to the next time control, by player.
    pub moves_to_go: [Option<u32>; 2],
    /// What a player gets after each turn.
    pub increment: Duration,
    /// A fixed time for a turn.
    pub turn_time: Option<Duration>,
    /// A depth in plies.
    pub depth: Option<u32>,
    /// When the turn began that is being thought about.
    turn_begun: Option<Instant>,
}

impl TimeLimits {
    /// Whether anything was said of time.
    pub fn is_timed(&self) -> bool {
        self.turn_time.is_some() || self.left.iter().any(Option::is_some)
    }

    /// A player's turn begins.
    pub fn begin_turn(&mut self) {
        self.turn_begun = Some(Instant::now());
    }

    /// The turn is over: it is taken from the player's clock.
    pub fn end_turn(&mut self, player: Player) {
        let used = self.used();
        self.turn_begun = None;
        if let Some(left) = &mut self.left[player.index()] {
            *left = left.saturating_sub(used).saturating_add(self.increment);
        }
        if let Some(moves) = &mut self.moves_to_go[player.index()] {
            *moves = moves.saturating_sub(1).max(1);
        }
    }

    fn used(&self) -> Duration {
        self.turn_begun.map_or(Duration::ZERO, |begun| begun.elapsed())
    }

    /// The limits of a search for the next stone of a player who has so many left in the turn.
    pub fn limits(&self, player: Player, stones_left: u32) -> Limits {
        let used = self.used();
        let clock = self.left[player.index()].map(|left| Clock {
            remaining: [left.saturating_sub(used); 2],
            // For a search each stone is a move.
            increment: [self.increment / stones_left.max(1); 2],
            moves_to_go: self.moves_to_go[player.index()].map(|moves| moves.saturating_mul(stones_left)),
        });
        let turn_time = if self.is_timed() { self.turn_time } else { Some(USUAL) };
        Limits {
            depth: self.depth,
            move_time: turn_time.map(|time| time.saturating_sub(used) / stones_left.max(1)),
            clock,
            ..Limits::default()
        }
    }
}

/// Seconds as people write them, with a fraction or without; `None` for what is no time.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_shared_out_between_its_stones_and_taken_from_the_clock() {
        let second = Duration::from_secs(1);
        let mut time_limits = TimeLimits { turn_time: Some(8 * second), ..TimeLimits::default() };
        assert_eq!(time_limits.limits(Player::First, 2).move_time, Some(4 * second));
        time_limits.begin_turn();
        std::thread::sleep(Duration::from_millis(20));
        let rest = time_limits.limits(Player::First, 1).move_time.expect("a time");
        assert!(rest < 8 * second && rest > 4 * second, "{rest:?}");

        let mut time_limits =
            TimeLimits { left: [Some(9 * second); 2], increment: 2 * second, ..TimeLimits::default() };
        let clock = time_limits.limits(Player::Second, 2).clock.expect("a clock");
        assert_eq!((clock.remaining, clock.increment), ([9 * second; 2], [second; 2]));
        assert_eq!(time_limits.limits(Player::Second, 2).move_time, None);
        time_limits.begin_turn();
        std::thread::sleep(Duration::from_millis(20));
        time_limits.end_turn(Player::Second);
        let left = time_limits.left[Player::Second.index()].expect("a clock");
        assert!(left < 11 * second && left > 9 * second, "{left:?}");
        assert_eq!(time_limits.left[Player::First.index()], Some(9 * second));
    }

    #[test]
    fn without_a_word_there_is_a_limit_all_the_same() {
        assert_eq!(TimeLimits::default().limits(Player::First, 1).move_time, Some(USUAL));
        let deep = TimeLimits { depth: Some(3), ..TimeLimits::default() }.limits(Player::First, 1);
        assert_eq!((deep.depth, deep.move_time), (Some(3), Some(USUAL)));
    }

    #[test]
    fn seconds_are_read_however_they_are_meant() {
        assert_eq!(seconds("1.5"), Some(Duration::from_millis(1500)));
        for bad in ["", "-1", "nan", "inf", "1e300", "x"] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }
}
