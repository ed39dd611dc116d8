//! `outplay gomocup`

use std::io::{self, BufReader, Write};

use outplay_engine::Catalogue;
use outplay_protocols::serve::GameEngine;
use outplay_protocols::serve::gomocup::serve;

use crate::Failure;
use crate::inputs::SearchArgs;

/// Play free-style gomoku for a manager that speaks the protocol of the Gomocup tournaments.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay gomocup                        then type: START 15, INFO timeout_turn 1000, TURN 7,7, YXNBEST 3, END
  outplay gomocup --set threads=2

Cells are two numbers, x,y, counted from 0 at the upper left. Five or more in a row win; other rules are refused.")]
pub struct Args {
    #[command(flatten)]
    search: SearchArgs,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(serve(&GameEngine::outplay(games.clone(), args.search.options()), BufReader::new(io::stdin()), out)?)
}
