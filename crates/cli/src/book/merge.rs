//! `outplay book merge`

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use outplay_chess::polyglot::{BookBuilder, Weights};

use super::Format;
use crate::Failure;
use crate::inputs::GameArgs;

/// Merge books into one: weights are added up.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book merge chess mine.bin yours.bin --out both.bin")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Books.
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// The book to write; it may be one of those that are read.
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let Format::Polyglot(_) = Format::of(&args.game)?;
    let mut builder = BookBuilder::new(Weights::Games);
    for path in &args.books {
        let mut book = super::open(path)?;
        if book.stray_bytes() > 0 {
            let why = "its length is no multiple of 16, so it is cut off or no book";
            return Err(Failure::Failed(anyhow!("{}: {why}", path.display())));
        }
        book.visit(|entry| builder.add_entry(entry))?;
    }
    let entries = builder.entries(1);
    super::write(&args.out, &entries)?;
    writeln!(out, "{} entries of {} books in {}", entries.len(), args.books.len(), args.out.display())?;
    Ok(())
}
