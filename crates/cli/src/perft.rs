//! `outplay perft`

use std::io::Write;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use outplay_engine::Catalogue;
use serde::Serialize;

use crate::inputs::{GameArgs, PositionArgs};
use crate::{Failure, report};

/// Count the move sequences of a length: the test of every move generator.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay perft chess 5
  outplay perft othello 9 --divide
  outplay perft chess 4 --position \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  outplay perft connect4:5x4 8 --threads 2 --json")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// How many plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Show the count after each first move.
    #[arg(long)]
    divide: bool,
    /// Threads to count with.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonPerft {
    nodes: u64,
    seconds: f64,
    cpu_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<serde_json::Map<String, serde_json::Value>>,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = args.game.open(games)?;
    args.position.apply(&mut *session)?;
    let bar = indicatif::ProgressBar::new(0).with_style(
        indicatif::ProgressStyle::with_template("{wide_bar} {percent}% {elapsed} of about {duration}")
            .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()),
    );
    let (begun, cpu_begun) = (Instant::now(), ProcessTime::now());
    let counts = session.perft(args.depth, args.threads as usize, &|done, all| {
        // Short counts end before anyone could read a bar.
        if begun.elapsed() > Duration::from_secs(1) {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    });
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu_begun.elapsed().as_secs_f64());
    bar.finish_and_clear();
    // No move at all is one sequence.
    let nodes = if args.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    if args.json {
        let divide =
            args.divide.then(|| counts.into_iter().map(|(text, count)| (text, count.into())).collect());
        writeln!(out, "{}", serde_json::to_string(&JsonPerft { nodes, seconds, cpu_seconds, divide })?)?;
        return Ok(());
    }
    if args.divide {
        for (text, count) in counts {
            writeln!(out, "{text} {count}")?;
        }
    }
    writeln!(out, "{seconds:.3} seconds, {}/s", report::short((nodes as f64 / seconds.max(1e-9)) as u64))?;
    writeln!(out, "nodes {nodes}")?;
    Ok(())
}
