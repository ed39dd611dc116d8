//! The protocol of NBoard, version 2, from the side of whoever is asked: Othello.
//!
//! The board program has the game: `set game` and `move` say where it stands, `go` and `hint` ask about that position and change
//! nothing. What cannot be understood is passed over, as the protocol has it, with a line that says so; the game stays as it was.

mod game;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use outplay_engine::SessionError;
use outplay_search::{Clock, Meaning};

use super::course::discs;
use super::desk::{Desk, Dialogue, Thought, Urgency, hold};
use super::level::{DEEPEST, limits_of_depth};
use super::retrograde::{Judged, Retrograde, Step};
use super::{GameEngine, ServeError, on_one_line};
use crate::othello::square;
use game::TimedGame;

/// The game that the protocol is for.
const GAME: &str = "othello";
/// The depth until the board program has said one.
const USUAL_DEPTH: u32 = 12;
/// What a pass is called.
const PASS: &str = "PA";
/// How much of a line of play is shown.
const SHOWN_MOVES: usize = 16;
/// How many plies of a game go into a book.
const BOOK_PLIES: usize = 24;

/// Answers what `input` asks, on `out`, until it says `quit` or ends. What is to be learned goes into the opening book in that file.
pub fn serve(
    engine: &GameEngine,
    learns_to: Option<PathBuf>,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let dialogue = NBoard { game: TimedGame::default(), depth: USUAL_DEPTH, purpose: None, learns_to };
    hold(dialogue, engine, GAME, input, out)
}

/// Where the dialogue stands.
struct NBoard {
    game: TimedGame,
    depth: u32,
    /// What the search that runs is for.
    purpose: Option<Purpose>,
    learns_to: Option<PathBuf>,
}

enum Purpose {
    Go,
    Hint,
    Analyse(Retrograde),
}

/// Why something was not done, in words.
type Refusal = String;

impl Dialogue for NBoard {
    fn urgency(&self, line: &str) -> Urgency {
        match line.split_whitespace().next() {
            Some("quit") => Urgency::EndsAll,
            // The position is about to change.
            Some("ping") => Urgency::EndsSearchFirst,
            _ => Urgency::InTurn,
        }
    }

    fn obey(&mut self, line: &str, desk: &mut Desk) -> io::Result<()> {
        match self.command(line.trim(), desk) {
            Ok(Some(answer)) => desk.say(answer),
            Ok(None) => Ok(()),
            Err(reason) => desk.say(format_args!("status {}", on_one_line(reason))),
        }
    }

    fn overhear(&mut self, thought: &Thought, desk: &mut Desk) -> io::Result<()> {
        match self.purpose {
            Some(Purpose::Go | Purpose::Hint) if !thought.is_bound => tell(thought, desk),
            _ => Ok(()),
        }
    }

    fn conclude(&mut self, thought: Thought, desk: &mut Desk) -> io::Result<()> {
        match self.purpose.take() {
            None => Ok(()),
            Some(Purpose::Hint) => {
                tell(&thought, desk)?;
                desk.say("status")
            }
            Some(Purpose::Go) => {
                tell(&thought, desk)?;
                let best = thought.best.as_deref().map_or(PASS.to_string(), |m| square(m, PASS));
                let value = thought.lines.first().filter(|_| !thought.is_book);
                let value = value.map_or(String::new(), |(value, _)| format!("{:.2}", discs(*value)));
                desk.say(format_args!("=== {best}/{value}/{:.2}", thought.time.as_secs_f64()))
            }
            // The game is about to change: what is left of it is not looked at.
            Some(Purpose::Analyse(_)) if desk.is_hurried() => desk.say("status"),
            Some(Purpose::Analyse(mut way)) => {
                let judged = way.conclude(&thought, desk);
                self.go_back(way, Some(judged), desk)
            }
        }
    }
}

