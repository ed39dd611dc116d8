//! The protocol of the Gomocup tournaments, from the side of whoever is asked: free-style gomoku, five or more in a row.
//!
//! A cell is two numbers, `x,y`, both counted from 0 at the **upper left**. What holds whatever is sent, and whenever:
//!
//! - `BEGIN`, `TURN`, `BOARD`, `SWAP2BOARD` and `YXNBEST` are answered by one line of cells (or `SWAP`), or by one that begins with
//!   `ERROR`. `START`, `RECTSTART`, `RESTART` and `TAKEBACK` are answered by `OK` or `ERROR`.
//! - Rules that we do not play (exactly five, renju, caro) are refused, and so is every question for as long as they stand.
//! - What we do not know is answered by `UNKNOWN`, what cannot be done by `ERROR`, and all stays as it was.
//! - `END` and the end of the input are heard at once, also while we think; `YXSTOP` ends a search, which then answers.

mod info;
mod list;
mod swap2;

use std::io::{self, BufRead, Write};

use outplay_connect::Rules;
use outplay_core::text::{parse_cell, shortened};
use outplay_core::{Outcome, Player};

use super::desk::{Desk, Dialogue, Thought, Urgency, hold};
use super::stones::{Cell, Stones};
use super::time_limits::TimeLimits;
use super::{GameEngine, ServeError, on_one_line};
use crate::cells::{cell_of_numbers, numbers_from_top};
use list::List;

/// Boards that are smaller leave no room for a game.
const LEAST_SIDE: usize = 5;
/// How many lines are shown at most, and how many moves of each.
const MOST_LINES: usize = 50;
const SHOWN_MOVES: usize = 10;

/// Answers what `input` asks, on `out`, until it says `END` or ends.
pub fn serve(
    engine: &GameEngine,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let dialogue = Gomocup {
        stones: None,
        time_limits: TimeLimits::default(),
        most_memory: 0,
        refused_rule: None,
        shows_info: false,
        list: None,
        purpose: Purpose::Play,
    };
    hold(dialogue, engine, "gomoku", input, out)
}

/// Where the dialogue stands.
struct Gomocup {
    /// The game; `None` before `START`.
    stones: Option<Stones>,
    time_limits: TimeLimits,
    /// How many bytes of memory we may use; 0 if that is not limited.
    most_memory: i64,
    /// Why the rule that was asked for is not played.
    refused_rule: Option<String>,
    /// Whether to tell what a search thinks while it goes on.
    shows_info: bool,
    /// The list of stones that is being read.
    list: Option<List>,
    /// What the search that runs is for.
    purpose: Purpose,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Play,
    /// Play on, or change colours.
    Choose,
    Analyse,
}

/// Why something was not done, in words.
type Refusal = String;

impl Dialogue for Gomocup {
    fn urgency(&self, line: &str) -> Urgency {
        match line.trim().to_ascii_uppercase().as_str() {
            "END" => Urgency::EndsAll,
            "YXSTOP" => Urgency::EndsSearch,
            _ => Urgency::InTurn,
        }
    }

    fn obey(&mut self, line: &str, desk: &mut Desk) -> io::Result<()> {
        let before = self.stones.clone();
        let done = match self.list.take() {
            Some(list) => self.read_on(list, line.trim(), desk),
            None => self.command(line.trim(), desk),
        };
        match done {
            Ok(None) => Ok(()),
            Ok(Some(answer)) => desk.say(answer),
            Err(reason) => {
                // A turn that nobody can answer has not been taken.
                self.stones = before;
                desk.say(format_args!("ERROR {}", on_one_line(reason)))
            }
        }
    }

    fn overhear(&mut self, thought: &Thought, desk: &mut Desk) -> io::Result<()> {
        if self.shows_info { self.tell(thought, desk) } else { Ok(()) }
    }

    fn conclude(&mut self, thought: Thought, desk: &mut Desk) -> io::Result<()> {
        let by = desk.session.to_move();
        self.time_limits.end_turn(by);
        if self.shows_info || self.purpose == Purpose::Analyse {
            self.tell(&thought, desk)?;
        }
        if self.purpose == Purpose::Choose && swap2::prefers_other_side(&thought) {
            return desk.say("SWAP");
        }
        let cell = thought.best.as_deref().and_then(parse_cell);
        let (Some(cell), Some(stones)) = (cell, &mut self.stones) else {
            return desk.say("ERROR there is no cell left");
        };
        if self.purpose != Purpose::Analyse
            && let Err(reason) = stones.place(by, cell)
        {
            return desk.say(format_args!("ERROR {reason}"));
        }
        let answer = numbers_from_top(cell, stones.rules().rows());
        desk.say(answer)
    }
}

