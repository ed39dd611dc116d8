//! Hears events one by one, and answers.

mod searching;
mod setting;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use outplay_core::Player;
use outplay_engine::{SearchHandle, Session, SessionError};

use super::command::{Command, Setup};
use super::options::{Offers, Settings};
use super::teller::Fallback;
use super::{Engine, Event, Variant, extras};
use crate::serve::on_one_line;
use crate::serve::talk::Listener;

/// Where a server stands.
pub struct Server<'a> {
    engine: &'a Engine,
    out: &'a mut dyn Write,
    /// Where searches and other work report to.
    events: Sender<Event>,
    session: Box<dyn Session>,
    offers: Offers,
    settings: Settings,
    /// The options of the session that were set, to be set again where it is opened anew.
    chosen: Vec<(String, String)>,
    /// The game that the session stands in.
    game: Setup,
    /// Whether that game is one of Chess960, though nobody has said so.
    castles_from_anywhere: bool,
    work: Work,
    /// What has to wait until the work is done.
    waiting: VecDeque<Command>,
    debug: bool,
    /// Whether the input has ended, and nobody has said quit.
    is_over: bool,
}

/// What is being done.
enum Work {
    Nothing,
    Searching {
        handle: SearchHandle,
        ends: Ends,
        /// What is answered if the search breaks.
        fallback: Fallback,
    },
    /// Something that is answered by text alone, and ends when this is set.
    Counting {
        stop: Arc<AtomicBool>,
    },
}

/// When a search ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// When it has reached one of its limits.
    AtItsLimits,
    /// When it has reached them and the move that it ponders on was played.
    AfterPonderHit,
    /// When it is told to.
    WhenTold,
}

