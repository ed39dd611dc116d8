//! `outplay play`

mod commands;

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use clap::ValueEnum;
use outplay_core::{Move, Player};
use outplay_engine::{Session, outcome_text};
use outplay_search::{Limits, Report};

use crate::inputs::{GameArgs, LimitArgs, PositionArgs, SearchArgs};
use crate::{Failure, report};
use commands::Command;

/// Play a game against the engine in the terminal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay play othello
  outplay play chess --side second --time 5
  outplay play connect4 --search uct --nodes 50000
  outplay play chess --save game.pgn      written after every move; `--file game.pgn` goes on with it
  outplay play othello --side none        watch the engine play itself

At the prompt, type a move, or: undo, hint, moves, go, resign, save FILE, new, help, quit.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Which side you play.
    #[arg(long, value_enum, default_value_t = Side::First)]
    side: Side,
    /// Write the game to this file after every move.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
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

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = args.game.open()?;
    args.position.apply(&mut *session)?;
    args.search.apply(&mut *session)?;
    let people = Player::BOTH.map(|player| match args.side {
        Side::First => player == Player::First,
        Side::Second => player == Player::Second,
        Side::Both => true,
        Side::None => false,
    });
    let limits = args.limits.limits(DEFAULT_TIME);
    let table = Table { session, people, limits, resigned: None, save: args.save.clone(), out };
    table.play(&mut std::io::stdin().lock())
}

/// A game in progress and who sits at the board.
struct Table<'a> {
    session: Box<dyn Session>,
    /// Which players are people, in the order of [`Player::index`].
    people: [bool; 2],
    limits: Limits,
    resigned: Option<Player>,
    save: Option<PathBuf>,
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
        self.show_board()?;
        loop {
            let mover = self.session.to_move();
            let over = self.is_over();
            if !over && !self.people[mover.index()] {
                self.engine_moves()?;
                continue;
            }
            if over && self.people == [false, false] {
                return Ok(());
            }
            let prompt =
                if over { "The game is over (undo, save FILE, new, quit)" } else { self.name(mover) };
            write!(self.out, "{prompt}> ")?;
            self.out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(());
            }
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
            Command::Board => self.show_board()?,
            Command::Moves => {
                let moves = self.session.legal_moves();
                let texts: Vec<String> = moves.iter().flat_map(|&m| self.session.line_text(&[m])).collect();
                writeln!(self.out, "{}", texts.join(" "))?;
            }
            Command::Hint => {
                if let Some(report) = self.think()? {
                    writeln!(self.out, "{}", report::text(&*self.session, &report))?;
                }
            }
            Command::Go => {
                let mover = self.session.to_move();
                if self.people == [true, false] || self.people == [false, true] {
                    self.people = [mover != Player::First, mover != Player::Second];
                }
                self.engine_moves()?;
            }
            Command::Undo => self.undo()?,
            Command::Resign => {
                if !self.is_over() {
                    self.resigned = Some(self.session.to_move());
                    self.announce_end()?;
                    self.autosave()?;
                }
            }
            Command::New => {
                self.session.set_position(None)?;
                self.session.clear()?;
                self.resigned = None;
                self.show_board()?;
            }
            Command::Save(path) => {
                self.write_game(Path::new(path))?;
                writeln!(self.out, "saved to {path}")?;
            }
            Command::Move(text) => {
                if self.resigned.is_some() {
                    writeln!(self.out, "The game is over: undo, or begin a new one.")?;
                    return Ok(Next::GoOn);
                }
                self.session.play_text(text)?;
                self.after_move()?;
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

    fn show_board(&mut self) -> Result<(), Failure> {
        writeln!(self.out, "\n{}\n", self.session.board().trim_end())?;
        self.announce_end()
    }

    fn announce_end(&mut self) -> Result<(), Failure> {
        if let Some(loser) = self.resigned {
            writeln!(self.out, "{} resigns: {} wins.", self.name(loser), self.name(!loser))?;
        } else if let Some(outcome) = self.session.outcome() {
            writeln!(self.out, "The game is over: {}.", outcome_text(outcome, self.session.players()))?;
        }
        Ok(())
    }

    fn after_move(&mut self) -> Result<(), Failure> {
        self.show_board()?;
        self.autosave()
    }

    fn engine_moves(&mut self) -> Result<(), Failure> {
        let Some(report) = self.think()? else { return Ok(()) };
        let Some(m) = report.best_move() else { return Ok(()) };
        let (mover, text) = (self.session.to_move(), self.move_text(m));
        writeln!(self.out, "{}", report::text(&*self.session, &report))?;
        writeln!(self.out, "{} plays {text}", self.name(mover))?;
        self.session.play(m)?;
        self.after_move()
    }

    fn move_text(&self, m: Move) -> String {
        self.session.line_text(&[m]).concat()
    }

    /// Searches the position, showing the thinking as it goes if there is a terminal to show it on.
    fn think(&mut self) -> Result<Option<Report>, Failure> {
        let spinner = indicatif::ProgressBar::new_spinner();
        let latest = Arc::new(Mutex::new(None));
        let shared = latest.clone();
        let sink = move |report: &Report| {
            *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(report.clone());
        };
        self.session.go(self.limits.clone(), Box::new(sink))?;
        while self.session.is_searching() {
            if !spinner.is_hidden() {
                let report = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(report) = report {
                    spinner.set_message(report::text(&*self.session, &report));
                }
                spinner.tick();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        spinner.finish_and_clear();
        Ok(self.session.wait())
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
        self.after_move()
    }

    fn autosave(&mut self) -> Result<(), Failure> {
        match self.save.clone() {
            Some(path) => self.write_game(&path),
            None => Ok(()),
        }
    }

    /// Writes the game so that a crash leaves either the old file or the new one.
    fn write_game(&self, path: &Path) -> Result<(), Failure> {
        let seat =
            |player: Player| if self.people[player.index()] { "a person" } else { "Outplay" }.to_string();
        let tags = [
            (self.name(Player::First), seat(Player::First)),
            (self.name(Player::Second), seat(Player::Second)),
        ];
        let text = self.session.save(&tags, self.resigned);
        let temporary = path.with_added_extension("new");
        std::fs::write(&temporary, text)
            .and_then(|()| std::fs::rename(&temporary, path))
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::Failed)
    }
}
