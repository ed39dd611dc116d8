//! `outplay connect6`

use std::io::{self, BufReader, Write};

use outplay_engine::Catalogue;
use outplay_protocols::serve::GameEngine;
use outplay_protocols::serve::connect6::serve;

use crate::Failure;
use crate::inputs::SearchArgs;

/// Play Connect6 for a board program or a referee that speaks the line protocol of Cloudict.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay connect6                       then type: movetime 1000, new white, move JJ, print, quit
  outplay connect6 --set hash=256
  outplay match connect6 --a pvs --b \"cmd=outplay connect6,proto=connect6\" --limit time=5 --opening-plies 3

Cells are two letters, column and row, A to S with I, from the lower left: JJ is the centre. `help` lists the commands.")]
pub struct Args {
    #[command(flatten)]
    search: SearchArgs,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(serve(&GameEngine::outplay(games.clone(), args.search.options()), BufReader::new(io::stdin()), out)?)
}
