//! `outplay book inspect`

use std::io::Write;
use std::path::PathBuf;

use outplay_engine::Catalogue;
use serde::Serialize;

use super::Format;
use crate::Failure;
use crate::inputs::GameArgs;

/// Say what is in a book, and whether it is a sound one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay book inspect connect6 connect6.book
  outplay book inspect chess book.bin --json

Exit codes: 0 sound; 1 not a book of the game, or damaged; 3 a Polyglot book that is not sorted, or cut off: programs will not find all that
is in it.")]
pub struct Args {
    #[command(flatten)]
    pub game: GameArgs,
    /// The book.
    #[arg(value_name = "BOOK")]
    pub book: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize, Default)]
struct JsonBook {
    game: String,
    positions: usize,
    moves: usize,
    most_moves: usize,
    searched_positions: usize,
    judged_moves: usize,
    most_depth: u32,
    /// Games that were counted in the position with most of them.
    most_games: u64,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let session = args.game.open(games)?;
    match Format::of_file(&args.game, &args.book)? {
        Format::Polyglot(_) => return super::polyglot::inspect(args, out),
        Format::Own => (),
    }
    let book = super::open(&*session, &args.book)?;
    let mut found = JsonBook { game: book.game().to_string(), positions: book.len(), ..JsonBook::default() };
    for (_, page) in book.pages() {
        let judged = page.iter().filter_map(|known| known.judgement).count();
        found.moves += page.len();
        found.most_moves = found.most_moves.max(page.len());
        found.searched_positions += usize::from(judged > 0);
        found.judged_moves += judged;
        let depths = page.iter().filter_map(|known| known.judgement).map(|judgement| judgement.depth);
        found.most_depth = found.most_depth.max(depths.max().unwrap_or(0));
        found.most_games = found.most_games.max(page.iter().map(|known| known.results.games()).sum());
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
        return Ok(());
    }
    let JsonBook { game, positions, moves, most_moves, .. } = &found;
    writeln!(out, "{game}: {positions} positions, {moves} moves, at most {most_moves} in a position")?;
    let JsonBook { searched_positions, judged_moves, most_depth, most_games, .. } = &found;
    writeln!(
        out,
        "{searched_positions} positions were searched, {judged_moves} moves judged, at most {most_depth} plies deep"
    )?;
    writeln!(out, "at most {most_games} games went through a position")?;
    Ok(())
}
