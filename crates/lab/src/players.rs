//! Players as people name them: one of our searches with options, or somebody else's program by its protocol.

use outplay_engine::SessionError;
use outplay_protocols::gomocup::GomocupOpponent;
use outplay_protocols::gtp::{Columns, GtpOpponent};
use outplay_protocols::uci::UciOpponent;
use outplay_protocols::{CommandLine, Fault, Opponent};

use crate::OwnPlayer;

/// Who plays. As text, settings separated by commas: `search=uct,exploration=1.2` is one of ours,
/// `cmd=stockfish,proto=uci,option.Hash=64` a program of somebody else's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// One of our searches, with its options.
    Own {
        /// Names and values, `search` among them.
        options: Vec<(String, String)>,
    },
    /// A program, spoken to by a protocol.
    External {
        /// How to start it.
        command: CommandLine,
        /// What it speaks.
        protocol: Protocol,
        /// Its options: names and values.
        options: Vec<(String, String)>,
    },
}

/// The protocols that programs are spoken to by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Go Text Protocol, on boards of this size, with columns lettered so.
    Gtp(u32, Columns),
    /// The Gomocup protocol, on boards of this size.
    Gomocup(u32),
}

/// Why there is no such player.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The text makes no sense.
    #[error("player {text:?}: {reason}")]
    BadText {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Our own engine refuses the options or the game.
    #[error(transparent)]
    Own(#[from] SessionError),
    /// The program cannot be used.
    #[error(transparent)]
    External(#[from] Fault),
}

impl PlayerSpec {
    /// Reads a player.
    pub fn parse(text: &str) -> Result<PlayerSpec, PlayerError> {
        let bad = |reason: String| PlayerError::BadText { text: text.to_string(), reason };
        let mut settings = Vec::new();
        for setting in text.split(',').filter(|setting| !setting.trim().is_empty()) {
            let (name, value) = setting
                .split_once('=')
                .ok_or_else(|| bad(format!("expected NAME=VALUE, not {setting:?}")))?;
            settings.push((name.trim().to_string(), value.trim().to_string()));
        }
        let Some(cmd) = settings.iter().position(|(name, _)| name == "cmd") else {
            return Ok(PlayerSpec::Own { options: settings });
        };
        let (_, cmd) = settings.remove(cmd);
        let mut take = |name: &str| {
            let index = settings.iter().position(|(found, _)| found == name)?;
            Some(settings.remove(index).1)
        };
        let size = |text: Option<String>, usual: u32| match text {
            None => Ok(usual),
            Some(text) => text.parse().map_err(|_| bad(format!("expected a board size, not {text:?}"))),
        };
        let protocol = match take("proto").as_deref() {
            Some("uci") | None => Protocol::Uci,
            Some("gtp") => {
                let columns = match take("columns").as_deref() {
                    Some("with-i") => Columns::WithI,
                    Some("without-i") | None => Columns::WithoutI,
                    Some(other) => {
                        return Err(bad(format!("expected columns=with-i or without-i, not {other:?}")));
                    }
                };
                Protocol::Gtp(size(take("size"), 19)?, columns)
            }
            Some("gomocup") => Protocol::Gomocup(size(take("size"), 15)?),
            Some(other) => return Err(bad(format!("expected proto=uci, gtp or gomocup, not {other:?}"))),
        };
        let folder = take("dir");
        let mut words = cmd.split_whitespace().map(str::to_string);
        let program = words.next().ok_or_else(|| bad("expected a program after cmd=".to_string()))?;
        let command = CommandLine { program, arguments: words.collect(), folder };
        let mut options = Vec::new();
        for (name, value) in settings {
            let name = name.strip_prefix("option.").ok_or_else(|| {
                bad(format!("expected proto, size, columns, dir or option.NAME, not {name:?}"))
            })?;
            options.push((name.to_string(), value));
        }
        Ok(PlayerSpec::External { command, protocol, options })
    }

    /// Makes the player, ready for a game of `game`.
    pub fn make(&self, game: &str) -> Result<Box<dyn Opponent>, PlayerError> {
        Ok(match self {
            PlayerSpec::Own { options } => Box::new(OwnPlayer::new(game, options)?),
            PlayerSpec::External { command, protocol: Protocol::Uci, options } => {
                Box::new(UciOpponent::start(command, options)?)
            }
            PlayerSpec::External { command, protocol: Protocol::Gtp(size, columns), options } => {
                let first: Vec<String> =
                    options.iter().map(|(name, value)| format!("{name} {value}")).collect();
                Box::new(GtpOpponent::start(command, *columns, *size, &first)?)
            }
            PlayerSpec::External { command, protocol: Protocol::Gomocup(size), options } => {
                Box::new(GomocupOpponent::start(command, *size, options)?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_from_their_text() {
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let own = PlayerSpec::parse("search=uct, exploration=1.2").expect("a player");
        assert_eq!(own, PlayerSpec::Own { options: vec![pair("search", "uct"), pair("exploration", "1.2")] });
        let external =
            PlayerSpec::parse("cmd=stockfish -x,proto=uci,option.Hash=64,dir=/tmp").expect("a player");
        let command = CommandLine {
            program: "stockfish".to_string(),
            arguments: vec!["-x".to_string()],
            folder: Some("/tmp".to_string()),
        };
        let options = vec![pair("Hash", "64")];
        assert_eq!(external, PlayerSpec::External { command, protocol: Protocol::Uci, options });
        assert!(matches!(
            PlayerSpec::parse("cmd=x,proto=gtp,size=8,columns=with-i"),
            Ok(PlayerSpec::External { protocol: Protocol::Gtp(8, Columns::WithI), .. })
        ));
    }

    #[test]
    fn what_is_no_player_is_refused_with_its_reason() {
        for (text, words) in [
            ("uct", "NAME=VALUE"),
            ("cmd=", "a program"),
            ("cmd=x,proto=smoke", "uci, gtp or gomocup"),
            ("cmd=x,Hash=1", "option.NAME"),
            ("cmd=x,proto=gomocup,size=big", "a board size"),
        ] {
            let error = PlayerSpec::parse(text).expect_err("no player").to_string();
            assert!(error.contains(words), "{error}");
        }
        assert!(PlayerSpec::parse("search=magic").expect("text").make("chess").is_err());
    }
}
