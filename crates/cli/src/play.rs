//! `outplay play`

mod commands;
mod rescue;
mod save;

use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use outplay_core::{Outcome, Player};
use outplay_engine::{
    Catalogue, Contents, Level, Rating, SaveNotes, Scale, SearchHandle, Session, Wording, outcome_text,
};
use outplay_lab::SearchLog;
use outplay_search::{Limits, Report};

use crate::inputs::{LogArgs, TaskArgs, log_search};
use crate::screen::Screen;
use crate::{Failure, report};
use commands::Command;
use rescue::Rescue;
use save::{OwnFiles, SaveFile};

/// Play a game against the engine in the terminal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay play othello
  outplay play chess --side second --time 5
  outplay play chess --level 2            an opponent for beginners
  outplay play connect4 --search uct --nodes 50000
  outplay play chess --save game.pgn      written after every move
  outplay play chess --file game.pgn --save game.pgn      and taken up again
  outplay play othello --side none        watch the engine play itself

At the prompt, type a move, or: undo, hint, moves, go, resign, save FILE, new, help, quit. Without a limit, the engine
thinks for a second; Ctrl-C while it thinks makes it move at once. Ctrl-C or Ctrl-D at the prompt leaves, and keeps the
game in a file that it names. Boards are coloured where the terminal can show them; NO_COLOR=1 has them plain.")]
pub struct Args {
    #[command(flatten)]
    task: TaskArgs,
    /// Which side you play.
    #[arg(long, value_enum, default_value_t = Side::First)]
    side: Side,
    /// How strong the engine plays, from 1 for newcomers up, or by name (`outplay games GAME` lists the levels); without a level, as strong as it can in its time.
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["search", "settings", "depth", "nodes", "time", "clock", "mate", "infinite"])]
    level: Option<String>,
    /// Write the game to this file after every move.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    log: LogArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    /// You open the game.
    First,
    /// The engine opens the game.
    Second,
    /// Two people at one keyboard; the engine only gives hints.
    Both,
    /// The engine plays itself.
    None,
}

const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// No command or move is longer; the rest of the line is not looked at.
const LONGEST_LINE: u64 = 4096;

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut session, mut limits) = args.task.open(games, DEFAULT_TIME)?;
    let mut opponent = None;
    if let Some(level) = &args.level {
        let game = args.task.game(games)?;
        let level = game.level_named(level).map_err(Failure::usage)?;
        limits = take_level(&mut *session, level)?;
        opponent = Some(introduction(level, game.strength().scale));
    }
    if limits.infinite {
        return Err(Failure::usage(anyhow::anyhow!(
            "--infinite leaves the engine thinking forever: give it a time"
        )));
    }
    let people = Player::BOTH.map(|player| match args.side {
        Side::First => player == Player::First,
        Side::Second => player == Player::Second,
        Side::Both => true,
        Side::None => false,
    });
    let mut files = OwnFiles::default();
    // A file in another format, or with other games, holds more than saving would put into it.
    if let Some(path) = args.task.file()
        && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(session.file_extension()))
        && matches!(session.contents(&std::fs::read(path)?, 0), Ok(Contents { count: 1, .. }))
    {
        files.add(path);
    }
    let autosave = args.save.as_ref().map(|path| files.check(path)).transpose().map_err(Failure::Usage)?;
    let thinking = Arc::new(Mutex::new(None::<SearchHandle>));
    let (game, log) = (args.task.game(games)?.to_string(), args.log.open()?);
    let rescue = Rescue::new(&game, session.file_extension());
    let (interrupted, rescued) = (thinking.clone(), rescue.clone());
    // Where the system refuses, Ctrl-C ends the program as it always does.
    drop(ctrlc::set_handler(move || {
        match interrupted.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(search) => search.stop(),
            None => rescued.leave(),
        }
    }));
    let adviser = args.task.game(games)?.open().map_err(Failure::usage)?;
    let table = Table {
        game,
        opponent,
        session,
        people,
        limits,
        resigned: None,
        autosave,
        files,
        log,
        thinking,
        adviser,
        rescue,
        screen: Screen::of_terminal(),
        out,
    };
    table.play(&mut std::io::stdin().lock())
}