impl NBoard {
    /// Obeys a command; what to answer, if anything is to be answered now.
    fn command(&mut self, line: &str, desk: &mut Desk) -> Result<Option<String>, Refusal> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" | "quit" => Ok(None),
            "nboard" => match rest.parse::<u32>() {
                Ok(_) => Ok(Some(format!("set myname {}", desk.engine.name))),
                Err(_) => Err(format!("nboard: expected the protocol's version, not {rest:?}")),
            },
            "set" => self.set(rest, desk).map(|()| None),
            "move" => self.game.add_move(rest).map(|()| None),
            "ping" => Ok(Some(format!("pong {rest}"))),
            "hint" => {
                let lines = rest.parse().ok().filter(|&lines: &usize| lines > 0);
                let lines = lines.ok_or_else(|| format!("hint: expected a number of moves, not {rest:?}"))?;
                self.think(Purpose::Hint, lines, desk)
            }
            "go" => self.think(Purpose::Go, 1, desk),
            "learn" => {
                let learned = self.learn(desk);
                // The board program waits for this word, whatever has become of it.
                Ok(Some(match learned {
                    Ok(()) => "learned".to_string(),
                    Err(reason) => format!("learned\nstatus {}", on_one_line(reason)),
                }))
            }
            "analyze" => {
                let way = Retrograde::new(self.game.course.clone(), 0);
                self.go_back(way, None, desk).map(|()| None).map_err(|error| error.to_string())
            }
            other => Err(format!("unknown command {:?}", outplay_core::text::shortened(other))),
        }
    }

    fn set(&mut self, setting: &str, desk: &mut Desk) -> Result<(), Refusal> {
        let (name, value) = setting.split_once(char::is_whitespace).unwrap_or((setting, ""));
        let value = value.trim();
        let number = || value.parse::<i64>().map_err(|_| format!("{name}: expected a number, not {value:?}"));
        match name {
            "depth" => {
                let depth = number()?.clamp(1, i64::from(DEEPEST));
                self.depth = depth as u32;
                Ok(())
            }
            "game" => {
                let game = TimedGame::read(value)?;
                // What has been found in another game may still be of use, but not the other way round.
                if game.course.start != self.game.course.start {
                    desk.session.clear().map_err(|error| error.to_string())?;
                }
                game.course.show(&mut *desk.session).map_err(|error| error.to_string())?;
                self.game = game;
                Ok(())
            }
            // It is for draws of a book, from Black's point of view; ours have values like all others.
            "contempt" => number().map(|_| ()),
            _ => Err(format!("unknown setting {:?}", outplay_core::text::shortened(name))),
        }
    }

    /// Thinks about the position; the answer comes later.
    fn think(&mut self, purpose: Purpose, lines: usize, desk: &mut Desk) -> Result<Option<String>, Refusal> {
        self.begin(&purpose, lines, desk).map_err(|error| error.to_string())?;
        if desk.is_thinking() {
            self.purpose = Some(purpose);
            return Ok(Some("status Outplay is thinking".to_string()));
        }
        Err("the game is over".to_string())
    }

    fn begin(&self, purpose: &Purpose, lines: usize, desk: &mut Desk) -> Result<(), SessionError> {
        self.game.course.show(&mut *desk.session)?;
        if desk.session.outcome().is_some() {
            return Ok(());
        }
        let mut limits = limits_of_depth(self.depth, &mut *desk.session)?;
        limits.lines = lines.min(desk.session.legal_moves().len());
        limits.analysis = matches!(purpose, Purpose::Hint);
        if let (Purpose::Go, Some(remaining)) = (purpose, self.game.remaining()) {
            limits.clock = Some(Clock { remaining, increment: self.game.increment(), moves_to_go: None });
        }
        desk.think(limits)
    }

    /// Goes on with an analysis: tells what was found, and looks at the position before it.
    fn go_back(&mut self, mut way: Retrograde, found: Option<Judged>, desk: &mut Desk) -> io::Result<()> {
        let mut found = found;
        loop {
            if let Some(Judged { plies, value, .. }) = found {
                desk.say(format_args!("analysis {plies} {value:.2}"))?;
            }
            match way.step(self.depth, desk) {
                Ok(Step::Known(judged)) => found = Some(judged),
                Ok(Step::Thinks) => {
                    self.purpose = Some(Purpose::Analyse(way));
                    return Ok(());
                }
                Ok(Step::Done) => return desk.say("status"),
                Err(error) => return desk.say(format_args!("status {}", on_one_line(error))),
            }
        }
    }

    fn learn(&mut self, desk: &mut Desk) -> Result<(), Refusal> {
        let Some(path) = &self.learns_to else {
            return Err("nothing is learned: say into which opening book, with --learn FILE".to_string());
        };
        self.game.course.show(&mut *desk.session).map_err(|error| error.to_string())?;
        game::add_to_book(path, &*desk.session, BOOK_PLIES)
    }
}

/// What a search has found so far: a line for each variation, and how much was done for it.
fn tell(thought: &Thought, desk: &mut Desk) -> io::Result<()> {
    for (value, moves) in &thought.lines {
        let line: String = moves.iter().take(SHOWN_MOVES).map(|m| square(m, PASS)).collect();
        let value_in_discs = discs(*value);
        match value {
            _ if thought.is_book => desk.say(format_args!("book {line} {value_in_discs:.2} 0 0"))?,
            Meaning::Margin(_) => desk.say(format_args!("search {line} {value_in_discs:.2} 0 100%"))?,
            _ => desk.say(format_args!("search {line} {value_in_discs:.2} 0 {}", thought.depth.max(1)))?,
        }
    }
    desk.say(format_args!("nodestats {} {:.2}", thought.nodes, thought.time.as_secs_f64()))
}
