//! `outplay book build`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use outplay_chess::polyglot::{BookBuilder, Weights};
use outplay_chess::{Chess, ChessRules};
use outplay_core::Records;
use serde::Serialize;

use super::Format;
use crate::Failure;
use crate::experiment::progress_bar;
use crate::inputs::GameArgs;

/// Make a book from recorded games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book build chess games.pgn --out book.bin
  outplay book build chess 2024.pgn 2025.pgn --out book.bin --plies 30 --least 5 --weights games --json")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Files of games (PGN).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The book to write.
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    /// Plies of each game to take.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// Leave out moves of fewer games.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    least: u64,
    /// What a move's weight is.
    #[arg(long, value_enum, default_value_t = WeightsArg::Score)]
    weights: WeightsArg,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum WeightsArg {
    /// Two for each win of the player who made it, one for each draw.
    Score,
    /// One for each game.
    Games,
}

impl From<WeightsArg> for Weights {
    fn from(weights: WeightsArg) -> Weights {
        match weights {
            WeightsArg::Score => Weights::Score,
            WeightsArg::Games => Weights::Games,
        }
    }
}

#[derive(Serialize)]
struct JsonBuilt {
    games: usize,
    entries: usize,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let Format::Polyglot(rules) = Format::of(&args.game)?;
    let is_out = |path: &PathBuf| {
        path.canonicalize().is_ok_and(|path| args.out.canonicalize().is_ok_and(|out| out == path))
    };
    if let Some(path) = args.files.iter().find(|path| is_out(path)) {
        let path = path.display();
        return Err(Failure::Usage(anyhow!(
            "--out {path} is one of the files of games: name another file for the book"
        )));
    }
    let mut builder = BookBuilder::new(args.weights.into());
    let mut games = 0;
    let bar = progress_bar(args.files.len(), "files");
    for path in &args.files {
        bar.set_message(path.display().to_string());
        games += add_file(&mut builder, &rules, path, args.plies as usize)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let entries = builder.entries(args.least);
    if entries.is_empty() {
        let why = format!("no move was played in {} games or more", args.least);
        return Err(Failure::Failed(anyhow!("there is no book in {games} games: {why}")));
    }
    super::write(&args.out, &entries)?;
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&JsonBuilt { games, entries: entries.len() })?)?,
        false => writeln!(out, "{} entries from {games} games in {}", entries.len(), args.out.display())?,
    }
    Ok(())
}

/// Adds the games of a file; how many there were.
fn add_file(
    builder: &mut BookBuilder,
    rules: &ChessRules,
    path: &PathBuf,
    plies: usize,
) -> Result<usize, Failure> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let mut games = 0;
    let read = Chess::visit_records(rules, &bytes.map_err(Failure::Failed)?, &mut |record| {
        builder.add_game(&record.start, record.tree.main_line(), record.outcome, plies);
        games += 1;
        ControlFlow::Continue(())
    });
    read.with_context(|| format!("in {}", path.display())).map_err(Failure::Failed)?;
    Ok(games)
}