/// Makes the engine as strong as a level; the limits of its moves.
fn take_level(session: &mut dyn Session, level: &Level) -> Result<Limits, Failure> {
    for (name, value) in level.options() {
        session.set_option(name, value)?;
    }
    draw_other_lots(session)?;
    Ok(Limits { nodes: Some(level.nodes), ..Limits::default() })
}

/// A level as an opponent: `Your opponent: learner, 1100 ± 80 Elo.`
fn introduction(level: &Level, scale: Scale) -> String {
    let name = level.name;
    match (level.rating, scale) {
        (None, _) => format!("Your opponent: {name}."),
        (Some(Rating { value, error }), Scale::Elo) => {
            format!("Your opponent: {name}, {value} ± {error} Elo.")
        }
        (Some(Rating { value, error }), Scale::Points) => {
            format!("Your opponent: {name}, {value} ± {error} points over the weakest level.")
        }
    }
}

/// Lets a level that draws lots play another game than before.
fn draw_other_lots(session: &mut dyn Session) -> Result<(), Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(outplay_engine::draw_lots_by(session, now.as_nanos() as u64, |_| false)?)
}

/// A game in progress and who sits at the board.
struct Table<'a> {
    game: String,
    /// Who the engine plays like, if it is as strong as a level and not as it can be.
    opponent: Option<String>,
    session: Box<dyn Session>,
    /// Which players are people, in the order of [`Player::index`].
    people: [bool; 2],
    limits: Limits,
    resigned: Option<Player>,
    autosave: Option<SaveFile>,
    files: OwnFiles,
    log: Option<SearchLog>,
    /// The running search, for whoever presses Ctrl-C.
    thinking: Arc<Mutex<Option<SearchHandle>>>,
    /// Who gives hints: the engine as strong as it is, whatever the opponent plays like.
    adviser: Box<dyn Session>,
    rescue: Rescue,
    screen: Option<Screen>,
    out: &'a mut dyn Write,
}

/// Whether to go on.
#[derive(PartialEq)]
enum Next {
    GoOn,
    Quit,
}

