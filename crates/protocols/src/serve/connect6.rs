//! The line protocol of Cloudict and other Connect6 programs, from the side of whoever is asked.
//!
//! What holds whatever is sent, and whenever:
//!
//! - A turn is one word of letters, column and row of each stone, A to S **with I**, from the lower left: `JJ` is the centre.
//! - `new black`, `move` and `next` are answered by one line that begins with `move `, or by one that says why there is none. Nothing
//!   else begins so.
//! - The answer has four letters, but for Black's first stone. If our first stone wins, the second one is a filler: the first empty
//!   cell, row by row from A A.
//! - What cannot be understood or done gets one line that begins with `error: `, and all stays as it was.
//! - `quit` and the end of the input are heard at once, also while we think. What was asked before is answered quickly.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use outplay_connect::Rules;
use outplay_core::text::{parse_cell, shortened};
use outplay_core::{Outcome, Player};

use super::desk::{Desk, Dialogue, Thought, Urgency, hold};
use super::stones::{Cell, Stones};
use super::time_limits::{TimeLimits, seconds};
use super::{GameEngine, ServeError, on_one_line};
use crate::cells::{cells_of_letters, two_letters};
use crate::connect6::DEFEAT;

/// The option of our searches that comes nearest to the search for forced wins which `vcf` switches.
const FORCED_WINS: &str = "forced_wins";

/// No line of it begins with a command, so that none is taken for one.
const HELP: &str = "\
Cells are two letters, column and row, A to S with I, from the lower left: JJ is the centre.
  name            - our name.
  new black       - a new game in which we are Black; we answer with our first stone, move JJ.
  new white       - a new game in which we are White.
  move XXXX       - the opponent's turn; we answer with ours. Black's first turn is one stone: move JJ.
  black XXXX      - place black stones, one (XX) or two, without an answer.
  white XXXX      - place white stones.
  next            - we answer for whoever was not placed last.
  depth D         - look at most D stones ahead; 0 for no such limit.
  movetime MS     - think so many milliseconds about a turn; 0 for the usual time, five seconds.
  time S [INC]    - S seconds are left on our clock, and INC are added after each turn of ours; time 0 for no clock.
  vcf, unvcf      - see forced wins at once, or leave them to the search.
  print           - show the board and the position as text.
  help            - this.
  quit, exit      - the end.";

/// Answers what `input` asks, on `out`, until it says `quit` or ends.
pub fn serve(
    engine: &GameEngine,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let stones = Stones::new(Rules::CONNECT6);
    let dialogue =
        Connect6 { stones, us: Player::Second, time_limits: TimeLimits::default(), placed: Vec::new() };
    hold(dialogue, engine, "connect6", input, out)
}

/// Where the dialogue stands.
struct Connect6 {
    /// The game, up to the last whole turn.
    stones: Stones,
    /// Who we are.
    us: Player,
    time_limits: TimeLimits,
    /// The stones of the turn that we are thinking about.
    placed: Vec<Cell>,
}

impl Dialogue for Connect6 {
    fn urgency(&self, line: &str) -> Urgency {
        match line.split_whitespace().next() {
            Some("quit" | "exit") => Urgency::EndsAll,
            _ => Urgency::InTurn,
        }
    }

