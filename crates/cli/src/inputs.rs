//! Arguments that several commands share: which game and position, which search, which limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use outplay_engine::{Catalogue, NamedGame, Session};
use outplay_lab::{LogPlace, SearchLog, parse_duration};
use outplay_search::{Clock, Limits, Report};

use crate::Failure;

/// Which game.
#[derive(Args)]
pub struct GameArgs {
    /// The game, with its rules after a colon where it has variants: chess, othello, connect4:5x4 (see `outplay games`).
    #[arg(value_name = "GAME")]
    pub game: String,
}

/// Which position of it.
#[derive(Args)]
pub struct PositionArgs {
    /// A position as text (FEN for chess, 64 characters and a side for Othello); the start of the game by default.
    #[arg(long, value_name = "P", conflicts_with = "file", allow_hyphen_values = true)]
    position: Option<String>,
    /// Moves to play from there, separated by spaces or commas: "e4 e5 Nf3", f5d6c3.
    #[arg(long, value_name = "M", conflicts_with = "file", allow_hyphen_values = true)]
    moves: Option<String>,
    /// A recorded game (PGN, SGF, GGF, ...): its final position is taken.
    #[arg(long, value_name = "F")]
    file: Option<PathBuf>,
    /// Which game of the file, counted from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), requires = "file")]
    game_number: u32,
}

impl GameArgs {
    /// The game.
    pub fn named(&self, games: &Catalogue) -> Result<NamedGame, Failure> {
        games.find(&self.game).map_err(Failure::usage)
    }

    /// A session at its start.
    pub fn open(&self, games: &Catalogue) -> Result<Box<dyn Session>, Failure> {
        self.named(games)?.open().map_err(Failure::usage)
    }
}

impl PositionArgs {
    /// Takes a session to the position.
    pub fn apply(&self, session: &mut dyn Session) -> Result<(), Failure> {
        if let Some(file) = &self.file {
            let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()));
            let bytes = bytes.map_err(Failure::Failed)?;
            let loaded = session.load(&bytes, self.game_number as usize - 1);
            loaded.with_context(|| format!("in {}", file.display())).map_err(Failure::Failed)?;
        }
        if self.position.is_some() || self.moves.is_some() {
            let moves = self.moves.as_deref().unwrap_or("");
            session.set_game(self.position.as_deref(), moves).map_err(Failure::usage)?;
        }
        Ok(())
    }
}

/// Which search, with which settings.
#[derive(Args)]
pub struct SearchArgs {
    /// The search (see `outplay options`); the game's usual one by default.
    #[arg(long, value_name = "S")]
    pub search: Option<String>,
    /// Change a setting of the search; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
}

/// Reads a number that is not below 0.
pub fn at_least_nothing(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number, 0 or above".to_string())
}

/// Reads a share of a whole.
pub fn share(text: &str) -> Result<f64, String> {
    at_least_nothing(text)
        .ok()
        .filter(|share| *share <= 1.0)
        .ok_or_else(|| "expected a number from 0 to 1".to_string())
}

/// Reads NAME=VALUE.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in exploration=1.4")?;
    Ok((name.to_string(), value.to_string()))
}

impl SearchArgs {
    /// The search, if one was chosen, and its settings, as options of a session.
    pub fn options(&self) -> Vec<(String, String)> {
        let search = self.search.iter().map(|search| ("search".to_string(), search.clone()));
        search.chain(self.settings.iter().cloned()).collect()
    }

    /// Sets a session's search and options.
    pub fn apply(&self, session: &mut dyn Session) -> Result<(), Failure> {
        for (name, value) in self.options() {
            session.set_option(&name, &value).map_err(Failure::usage)?;
        }
        Ok(())
    }
}

/// When a search ends.
#[derive(Args, Clone)]
pub struct LimitArgs {
    /// Search this many plies deep.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Search this many nodes (simulations, for the Monte Carlo searches).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Think this long: 2.5 (seconds), 500ms or 1m.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Think as with this much on the clock: 60+0.5 means a minute and half a second a move.
    #[arg(long, value_name = "BASE+INC", value_parser = clock)]
    clock: Option<(Duration, Duration)>,
    /// Moves to the next time control, with --clock.
    #[arg(long, value_name = "N", requires = "clock", value_parser = clap::value_parser!(u32).range(1..))]
    moves_to_go: Option<u32>,
    /// Stop when a win in so many moves is found (two plies a move).
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,
    /// Search until interrupted (Ctrl-C).
    #[arg(long)]
    infinite: bool,
}

impl LimitArgs {
    /// The limits; `time` applies if none is given.
    pub fn limits(&self, time: Duration) -> Limits {
        let clock = self.clock.map(|(base, increment)| Clock {
            remaining: [base; 2],
            increment: [increment; 2],
            moves_to_go: self.moves_to_go,
        });
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.time,
            clock,
            mate: self.mate,
            infinite: self.infinite,
            ..Limits::default()
        };
        if limits == Limits::default() {
            limits.move_time = Some(time);
        }
        limits
    }
}

/// Where searches are logged.
#[derive(Args)]
pub struct LogArgs {
    /// Add a row for each search to this file, as CSV: depth, nodes, score, time and so on.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl LogArgs {
    /// The log, if one is wanted.
    pub fn open(&self) -> Result<Option<SearchLog>, Failure> {
        let open = |path: &PathBuf| {
            SearchLog::append(path).with_context(|| format!("cannot write {}", path.display()))
        };
        self.log.as_ref().map(open).transpose().map_err(Failure::Failed)
    }
}

/// Writes the row of a search that has just ended.
pub fn log_search(
    log: &mut SearchLog,
    game: &str,
    session: &mut dyn Session,
    report: &Report,
) -> Result<(), Failure> {
    let options = session.options()?;
    let engine = options.iter().find(|(row, _)| row.name == "search").map(|(_, value)| value.to_string());
    let place = LogPlace { game, round: "", engine: engine.as_deref().unwrap_or("") };
    Ok(log.search(place, &*session, report)?)
}

/// Everything that a search needs: game, position, search and limits.
#[derive(Args)]
pub struct TaskArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl TaskArgs {
    /// A session that is ready to go, and the limits; `time` applies if none is given.
    pub fn open(&self, games: &Catalogue, time: Duration) -> Result<(Box<dyn Session>, Limits), Failure> {
        self.open_with(games, time, outplay_engine::DEFAULT_SEARCH)
    }

    /// The same with another search than the usual one, unless one is named.
    pub fn open_with(
        &self,
        games: &Catalogue,
        time: Duration,
        search: &str,
    ) -> Result<(Box<dyn Session>, Limits), Failure> {
        let mut session = self.game.open(games)?;
        session.set_option("search", search)?;
        self.position.apply(&mut *session)?;
        self.search.apply(&mut *session)?;
        Ok((session, self.limits.limits(time)))
    }

    /// The game.
    pub fn game(&self, games: &Catalogue) -> Result<NamedGame, Failure> {
        self.game.named(games)
    }

    /// The file that the game was loaded from.
    pub fn file(&self) -> Option<&Path> {
        self.position.file.as_deref()
    }
}

fn clock(text: &str) -> Result<(Duration, Duration), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Ok((parse_duration(base)?, parse_duration(increment)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_with_and_without_increment() {
        assert_eq!(clock("60+0.5"), Ok((Duration::from_secs(60), Duration::from_millis(500))));
        assert_eq!(clock("3m"), Ok((Duration::from_secs(180), Duration::ZERO)));
        assert!(clock("fast").is_err());
    }
}
