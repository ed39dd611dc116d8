//! Our own side of the protocols: a board program or a match runner asks, and we answer.
//!
//! A server runs on the thread that called it and alone writes the answers. Lines come from a thread of their own and
//! reports from the search's; both arrive as events, one after the other, so that nothing has to be locked and no answer
//! can overtake another. `talk` has that; UCI, in which much may be said while a search runs, builds on it alone. The others ask
//! one question after the other: `desk` is what they share, `time_limits` counts their time, `stones` turns stones into positions.
//! NBoard's protocol and the console share what Othello needs: `course` is a game, `level` says how far to look, `retrograde` goes back through a game.

pub mod botzone;
pub mod connect6;
pub mod console;
mod course;
mod desk;
pub mod gomocup;
pub mod gtp;
mod level;
pub mod nboard;
mod retrograde;
mod stones;
mod talk;
mod time_limits;
pub mod uci;

use outplay_engine::{Catalogue, Session, SessionError};

/// A protocol that we speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The line protocol of Connect6 programs.
    Connect6,
    /// The Go Text Protocol.
    Gtp,
    /// The protocol of the Gomocup tournaments.
    Gomocup,
    /// The protocol of NBoard, for Othello.
    NBoard,
}

/// The words that a conversation may begin with, and the protocol that they belong to. Words that several protocols know (`name`,
/// `quit`, `new` alone) tell none.
const FIRST_WORDS: [(&str, Protocol); 17] = [
    ("uci", Protocol::Uci),
    ("isready", Protocol::Uci),
    ("ucinewgame", Protocol::Uci),
    ("setoption", Protocol::Uci),
    ("position", Protocol::Uci),
    ("go", Protocol::Uci),
    ("new black", Protocol::Connect6),
    ("new white", Protocol::Connect6),
    ("protocol_version", Protocol::Gtp),
    ("list_commands", Protocol::Gtp),
    ("known_command", Protocol::Gtp),
    ("boardsize", Protocol::Gtp),
    ("START", Protocol::Gomocup),
    ("RECTSTART", Protocol::Gomocup),
    ("ABOUT", Protocol::Gomocup),
    ("INFO", Protocol::Gomocup),
    ("nboard", Protocol::NBoard),
];

/// The protocol of a conversation that begins with this line; `None` if it is none of ours.
pub fn recognise(first_line: &str) -> Option<Protocol> {
    let words: Vec<&str> = first_line.split_whitespace().collect();
    // Commands of GTP may have a number.
    let number = words.first().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let numbered = number.and(words.get(1)).map(|word| (word, Protocol::Gtp));
    let is_first = |known: &str| known.split(' ').eq(words.iter().copied().take(known.split(' ').count()));
    let found = FIRST_WORDS.iter().find(|(known, protocol)| match numbered {
        Some((word, gtp)) => known == word && *protocol == gtp,
        None => is_first(known),
    });
    found.map(|(_, protocol)| *protocol)
}

/// Opens a session at the start of a game, by its name in the catalogue.
pub type OpenGame = dyn Fn(&str) -> Result<Box<dyn Session>, SessionError>;

/// The engine that answers, at any game.
pub struct GameEngine {
    /// What it is called.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who made it.
    pub author: String,
    /// What it plays with. Called anew where the game changes.
    pub open: Box<OpenGame>,
}

impl GameEngine {
    /// Our engine at these games, with these options set in every session.
    pub fn outplay(games: Catalogue, options: Vec<(String, String)>) -> GameEngine {
        let open = move |game: &str| {
            let mut session = games.open(game)?;
            for (name, value) in &options {
                session.set_option(name, value)?;
            }
            Ok(session)
        };
        GameEngine {
            name: "Outplay".to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            author: "the Outplay authors".to_string(),
            open: Box::new(open),
        }
    }
}

/// Why a conversation could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody hears our answers, or there is no thread to listen on.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The engine cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The one command to obey is none.
    #[error("{0}")]
    Command(String),
}

/// A reason on one line, whatever it quotes.
fn on_one_line(reason: impl std::fmt::Display) -> String {
    reason.to_string().replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_is_known_by_its_first_line() {
        for (line, protocol) in [
            ("uci", Protocol::Uci),
            (" uci \r", Protocol::Uci),
            ("isready", Protocol::Uci),
            ("position startpos moves e2e4", Protocol::Uci),
            ("setoption name Hash value 1", Protocol::Uci),
            ("new black\r", Protocol::Connect6),
            ("new white", Protocol::Connect6),
            ("protocol_version", Protocol::Gtp),
            ("1 protocol_version", Protocol::Gtp),
            ("boardsize 19", Protocol::Gtp),
            ("START 15", Protocol::Gomocup),
            ("INFO timeout_turn 1000", Protocol::Gomocup),
            ("nboard 2", Protocol::NBoard),
        ] {
            assert_eq!(recognise(line), Some(protocol), "{line}");
        }
        for line in
            ["", "   ", "ucii", "UCI?", "1 uci", "1", "new", "new game", "name", "quit", "1 nboard 2", "help"]
        {
            assert_eq!(recognise(line), None, "{line}");
        }
    }
}
