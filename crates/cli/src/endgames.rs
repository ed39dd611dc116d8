//! `outplay endgames`

mod build;
mod check;
mod probe;

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use outplay_chess::endgame::Ending;

use crate::Failure;

/// Build, check and ask tables of all chess endings with three or four men.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay endgames build tables
  outplay endgames probe tables --position \"8/8/8/8/8/2k5/8/KQ5r w - - 0 1\"
  outplay endgames check tables --endings KPvK,KQvKR --every 10

A table says of each position who wins, and in how many plies. It does not know the fifty-move rule.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Args),
    Probe(probe::Args),
    Check(check::Args),
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.command {
        Command::Build(args) => build::run(args, out),
        Command::Probe(args) => probe::run(args, out),
        Command::Check(args) => check::run(args, out),
    }
}

/// Where tables are, and which of them.
#[derive(clap::Args)]
struct TablesArgs {
    /// The folder of the tables.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Only these endings: KPvK,KQvKR.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    endings: Vec<String>,
}

impl TablesArgs {
    /// The endings that are meant, in the order in which they are built; all if none is named.
    fn endings(&self) -> Result<Vec<Ending>, Failure> {
        let named: Result<Vec<Ending>, _> = self.endings.iter().map(|name| name.parse()).collect();
        let named = named.map_err(Failure::usage)?;
        let is_meant = |ending: &Ending| named.is_empty() || named.contains(ending);
        Ok(Ending::all().into_iter().filter(is_meant).collect())
    }
}

fn failed(error: impl Into<anyhow::Error>) -> Failure {
    Failure::Failed(error.into())
}
