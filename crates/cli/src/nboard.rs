//! `outplay nboard`

use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use outplay_engine::Catalogue;
use outplay_protocols::serve::GameEngine;
use outplay_protocols::serve::nboard::serve;

use crate::Failure;
use crate::inputs::SearchArgs;

/// Play Othello for NBoard and other board programs that speak its protocol.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay nboard                         then type: nboard 2, set depth 12, move F5, hint 3, go, analyze, quit
  outplay nboard --set threads=2 --set hash=256
  outplay nboard --learn my.book --set book_file=my.book

The depth is that of the middle game: the end is solved from 8 empty squares more on (24 at most). A clock in the game limits `go`.")]
pub struct Args {
    /// The opening book that games go into where the board program says `learn`; it is made if it is not there.
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let engine = GameEngine::outplay(games.clone(), args.search.options());
    Ok(serve(&engine, args.learn.clone(), BufReader::new(io::stdin()), out)?)
}