impl Gomocup {
    /// Obeys a command; what to answer, if anything is to be answered now.
    fn command(&mut self, line: &str, desk: &mut Desk) -> Result<Option<String>, Refusal> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (command, rest) = (command.to_ascii_uppercase(), rest.trim());
        let ok = || Ok(Some("OK".to_string()));
        match command.as_str() {
            "" | "END" => Ok(None),
            "START" => self.start(rest, rest, desk).and_then(|()| ok()),
            "RECTSTART" => {
                let (columns, rows) = rest.split_once(',').ok_or("expected columns,rows, as in 20,15")?;
                self.start(columns.trim(), rows.trim(), desk).and_then(|()| ok())
            }
            "RESTART" => {
                let rules = self.stones()?.rules();
                desk.session.clear().map_err(|error| error.to_string())?;
                self.stones = Some(Stones::new(rules));
                ok()
            }
            "ABOUT" => {
                let GameEngine { name, version, author, .. } = desk.engine;
                Ok(Some(format!("name=\"{name}\", version=\"{version}\", author=\"{author}\"")))
            }
            "INFO" => {
                self.inform(rest, desk)?;
                Ok(None)
            }
            "BEGIN" => match self.stones()?.count() {
                0 => self.think(Purpose::Play, 1, desk),
                _ => Err("BEGIN: there are stones already".to_string()),
            },
            "TURN" => {
                let played = self.with_stone(rest)?;
                self.go_to(played, desk)?;
                self.think(Purpose::Play, 1, desk)
            }
            "TAKEBACK" => {
                let mut stones = self.stones()?.clone();
                let cell = self.read_cell(rest)?;
                match stones.take_back() {
                    Some((_, last)) if last == cell => self.stones = Some(stones),
                    _ => return Err(format!("TAKEBACK: {} is not the last stone", shortened(rest))),
                }
                ok()
            }
            "BOARD" | "YXBOARD" | "SWAP2BOARD" => {
                // What follows is a list in any case, so that none of its lines is taken for a command.
                self.list = Some(List::new(command));
                Ok(None)
            }
            "YXSHOWINFO" => {
                self.shows_info = true;
                Ok(None)
            }
            "YXNBEST" => {
                let lines = rest.parse().ok().filter(|lines| (1..=MOST_LINES).contains(lines));
                let lines =
                    lines.ok_or_else(|| format!("YXNBEST: expected a number from 1 to {MOST_LINES}"))?;
                self.think(Purpose::Analyse, lines, desk)
            }
            _ => Ok(Some(format!("UNKNOWN command {}", shortened(&command)))),
        }
    }

    fn stones(&self) -> Result<&Stones, Refusal> {
        self.stones.as_ref().ok_or_else(|| "there is no board: begin with START".to_string())
    }

    fn read_cell(&self, text: &str) -> Result<Cell, Refusal> {
        let rules = self.stones()?.rules();
        cell_of_numbers(text, (rules.columns(), rules.rows())).ok_or_else(|| {
            format!("expected a cell of the board as x,y counted from 0, not {}", shortened(text))
        })
    }

    /// The board with a stone of whoever moves.
    fn with_stone(&self, text: &str) -> Result<Stones, Refusal> {
        let mut stones = self.stones()?.clone();
        stones.place(stones.turn().player, self.read_cell(text)?)?;
        Ok(stones)
    }

    fn start(&mut self, columns: &str, rows: &str, desk: &mut Desk) -> Result<(), Refusal> {
        let most = Rules::MAX_SIDE;
        let side = |text: &str| {
            let side = text.parse().ok().filter(|side| (LEAST_SIDE..=most).contains(side));
            side.ok_or_else(|| {
                format!("expected a side from {LEAST_SIDE} to {most}, not {}", shortened(text))
            })
        };
        let rules = Rules::new(side(columns)?, side(rows)?, 5, 1, 1).map_err(|error| error.to_string())?;
        desk.open(&format!("connect:{rules}")).map_err(|error| error.to_string())?;
        self.stones = Some(Stones::new(rules));
        self.limit_table(desk)
    }

    /// Goes to a position if the session can: nothing changes otherwise.
    fn go_to(&mut self, stones: Stones, desk: &mut Desk) -> Result<(), Refusal> {
        stones.show(&mut *desk.session).map_err(|error| error.to_string())?;
        self.stones = Some(stones);
        Ok(())
    }

    /// Thinks about the position as it stands; the answer comes later, unless there is nothing to think about.
    fn think(&mut self, purpose: Purpose, lines: usize, desk: &mut Desk) -> Result<Option<String>, Refusal> {
        if let Some(reason) = &self.refused_rule {
            return Err(reason.clone());
        }
        let stones = self.stones()?.clone();
        stones.show(&mut *desk.session).map_err(|error| error.to_string())?;
        if let Some(outcome) = desk.session.outcome() {
            let how = if outcome == Outcome::DRAW { "drawn" } else { "won" };
            return Err(format!("the game is {how} already"));
        }
        if stones.count() == 0 && purpose == Purpose::Play {
            let centre = stones.centre();
            let mut stones = stones;
            stones.place(Player::First, centre)?;
            let answer = numbers_from_top(centre, stones.rules().rows());
            self.stones = Some(stones);
            return Ok(Some(answer));
        }
        self.time_limits.begin_turn();
        self.purpose = purpose;
        let mut limits = self.time_limits.limits(desk.session.to_move(), 1);
        (limits.lines, limits.analysis) = (lines, purpose == Purpose::Analyse);
        desk.think(limits).map_err(|error| error.to_string())?;
        Ok(None)
    }

    /// What a search thinks, a line for each variation.
    fn tell(&self, thought: &Thought, desk: &mut Desk) -> io::Result<()> {
        let rows = self.stones.as_ref().map_or(0, |stones| stones.rules().rows());
        for (index, (value, moves)) in thought.lines.iter().enumerate() {
            let cells = moves.iter().take(SHOWN_MOVES).filter_map(|m| parse_cell(m));
            let cells: Vec<String> = cells.map(|cell| numbers_from_top(cell, rows)).collect();
            let (depth, nodes, time) = (thought.depth, thought.nodes, thought.time.as_millis());
            let number = index + 1;
            let cells = cells.join(" ");
            desk.say(format_args!(
                "MESSAGE {number}. depth {depth} value {value} nodes {nodes} time {time} line {cells}"
            ))?;
        }
        Ok(())
    }
}
