//! `outplay bench mcts`

use std::io::Write;
use std::time::Instant;

use cpu_time::ProcessTime;
use outplay_engine::Catalogue;
use outplay_search::{BatchUse, CacheUse, Limits};
use serde::Serialize;

use crate::inputs::GameArgs;
use crate::{Failure, report};

/// Measure the tree of the Monte Carlo search alone: playouts per second, and memory.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay bench mcts --game chess --evaluator random --playouts 1000000
  outplay bench mcts --game chess --evaluator uniform --threads 2 --json
  outplay bench mcts --game chess --dag                 positions shared between the ways to them
  outplay bench mcts --game othello --evaluator static --set evaluation=discs
  outplay bench mcts --set evaluation_threads=1 --set evaluator_delay_us=500 --set nncache=200000

Speed is counted in seconds of processor time, of all threads together; memory is what the process has grown by. Playouts end
early where the position is solved.")]
pub struct Args {
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    /// Who judges the leaves: random, uniform, static or rollouts.
    #[arg(long, value_name = "E", default_value = "random")]
    evaluator: String,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Playouts.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,
    /// Leaves judged at once.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..=1024))]
    minibatch: u16,
    /// Share positions between the ways to them: a graph in place of a tree.
    #[arg(long)]
    dag: bool,
    /// A position; the start of the game by default.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// Change a setting of the search; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = crate::inputs::setting)]
    settings: Vec<(String, String)>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Measured {
    playouts: u64,
    seconds: f64,
    cpu_seconds: f64,
    playouts_per_cpu_second: f64,
    /// Growth of resident memory; `None` where the system does not tell.
    bytes_per_playout: Option<f64>,
    depth: u32,
    selective_depth: u32,
    #[serde(flatten)]
    cache: Option<CacheUse>,
    #[serde(flatten)]
    batches: Option<BatchUse>,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut session = GameArgs { game: args.game.clone() }.open(games)?;
    session.set_game(args.position.as_deref(), "").map_err(Failure::usage)?;
    let fixed = [
        ("search", "mcts".to_string()),
        ("evaluator", args.evaluator.clone()),
        ("threads", args.threads.to_string()),
        ("minibatch_size", args.minibatch.to_string()),
        ("dag", args.dag.to_string()),
        // All playouts are to be made.
        ("smart_pruning_factor", "0".to_string()),
    ];
    let chosen = args.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
    for (name, value) in fixed.into_iter().chain(chosen) {
        session.set_option(name, &value).map_err(Failure::usage)?;
    }
    let memory = resident_bytes();
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let limits = Limits { nodes: Some(args.playouts), ..Limits::default() };
    session.go(limits, Box::new(|_, _| ()))?;
    let Some(report) = session.wait() else { return Ok(()) };
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    let playouts = report.counters.nodes;
    let grown = resident_bytes().zip(memory).map(|(after, before)| after.saturating_sub(before));
    let measured = Measured {
        playouts,
        seconds,
        cpu_seconds,
        playouts_per_cpu_second: playouts as f64 / cpu_seconds.max(1e-9),
        bytes_per_playout: grown.map(|bytes| bytes as f64 / playouts.max(1) as f64),
        depth: report.depth,
        selective_depth: report.selective_depth,
        cache: report.counters.cache,
        batches: report.counters.batches,
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&measured)?)?;
        return Ok(());
    }
    let speed = report::short(measured.playouts_per_cpu_second as u64);
    writeln!(out, "{playouts} playouts in {seconds:.2} s, {cpu_seconds:.2} s of processor time: {speed}/s")?;
    if let Some(bytes) = measured.bytes_per_playout {
        writeln!(out, "{bytes:.0} bytes of memory a playout")?;
    }
    writeln!(out, "depth {}, deepest {}", measured.depth, measured.selective_depth)?;
    if let Some(CacheUse { lookups, hits }) = measured.cache {
        writeln!(out, "{hits} of {lookups} positions in the cache")?;
    }
    if let Some(batches) = measured.batches {
        writeln!(out, "{} batches of {:.1} leaves on average", batches.batches, batches.mean())?;
    }
    Ok(())
}

/// The memory of this process that is in use, as Linux tells it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
