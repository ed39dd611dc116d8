//! `outplay gtp`

use std::io::{self, BufReader, Write};

use outplay_engine::Catalogue;
use outplay_protocols::serve::GameEngine;
use outplay_protocols::serve::gtp::serve;

use crate::Failure;
use crate::inputs::SearchArgs;

/// Play a game of stones for a board program or a match runner that speaks the Go Text Protocol.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay gtp                            Connect6; then type: time_settings 0 1 1, play b K10, genmove w, showboard, quit
  outplay gtp othello --search mcts
  gogui-twogtp -black \"outplay gtp gomoku\" -white ... -size 15

One stone a command, also where a turn has several. Columns are letters without I, rows count from the bottom: the centre of
19x19 is K10. `list_commands` lists the commands.")]
pub struct Args {
    /// The game: one in which a move is a cell, such as connect6, gomoku, othello.
    #[arg(value_name = "GAME", default_value = "connect6")]
    game: String,
    #[command(flatten)]
    search: SearchArgs,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let engine = GameEngine::outplay(games.clone(), args.search.options());
    let game = games.find(&args.game).map_err(Failure::usage)?.to_string();
    Ok(serve(&engine, &game, BufReader::new(io::stdin()), out)?)
}
