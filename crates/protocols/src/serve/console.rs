//! A console for Othello as players of Edax know it, for people and for programs that drive such a console.
//!
//! A command a line; the board after each that changes it. What cannot be done gets one line that says why, and all stays as it was.

mod words;

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use outplay_core::text::shortened;
use outplay_core::{Game, Notation, Player};
use outplay_engine::{SaveNotes, SessionError};
use outplay_othello::{Othello, transcript};
use outplay_search::{Clock, Limits};

use super::course::{Course, discs};
use super::desk::{Desk, Dialogue, Line, Thought, Urgency, hold};
use super::level::{DEEPEST, limits_of_depth};
use super::retrograde::{Judged, Retrograde, Step};
use super::time_limits::seconds;
use super::{GameEngine, ServeError, on_one_line};
use crate::othello::square;
use words::{COMMANDS, Problem, analysis_row, row, solved_row};

/// The game of the console.
const GAME: &str = "othello";
/// The level until somebody has said one.
const USUAL_LEVEL: u32 = 16;
/// What a pass is called.
const PASS: &str = "PS";
/// Nodes that are enough for any ending that can be solved at all.
const ENDLESS: u64 = u64::MAX / 4;
/// The most problems that are read from a file.
const MOST_PROBLEMS: usize = 100_000;

/// How a console begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConsoleSettings {
    /// Whether a person types at it, who wants to see that it waits.
    pub has_prompt: bool,
    /// The level; the usual one if `None`.
    pub level: Option<u32>,
}

/// Obeys what `input` says, on `out`, until it says `quit` or ends.
pub fn serve(
    engine: &GameEngine,
    settings: ConsoleSettings,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let greeting = settings
        .has_prompt
        .then(|| format!("{}\n", (engine.open)(GAME).map(|session| session.board()).unwrap_or_default()));
    if let Some(board) = greeting {
        write!(out, "{board}> ")?;
        out.flush()?;
    }
    let console = Console {
        course: Course::default(),
        redo: Vec::new(),
        mode: Mode::default(),
        pace: Pace { level: settings.level.unwrap_or(USUAL_LEVEL), ..Pace::default() },
        has_prompt: settings.has_prompt,
        work: None,
    };
    hold(console, engine, GAME, input, out)
}

/// Where the dialogue stands.
struct Console {
    course: Course,
    /// Moves that were taken back, the last one first.
    redo: Vec<String>,
    mode: Mode,
    pace: Pace,
    has_prompt: bool,
    /// What the search that runs is for.
    work: Option<Work>,
}

/// Whom we play for: nobody, White (0), Black (1) or both (2).
#[derive(Clone, Copy)]
struct Mode(u8);

impl Default for Mode {
    fn default() -> Mode {
        Mode(3)
    }
}

impl Mode {
    fn plays(self, player: Player) -> bool {
        match self.0 {
            0 => player == Player::Second,
            1 => player == Player::First,
            2 => true,
            _ => false,
        }
    }
}

/// How long we think.
#[derive(Clone, Default)]
struct Pace {
    level: u32,
    move_time: Option<Duration>,
    game_time: Option<Duration>,
    /// What we have used of that, by colour.
    used: [Duration; 2],
}

enum Work {
    Go {
        begun: Instant,
    },
    /// With the line that was shown last.
    Hint {
        shown: Option<(u32, Line)>,
    },
    Analyse {
        way: Retrograde,
        losses: [f64; 2],
    },
    Solve {
        left: Vec<Problem>,
        tally: Tally,
    },
}

/// How many problems were solved, how many of these with another value than their file says, and how many were not.
#[derive(Clone, Copy, Default)]
struct Tally {
    solved: usize,
    wrong: usize,
    unsolved: usize,
}

/// Why something was not done, in words.
type Refusal = String;