    fn obey(&mut self, line: &str, desk: &mut Desk) -> io::Result<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let done = match words.as_slice() {
            [] | ["quit" | "exit"] => Ok(()),
            ["name"] => return desk.say(format_args!("name {} {}", desk.engine.name, desk.engine.version)),
            ["help"] => return desk.say(HELP),
            ["print"] => return self.print(desk),
            ["new", "black"] => return self.new_game(Player::First, desk),
            ["new", "white"] => return self.new_game(Player::Second, desk),
            ["move", turn] => return self.answer(turn, desk),
            ["black", stones] => self.place(Player::First, stones),
            ["white", stones] => self.place(Player::Second, stones),
            ["next"] => return self.next(desk),
            ["depth", depth] => self.set_depth(depth),
            ["movetime", time] => self.set_turn_time(time),
            ["time", left] => self.set_clock(left, "0"),
            ["time", left, increment] => self.set_clock(left, increment),
            ["vcf"] => switch_forced_wins(true, desk),
            ["unvcf"] => switch_forced_wins(false, desk),
            [command @ ("new" | "move" | "black" | "white" | "depth" | "movetime" | "time"), ..] => {
                Err(format!("{command}: see help for what follows it"))
            }
            [command, ..] => Err(format!("unknown command {}: help lists them all", shortened(command))),
        };
        done.or_else(|reason| complain(reason, desk))
    }

    fn conclude(&mut self, thought: Thought, desk: &mut Desk) -> io::Result<()> {
        let stone = thought.best.and_then(|m| Some((parse_cell(&m)?, desk.session.play_text(&m).ok()?)));
        let Some((cell, _)) = stone else { return self.give_up("no stone can be placed", desk) };
        self.placed.push(cell);
        let is_over = desk.session.outcome().is_some();
        if !is_over && self.placed.len() < usize::from(self.stones.turn().stones_left) {
            return self.think(desk);
        }
        self.speak(desk)
    }
}

impl Connect6 {
    fn new_game(&mut self, us: Player, desk: &mut Desk) -> io::Result<()> {
        if let Err(error) = desk.session.clear() {
            return complain(error, desk);
        }
        (self.stones, self.us) = (Stones::new(Rules::CONNECT6), us);
        match us {
            Player::First => self.next(desk),
            Player::Second => Ok(()),
        }
    }

    /// Places stones of one colour, all or none, in whatever order colours come: the position is checked when we think about it.
    fn place(&mut self, player: Player, letters: &str) -> Result<(), String> {
        self.stones = self.with(player, letters)?;
        self.us = player;
        Ok(())
    }

    /// The stones with some more.
    fn with(&self, player: Player, letters: &str) -> Result<Stones, String> {
        let cells = cells_of_letters(letters).filter(|cells| (1..=2).contains(&cells.len()));
        let cells = cells.ok_or_else(|| {
            let found = shortened(letters);
            format!("{found}: expected two letters a stone for one or two stones, A to S, as in JJ or JJKK")
        })?;
        let mut stones = self.stones.clone();
        for cell in cells {
            stones.place(player, cell).map_err(|reason| format!("{}: {reason}", two_letters(cell)))?;
        }
        Ok(stones)
    }

    /// Takes the opponent's turn, and thinks about ours.
    fn answer(&mut self, letters: &str, desk: &mut Desk) -> io::Result<()> {
        let turn = self.stones.turn();
        if turn.player == self.us {
            return complain("move: it is our turn, not the opponent's: say next", desk);
        }
        let stones = match self.with(turn.player, letters) {
            Ok(stones) => stones,
            Err(reason) => return complain(format_args!("move: {reason}"), desk),
        };
        let (count, due) = (stones.count() - self.stones.count(), usize::from(turn.stones_left));
        let stones = match stones.show(&mut *desk.session) {
            Ok(()) => stones,
            Err(error) => match won_with_first(&stones, count, desk) {
                Some(first) => first,
                None => return complain(format_args!("move: {error}"), desk),
            },
        };
        match desk.session.outcome() {
            Some(outcome) => {
                self.stones = stones;
                desk.say(if outcome == Outcome::DRAW { "Draw!" } else { DEFEAT })
            }
            None if count != due => {
                complain(format_args!("move: expected {due} stones for this turn, not {count}"), desk)
            }
            None => {
                self.stones = stones;
                self.begin_turn(desk)
            }
        }
    }

    /// Thinks for whoever was not placed last.
    fn next(&mut self, desk: &mut Desk) -> io::Result<()> {
        let player = self.stones.last().map_or(Player::First, |(last, _)| !last);
        let turn = self.stones.turn();
        let is_whole =
            self.stones.count() == 0 || usize::from(turn.stones_left) == Rules::CONNECT6.turn_stones();
        if turn.player != player || !is_whole {
            let reason = "next: the stones do not end with a whole turn of the other player";
            return complain(reason, desk);
        }
        if let Err(error) = self.stones.show(&mut *desk.session) {
            return complain(format_args!("next: {error}"), desk);
        }
        if let Some(ending) = desk.session.ending() {
            return complain(format_args!("next: the game is over: {ending}"), desk);
        }
        self.us = player;
        self.begin_turn(desk)
    }

