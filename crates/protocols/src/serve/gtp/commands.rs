//! What the commands of GTP are made of: their form, their sizes and their times.

use std::time::Duration;

use outplay_connect::Rules;
use outplay_core::Player;

use crate::serve::time_limits::{TimeLimits, seconds};

/// Every command that we know.
pub const COMMANDS: [&str; 17] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
];

/// A command with its number, if it has one, and what follows it.
#[derive(PartialEq, Eq, Debug)]
pub struct Request {
    pub id: String,
    pub command: String,
    pub arguments: Vec<String>,
}

impl Request {
    /// Reads a line; `None` if there is nothing but a comment on it.
    pub fn parse(line: &str) -> Option<Request> {
        let spoken = line.split('#').next().unwrap_or("").replace('\t', " ");
        let spoken: String = spoken.chars().filter(|c| !c.is_control()).collect();
        let mut words = spoken.split_whitespace().map(str::to_string).peekable();
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words.next_if(is_number);
        // A number alone is a command that nobody knows, and is to be answered.
        if id.is_none() && words.peek().is_none() {
            return None;
        }
        let (id, command) = (id.unwrap_or_default(), words.next().unwrap_or_default());
        Some(Request { id, command, arguments: words.collect() })
    }
}

/// The name of a game on a square board of this side; `None` if it cannot be played there.
pub fn of_size(game: &str, side: usize) -> Option<String> {
    let rules: Rules = match game.split_once(':') {
        Some(("connect", rules)) => rules.parse().ok()?,
        None if game == "tictactoe" => Rules::TIC_TAC_TOE,
        None if game == "connect" => Rules::default(),
        _ => game.parse().ok()?,
    };
    let sized = Rules::new(side, side, rules.in_a_row(), rules.turn_stones(), rules.opening_stones()).ok()?;
    Some(format!("connect:{sized}"))
}

/// `time_settings`: a time for the game, and after it periods in which so many moves have to be made. A period without moves is no
/// limit.
pub fn set_time(time_limits: &mut TimeLimits, main: &str, period: &str, stones: &str) -> Result<(), String> {
    let (main, period, stones) = (time(main)?, time(period)?, moves(stones)?);
    let is_unlimited = stones == 0 && !period.is_zero();
    let (left, to_go) = match main.is_zero() {
        _ if is_unlimited => (None, None),
        true => (Some(period), Some(stones).filter(|&stones| stones > 0)),
        false => (Some(main), None),
    };
    (time_limits.left, time_limits.moves_to_go) = ([left; 2], [to_go; 2]);
    Ok(())
}

/// `time_left`: what is left of the time for the game, or of a period with so many moves to make.
pub fn set_time_left(
    time_limits: &mut TimeLimits,
    player: Player,
    left: &str,
    stones: &str,
) -> Result<(), String> {
    let (left, stones) = (time(left)?, moves(stones)?);
    time_limits.left[player.index()] = Some(left);
    time_limits.moves_to_go[player.index()] = Some(stones).filter(|&stones| stones > 0);
    Ok(())
}

fn time(text: &str) -> Result<Duration, String> {
    seconds(text).ok_or_else(|| "syntax error: expected seconds".to_string())
}

fn moves(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "syntax error: expected a number of stones".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_number_a_command_and_what_follows() {
        let request = |id: &str, command: &str, arguments: &[&str]| Request {
            id: id.to_string(),
            command: command.to_string(),
            arguments: arguments.iter().map(|word| word.to_string()).collect(),
        };
        assert_eq!(Request::parse("name"), Some(request("", "name", &[])));
        assert_eq!(
            Request::parse(" 12\tplay  b \u{7}K10 # ha\r"),
            Some(request("12", "play", &["b", "K10"]))
        );
        assert_eq!(Request::parse("7"), Some(request("7", "", &[])));
        assert_eq!((Request::parse(""), Request::parse(" # name")), (None, None));
    }

    #[test]
    fn games_keep_their_rules_on_other_boards() {
        assert_eq!(of_size("connect6", 15).as_deref(), Some("connect:15,15,6,2,1"));
        assert_eq!(of_size("gomoku", 19).as_deref(), Some("connect:19,19,5,1,1"));
        assert_eq!(of_size("connect:9,9,4,1,1", 7).as_deref(), Some("connect:7,7,4,1,1"));
        for (game, side) in [("othello", 10), ("connect6", 5), ("connect6", 25), ("tictactoe", 0)] {
            assert_eq!(of_size(game, side), None, "{game} {side}");
        }
    }

    #[test]
    fn times_are_for_the_game_or_for_so_many_moves() {
        let paced = |main, period, stones| {
            let mut time_limits = TimeLimits::default();
            set_time(&mut time_limits, main, period, stones)
                .map(|()| (time_limits.left[0], time_limits.moves_to_go[0]))
        };
        let second = Duration::from_secs(1);
        assert_eq!(paced("60", "0", "0"), Ok((Some(60 * second), None)));
        assert_eq!(paced("60", "10", "5"), Ok((Some(60 * second), None)));
        assert_eq!(paced("0", "10", "5"), Ok((Some(10 * second), Some(5))));
        assert_eq!(paced("0", "10", "0"), Ok((None, None)), "no limit");
        assert!(paced("x", "0", "0").is_err() && paced("1", "0", "-1").is_err());
        let mut time_limits = TimeLimits::default();
        set_time_left(&mut time_limits, Player::Second, "9.5", "0").expect("a time");
        assert_eq!(time_limits.left, [None, Some(Duration::from_millis(9500))]);
    }
}