impl Table<'_> {
    fn play(mut self, input: &mut dyn BufRead) -> Result<(), Failure> {
        if let Some(outcome) = self.session.recorded_outcome().filter(|_| self.session.outcome().is_none()) {
            let ended = outcome_text(outcome, self.session.players());
            self.show_board(&format!("By its file, the game ended here: {ended}."))?;
        } else {
            self.show_board(&self.opponent.clone().unwrap_or_default())?;
        }
        loop {
            let over = self.is_over();
            if !over && !self.people[self.session.to_move().index()] {
                self.engine_moves()?;
                continue;
            }
            if over && self.people == [false, false] {
                return Ok(());
            }
            let mover = self.name(self.session.to_move());
            let prompt = if over { "The game is over (undo, save FILE, new, quit)" } else { mover };
            write!(self.out, "{prompt}> ")?;
            self.out.flush()?;
            let Some(line) = read_line(input)? else {
                writeln!(self.out)?;
                self.out.flush()?;
                // Ctrl-D; a script that ends wants no file.
                if std::io::stdin().is_terminal() {
                    self.rescue.save();
                }
                return Ok(());
            };
            // Whatever is wrong with the line, the game stands as it stood.
            match self.obey(&Command::parse(&line)) {
                Ok(Next::GoOn) => {}
                Ok(Next::Quit) => return Ok(()),
                Err(failure) if failure.is_broken_pipe() => return Err(failure),
                Err(failure) => writeln!(self.out, "{failure}")?,
            }
        }
    }

    fn obey(&mut self, command: &Command) -> Result<Next, Failure> {
        match command {
            Command::Nothing => {}
            Command::Help => writeln!(self.out, "{}", commands::HELP)?,
            Command::Quit => return Ok(Next::Quit),
            Command::Board => self.show_board("")?,
            Command::Moves => {
                let moves = self.session.legal_moves();
                let texts: Vec<String> = moves.iter().flat_map(|&m| self.session.line_text(&[m])).collect();
                writeln!(self.out, "{}", texts.join(" "))?;
            }
            Command::Hint if self.is_over() => writeln!(self.out, "The game is over: there is no hint.")?,
            Command::Hint => self.hint()?,
            Command::Undo => self.undo()?,
            Command::New => {
                self.session.set_game(None, "")?;
                self.session.clear()?;
                if self.opponent.is_some() {
                    draw_other_lots(&mut *self.session)?;
                }
                self.resigned = None;
                // The files keep the game that was.
                self.files = OwnFiles::default();
                let kept = "The last game keeps its file: `save FILE` saves this one.";
                self.rescue.forget();
                let said = if self.autosave.take().is_some() { kept } else { "" };
                self.show_board(said)?;
            }
            Command::Save(path) if path.is_empty() => writeln!(self.out, "Say where: save FILE")?,
            Command::Save(path) => {
                let file = self.files.check(path.as_ref()).map_err(Failure::Failed)?;
                self.write_to(&file)?;
                writeln!(self.out, "saved to {path}")?;
            }
            Command::Go | Command::Resign | Command::Move(_) if self.is_over() => {
                writeln!(self.out, "The game is over: undo, or begin a new one.")?;
            }
            Command::Go => {
                let mover = self.session.to_move();
                if self.people == [true, false] || self.people == [false, true] {
                    self.people = [mover != Player::First, mover != Player::Second];
                }
                self.engine_moves()?;
            }
            Command::Resign => {
                self.resigned = Some(self.session.to_move());
                self.announce_end()?;
                self.save_after_move()?;
            }
            Command::Move(text) => {
                self.session.play_text(text)?;
                self.show_board("")?;
                self.save_after_move()?;
            }
        }
        Ok(Next::GoOn)
    }

    fn name(&self, player: Player) -> &'static str {
        self.session.players()[player.index()]
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.session.outcome().is_some()
    }

    /// Draws the board: on a screen in place of the last one, with what was said below it, elsewhere after that.
    fn show_board(&mut self, said: &str) -> Result<(), Failure> {
        match &self.screen {
            Some(screen) => {
                let seen_by = usize::from(self.people == [false, true]);
                let board = screen.board(&self.session.picture(), self.session.players(), seen_by);
                write!(self.out, "{}{board}\n\n", screen.wipe())?;
                if !said.is_empty() {
                    writeln!(self.out, "{said}\n")?;
                }
            }
            None => {
                if !said.is_empty() {
                    writeln!(self.out, "{said}")?;
                }
                writeln!(self.out, "\n{}\n", self.session.board().trim_end())?;
            }
        }
        self.announce_end()
    }

    fn announce_end(&mut self) -> Result<(), Failure> {
        if let Some(loser) = self.resigned {
            writeln!(self.out, "{} resigns: {} wins.", self.name(loser), self.name(!loser))?;
        } else if let Some(ending) = self.session.ending() {
            writeln!(self.out, "The game is over. {ending}.")?;
        }
        Ok(())
    }

    fn engine_moves(&mut self) -> Result<(), Failure> {
        let Some(report) = self.think()? else { return Ok(()) };
        let Some(m) = report.best_move() else { return Ok(()) };
        if let Some(log) = &mut self.log {
            log_search(log, &self.game, &mut *self.session, &report)?;
        }
        let (mover, text) = (self.name(self.session.to_move()), self.session.line_text(&[m]).concat());
        let said = format!("{}\n{mover} plays {text}", report::text(&report, &*self.session));
        self.session.play(m)?;
        self.show_board(&said)?;
        self.save_after_move()
    }

    /// Lets the engine at full strength look at the position for a second.
    fn hint(&mut self) -> Result<(), Failure> {
        self.adviser.set_recorded(&self.session.recorded())?;
        let limits = Limits { move_time: Some(DEFAULT_TIME), ..Limits::default() };
        let report = searched(&mut *self.adviser, limits, &self.thinking)?;
        let Some(line) = report.as_ref().and_then(|report| report.lines.first()) else { return Ok(()) };
        let moves = self.adviser.line_text(&line.moves);
        let Some((first, rest)) = moves.split_first() else { return Ok(()) };
        let mover = self.name(self.session.to_move());
        let rest = rest.iter().take(6).map(String::as_str).collect::<Vec<_>>().join(" ");
        let then = if rest.is_empty() { String::new() } else { format!(", then perhaps {rest}") };
        Ok(writeln!(self.out, "Hint: {first} ({} for {mover}){then}", line.score)?)
    }

    fn think(&mut self) -> Result<Option<Report>, Failure> {
        searched(&mut *self.session, self.limits.clone(), &self.thinking)
    }

    /// Takes back to where a person last had the move.
    fn undo(&mut self) -> Result<(), Failure> {
        if self.resigned.take().is_none() {
            let mut taken_back = false;
            while self.session.undo()?.is_some() {
                taken_back = true;
                if self.people[self.session.to_move().index()] {
                    break;
                }
            }
            if !taken_back {
                writeln!(self.out, "Nothing to take back.")?;
                return Ok(());
            }
        }
        self.show_board("")?;
        self.save_after_move()
    }

    /// Keeps the file of the game up to date. If that fails the game goes on: people are told and can save elsewhere.
    fn save_after_move(&mut self) -> Result<(), Failure> {
        match self.autosave.clone().map(|file| self.write_to(&file)) {
            Some(Ok(())) => {}
            Some(Err(failure)) => {
                writeln!(self.out, "The game is not saved: {failure}")?;
                self.rescue.keep(self.text());
            }
            None => self.rescue.keep(self.text()),
        }
        Ok(())
    }

    /// The game as its file has it.
    fn text(&self) -> String {
        let seat =
            |player: Player| if self.people[player.index()] { "a person" } else { "Outplay" }.to_string();
        let tags = self.session.player_tags().into_iter().zip(Player::BOTH.map(seat)).collect();
        let outcome = self.resigned.map(|loser| Outcome::win(!loser));
        self.session.save(&SaveNotes { tags, outcome, comments: Vec::new() })
    }

    fn write_to(&mut self, file: &SaveFile) -> Result<(), Failure> {
        let text = self.text();
        self.files.write(file, &text).map_err(Failure::Failed)
    }
}