    /// Begins our turn in the position that the session stands at.
    fn begin_turn(&mut self, desk: &mut Desk) -> io::Result<()> {
        self.placed.clear();
        self.time_limits.begin_turn();
        if self.stones.count() == 0 {
            self.placed.push(self.stones.centre());
            return self.speak(desk);
        }
        self.think(desk)
    }

    fn think(&mut self, desk: &mut Desk) -> io::Result<()> {
        let left = usize::from(self.stones.turn().stones_left) - self.placed.len();
        match desk.think(self.time_limits.limits(self.us, left as u32)) {
            Ok(()) => Ok(()),
            Err(error) => self.give_up(error, desk),
        }
    }

    /// Answers with the stones of our turn.
    fn speak(&mut self, desk: &mut Desk) -> io::Result<()> {
        let due = usize::from(self.stones.turn().stones_left);
        let mut letters = String::new();
        for cell in std::mem::take(&mut self.placed) {
            letters += &two_letters(cell);
            if let Err(reason) = self.stones.place(self.us, cell) {
                return self.give_up(reason, desk);
            }
        }
        if letters.len() < 2 * due
            && let Some(filler) = self.stones.any_empty()
        {
            letters += &two_letters(filler);
        }
        self.time_limits.end_turn(self.us);
        desk.say(format_args!("move {letters}"))
    }

    /// A turn that cannot be answered.
    fn give_up(&mut self, reason: impl std::fmt::Display, desk: &mut Desk) -> io::Result<()> {
        self.placed.clear();
        complain(reason, desk)
    }

    fn print(&mut self, desk: &mut Desk) -> io::Result<()> {
        match self.stones.show(&mut *desk.session) {
            Ok(()) => {
                let (board, position) = (desk.session.board(), desk.session.position_text());
                let ending = desk.session.ending().map_or(String::new(), |ending| format!("\n{ending}"));
                desk.say(format_args!("{board}{position}{ending}"))
            }
            Err(error) => complain(format_args!("print: {error}"), desk),
        }
    }

    fn set_depth(&mut self, text: &str) -> Result<(), String> {
        let depth: u32 =
            text.parse().map_err(|_| format!("depth: expected a number, not {}", shortened(text)))?;
        self.time_limits.depth = (depth > 0).then_some(depth);
        Ok(())
    }

    fn set_turn_time(&mut self, text: &str) -> Result<(), String> {
        let time: u32 =
            text.parse().map_err(|_| format!("movetime: expected milliseconds, not {}", shortened(text)))?;
        self.time_limits.turn_time = (time > 0).then(|| Duration::from_millis(u64::from(time)));
        Ok(())
    }

    fn set_clock(&mut self, left: &str, increment: &str) -> Result<(), String> {
        let read = |text: &str| {
            seconds(text).ok_or_else(|| format!("time: expected seconds, not {}", shortened(text)))
        };
        let (left, increment) = (read(left)?, read(increment)?);
        self.time_limits.left = [Some(left).filter(|left| !left.is_zero()); 2];
        self.time_limits.increment = increment;
        Ok(())
    }
}

/// The stones without the last of two, if the first of them has won: then the other is only a filler.
fn won_with_first(stones: &Stones, count: usize, desk: &mut Desk) -> Option<Stones> {
    let mut first = stones.clone();
    first.take_back().filter(|_| count == 2)?;
    first.show(&mut *desk.session).ok()?;
    desk.session.outcome().map(|_| first)
}

fn switch_forced_wins(on: bool, desk: &mut Desk) -> Result<(), String> {
    desk.session.set_option(FORCED_WINS, if on { "true" } else { "false" }).map_err(|error| error.to_string())
}

/// One line that says what was wrong.
fn complain(reason: impl std::fmt::Display, desk: &mut Desk) -> io::Result<()> {
    desk.say(format_args!("error: {}", on_one_line(reason)))
}
