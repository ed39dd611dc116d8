//! What the protocols share in which one question is answered after the other: a session, a search that may run, and lines that wait
//! for it to end.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use outplay_engine::{SearchHandle, Session, SessionError, Wording};
use outplay_search::{Bound, Limits, Meaning, Report, StopReason};

use super::talk::{Event, Listener, Reporter, converse};
use super::{GameEngine, ServeError};

/// A value for the player to move, and the moves that lead to it.
pub(crate) type Line = (Meaning, Vec<String>);

/// What a search has found so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thought {
    /// The completed depth.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// The time since it began.
    pub time: Duration,
    /// The best lines, best first, each with its value for the player to move.
    pub lines: Vec<Line>,
    /// Whether one of these values is only a bound, because the search looks again.
    pub is_bound: bool,
    /// Whether the move comes from an opening book.
    pub is_book: bool,
    /// The move to play, as programs exchange them: the first of the best line, or any if there is none. `None` if there is no move.
    pub best: Option<String>,
}

/// How soon a line has to be heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Urgency {
    /// When all before it is done.
    InTurn,
    /// At once: it ends the search, and that is all it does.
    EndsSearch,
    /// The same, and once the search has been answered for it has its turn.
    EndsSearchFirst,
    /// At once: it ends the conversation. What was asked before is answered quickly.
    EndsAll,
}

/// One protocol: what it makes of lines and of what searches find.
pub(crate) trait Dialogue {
    /// How soon a line has to be heard.
    fn urgency(&self, line: &str) -> Urgency;

    /// Obeys a line, while no search runs; it may begin one.
    fn obey(&mut self, line: &str, desk: &mut Desk) -> io::Result<()>;

    /// Hears what a search says while it goes on.
    fn overhear(&mut self, _thought: &Thought, _desk: &mut Desk) -> io::Result<()> {
        Ok(())
    }

    /// Makes something of what a search has found; it may begin another one.
    fn conclude(&mut self, thought: Thought, desk: &mut Desk) -> io::Result<()>;
}

/// What a dialogue works with.
pub(crate) struct Desk<'a> {
    /// The engine that answers.
    pub engine: &'a GameEngine,
    /// The game as it stands.
    pub session: Box<dyn Session>,
    game: String,
    out: &'a mut dyn Write,
    events: Sender<Event<Thought>>,
    search: Option<Running>,
    /// Whether somebody wants what is being done to end, and not only the search that runs.
    is_hurried: bool,
    /// Whether the conversation is over, so that no search gets time.
    is_over: bool,
}

/// A search that runs.
struct Running {
    handle: SearchHandle,
    /// Where it began, and any move from there, in case it breaks.
    position: String,
    any_move: Option<String>,
}

impl Desk<'_> {
    /// Writes a text, which may be of several lines, and sees to it that it arrives.
    pub fn say(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Writes a text that ends within a line: whoever reads it is to go on.
    pub fn ask(&mut self, text: impl Display) -> io::Result<()> {
        write!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Begins another game, by its name in the catalogue.
    pub fn open(&mut self, game: &str) -> Result<(), SessionError> {
        self.session = (self.engine.open)(game)?;
        self.game = game.to_string();
        Ok(())
    }

    /// Begins a search of the position that the session stands at.
    pub fn think(&mut self, limits: Limits) -> Result<(), SessionError> {
        let any_move = self.session.legal_moves().first().copied();
        let any_move = any_move.and_then(|m| self.session.plain_line_text(&[m]).pop());
        let (mut reporter, fallback) = (Reporter::new(self.events.clone()), any_move.clone());
        let position = self.session.position_text();
        let handle = self.session.go(
            limits,
            Box::new(move |report, wording| {
                let thought = thought(report, wording, &fallback);
                match report.stopped {
                    None => reporter.said(thought),
                    Some(_) => reporter.done(thought),
                }
            }),
        )?;
        if self.is_over {
            handle.stop();
        }
        self.search = Some(Running { handle, position, any_move });
        Ok(())
    }

    /// Goes on with another session after a search has broken, and says what to make of it.
    fn recover(&mut self) -> Option<Thought> {
        let Running { position, any_move: best, .. } = self.search.take()?;
        let restored = (self.engine.open)(&self.game).and_then(|mut session| {
            session.set_game(Some(&position), "")?;
            Ok(session)
        });
        // If even that fails, the old session is all there is.
        if let Ok(session) = restored {
            self.session = session;
        }
        Some(Thought { best, ..Thought::default() })
    }

    /// Whether a search runs.
    pub fn is_thinking(&self) -> bool {
        self.search.is_some()
    }

    /// Whether somebody wants what is being done to end: whoever hears of a search then should begin no further one by himself.
    pub fn is_hurried(&self) -> bool {
        self.is_hurried
    }

    /// Ends a search as soon as possible, and what it is a part of.
    fn hurry(&mut self) {
        self.is_hurried = self.is_thinking();
        self.stop();
    }

    /// Ends a search as soon as possible.
    fn stop(&self) {
        if let Some(search) = &self.search {
            search.handle.stop();
        }
    }
}

fn thought(report: &Report, wording: &dyn Wording, any_move: &Option<String>) -> Thought {
    let lines = report.lines.iter().map(|line| (line.score, wording.plain_line_text(&line.moves)));
    let lines: Vec<Line> = lines.filter(|(_, moves)| !moves.is_empty()).collect();
    let best = lines.first().and_then(|(_, moves)| moves.first()).or(any_move.as_ref()).cloned();
    Thought {
        depth: report.depth,
        nodes: report.counters.nodes,
        time: report.time,
        lines,
        is_bound: report.lines.iter().any(|line| line.bound != Bound::Exact),
        is_book: report.stopped == Some(StopReason::Book),
        best,
    }
}

/// A dialogue at its desk, with the lines that wait.
struct Server<'a, D> {
    dialogue: D,
    desk: Desk<'a>,
    waiting: VecDeque<String>,
}