impl<'a> Server<'a> {
    /// A server at the start of a game.
    pub fn new(
        engine: &'a Engine,
        out: &'a mut dyn Write,
        events: Sender<Event>,
    ) -> Result<Server<'a>, SessionError> {
        let mut session = (engine.open)(Variant::Standard)?;
        Ok(Server {
            engine,
            out,
            events,
            offers: Offers::of(&mut *session)?,
            session,
            settings: Settings::default(),
            chosen: Vec::new(),
            game: Setup::default(),
            castles_from_anywhere: false,
            work: Work::Nothing,
            waiting: VecDeque::new(),
            debug: false,
            is_over: false,
        })
    }

    /// Whether anything is being done.
    pub fn is_busy(&self) -> bool {
        !matches!(self.work, Work::Nothing)
    }

    /// The next command that waits, if it need not wait any longer.
    fn next_waiting(&mut self) -> Option<Command> {
        if matches!(self.work, Work::Nothing) { self.waiting.pop_front() } else { None }
    }

    fn obey_or_queue(&mut self, command: Command) -> io::Result<()> {
        let must_wait = matches!(
            command,
            Command::NewGame
                | Command::Set { .. }
                | Command::Position(_)
                | Command::Go(_)
                | Command::Perft(_)
                | Command::Evaluate
                | Command::Flip
                | Command::Bench
        );
        if !must_wait || matches!(self.work, Work::Nothing) {
            return self.obey(command);
        }
        // Whoever wants another search has forgotten to stop one that would not end by itself.
        if let (Command::Go(_), Work::Searching { handle, ends, .. }) = (&command, &self.work)
            && *ends != Ends::AtItsLimits
        {
            handle.stop();
        }
        self.waiting.push_back(command);
        Ok(())
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Introduce => self.introduce(),
            Command::Ready => self.say(&["readyok"]),
            Command::NewGame => self.forget(),
            Command::Set { name, value } => self.set(&name, &value),
            Command::Position(game) => self.go_to(game),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::PonderHit => {
                self.ponder_hit();
                Ok(())
            }
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Show => self.show(),
            Command::Evaluate => self.evaluate(),
            Command::Flip => {
                let start = Some(extras::flipped(&self.session.position_text()));
                self.go_to(Setup { start, moves: String::new() })
            }
            Command::Bench => self.bench(),
            Command::Build => self.say(&[format!("info string {}", extras::build_text())]),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let Engine { name, author, .. } = self.engine;
        let mut words = vec![format!("id name {name}"), format!("id author {author}")];
        words.extend(self.offers.lines());
        words.push("uciok".to_string());
        self.say(&words)
    }

    fn forget(&mut self) -> io::Result<()> {
        match self.session.clear() {
            Ok(()) => Ok(()),
            Err(error) => self.complain(error),
        }
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        let opened = (self.engine.open)(self.variant()).and_then(|mut session| {
            session.set_game(self.game.start.as_deref(), &self.game.moves)?;
            Ok(session)
        });
        match opened {
            Ok(mut session) => {
                let game = self.game.clone();
                self.work_apart(move |stop| extras::perft(&mut *session, &game, depth, stop))
            }
            Err(error) => self.complain(error),
        }
    }

    fn bench(&mut self) -> io::Result<()> {
        let bench = self.engine.bench.clone();
        self.work_apart(move |_| bench().lines().map(str::to_string).collect())
    }

    /// Does something on a thread of its own, so that we can go on listening.
    fn work_apart(
        &mut self,
        work: impl FnOnce(&AtomicBool) -> Vec<String> + Send + 'static,
    ) -> io::Result<()> {
        let stop = Arc::new(AtomicBool::new(false));
        let (seen, events) = (stop.clone(), self.events.clone());
        let thread = std::thread::Builder::new().name("work".to_string());
        let started = thread.spawn(move || {
            let words = catch_unwind(AssertUnwindSafe(|| work(&seen)));
            let words = words.unwrap_or_else(|_| vec!["info string that has failed".to_string()]);
            // Whoever listens may be gone: then the program ends.
            drop(events.send(Event::Done(words)));
        });
        match started {
            Ok(_) => {
                self.work = Work::Counting { stop };
                Ok(())
            }
            Err(error) => self.complain(error),
        }
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let white_moves = self.session.to_move() == Player::First;
        let from_white = |centi: i32| f64::from(if white_moves { centi } else { -centi }) / 100.0;
        match self.session.evaluate() {
            Ok(Some(centi)) => {
                let account = self.session.account().ok().flatten();
                let mut words: Vec<String> =
                    account.iter().flat_map(|account| account.lines()).map(str::to_string).collect();
                words.push(format!("Static evaluation: {:+.2} for White", from_white(centi)));
                self.say(&words)
            }
            Ok(None) => self.say(&["Static evaluation: none, the game is over"]),
            Err(error) => self.complain(error),
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let mut words: Vec<String> = self.session.board().lines().map(str::to_string).collect();
        words.push(format!("Fen: {}", self.session.position_text()));
        words.push(format!("Key: {:016X}", self.session.key()));
        words.extend(self.session.ending());
        self.say(&words)
    }

    /// One line that says what was wrong.
    fn complain(&mut self, reason: impl Display) -> io::Result<()> {
        self.say(&[format!("info string {}", on_one_line(reason))])
    }

    /// Writes lines and sees to it that they arrive.
    fn say(&mut self, lines: &[impl Display]) -> io::Result<()> {
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }
}

impl Listener for Server<'_> {
    type Words = Vec<String>;

    fn hear(&mut self, event: Event) -> io::Result<ControlFlow<()>> {
        match event {
            Event::End => {
                self.is_over = true;
                return Ok(ControlFlow::Break(()));
            }
            Event::Line(line) => match Command::parse(&line) {
                Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
                Ok(command) => self.obey_or_queue(command)?,
                Err(error) => self.complain(error)?,
            },
            event => {
                self.finish(event)?;
                while let Some(command) = self.next_waiting() {
                    self.obey(command)?;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Said(words) => self.say(&words),
            Event::Done(words) => {
                self.work = Work::Nothing;
                self.say(&words)
            }
            Event::Died => self.recover(),
            Event::Line(_) | Event::End => Ok(()),
        }
    }

    fn owes_an_answer(&self) -> bool {
        match self.work {
            Work::Nothing => false,
            Work::Searching { .. } => true,
            // Whoever has only sent a command still wants to hear how far that came.
            Work::Counting { .. } => self.is_over,
        }
    }

    fn stop(&mut self) {
        match &self.work {
            Work::Nothing => {}
            Work::Searching { handle, .. } => handle.stop(),
            Work::Counting { stop } => stop.store(true, Ordering::Relaxed),
        }
    }
}
