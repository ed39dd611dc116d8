//! Lines as commands.

use outplay_core::text::shortened;

use super::go::Go;

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Nothing: an empty line, or one that we have no use for.
    Nothing,
    /// `uci`: who are you, and what can be set?
    Introduce,
    /// `isready`
    Ready,
    /// `ucinewgame`
    NewGame,
    /// `setoption name N value V`
    Set {
        /// The name, which may hold spaces.
        name: String,
        /// The value; empty for a button.
        value: String,
    },
    /// `position ...`
    Position(Setup),
    /// `go ...`
    Go(Go),
    /// `go perft N`
    Perft(u32),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `debug on` or `debug off`
    Debug(bool),
    /// `d`: show the board.
    Show,
    /// `eval`: what the static evaluation says.
    Evaluate,
    /// `flip`: the same position with colours exchanged.
    Flip,
    /// `bench`
    Bench,
    /// `compiler`: what was built, and for which machine.
    Build,
}

/// Where a game begins and how it went on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Setup {
    /// The first position; `None` for the usual one.
    pub start: Option<String>,
    /// The moves since then, separated by spaces.
    pub moves: String,
}

/// Why a line was not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No command begins so.
    #[error("unknown command {0}")]
    Unknown(String),
    /// The command is known, but not what follows it.
    #[error("{command}: expected {expected}, not {found}")]
    Expected {
        /// The command.
        command: &'static str,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

impl Command {
    /// Reads a line. A line that begins with an unknown word is not searched for commands further on, as the protocol suggests:
    /// free text that happens to hold `go` or `quit` should do nothing.
    pub fn parse(line: &str) -> Result<Command, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(match word {
            // Nobody has to register.
            "" | "register" => Command::Nothing,
            "uci" => Command::Introduce,
            "isready" => Command::Ready,
            "ucinewgame" => Command::NewGame,
            "setoption" => parse_option(rest)?,
            "position" => Command::Position(parse_setup(rest)?),
            "go" => parse_go(rest)?,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "debug" => match rest {
                "on" => Command::Debug(true),
                "off" => Command::Debug(false),
                _ => return Err(expected("debug", "on or off", rest)),
            },
            "d" => Command::Show,
            "eval" => Command::Evaluate,
            "flip" => Command::Flip,
            "bench" => Command::Bench,
            "compiler" => Command::Build,
            _ => return Err(CommandError::Unknown(shortened(word))),
        })
    }
}

fn expected(command: &'static str, expected: &'static str, found: &str) -> CommandError {
    let found = if found.is_empty() { "nothing".to_string() } else { shortened(found) };
    CommandError::Expected { command, expected, found }
}

fn parse_option(text: &str) -> Result<Command, CommandError> {
    const FORM: &str = "name N value V";
    let (before, after) = split_at_word(text, "name").ok_or_else(|| expected("setoption", FORM, text))?;
    let (name, value) = split_at_word(after, "value").unwrap_or((after, ""));
    if !before.is_empty() || name.is_empty() {
        return Err(expected("setoption", FORM, text));
    }
    // How the protocol writes that there is nothing.
    let value = if value == "<empty>" { "" } else { value };
    Ok(Command::Set { name: name.to_string(), value: value.to_string() })
}

fn parse_setup(text: &str) -> Result<Setup, CommandError> {
    const FORMS: &str = "startpos or fen F, and then perhaps moves M";
    let (position, moves) = split_at_word(text, "moves").unwrap_or((text, ""));
    let (word, fields) = position.split_once(char::is_whitespace).unwrap_or((position, ""));
    let start = match word {
        "startpos" if fields.is_empty() => None,
        "fen" => Some(fields.trim().to_string()),
        _ => return Err(expected("position", FORMS, text)),
    };
    Ok(Setup { start, moves: moves.to_string() })
}

fn parse_go(text: &str) -> Result<Command, CommandError> {
    let mut words = text.split_whitespace();
    if words.next() != Some("perft") {
        return Ok(Command::Go(Go::parse(text)));
    }
    let depth = words.next().unwrap_or("");
    let number = depth.parse().map_err(|_| expected("go perft", "a depth", depth))?;
    Ok(Command::Perft(number))
}

/// What stands before and after a word, trimmed; `None` if it does not occur.
fn split_at_word<'a>(text: &'a str, wanted: &str) -> Option<(&'a str, &'a str)> {
    let around = |(at, _): (usize, _)| (&text[..at], &text[at + wanted.len()..]);
    let stands_alone = |(before, after): &(&str, &str)| {
        !before.ends_with(|c: char| !c.is_whitespace()) && !after.starts_with(|c: char| !c.is_whitespace())
    };
    let (before, after) = text.match_indices(wanted).map(around).find(stands_alone)?;
    Some((before.trim(), after.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_names_and_values_with_spaces_in_them() {
        for (line, name, value) in [
            ("setoption name Hash value 64", "Hash", "64"),
            ("setoption  name  Move Overhead  value 100", "Move Overhead", "100"),
            ("setoption name Clear Hash", "Clear Hash", ""),
            (r"setoption name SyzygyPath value C:\my  tables\value", "SyzygyPath", r"C:\my  tables\value"),
            ("setoption name BookFile value <empty>", "BookFile", ""),
            ("setoption name BookFile value", "BookFile", ""),
        ] {
            let expected = Command::Set { name: name.to_string(), value: value.to_string() };
            assert_eq!(Command::parse(line), Ok(expected), "{line}");
        }
        for line in ["setoption", "setoption name", "setoption Hash value 1", "setoption name value 3"] {
            let error = Command::parse(line).expect_err(line).to_string();
            assert!(error.starts_with("setoption: expected name N value V, not "), "{error}");
        }
    }

    #[test]
    fn positions_have_a_start_and_moves() {
        let setup = |start: Option<&str>, moves: &str| {
            Ok(Command::Position(Setup { start: start.map(str::to_string), moves: moves.to_string() }))
        };
        assert_eq!(Command::parse("position startpos"), setup(None, ""));
        assert_eq!(Command::parse("position  startpos moves e2e4 e7e5 "), setup(None, "e2e4 e7e5"));
        assert_eq!(
            Command::parse("position fen 8/8/8/8/8/8/8/K1k5 w - - moves a1a2\r"),
            setup(Some("8/8/8/8/8/8/8/K1k5 w - -"), "a1a2")
        );
        assert_eq!(
            Command::parse("position fen"),
            setup(Some(""), ""),
            "the reader of positions will complain"
        );
        for line in ["position", "position start", "position startpos e2e4", "position moves e2e4"] {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn words_that_are_no_commands_are_named() {
        let error = |line| Command::parse(line).expect_err("no command").to_string();
        assert_eq!(error("hello go quit"), "unknown command \"hello\"");
        assert_eq!(error("debug maybe"), "debug: expected on or off, not \"maybe\"");
        assert_eq!(error("go perft"), "go perft: expected a depth, not nothing");
        assert_eq!(error("go perft -1"), "go perft: expected a depth, not \"-1\"");
        assert_eq!(Command::parse(" \t "), Ok(Command::Nothing));
        assert_eq!(Command::parse("register later"), Ok(Command::Nothing));
    }
}
