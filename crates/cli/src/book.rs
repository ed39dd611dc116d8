//! `outplay book`

mod build;
mod inspect;
mod merge;
mod probe;

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::Subcommand;
use outplay_chess::polyglot::{Book, Entry};
use outplay_chess::{ChessRules, StartArray};

use crate::inputs::GameArgs;
use crate::{Failure, files};

/// Make opening books from games, look into them, merge them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book build chess games.pgn --out book.bin --plies 20 --least 3
  outplay book probe chess book.bin --moves \"e4 c5\"
  outplay book inspect chess book.bin
  outplay book merge chess mine.bin yours.bin --out both.bin

Chess and Chess960 have books in the Polyglot format, which most chess programs read.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Args),
    Inspect(inspect::Args),
    Probe(probe::Args),
    Merge(merge::Args),
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.command {
        Command::Build(args) => build::run(args, out),
        Command::Inspect(args) => inspect::run(args, out),
        Command::Probe(args) => probe::run(args, out),
        Command::Merge(args) => merge::run(args, out),
    }
}

/// The kinds of books, each with what it needs to know of its game.
enum Format {
    Polyglot(ChessRules),
}

impl Format {
    /// The format of a game's books.
    fn of(game: &GameArgs) -> Result<Format, Failure> {
        // So that a name which means nothing is told apart from a game without books.
        game.open()?;
        let name = game.game.to_ascii_lowercase();
        let (name, variant) = name.split_once(':').unwrap_or((&name, ""));
        match name {
            "chess" => Ok(Format::Polyglot(ChessRules::Standard)),
            "chess960" => {
                let array = variant.parse().ok().and_then(StartArray::new);
                Ok(Format::Polyglot(ChessRules::Chess960(array.unwrap_or(StartArray::STANDARD))))
            }
            _ => Err(Failure::usage(anyhow!("{name} has no books: chess and chess960 have"))),
        }
    }
}

fn open(path: &Path) -> Result<Book<File>, Failure> {
    Book::open(path).with_context(|| format!("cannot read {}", path.display())).map_err(Failure::Failed)
}

/// Writes a book whole, or leaves what was there.
fn write(path: &Path, entries: &[Entry]) -> Result<(), Failure> {
    let written = files::replace(path, |file| {
        entries.iter().try_for_each(|entry| file.write_all(&entry.to_bytes()))?;
        Ok(())
    });
    written.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::Failed)
}
