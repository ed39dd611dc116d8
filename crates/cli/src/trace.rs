//! `outplay trace`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use anyhow::Context;
use outplay_engine::{Catalogue, TraceRecord};
use outplay_search::trace::TraceOptions;

use crate::Failure;
use crate::inputs::TaskArgs;

/// Record how a search goes through its tree, as JSON lines.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay trace chess --depth 8 --out chess.trace
  outplay trace chess --moves \"e4 e5 Nf3\" --depth 6 --plies 2 | head -1
  outplay trace connect6 --nodes 50000 --set null_move=false --out connect6.trace
  outplay trace othello --search mcts --time 5 --plies 4 --least 20 --out othello.trace

The first line says what is searched and how; then comes a line for each iteration of an alpha-beta search, or up to ten a second for a
Monte Carlo search; the last line says how it ended. docs/trace.md describes every field.
Without a limit, a second of search. Ctrl-C ends the search, and the trace with it.")]
pub struct Args {
    #[command(flatten)]
    task: TaskArgs,
    /// Record nodes up to so many plies from the root.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(..=100))]
    plies: u16,
    /// Record at most so many nodes at a time; the rest is counted.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    most_nodes: u32,
    /// Leave out moves of a Monte Carlo search with fewer visits.
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: u64,
    /// Write to this file, replacing it, instead of printing.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const DEFAULT_TIME: Duration = Duration::from_secs(1);

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut session, limits) = args.task.open(games, DEFAULT_TIME)?;
    // Opened only now, so that what makes no sense leaves an old file as it was; written as it goes, so that others may read along.
    let mut file = match &args.out {
        None => None,
        Some(path) => {
            let file = File::create(path).with_context(|| format!("cannot write {}", path.display()));
            Some(BufWriter::new(file.map_err(Failure::Failed)?))
        }
    };
    let out: &mut dyn Write = match &mut file {
        Some(file) => file,
        None => out,
    };
    let what = TraceOptions { plies: args.plies, most_nodes: args.most_nodes, least_visits: args.least };
    // Room for one: whoever is too slow to write makes the search drop records, not hoard them.
    let (sender, records) = mpsc::sync_channel(1);
    let game = args.task.game(games)?.to_string();
    let sink = move |mut record: TraceRecord| {
        if let TraceRecord::Begin(begin) = &mut record {
            begin.game = Some(game.clone());
        }
        // Whoever listens may be gone, because writing failed: that ends the program anyway.
        drop(sender.send(record));
    };
    let handle = session.watch(limits, what, Box::new(|_, _| ()), Box::new(sink)).map_err(Failure::usage)?;
    // Where the system refuses, Ctrl-C ends the program as it always does.
    drop(ctrlc::set_handler(move || handle.stop()));
    // Ends with the search, because the sink ends with it, even if the search dies.
    for record in records {
        serde_json::to_writer(&mut *out, &record)?;
        writeln!(out)?;
        out.flush()?;
    }
    session.wait();
    Ok(())
}