impl<D: Dialogue> Server<'_, D> {
    /// Obeys what waits, until a search begins or the conversation ends.
    fn obey_waiting(&mut self) -> io::Result<ControlFlow<()>> {
        while !self.desk.is_thinking() {
            let Some(line) = self.waiting.pop_front() else { break };
            self.dialogue.obey(&line, &mut self.desk)?;
            if self.dialogue.urgency(&line) == Urgency::EndsAll {
                self.waiting.clear();
                return Ok(ControlFlow::Break(()));
            }
            // A search that was asked for before somebody wanted it ended has no time.
            let is_hurried = |line: &String| self.dialogue.urgency(line) == Urgency::EndsSearchFirst;
            if self.waiting.iter().any(is_hurried) {
                self.desk.hurry();
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn take_news(&mut self, event: Event<Thought>) -> io::Result<()> {
        let thought = match event {
            Event::Said(thought) => return self.dialogue.overhear(&thought, &mut self.desk),
            Event::Done(thought) => {
                self.desk.search = None;
                Some(thought)
            }
            Event::Died => self.desk.recover(),
            Event::Line(_) | Event::End => None,
        };
        let Some(thought) = thought else { return Ok(()) };
        let concluded = self.dialogue.conclude(thought, &mut self.desk);
        self.desk.is_hurried = false;
        concluded
    }
}

impl<D: Dialogue> Listener for Server<'_, D> {
    type Words = Thought;

    fn hear(&mut self, event: Event<Thought>) -> io::Result<ControlFlow<()>> {
        match event {
            Event::End => return Ok(ControlFlow::Break(())),
            Event::Line(line) => match self.dialogue.urgency(&line) {
                Urgency::EndsSearch => self.desk.hurry(),
                Urgency::InTurn => self.waiting.push_back(line),
                Urgency::EndsSearchFirst => {
                    self.desk.hurry();
                    self.waiting.push_back(line);
                }
                Urgency::EndsAll => {
                    self.waiting.push_back(line);
                    if self.desk.is_thinking() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            },
            news => self.take_news(news)?,
        }
        self.obey_waiting()
    }

    fn finish(&mut self, event: Event<Thought>) -> io::Result<()> {
        self.take_news(event)?;
        self.obey_waiting().map(|_| ())
    }

    fn stop(&mut self) {
        self.desk.is_over = true;
        self.desk.stop();
    }

    fn owes_an_answer(&self) -> bool {
        self.desk.is_thinking() || !self.waiting.is_empty()
    }
}

/// Holds a dialogue about a game until the input says so or ends.
pub(crate) fn hold(
    dialogue: impl Dialogue,
    engine: &GameEngine,
    game: &str,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let (sender, events) = mpsc::channel();
    let session = (engine.open)(game)?;
    let game = game.to_string();
    let desk = Desk {
        engine,
        session,
        game,
        out,
        events: sender.clone(),
        search: None,
        is_hurried: false,
        is_over: false,
    };
    converse(Server { dialogue, desk, waiting: VecDeque::new() }, input, sender, &events)
}
