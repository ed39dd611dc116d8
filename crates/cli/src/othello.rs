//! `outplay othello`

use std::io::{self, BufReader, IsTerminal, Write};

use outplay_engine::Catalogue;
use outplay_protocols::serve::GameEngine;
use outplay_protocols::serve::console::{ConsoleSettings, serve};

use crate::Failure;
use crate::inputs::SearchArgs;

/// Play, analyse and solve Othello at a console like Edax's.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay othello                        then type: mode 0, play f5, undo, hint 3, analyze, quit (help lists all)
  outplay othello --level 20 --set threads=2
  printf 'play f5d6c3\\ngo\\nquit\\n' | outplay othello
  printf 'solve fforum-1-19.obf\\n' | outplay othello

Moves alone are played. Values are in discs for the player to move; those without a fraction are exact.")]
pub struct Args {
    /// How deep to look in the middle game; the end is solved from 8 empty squares more on (24 at most).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    level: Option<u32>,
    #[command(flatten)]
    search: SearchArgs,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let engine = GameEngine::outplay(games.clone(), args.search.options());
    let settings = ConsoleSettings { has_prompt: io::stdin().is_terminal(), level: args.level };
    Ok(serve(&engine, settings, BufReader::new(io::stdin()), out)?)
}
