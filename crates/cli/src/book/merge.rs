//! `outplay book merge`

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use outplay_book::Book;

use super::Format;
use outplay_engine::Catalogue;

use crate::Failure;
use crate::inputs::GameArgs;

/// Merge books into one: results of games, or weights, are added up, and of two judgements of a move the one with more nodes stays.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book merge connect6 mine.book yours.book --out both.book
  outplay book merge chess mine.bin yours.bin --out both.bin")]
pub struct Args {
    #[command(flatten)]
    pub game: GameArgs,
    /// Books, all in one format.
    #[arg(value_name = "BOOK", required = true)]
    pub books: Vec<PathBuf>,
    /// The book to write; it may be one of those that are read.
    #[arg(long, value_name = "BOOK")]
    pub out: PathBuf,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let session = args.game.open(games)?;
    let mut own = 0;
    for path in &args.books {
        own += usize::from(matches!(Format::of_file(&args.game, path)?, Format::Own));
    }
    match own {
        0 => return super::polyglot::merge(args, out),
        _ if own == args.books.len() => (),
        _ => {
            return Err(Failure::usage(anyhow!(
                "some of the books are in the Polyglot format, some are not"
            )));
        }
    }
    let mut merged = Book::new(super::book_game(&*session)?);
    for path in &args.books {
        merged.merge(&super::open(&*session, path)?);
    }
    super::write(&args.out, &merged.to_bytes())?;
    writeln!(out, "{} positions of {} books in {}", merged.len(), args.books.len(), args.out.display())?;
    Ok(())
}
