//! `outplay botzone`

use std::io::{self, Read, Write};
use std::time::Duration;

use outplay_engine::Catalogue;
use outplay_lab::parse_duration;
use outplay_protocols::serve::GameEngine;
use outplay_protocols::serve::botzone::respond;

use crate::Failure;
use crate::inputs::SearchArgs;

/// Longer requests than any game of 225 cells are not read to their end.
const LONGEST_REQUEST: u64 = 1 << 20;

/// Answer one request of Botzone's ConnectSix: 15x15, JSON on standard input, JSON on standard output.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  echo '{\"requests\":[{\"x0\":-1,\"y0\":-1,\"x1\":-1,\"y1\":-1}],\"responses\":[]}' | outplay botzone
  echo '{\"requests\":[{\"x0\":7,\"y0\":7,\"x1\":-1,\"y1\":-1}]}' | outplay botzone --time 500ms

Numbers count from 0 at the upper left. Black's first request is all -1, and the second stone of Black's first turn is -1 too.")]
pub struct Args {
    /// Think this long about the turn: 0.8 (seconds) or 500ms.
    #[arg(long, value_name = "TIME", default_value = "0.8", value_parser = parse_duration)]
    time: Duration,
    #[command(flatten)]
    search: SearchArgs,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut request = Vec::new();
    io::stdin().take(LONGEST_REQUEST).read_to_end(&mut request)?;
    let request = String::from_utf8_lossy(&request);
    let response = respond(&GameEngine::outplay(games.clone(), args.search.options()), &request, args.time);
    writeln!(out, "{}", response.map_err(|error| Failure::Failed(error.into()))?)?;
    Ok(())
}
