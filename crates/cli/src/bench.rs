//! `outplay bench`

use std::io::Write;
use std::time::Instant;

use outplay_core::Rng;
use outplay_engine::{Catalogue, DEFAULT_SEARCH, Session};
use outplay_search::Limits;
use serde::Serialize;

use crate::{Failure, bench_mcts, report};

/// Search fixed positions of every game on one thread and print a signature: it changes when behaviour does.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay bench
  outplay bench othello chess
  outplay bench --json
  outplay bench --signature      only what is the same on every run
  OUTPLAY_PORTABLE=1 outplay bench    without the instructions of newer processors: slower, the same signature
  outplay bench mcts --help      the speed and the memory of the search tree

The nodes and the hash are the same on every run. They are kept in crates/cli/tests/signatures.txt; a commit that changes them
says so and why.")]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// The games; all of them by default.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print the signatures without the times: what the committed file holds.
    #[arg(long, conflicts_with = "json")]
    signature: bool,
}

/// Something else to measure.
#[derive(clap::Subcommand)]
enum What {
    Mcts(bench_mcts::Args),
}

/// How many random moves lead from the start to each position that is searched.
const POSITIONS: [usize; 4] = [0, 6, 14, 25];
/// Nodes for each search of each position.
const NODES: u64 = 20_000;
/// Random games for each Monte Carlo search of each position: a game costs as much as hundreds of nodes.
const RANDOM_GAMES: u64 = 500;

#[derive(Serialize)]
struct JsonBench {
    game: String,
    nodes: u64,
    hash: String,
    seconds: f64,
    nodes_per_second: u64,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(What::Mcts(args)) = &args.what {
        return bench_mcts::run(args, games, out);
    }
    let names: Vec<String> = match args.games.as_slice() {
        [] => games.rows().iter().map(|game| game.example.to_string()).collect(),
        names => names.to_vec(),
    };
    let bar = indicatif::ProgressBar::new(names.len() as u64);
    let mut results = Vec::new();
    let mut signature_of_all = 0;
    for game in names {
        let session = games.open(&game).map_err(Failure::usage)?;
        let begun = Instant::now();
        let (nodes, hash) = signature(session)?;
        signature_of_all = outplay_core::mix(signature_of_all ^ hash);
        let seconds = begun.elapsed().as_secs_f64();
        let nodes_per_second = (nodes as f64 / seconds) as u64;
        results.push(JsonBench { game, nodes, hash: format!("{hash:016x}"), seconds, nodes_per_second });
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&results)?)?;
        return Ok(());
    }
    for JsonBench { game, nodes, hash, seconds, nodes_per_second } in &results {
        write!(out, "{game:<18} nodes {nodes:>9}  hash {hash}")?;
        if !args.signature {
            write!(out, "  {seconds:>6.2} s  {:>8}/s", report::short(*nodes_per_second))?;
        }
        writeln!(out)?;
    }
    let nodes: u64 = results.iter().map(|result| result.nodes).sum();
    let seconds: f64 = results.iter().map(|result| result.seconds).sum();
    writeln!(out, "Signature: {nodes} {signature_of_all:016x}")?;
    if !args.signature {
        writeln!(out, "Bench: {nodes} nodes {} nps", (nodes as f64 / seconds) as u64)?;
    }
    Ok(())
}

/// What there is to say of chess alone.
pub fn chess_text() -> String {
    let mut text = Vec::new();
    let args = Args { what: None, games: vec!["chess".to_string()], json: false, signature: false };
    match run(&args, &Catalogue::standard(), &mut text) {
        Ok(()) => String::from_utf8_lossy(&text).into_owned(),
        Err(failure) => format!("info string {failure}"),
    }
}

/// The searches that go deeper and deeper until the nodes are spent.
const DEEPENING: [&str; 2] = ["deepening", DEFAULT_SEARCH];

/// What looks at one position searches nothing that a signature could tell about.
const NO_SEARCH: &str = "policy";

/// The nodes of all searches of all positions, and a hash of what they found.
fn signature(mut session: Box<dyn Session>) -> Result<(u64, u64), Failure> {
    let (mut nodes, mut hash) = (0, 0);
    let mut take = |word: u64| hash = outplay_core::mix(hash ^ word);
    for length in POSITIONS {
        go_to_random_position(&mut *session, length)?;
        for search in session.searches().into_iter().filter(|search| search.name != NO_SEARCH) {
            session.set_option("search", search.name)?;
            let nodes_limit = if search.counts_playouts { RANDOM_GAMES } else { NODES };
            // The searches of fixed depth would otherwise spend their nodes on the first root move.
            let depth = Some(3).filter(|_| !DEEPENING.contains(&search.name));
            session
                .go(Limits { nodes: Some(nodes_limit), depth, ..Limits::default() }, Box::new(|_, _| ()))?;
            let Some(report) = session.wait() else { continue };
            nodes += report.counters.nodes;
            take(report.counters.nodes);
            take(report.counters.leaves);
            take(report.counters.cutoffs.unwrap_or_default().all);
            for line in &report.lines {
                line.score.to_string().bytes().for_each(|byte| take(byte.into()));
                line.moves.iter().for_each(|m| take(m.bits().into()));
            }
        }
    }
    Ok((nodes, hash))
}

/// Plays random moves from the start, from a fixed seed; stops before the end of the game.
fn go_to_random_position(session: &mut dyn Session, length: usize) -> Result<(), Failure> {
    let mut rng = Rng::new(length as u64);
    session.set_game(None, "")?;
    for _ in 0..length {
        let moves = session.legal_moves();
        session.play(moves[rng.below(moves.len())])?;
        if session.outcome().is_some() {
            session.undo()?;
            break;
        }
    }
    Ok(())
}
