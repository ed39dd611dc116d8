//! `outplay book`

mod build;
mod inspect;
mod lines;
mod merge;
mod openings;
mod polyglot;
mod probe;

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::Subcommand;
use outplay_book::{Book, BookError};
use outplay_chess::{ChessRules, StartArray};
use outplay_engine::{Catalogue, Session};

use crate::inputs::GameArgs;
use crate::{Failure, files};

/// Make opening books by search and from games, look into them, merge them; make suites of openings.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book build connect6 --out connect6.book --positions 300 --nodes 20000 --line j10
  outplay book build othello games.ggf --out othello.book --plies 20 --least 3
  outplay book build chess games.pgn --out book.bin
  outplay book probe connect6 connect6.book --moves \"j10\"
  outplay book inspect chess book.bin
  outplay book merge othello mine.book yours.book --out both.book
  outplay book lines othello mine.book --out lines.txt
  outplay book openings connect6 --line j10 --near 3 --breadth 100 --out openings.txt

Books of every game are in one format of ours. Chess and Chess960 have books in the Polyglot format besides, which most chess programs
read: a book to be written whose name ends with .bin is one, and a book that is read is known by what is in it.")]
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
    Lines(lines::Args),
    Openings(openings::Args),
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.command {
        Command::Build(args) => build::run(args, games, out),
        Command::Inspect(args) => inspect::run(args, games, out),
        Command::Probe(args) => probe::run(args, games, out),
        Command::Merge(args) => merge::run(args, games, out),
        Command::Lines(args) => lines::run(args, games, out),
        Command::Openings(args) => openings::run(args, games, out),
    }
}

/// The kinds of books, each with what it needs to know of its game.
enum Format {
    /// Ours.
    Own,
    /// The one that chess programs share.
    Polyglot(ChessRules),
}

impl Format {
    /// The format of a book that is there.
    fn of_file(game: &GameArgs, path: &Path) -> Result<Format, Failure> {
        let is_ours = Book::is_at(path).with_context(|| format!("cannot read {}", path.display()));
        let is_ours = is_ours.map_err(Failure::Failed)?;
        Ok(chess_rules(game).filter(|_| !is_ours).map_or(Format::Own, Format::Polyglot))
    }

    /// The format of a book that is to be written.
    fn of_name(game: &GameArgs, path: &Path) -> Format {
        let is_polyglot = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"));
        chess_rules(game).filter(|_| is_polyglot).map_or(Format::Own, Format::Polyglot)
    }
}

/// The rules of chess that a name means, if it means any.
fn chess_rules(game: &GameArgs) -> Option<ChessRules> {
    let name = game.game.to_ascii_lowercase();
    let (name, variant) = name.split_once(':').unwrap_or((&name, ""));
    let array = || variant.parse().ok().and_then(StartArray::new).unwrap_or(StartArray::STANDARD);
    match name {
        "chess" => Some(ChessRules::Standard),
        "chess960" => Some(ChessRules::Chess960(array())),
        _ => None,
    }
}

/// What books of the session's game are called.
fn book_game(session: &dyn Session) -> Result<&str, Failure> {
    session.book_game().ok_or_else(|| Failure::usage(anyhow!("the game has no books")))
}

/// Reads a book of the session's game.
fn open(session: &dyn Session, path: &Path) -> Result<Book, Failure> {
    let read = fs::read(path).map_err(BookError::from);
    let book = book_game(session).map(|game| read.and_then(|bytes| Book::of_game(&bytes, game)))?;
    book.map_err(|error| Failure::Failed(anyhow!("{} {error}", path.display())))
}

/// Writes a book whole, or leaves what was there.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = files::replace(path, |file| Ok(file.write_all(bytes)?));
    written.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::Failed)
}