/// Searches the position of a session, showing the thinking as it goes if there is a terminal to show it on.
fn searched(
    session: &mut dyn Session,
    limits: Limits,
    thinking: &Mutex<Option<SearchHandle>>,
) -> Result<Option<Report>, Failure> {
    // What is wider than the terminal is cut, so that it is redrawn in place.
    let style = indicatif::ProgressStyle::with_template("{spinner} {wide_msg}");
    let style = style.unwrap_or_else(|_| indicatif::ProgressStyle::default_spinner());
    let spinner = indicatif::ProgressBar::new_spinner().with_style(style);
    let shown = spinner.clone();
    let sink = move |report: &Report, wording: &dyn Wording| {
        if !shown.is_hidden() {
            shown.set_message(report::text(report, wording));
            shown.tick();
        }
    };
    let handle = session.go(limits, Box::new(sink))?;
    *thinking.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle);
    let report = session.wait();
    *thinking.lock().unwrap_or_else(PoisonError::into_inner) = None;
    spinner.finish_and_clear();
    Ok(report)
}

/// Asks which game is to be played, by number or name.
pub fn choose_game(
    games: &Catalogue,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<String, Failure> {
    for (number, row) in (1..).zip(games.rows()) {
        writeln!(out, "{number:>3}  {:<12} {}", row.name, row.title)?;
    }
    write!(out, "Which game? A number or a name: ")?;
    out.flush()?;
    let answer = read_line(input)?;
    let answer = answer.as_deref().map(str::trim).filter(|answer| !answer.is_empty());
    let answer =
        answer.ok_or_else(|| Failure::usage(anyhow::anyhow!("name a game, as in outplay play othello")))?;
    let numbered = answer.parse::<usize>().ok().and_then(|number| games.rows().get(number.checked_sub(1)?));
    Ok(numbered.map_or_else(|| answer.to_string(), |row| row.name.to_string()))
}

/// A line of input; `None` at its end. Bytes that are not text and endless lines do no harm.
fn read_line(input: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
