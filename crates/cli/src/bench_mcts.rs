//! `outplay bench mcts`

mod games;
mod processes;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::anyhow;
use cpu_time::ProcessTime;
use outplay_engine::{Catalogue, Session};
use outplay_search::{BatchUse, CacheUse, Limits, OptionKind, OptionRow, OptionValue};
use serde::Serialize;

use crate::experiment::progress_bar;
use crate::inputs::GameArgs;
use crate::{Failure, report};

/// Measure the tree of the Monte Carlo search alone: playouts per second, and memory.
#[derive(clap::Args, Clone)]
#[command(after_help = "\
Examples:
  outplay bench mcts --game chess --evaluator random --playouts 1000000
  outplay bench mcts --game chess --evaluator uniform --threads 2 --json
  outplay bench mcts --game chess --dag                 positions shared between the ways to them
  outplay bench mcts --game othello --evaluator static --set evaluation=discs
  outplay bench mcts --set evaluation_threads=1 --set evaluator_delay_us=500 --set nncache=200000
  outplay bench mcts --game connect4 --games 4096 --playouts-per-move 32      many small searches on one thread
  outplay bench mcts --game connect4 --games 4096 --compare                   beside one large tree
  outplay bench mcts --game othello --games 1024 --threads 16 --evaluator net --network FILE
  outplay bench mcts --threads 16 --compare                                   threads beside as many processes

Speed is counted in seconds of processor time, of all threads together; memory is what the process has grown by. Playouts end
early where the position is solved.

Threads are compared with as many processes, each of which makes --playouts: once in a tree of as many playouts, which shows what
threads cost each other, and once in one as large as those of all processes together, which shows what the size of a tree costs, too.
With 16 threads of 1000000 playouts that takes some gigabytes, and half a minute.")]
pub struct Args {
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    /// Who evaluates the leaves: random, uniform, static, rollouts or net.
    #[arg(long, value_name = "E", default_value = "random")]
    evaluator: String,
    /// The network of the evaluator net: a file, or a name of `outplay net list`.
    #[arg(long, value_name = "N")]
    network: Option<PathBuf>,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Playouts; of each process, where threads are compared with processes [default: 1000000; 20000 with a network].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Leaves evaluated at once [default: as many as the evaluator likes: 256 for random and uniform, 1 for rollouts and static].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    minibatch: Option<u16>,
    /// Share positions between the ways to them: a graph in place of a tree.
    #[arg(long)]
    dag: bool,
    /// A position; the start of the game by default.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// Change a setting of the search; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = crate::inputs::setting)]
    settings: Vec<(String, String)>,
    /// Search so many games at once, each with a small tree of its own, a share of them on each thread; leaves of different games are evaluated together. With the
    /// evaluators random and net.
    #[arg(long, value_name = "N", conflicts_with_all = ["position", "dag"], value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// Playouts for each move of these games.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..), requires = "games")]
    playouts_per_move: u64,
    /// Leaves of one of these games in a batch.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1024), requires = "games")]
    leaves_per_game: u32,
    /// Measure what there is to compare with, too, in turns: for many games one large tree, for threads as many processes.
    #[arg(long)]
    compare: bool,
    /// How often both are measured for that; medians count.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..), requires = "compare")]
    rounds: u8,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The evaluator that is a network.
const NET: &str = "net";

impl Args {
    fn playouts(&self) -> u64 {
        let usual = if self.evaluator == NET { 20_000 } else { 1_000_000 };
        self.playouts.unwrap_or(usual)
    }
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
    match (args.games, args.compare) {
        (Some(count), false) => print_games(args, games, count, out),
        (Some(count), true) => compare_games(args, games, count, out),
        (None, true) => compare_processes(args, games, out),
        (None, false) => print(args, &measure(args, games)?, out),
    }
}

/// One search of one tree.
fn measure(args: &Args, games: &Catalogue) -> Result<Measured, Failure> {
    let mut session = GameArgs { game: args.game.clone() }.open(games)?;
    session.set_game(args.position.as_deref(), "").map_err(Failure::usage)?;
    // Only this search has the other settings.
    session.set_option("search", "mcts").map_err(Failure::usage)?;
    if args.evaluator != NET {
        leave_network(&mut *session)?;
    }
    let evaluator = match (args.evaluator.as_str(), &args.network) {
        (NET, network) => {
            let file = network.as_ref().map(|file| ("network", file.display().to_string()));
            [Some(("evaluation", NET.to_string())), file]
        }
        (evaluator, _) => [Some(("evaluator", evaluator.to_string())), None],
    };
    let fixed = [
        ("threads", args.threads.to_string()),
        ("minibatch_size", args.minibatch.unwrap_or(0).to_string()),
        ("dag", args.dag.to_string()),
        // All playouts are to be made.
        ("smart_pruning_factor", "0".to_string()),
        ("endgame_solver", "false".to_string()),
    ];
    let chosen = args.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
    for (name, value) in evaluator.into_iter().flatten().chain(fixed).chain(chosen) {
        session.set_option(name, &value).map_err(Failure::usage)?;
    }
    let memory = resident_bytes();
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let limits = Limits { nodes: Some(args.playouts()), ..Limits::default() };
    session.go(limits, Box::new(|_, _| ()))?;
    let report = session.wait().ok_or_else(|| Failure::usage(anyhow!("there is nothing to search")))?;
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    let playouts = report.counters.nodes;
    let grown = resident_bytes().zip(memory).map(|(after, before)| after.saturating_sub(before));
    Ok(Measured {
        playouts,
        seconds,
        cpu_seconds,
        playouts_per_cpu_second: playouts as f64 / cpu_seconds.max(1e-9),
        bytes_per_playout: grown.map(|bytes| bytes as f64 / playouts.max(1) as f64),
        depth: report.depth,
        selective_depth: report.selective_depth,
        cache: report.counters.cache,
        batches: report.counters.batches,
    })
}

/// Chooses another evaluation where a network is the game's usual one: it would evaluate the leaves whatever the evaluator is called.
fn leave_network(session: &mut dyn Session) -> Result<(), Failure> {
    let rows = session.options()?;
    let usual = rows.into_iter().find(|(row, _)| row.name == "evaluation");
    if let Some((OptionRow { kind: OptionKind::Choice { words }, .. }, OptionValue::Choice(word))) = usual
        && word == NET
        && let Some(other) = words.iter().find(|word| **word != NET)
    {
        session.set_option("evaluation", other).map_err(Failure::usage)?;
    }
    Ok(())
}

fn print(args: &Args, measured: &Measured, out: &mut dyn Write) -> Result<(), Failure> {
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&measured)?)?;
        return Ok(());
    }
    let Measured { playouts, seconds, cpu_seconds, .. } = measured;
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