impl Dialogue for Console {
    fn urgency(&self, line: &str) -> Urgency {
        match line.split_whitespace().next() {
            Some("quit" | "q" | "exit") => Urgency::EndsAll,
            Some("stop") => Urgency::EndsSearch,
            // A person has changed his mind; a program says `stop` before it goes on.
            Some("mode" | "m") if self.has_prompt && self.plays_itself() => Urgency::EndsSearchFirst,
            _ => Urgency::InTurn,
        }
    }

    fn obey(&mut self, line: &str, desk: &mut Desk) -> io::Result<()> {
        let before = (self.course.clone(), self.redo.clone());
        let done = self.command(line.trim(), desk);
        if done.is_err() {
            (self.course, self.redo) = before;
        }
        explained(done, desk)?;
        self.go_on(desk)
    }

    fn overhear(&mut self, thought: &Thought, desk: &mut Desk) -> io::Result<()> {
        match (&mut self.work, &thought.lines[..]) {
            (Some(Work::Hint { shown }), [line]) if !thought.is_bound => {
                *shown = Some((thought.depth, line.clone()));
                desk.say(row(thought, 0))
            }
            _ => Ok(()),
        }
    }

    fn conclude(&mut self, thought: Thought, desk: &mut Desk) -> io::Result<()> {
        match self.work.take() {
            None => {}
            Some(Work::Go { begun }) => {
                if desk.is_hurried() && self.mode.0 == 2 {
                    self.mode = Mode::default();
                }
                let player = desk.session.to_move();
                self.pace.used[player.index()] += begun.elapsed();
                if !thought.lines.is_empty() {
                    desk.say(format_args!("{}\n{}", words::HEADING, row(&thought, 0)))?;
                }
                if let Some(best) = &thought.best {
                    self.course.moves.push(best.clone());
                    self.redo.clear();
                    desk.say(format_args!("\nOutplay plays {}\n", square(best, PASS)))?;
                }
                explained(self.show(desk), desk)?;
            }
            Some(Work::Hint { shown }) => {
                for (place, line) in thought.lines.iter().enumerate() {
                    if shown.as_ref() != Some(&(thought.depth, line.clone())) {
                        desk.say(row(&thought, place))?;
                    }
                }
            }
            Some(Work::Analyse { losses, .. }) if desk.is_hurried() => {
                desk.say(format_args!("ended early; {}", words::losses(losses)))?;
            }
            Some(Work::Analyse { mut way, losses }) => {
                let judged = way.conclude(&thought, desk);
                self.analyse_on(way, losses, Some(judged), desk)?;
            }
            Some(Work::Solve { mut left, mut tally }) => {
                let Some(problem) = left.pop() else { return self.go_on(desk) };
                desk.say(solved_row(&problem, &thought))?;
                match problem.is_solved_by(&thought) {
                    None => tally.unsolved += 1,
                    Some(is_right) => {
                        tally.solved += 1;
                        tally.wrong += usize::from(!is_right);
                    }
                }
                if desk.is_hurried() {
                    tally.unsolved += left.len();
                    left.clear();
                }
                self.solve_on(left, tally, desk)?;
            }
        }
        self.go_on(desk)
    }
}

/// Why a command came to nothing.
enum Failure {
    Refused(Refusal),
    Broken(io::Error),
}

