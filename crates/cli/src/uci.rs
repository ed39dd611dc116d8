//! `outplay uci`

use std::io::{self, BufRead, BufReader, Write};
use std::sync::Arc;

use outplay_protocols::serve::uci::{Engine, obey_one, serve};

use crate::{Failure, bench};

/// Play and analyse chess for a board program or a match runner that speaks UCI.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay uci                        then type: uci, position startpos moves e2e4, go movetime 1000, quit
  outplay uci bench                  one command, and the end
  outplay uci go depth 12
  fastchess -engine cmd=outplay args=uci ...

Board programs that cannot pass arguments may start `outplay` alone: without a terminal it recognises the protocol from
the first line. `setoption name Search value mcts` exchanges the search; `uci` lists all options.
Beside the protocol: d, eval, flip, bench, compiler, go perft N.")]
pub struct Args {
    /// A command to obey in place of those on standard input.
    #[arg(value_name = "COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match args.command.as_slice() {
        [] => answer(BufReader::new(io::stdin()), out),
        words => obey_one(&engine(), &words.join(" "), out).map_err(Failure::from),
    }
}

/// Answers in UCI what an input asks.
pub fn answer(input: impl BufRead + Send + 'static, out: &mut dyn Write) -> Result<(), Failure> {
    serve(&engine(), input, out).map_err(Failure::from)
}

fn engine() -> Engine {
    Engine::outplay(Arc::new(bench::chess_text))
}
