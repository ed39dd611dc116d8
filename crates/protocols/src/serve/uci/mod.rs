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

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use outplay_engine::{Session, SessionError};

use crate::lines::pass_lines;
use server::Server;

/// Longer lines are cut. A game of 200,000 moves fits.
const LONGEST_LINE: usize = 1 << 20;
/// How long a search that is told to stop because the conversation ends gets to answer.
const TIME_TO_ANSWER: Duration = Duration::from_millis(500);

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

/// Why a conversation could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Nobody hears our answers, or there is no thread to listen on.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The engine cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// What a server hears, one after the other.
enum Event {
    /// A line from outside.
    Line(String),
    /// There will be no more lines.
    End,
    /// What a search, or other work, has to say while it goes on.
    Said(Vec<String>),
    /// What was being done has ended with these last words.
    Done(Vec<String>),
    /// A search has ended without a word: it is broken.
    Died,
}

/// Answers what `input` asks, on `out`, until it says `quit` or ends.
pub fn serve(
    engine: &Engine,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let (sender, events) = mpsc::channel();
    let mut server = Server::new(engine, out, sender.clone())?;
    // The thread ends with its input, or with the program.
    std::thread::Builder::new().name("listener".to_string()).spawn(move || {
        pass_lines(input, LONGEST_LINE, &[], &mut |line| match sender.send(Event::Line(line)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
        // Nobody listens any more if this fails.
        drop(sender.send(Event::End));
    })?;
    for event in &events {
        if server.hear(event)?.is_break() {
            break;
        }
    }
    take_leave(server, &events)
}

/// Obeys one command, as if somebody had typed it, and returns when it is done.
pub fn obey_one(engine: &Engine, line: &str, out: &mut dyn Write) -> Result<(), ServeError> {
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

/// Lets a search that still runs say its last words. What else comes after the end is not heard.
fn take_leave(mut server: Server, events: &Receiver<Event>) -> Result<(), ServeError> {
    server.stop();
    let deadline = Instant::now() + TIME_TO_ANSWER;
    while server.owes_an_answer() {
        match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => server.finish(event)?,
            Err(_) => break,
        }
    }
    Ok(())
}
