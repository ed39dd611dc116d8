//! The Universal Chess Interface, from the side of whoever is asked.
//!
//! What holds whatever is sent, and whenever:
//!
//! - A `go` is answered by one `bestmove`, a legal one, and nothing else is; not before `stop` or `ponderhit` where the search is
//!   infinite or ponders. The `info` before it has a score and a line that begins with that move.
//! - `isready`, `stop`, `ponderhit` and `quit` are heard at once, also while a search runs. What would change the position or an
//!   option waits until the search has answered, in order; another `go` ends a search that nothing else would end.
//! - What cannot be understood or done gets one `info string` that says why, and all stays as it was.
//! - The end of the input is `quit`, also in the middle of a search.
//!
//! `command` reads lines, `go` what `go` asks for, `server` does it, `teller` and `info` put reports into words, `options` offers the
//! options table, `chances` and `strength` say what scores and ratings mean.

mod chances;
mod command;
mod extras;
mod go;
mod info;
mod options;
mod server;
mod strength;
mod teller;

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc;

use outplay_engine::{Session, SessionError};

use super::ServeError;
use super::talk::{self, Listener, converse};
use command::Command;
use server::Server;

/// Which chess is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// The usual one.
    Standard,
    /// From any of 960 start arrays.
    Chess960,
}

/// Opens a session at the start of a game.
pub type Open = dyn Fn(Variant) -> Result<Box<dyn Session>, SessionError>;

/// The engine that answers.
pub struct Engine {
    /// What it is called, with its version.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// What it plays with. Called anew where the variant changes, and for work beside the game.
    pub open: Box<Open>,
    /// Searches fixed positions and returns what there is to say of it, for `bench`.
    pub bench: Arc<dyn Fn() -> String + Send + Sync>,
}

impl Engine {
    /// Our engine, from the catalogue of games.
    pub fn outplay(bench: Arc<dyn Fn() -> String + Send + Sync>) -> Engine {
        let open = |variant| {
            let mut session = outplay_engine::open(match variant {
                Variant::Standard => "chess",
                Variant::Chess960 => "chess960",
            })?;
            // Board programs have books of their own, and expect to be asked.
            session.set_option("own_book", "false")?;
            Ok(session)
        };
        Engine {
            name: format!("Outplay {}", env!("CARGO_PKG_VERSION")),
            author: "the Outplay authors".to_string(),
            open: Box::new(open),
            bench,
        }
    }
}

/// What is said is lines.
type Event = talk::Event<Vec<String>>;

/// Answers what `input` asks, on `out`, until it says `quit` or ends.
pub fn serve(
    engine: &Engine,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let (sender, events) = mpsc::channel();
    let server = Server::new(engine, out, sender.clone())?;
    converse(server, input, sender, &events)
}

/// Obeys one command, as if somebody had typed it, and returns when it is done.
pub fn obey_one(engine: &Engine, line: &str, out: &mut dyn Write) -> Result<(), ServeError> {
    Command::parse(line).map_err(|error| ServeError::Command(error.to_string()))?;
    let (sender, events) = mpsc::channel();
    let mut server = Server::new(engine, out, sender)?;
    // Whether the conversation would end here makes no difference.
    let _ = server.hear(Event::Line(line.to_string()))?;
    while server.is_busy() {
        match events.recv() {
            Ok(event) => server.finish(event)?,
            Err(_) => break,
        }
    }
    Ok(())
}
