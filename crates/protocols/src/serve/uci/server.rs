//! Hears events one by one, and answers.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use outplay_core::Player;
use outplay_engine::{SearchHandle, Session, SessionError};
use outplay_search::{Limits, OptionSet};

use super::command::{Command, Setup};
use super::go::{Go, is_unbounded};
use super::info::Telling;
use super::options::{CLEAR_HASH, Offers, Settings, Target, squeezed};
use super::strength::Level;
use super::teller::{Fallback, Teller};
use super::{Engine, Event, Variant, extras};

/// Nodes for a search of mates that would otherwise not know when to give up.
const NODES_FOR_MATE: u64 = 1_000_000;

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
    work: Work,
    /// What has to wait until the work is done.
    waiting: VecDeque<Command>,
    debug: bool,
}

/// What is being done.
enum Work {
    Nothing,
    Searching {
        handle: SearchHandle,
        /// Whether only an order ends it.
        is_endless: bool,
        /// Whether it ponders and would end by itself otherwise.
        ends_after_hit: bool,
        /// What is answered if the search breaks.
        fallback: Fallback,
    },
    /// Something that is answered by text alone, and ends when this is set.
    Counting {
        stop: Arc<AtomicBool>,
    },
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
            work: Work::Nothing,
            waiting: VecDeque::new(),
            debug: false,
        })
    }

    /// Takes an event; breaks at the end of the conversation.
    pub fn hear(&mut self, event: Event) -> io::Result<ControlFlow<()>> {
        match event {
            Event::End => return Ok(ControlFlow::Break(())),
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

    /// Takes an event of what is being done, and begins nothing new.
    pub fn finish(&mut self, event: Event) -> io::Result<()> {
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

    /// Whether a search runs whose answer is still to come.
    pub fn owes_an_answer(&self) -> bool {
        matches!(self.work, Work::Searching { .. })
    }

    /// Ends what is being done as soon as possible.
    pub fn stop(&mut self) {
        match &self.work {
            Work::Nothing => {}
            Work::Searching { handle, .. } => handle.stop(),
            Work::Counting { stop } => stop.store(true, Ordering::Relaxed),
        }
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
        // Whoever wants another search has forgotten to stop this one.
        if matches!((&command, &self.work), (Command::Go(_), Work::Searching { is_endless: true, .. })) {
            self.stop();
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

    fn go_to(&mut self, game: Setup) -> io::Result<()> {
        match self.session.set_game(game.start.as_deref(), &game.moves) {
            Ok(()) => {
                self.game = game;
                Ok(())
            }
            Err(error) => self.complain(format_args!("position: {error}")),
        }
    }

    fn set(&mut self, name: &str, value: &str) -> io::Result<()> {
        if squeezed(name) == squeezed(CLEAR_HASH) {
            return self.forget();
        }
        let Some(offer) = self.offers.find(name).cloned() else {
            // A row that is not offered, or none at all: the session knows, and says which ones there are.
            return self.set_in_session(name, value);
        };
        match offer.target {
            Target::Protocol(index) => match offer.row.parse(value) {
                Ok(value) => self.set_own(index, value),
                Err(error) => self.complain(error),
            },
            Target::Session { names } => {
                if let Err(error) = offer.row.parse(value) {
                    return self.complain(error);
                }
                for name in names {
                    self.set_in_session(&name, value)?;
                }
                Ok(())
            }
        }
    }

    fn set_own(&mut self, index: usize, value: outplay_search::OptionValue) -> io::Result<()> {
        let before = self.settings.uci_chess960;
        self.settings.assign(index, value);
        if self.settings.uci_chess960 == before { Ok(()) } else { self.open_anew() }
    }

    fn set_in_session(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.session.set_option(name, value) {
            Ok(()) => {
                self.chosen.retain(|(set, _)| set != name);
                self.chosen.push((name.to_string(), value.to_string()));
                Ok(())
            }
            Err(error) => self.complain(error),
        }
    }

    /// Opens a session for the variant that is asked for, with the options that were set and, if it can be, at the same position.
    fn open_anew(&mut self) -> io::Result<()> {
        let variant = if self.settings.uci_chess960 { Variant::Chess960 } else { Variant::Standard };
        match (self.engine.open)(variant) {
            Ok(session) => self.session = session,
            Err(error) => return self.complain(error),
        }
        for (name, value) in std::mem::take(&mut self.chosen) {
            self.set_in_session(&name, &value)?;
        }
        let game = std::mem::take(&mut self.game);
        self.go_to(game)
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        for complaint in &go.complaints {
            self.complain(complaint)?;
        }
        let mut limits = go.limits();
        limits.lines = usize::try_from(self.settings.multipv).unwrap_or(1);
        for text in &go.only {
            match self.session.parse_move(text) {
                Ok(m) => limits.only.push(m),
                Err(error) => self.complain(format_args!("go: {error}"))?,
            }
        }
        let telling = Telling { lines: limits.lines, chances: self.settings.uci_showwdl };
        let is_limited =
            self.settings.uci_limitstrength && !self.settings.uci_analysemode && !limits.infinite;
        let level = is_limited.then(|| Level::new(self.settings.uci_elo, &self.session.position_text()));
        if let Some(level) = level {
            level.limit(&mut limits);
        }
        let fallback = self.fallback(&limits);
        let teller = || {
            let (events, fallback) = (self.events.clone(), fallback.clone());
            Teller { events, telling, level, fallback, debug: self.debug, is_done: false }
        };
        let is_endless = is_unbounded(&limits);
        let mut started = start(&mut *self.session, limits.clone(), teller());
        if let Err(SessionError::Endless(_)) = started {
            limits.nodes = Some(NODES_FOR_MATE);
            started = start(&mut *self.session, limits.clone(), teller());
        }
        match started {
            Ok(handle) => {
                let ends_after_hit = limits.ponder && !is_endless;
                let is_endless = is_endless || limits.ponder;
                self.work = Work::Searching { handle, is_endless, ends_after_hit, fallback };
                Ok(())
            }
            Err(error) => {
                self.complain(format_args!("go: {error}"))?;
                self.say(&fallback.last_words())
            }
        }
    }

    /// What to answer if a search within these limits says nothing.
    fn fallback(&self, limits: &Limits) -> Fallback {
        let plain = |m| self.session.plain_line_text(&[m]).pop();
        // Also where the game is drawn but may go on.
        let any = || self.session.perft(1, 1, &|_, _| ()).into_iter().next();
        let any_move = || any().and_then(|(text, _)| self.session.parse_move(&text).ok());
        let m = limits.only.first().copied().or_else(any_move).and_then(plain);
        let is_lost = self.session.outcome().is_some_and(|outcome| outcome.winner().is_some());
        Fallback { m, is_lost }
    }

    fn ponder_hit(&mut self) {
        if let Work::Searching { handle, is_endless, ends_after_hit, .. } = &mut self.work {
            handle.ponder_hit();
            *is_endless &= !*ends_after_hit;
        }
    }

    /// Answers for a search that has broken, and goes on with another session.
    fn recover(&mut self) -> io::Result<()> {
        if let Work::Searching { fallback, .. } = std::mem::replace(&mut self.work, Work::Nothing) {
            self.complain(
                "the search has failed: any move is played, and all that was learned is forgotten",
            )?;
            self.say(&fallback.last_words())?;
            self.open_anew()?;
        }
        Ok(())
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        let variant = if self.settings.uci_chess960 { Variant::Chess960 } else { Variant::Standard };
        let opened = (self.engine.open)(variant).and_then(|mut session| {
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
        // Whoever listens may be gone: then the program ends.
        let started = thread.spawn(move || drop(events.send(Event::Done(work(&seen)))));
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
            Ok(Some(centi)) => self.say(&[format!("Static evaluation: {:+.2} for White", from_white(centi))]),
            Ok(None) => self.say(&["Static evaluation: none, the game is over"]),
            Err(error) => self.complain(error),
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let mut words: Vec<String> = self.session.board().lines().map(str::to_string).collect();
        words.push(format!("Fen: {}", self.session.position_text()));
        words.extend(self.session.ending());
        self.say(&words)
    }

    /// One line that says what was wrong.
    fn complain(&mut self, reason: impl Display) -> io::Result<()> {
        self.say(&[format!("info string {}", reason.to_string().replace(['\n', '\r'], " "))])
    }

    /// Writes lines and sees to it that they arrive.
    fn say(&mut self, lines: &[impl Display]) -> io::Result<()> {
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }
}

fn start(
    session: &mut dyn Session,
    limits: Limits,
    mut teller: Teller,
) -> Result<SearchHandle, SessionError> {
    session.go(limits, Box::new(move |report, wording| teller.tell(report, wording)))
}