/// Says why something was not done.
fn explained(done: Result<(), Failure>, desk: &mut Desk) -> io::Result<()> {
    match done {
        Ok(()) => Ok(()),
        Err(Failure::Broken(error)) => Err(error),
        Err(Failure::Refused(reason)) => desk.say(on_one_line(reason)),
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Failure {
        Failure::Refused(reason)
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        Failure::Refused(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Broken(error)
    }
}

impl Console {
    fn command(&mut self, line: &str, desk: &mut Desk) -> Result<(), Failure> {
        let line = line.strip_prefix("set ").unwrap_or(line);
        let (command, rest) = line.split_once([' ', '\t', '=']).unwrap_or((line, ""));
        let rest = rest.trim().trim_start_matches('=').trim();
        match command {
            "" | "#" | "quit" | "q" | "exit" | "stop" => {}
            "help" | "?" => desk.say(words::help())?,
            "version" | "v" => desk.say(format_args!("{} {}", desk.engine.name, desk.engine.version))?,
            "init" | "i" => self.begin(Course::default(), desk)?,
            "new" | "n" => {
                let course = Course { start: self.course.start.clone(), moves: Vec::new() };
                self.begin(course, desk)?;
            }
            "setboard" => {
                let position = Othello::parse_position(&(), rest).map_err(|error| error.to_string())?;
                self.begin(Course { start: Some(position.position_text()), moves: Vec::new() }, desk)?;
            }
            "play" => self.play(rest, desk)?,
            "undo" | "u" => self.undo(desk)?,
            "redo" | "r" => self.redo(desk)?,
            "go" => self.go(desk)?,
            "hint" => self.hint(if rest.is_empty() { 1 } else { number(rest)? as usize }, desk)?,
            "mode" | "m" => self.mode = Mode(if rest.is_empty() { 3 } else { number(rest)?.min(3) as u8 }),
            "level" | "l" => {
                let level = number(rest)?.clamp(1, DEEPEST);
                self.pace = Pace { level, ..Pace::default() };
            }
            "move-time" => {
                let time =
                    seconds(rest).ok_or_else(|| format!("expected seconds, not {:?}", shortened(rest)))?;
                self.pace = Pace { level: self.pace.level, move_time: Some(time), ..Pace::default() };
            }
            "game-time" | "t" => {
                let time =
                    seconds(rest).ok_or_else(|| format!("expected seconds, not {:?}", shortened(rest)))?;
                self.pace = Pace { level: self.pace.level, game_time: Some(time), ..Pace::default() };
            }
            "analyze" | "analyse" | "a" => {
                let played = self.course.moves.len();
                let plies = if rest.is_empty() { played } else { number(rest)? as usize };
                let way = Retrograde::new(self.course.clone(), played.saturating_sub(plies));
                desk.say(words::ANALYSIS_HEADING)?;
                self.analyse_on(way, [0.0; 2], None, desk)?;
            }
            "solve" => self.solve(rest, desk)?,
            "moves" => {
                self.course.show(&mut *desk.session)?;
                let moves = desk.session.legal_moves();
                let texts: Vec<String> =
                    moves.iter().flat_map(|&m| desk.session.plain_line_text(&[m])).collect();
                desk.say(texts.join(" "))?;
            }
            "eval" => {
                self.course.show(&mut *desk.session)?;
                let value = desk.session.evaluate()?;
                let account = desk.session.account()?.unwrap_or_default();
                match value {
                    Some(value) => desk.say(format_args!(
                        "{:+.2} for the player to move\n{account}",
                        f64::from(value) / 100.0
                    ))?,
                    None => desk.say("the game is over")?,
                }
            }
            "show" | "board" => self.show(desk)?,
            "open" | "load" | "o" => self.open(rest, desk)?,
            "save" => self.save(rest, desk)?,
            "option" => {
                let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                desk.session.set_option(name, value.trim())?;
            }
            // As Edax has it, moves alone are played.
            _ if self.play(line, desk).is_ok() => {}
            // Settings of Edax's that have another name or no meaning here are no reason to stop.
            other if words::PASSED_OVER.contains(&other) => {}
            other => {
                return Err(Failure::Refused(format!(
                    "unknown command {:?}: help lists {}",
                    shortened(other),
                    COMMANDS.len()
                )));
            }
        }
        Ok(())
    }

    /// Whether we move for both sides now.
    fn plays_itself(&self) -> bool {
        self.mode.0 == 2 && matches!(self.work, Some(Work::Go { .. }))
    }

    /// Begins a game.
    fn begin(&mut self, course: Course, desk: &mut Desk) -> Result<(), Failure> {
        desk.session.clear()?;
        course.show(&mut *desk.session)?;
        (self.course, self.pace.used) = (course, [Duration::ZERO; 2]);
        self.redo.clear();
        self.show(desk)
    }

    fn play(&mut self, text: &str, desk: &mut Desk) -> Result<(), Failure> {
        let mut position = self.course.position().ok_or_else(|| "there is no game".to_string())?;
        let moves = transcript::read_moves(&position, text).map_err(|error| error.to_string())?;
        if moves.is_empty() {
            return Err(Failure::Refused("expected moves, as in play f5d6c3".to_string()));
        }
        for m in moves {
            self.course.moves.push(position.move_text(m));
            position.play(m);
        }
        self.redo.clear();
        self.show(desk)
    }

    /// Takes back a move, or two where we answer each.
    fn undo(&mut self, desk: &mut Desk) -> Result<(), Failure> {
        for _ in 0..if self.mode.0 < 2 { 2 } else { 1 } {
            // Passes are no moves of anybody's: they come back by themselves.
            while self.course.moves.pop_if(|last| last == "pass").is_some() {}
            self.redo.extend(self.course.moves.pop());
        }
        self.show(desk)
    }

    fn redo(&mut self, desk: &mut Desk) -> Result<(), Failure> {
        for _ in 0..if self.mode.0 < 2 { 2 } else { 1 } {
            let Some(next) = self.redo.pop() else { break };
            while self.course.pass_if_forced().is_some() {}
            self.course.moves.push(next);
        }
        self.show(desk)
    }

    /// Thinks about a move for whoever has it.
    fn go(&mut self, desk: &mut Desk) -> Result<(), Failure> {
        self.course.show(&mut *desk.session)?;
        if let Some(ending) = desk.session.ending() {
            return Err(Failure::Refused(format!("the game is over: {ending}")));
        }
        let limits = self.limits(desk)?;
        desk.think(limits)?;
        self.work = Some(Work::Go { begun: Instant::now() });
        Ok(())
    }

    fn limits(&self, desk: &mut Desk) -> Result<Limits, SessionError> {
        let Pace { level, move_time, game_time, used } = &self.pace;
        let player = desk.session.to_move();
        let remaining = game_time.map(|time| [time.saturating_sub(used[player.index()]); 2]);
        let clock = remaining.map(|remaining| Clock { remaining, ..Clock::default() });
        match clock.is_some() || move_time.is_some() {
            true => Ok(Limits { move_time: *move_time, clock, ..Limits::default() }),
            false => limits_of_depth(*level, &mut *desk.session),
        }
    }

    /// Shows the best moves without playing one.
    fn hint(&mut self, lines: usize, desk: &mut Desk) -> Result<(), Failure> {
        self.course.show(&mut *desk.session)?;
        if let Some(ending) = desk.session.ending() {
            return Err(Failure::Refused(format!("the game is over: {ending}")));
        }
        let mut limits = limits_of_depth(self.pace.level, &mut *desk.session)?;
        limits.lines = lines.clamp(1, desk.session.legal_moves().len().max(1));
        limits.analysis = true;
        desk.say(words::HEADING)?;
        desk.think(limits)?;
        self.work = Some(Work::Hint { shown: None });
        Ok(())
    }

    /// Goes on with an analysis: tells what was found, and looks at the position before it.
    fn analyse_on(
        &mut self,
        mut way: Retrograde,
        mut losses: [f64; 2],
        found: Option<Judged>,
        desk: &mut Desk,
    ) -> io::Result<()> {
        let mut found = found;
        loop {
            if let Some(judged) = found.take().filter(|judged| judged.played.is_some()) {
                losses[judged.mover.index()] += judged.loss().unwrap_or(0.0);
                desk.say(analysis_row(&judged))?;
            }
            match way.step(self.pace.level, desk) {
                Ok(Step::Known(judged)) => found = Some(judged),
                Ok(Step::Thinks) => {
                    self.work = Some(Work::Analyse { way, losses });
                    return Ok(());
                }
                Ok(Step::Done) => {
                    return desk.say(words::losses(losses));
                }
                Err(error) => return desk.say(on_one_line(error)),
            }
        }
    }

    fn solve(&mut self, path: &str, desk: &mut Desk) -> Result<(), Failure> {
        let bytes = std::fs::read(path).map_err(|error| format!("cannot read {path:?}: {error}"))?;
        let mut problems = desk.session.problems(&bytes, MOST_PROBLEMS)?;
        problems.reverse();
        let left: Vec<Problem> = problems.into_iter().map(Problem).collect();
        desk.say(words::SOLVED_HEADING)?;
        Ok(self.solve_on(left, Tally::default(), desk)?)
    }

    /// Goes on to the next problem: the last of those that are left.
    fn solve_on(&mut self, mut left: Vec<Problem>, mut tally: Tally, desk: &mut Desk) -> io::Result<()> {
        loop {
            let Some(Problem(problem)) = left.last() else {
                let Tally { solved, wrong, unsolved } = tally;
                return desk.say(format_args!(
                    "{solved} solved, {wrong} with another value than their file says; {unsolved} not solved"
                ));
            };
            let begun = desk.session.set_game(problem.start.as_deref(), &problem.moves.join(" "));
            let limits = Limits { nodes: Some(ENDLESS), analysis: true, ..Limits::default() };
            match begun.and_then(|()| desk.think(limits)) {
                Ok(()) => {
                    self.work = Some(Work::Solve { left, tally });
                    return Ok(());
                }
                Err(error) => desk.say(format_args!("{}: {}", problem.name, on_one_line(error)))?,
            }
            left.pop();
            tally.unsolved += 1;
        }
    }

    fn open(&mut self, path: &str, desk: &mut Desk) -> Result<(), Failure> {
        let bytes = std::fs::read(path).map_err(|error| format!("cannot read {path:?}: {error}"))?;
        let games = desk.session.list_games(&bytes, 1)?;
        let (start, moves) = games.into_iter().next().ok_or_else(|| "no game in it".to_string())?;
        let moves = moves.split_whitespace().map(str::to_string).collect();
        self.begin(Course { start, moves }, desk)
    }

    fn save(&mut self, path: &str, desk: &mut Desk) -> Result<(), Failure> {
        if path.is_empty() {
            return Err(Failure::Refused("say where: save FILE".to_string()));
        }
        self.course.show(&mut *desk.session)?;
        let file = desk.session.save(&SaveNotes::default());
        // Nobody loses a file by a slip of the keyboard.
        let mut made =
            std::fs::File::create_new(path).map_err(|error| format!("cannot make {path:?}: {error}"))?;
        made.write_all(file.as_bytes()).map_err(|error| format!("{path:?}: {error}"))?;
        Ok(desk.say(format_args!("saved to {path}"))?)
    }

    fn show(&self, desk: &mut Desk) -> Result<(), Failure> {
        self.course.show(&mut *desk.session)?;
        let board = desk.session.board();
        let opening = desk.session.opening().map(|opening| format!("Opening: {}\n", opening.name));
        Ok(desk.say(format_args!("{board}{}", opening.unwrap_or_default()))?)
    }

    /// Passes for whoever has to, lets us move where that is our part, and shows people that we wait.
    fn go_on(&mut self, desk: &mut Desk) -> io::Result<()> {
        if self.work.is_some() {
            return Ok(());
        }
        while let Some(player) = self.course.pass_if_forced() {
            desk.say(format_args!("{} must pass", Othello::player_name(player)))?;
        }
        let position = self.course.position().filter(|position| position.outcome().is_none());
        if let Some(position) = position
            && self.mode.plays(position.to_move())
        {
            return explained(self.go(desk), desk);
        }
        if self.has_prompt { desk.ask("> ") } else { Ok(()) }
    }
}

fn number(text: &str) -> Result<u32, Refusal> {
    text.parse().map_err(|_| format!("expected a number, not {:?}", shortened(text)))
}
