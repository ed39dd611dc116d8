//! `outplay book inspect`

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::Format;
use crate::Failure;
use crate::inputs::GameArgs;

/// Say what is in a book, and whether it is a sound one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book inspect chess book.bin
  outplay book inspect chess book.bin --json

Exit codes: 0 sound; 3 not sorted, or cut off: programs will not find all that is in it.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The book.
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct JsonBook {
    entries: u64,
    positions: u64,
    most_moves: u64,
    weightless: u64,
    sorted: bool,
    stray_bytes: u64,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let Format::Polyglot(_) = Format::of(&args.game)?;
    let mut book = super::open(&args.book)?;
    let mut found = JsonBook {
        entries: book.entries(),
        stray_bytes: book.stray_bytes(),
        sorted: true,
        ..JsonBook::default()
    };
    let (mut last, mut moves) = (None, 0);
    book.visit(|entry| {
        let is_new = last != Some(entry.key);
        found.sorted &= last <= Some(entry.key);
        found.positions += u64::from(is_new);
        moves = if is_new { 1 } else { moves + 1 };
        found.most_moves = found.most_moves.max(moves);
        found.weightless += u64::from(entry.weight == 0);
        last = Some(entry.key);
    })?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        let JsonBook { entries, positions, most_moves, weightless, .. } = found;
        writeln!(out, "{entries} entries, {positions} positions, at most {most_moves} moves each")?;
        writeln!(out, "{weightless} entries of weight 0, which are not played")?;
    }
    let verdict = |words: String| Err(Failure::Verdict { code: 3, words });
    match found {
        JsonBook { stray_bytes: 0, sorted: true, .. } => Ok(()),
        JsonBook { stray_bytes: 0, .. } => verdict(format!("{} is not sorted", args.book.display())),
        JsonBook { stray_bytes, .. } => {
            verdict(format!("{} ends with {stray_bytes} bytes that are no entry", args.book.display()))
        }
    }
}