fn print_games(args: &Args, catalogue: &Catalogue, games: u32, out: &mut dyn Write) -> Result<(), Failure> {
    let measured = games::measure(args, catalogue, games)?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&measured)?)?;
        return Ok(());
    }
    let games::Measured { playouts, moves, seconds, cpu_seconds, .. } = measured;
    let speed = |playouts: f64| report::short(playouts as u64);
    let (by_cpu, by_clock) = (speed(measured.playouts_per_cpu_second), speed(measured.playouts_per_second));
    writeln!(out, "{playouts} playouts for {moves} moves of {games} games in {seconds:.2} s: {by_clock}/s")?;
    writeln!(out, "{cpu_seconds:.2} s of processor time: {by_cpu}/s")?;
    let evaluations = speed(measured.evaluations_per_second);
    let (batch, waiting) = (measured.mean_batch, 100.0 * measured.waiting);
    writeln!(
        out,
        "{evaluations} evaluations/s in batches of {batch:.1}; {waiting:.0} % of the time of threads goes to the evaluator"
    )?;
    writeln!(out, "{} bytes of memory a game", measured.bytes_per_game)?;
    Ok(())
}

/// Many small searches and one large one in turns.
fn compare_games(args: &Args, catalogue: &Catalogue, games: u32, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut small, mut large) = (Vec::new(), Vec::new());
    let bar = progress_bar(2 * usize::from(args.rounds), "measurements");
    for _ in 0..args.rounds {
        small.push(games::measure(args, catalogue, games)?.playouts_per_cpu_second);
        bar.inc(1);
        large.push(measure(args, catalogue)?.playouts_per_cpu_second);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (small, large) = (median(small), median(large));
    print_ratio(out, &format!("{games} games"), small, "one tree", large, "of processor time")
}

/// Threads in one tree and as many processes in turns.
fn compare_processes(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let mut alone = vec!["bench".to_string(), "mcts".to_string(), "--json".to_string()];
    let values =
        [("game", &args.game), ("evaluator", &args.evaluator)].map(|(name, value)| (name, value.clone()));
    alone.extend(values.map(|(name, value)| format!("--{name}={value}")));
    alone.push(format!("--playouts={}", args.playouts()));
    alone.extend(args.minibatch.map(|size| format!("--minibatch={size}")));
    alone.extend(args.network.iter().map(|file| format!("--network={}", file.display())));
    alone.extend(args.dag.then(|| "--dag".to_string()));
    alone.extend(args.position.iter().map(|position| format!("--position={position}")));
    alone.extend(args.settings.iter().map(|(name, value)| format!("--set={name}={value}")));
    let threads = usize::from(args.threads);
    // What threads cost shows in a tree as large as that of each process; in one as large as all of them together, memory that is farther away shows too.
    let trees = [args.playouts(), args.playouts() * threads as u64];
    let trees = trees.map(|playouts| Args { playouts: Some(playouts), ..args.clone() });
    let mut one = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
    let mut many = [Vec::new(), Vec::new()];
    let bar = progress_bar(3 * usize::from(args.rounds), "measurements");
    for _ in 0..args.rounds {
        for (tree, speeds) in trees.iter().zip(&mut one) {
            let measured = measure(tree, games)?;
            bar.inc(1);
            speeds[0].push(measured.playouts as f64 / measured.seconds.max(1e-9));
            speeds[1].push(measured.playouts_per_cpu_second);
        }
        let processes::Speed { wall, cpu } =
            processes::run_at_once(threads, &alone).map_err(Failure::Failed)?;
        many[0].push(wall);
        many[1].push(cpu);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let [all_wall, all_cpu] = many.map(median);
    let processes = format!("{threads} processes");
    for (speeds, size) in one.into_iter().zip(["each of theirs", "all of theirs"]) {
        let name = format!("{threads} threads in a tree as large as {size}");
        let [wall, cpu] = speeds.map(median);
        print_ratio(out, &name, wall, &processes, all_wall, "by the clock")?;
        print_ratio(out, &name, cpu, &processes, all_cpu, "of processor time")?;
    }
    Ok(())
}

fn print_ratio(
    out: &mut dyn Write,
    name: &str,
    speed: f64,
    other: &str,
    of_other: f64,
    by: &str,
) -> Result<(), Failure> {
    let [one, two] = [speed, of_other].map(|speed| report::short(speed as u64));
    writeln!(out, "{name} {one}/s, {other} {two}/s {by}: {:.2} times as many", speed / of_other)?;
    Ok(())
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The memory of this process that is in use, as Linux tells it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
