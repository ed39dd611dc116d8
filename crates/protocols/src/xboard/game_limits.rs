//! How long a program may think, in the words of the protocol.

use std::time::Duration;

use outplay_core::Player;

use crate::opponent::MoveLimits;

/// What is on the clock where none runs.
const ENOUGH: Duration = Duration::from_secs(3600);

/// What is said of limits once, at the beginning of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct GameLimits {
    has_clock: bool,
    increment: [Duration; 2],
    move_time: Option<Duration>,
    depth: Option<u32>,
}

impl GameLimits {
    /// What lasts of the limits of a move.
    pub(super) fn of(limits: &MoveLimits) -> GameLimits {
        let MoveLimits { clock, increment, move_time, depth, .. } = *limits;
        GameLimits { has_clock: clock.is_some(), increment, move_time, depth }
    }
}

/// The lines that say how long a game lasts in which these are the limits of the first move. Whole seconds have to do:
/// fractions of minutes are not understood everywhere, and the exact clock follows before each move.
pub(super) fn limit_lines(limits: &MoveLimits, mover: Player) -> Vec<String> {
    let limits_told = match limits.move_time {
        Some(time) => format!("st {}", time.as_secs_f64()),
        None => {
            let seconds = left(limits, mover).as_secs_f64().ceil().max(1.0) as u64;
            let base = match (seconds / 60, seconds % 60) {
                (minutes, 0) => minutes.to_string(),
                (minutes, seconds) => format!("{minutes}:{seconds:02}"),
            };
            let increment = limits.increment[mover.index()].as_secs_f64();
            format!("level {} {base} {increment}", limits.moves_to_go.unwrap_or(0))
        }
    };
    std::iter::once(limits_told).chain(limits.depth.map(|depth| format!("sd {depth}"))).collect()
}

/// The lines that say what is left on the clocks, in hundredths of a second.
pub(super) fn time_lines(limits: &MoveLimits, mover: Player) -> [String; 2] {
    [("time", mover), ("otim", !mover)]
        .map(|(command, player)| format!("{command} {}", left(limits, player).as_millis() / 10))
}

/// What a player has left for the game, or for the move if only that is limited.
fn left(limits: &MoveLimits, player: Player) -> Duration {
    limits.clock.map(|clock| clock[player.index()]).or(limits.move_time).unwrap_or(ENOUGH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(limits: &MoveLimits) -> Vec<String> {
        limit_lines(limits, Player::Second).into_iter().chain(time_lines(limits, Player::Second)).collect()
    }

    #[test]
    fn limits_are_put_as_programs_understand_them() {
        let clock = Some([Duration::from_millis(1234), Duration::from_millis(2005)]);
        let increment = [Duration::ZERO, Duration::from_millis(20)];
        let limits = MoveLimits { clock, increment, ..MoveLimits::default() };
        assert_eq!(lines(&limits), ["level 0 0:03 0.02", "time 200", "otim 123"]);
        let clock = Some([Duration::from_secs(300); 2]);
        let limits = MoveLimits { clock, moves_to_go: Some(40), ..MoveLimits::default() };
        assert_eq!(lines(&limits), ["level 40 5 0", "time 30000", "otim 30000"]);
        let limits =
            MoveLimits { move_time: Some(Duration::from_secs(2)), depth: Some(7), ..MoveLimits::default() };
        assert_eq!(lines(&limits), ["st 2", "sd 7", "time 200", "otim 200"]);
        let limits = MoveLimits { depth: Some(7), ..MoveLimits::default() };
        assert_eq!(lines(&limits), ["level 0 60 0", "sd 7", "time 360000", "otim 360000"]);
        // A clock that begins with nothing would frighten some.
        let limits = MoveLimits { clock: Some([Duration::ZERO; 2]), ..MoveLimits::default() };
        assert_eq!(lines(&limits), ["level 0 0:01 0", "time 0", "otim 0"]);
    }
}
