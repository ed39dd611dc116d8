//! `outplay book lines`

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use outplay_engine::Catalogue;
use outplay_lab::book::{LineChoice, OpenBook, book_lines};

use crate::Failure;
use crate::inputs::{GameArgs, PositionArgs};

/// Write the lines of a book as games, one a line: for other programs, for matches, and to be read again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book lines othello othello.book --out lines.txt
  outplay book lines othello othello.book --moves f5d6 --margin 50 --out after-f5d6.txt
  outplay book build othello lines.txt --out again.book

A position that several lines lead to is gone on from once. Where a position has several moves, the best come first.

Exit codes: 0 written; 3 the book knows nothing of the position.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The book.
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Of the moves that were judged, only those within so many hundredths of the best one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=20_000))]
    margin: Option<i32>,
    /// Plies of a line at most, from the position on.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// Lines at most.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = args.game.open(games)?;
    args.position.apply(&mut *session)?;
    let open = OpenBook::open(&args.book).with_context(|| args.book.display().to_string());
    let mut book = open.map_err(Failure::Failed)?;
    if !book.is_of(&args.game.named(games)?, &*session) {
        let words = format!("{} is no book of {}", args.book.display(), args.game.game);
        return Err(Failure::Failed(anyhow!(words)));
    }
    if session.recorded().start.is_some() {
        let words =
            "a line of a file begins at the usual start: say by --moves where to begin, not by --position";
        return Err(Failure::usage(anyhow!(words)));
    }
    let before: Vec<String> = session.played_plain().into_iter().map(|(_, text)| text).collect();
    let choice = LineChoice { margin: args.margin, plies: args.plies as usize, most: args.most as usize };
    let lines = book_lines(&mut book, &mut *session, &choice)?;
    if lines.is_empty() {
        let words = format!("the book does not know {}", session.position_text());
        return Err(Failure::Verdict { code: 3, words });
    }
    let mut text = String::new();
    for line in &lines {
        let moves: Vec<&str> = before.iter().chain(line).map(String::as_str).collect();
        text += &moves.join(" ");
        text.push('\n');
    }
    super::write(&args.out, text.as_bytes())?;
    Ok(writeln!(out, "{} lines in {}", lines.len(), args.out.display())?)
}
