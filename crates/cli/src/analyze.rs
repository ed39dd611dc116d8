//! `outplay analyze`

mod squares;

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use outplay_core::Opening;
use outplay_engine::{Catalogue, JsonReport, Session};
use outplay_search::{Bound, Report, TREE_FILE_MARK};
use serde::Serialize;

use crate::files::replace;
use crate::inputs::{LogArgs, TaskArgs, log_search};
use crate::{Failure, report};

/// Search a position and show what the engine thinks of it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay analyze othello --moves \"f5 d6 c3\" --search deepening --depth 6
  outplay analyze chess --position \"8/8/8/8/8/5k2/5p2/5K2 b - - 0 1\" --search alphabeta --depth 5 --multipv 3
  outplay analyze connect4 --search uct --nodes 100000 --set exploration=0.7
  outplay analyze chess --file game.pgn --time 2 --json
  outplay analyze othello --moves f5d6c3 --depth 14 --squares
  outplay analyze othello --position \"---------------------------OX------XXX-------------------------- O\" --time 1 --json --squares
  outplay analyze othello --search mcts --nodes 100000 --save-tree othello.tree
  outplay analyze othello --search mcts --nodes 100000 --load-tree othello.tree --moves f5

Without a limit, five seconds. Ctrl-C ends a search and prints what it has found.
With --json, one object a line: reports while the search runs, the last one with \"stopped\".
A saved tree goes with the game and its start, and with the settings that it was grown with.")]
pub struct Args {
    #[command(flatten)]
    task: TaskArgs,
    /// Show the best K moves.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    /// Show what every move is worth, on the board: for games in which a move is a cell.
    #[arg(long, conflicts_with = "multipv")]
    squares: bool,
    #[command(flatten)]
    log: LogArgs,
    /// Go on with the tree of an earlier search.
    #[arg(long, value_name = "FILE")]
    load_tree: Option<PathBuf>,
    /// Save the tree of this search; an older tree is replaced.
    #[arg(long, value_name = "FILE")]
    save_tree: Option<PathBuf>,
    /// Print JSON lines.
    #[arg(long)]
    json: bool,
}

const DEFAULT_TIME: Duration = Duration::from_secs(5);

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut session, mut limits) = args.task.open(games, DEFAULT_TIME)?;
    let log = args.log.open()?;
    limits.lines = args.multipv as usize;
    if args.squares {
        if session.cells().is_none() {
            let reason = "--squares is for games in which a move is a cell of the board: give --multipv";
            return Err(Failure::usage(anyhow!(reason)));
        }
        limits.lines = session.legal_moves().len().max(1);
    }
    if let Some(path) = &args.load_tree {
        load_tree(&mut *session, path).map_err(Failure::Failed)?;
    }
    if let Some(path) = &args.save_tree {
        check_is_tree_or_new(path).map_err(Failure::Failed)?;
    }
    let (sender, reports) = mpsc::channel();
    // Whoever listens may be gone, because printing failed: that ends the program anyway.
    let sink = move |report: &Report, _: &dyn outplay_engine::Wording| drop(sender.send(report.clone()));
    let handle = session.go(limits, Box::new(sink)).map_err(Failure::usage)?;
    // Where the system refuses, Ctrl-C ends the program as it always does.
    drop(ctrlc::set_handler(move || handle.stop()));
    if !args.json {
        writeln!(out, "{}\n", session.board().trim_end())?;
        if let Some(Opening { code, name }) = session.opening() {
            let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
            writeln!(out, "Opening: {name}{code}\n")?;
        }
        if let Some(ending) = session.ending() {
            writeln!(out, "The game is over. {ending}.")?;
        }
    }
    // Ends with the search, because the sink ends with it, even if the search dies.
    let mut shown = None;
    for report in reports {
        if args.json {
            print_json(&*session, &report, out)?;
        } else if args.squares {
            if is_new(&report, shown.as_ref()) || report.stopped.is_some() {
                writeln!(out, "{}\n", squares::drawn(&*session, &report))?;
                shown = Some(report.clone());
            }
            print_end(&*session, &report, shown.as_ref(), out)?;
        } else {
            print_text(&*session, &report, &mut shown, out)?;
        }
        out.flush()?;
    }
    if let (Some(report), Some(mut log)) = (session.wait(), log) {
        log_search(&mut log, &args.task.game(games)?.to_string(), &mut *session, &report)?;
    }
    if let Some(path) = &args.save_tree {
        let saved = replace(path, |out| Ok(session.save_tree(out)?));
        saved.with_context(|| format!("cannot save {}", path.display())).map_err(Failure::Failed)?;
    }
    Ok(())
}

fn load_tree(session: &mut dyn Session, path: &Path) -> anyhow::Result<()> {
    let opened = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let loaded = session.load_tree(&mut BufReader::new(opened));
    loaded.with_context(|| format!("cannot load {}", path.display()))
}

/// Refuses to replace a file that holds something else.
fn check_is_tree_or_new(path: &Path) -> anyhow::Result<()> {
    let Ok(mut file) = File::open(path) else { return Ok(()) };
    let mut mark = [0; TREE_FILE_MARK.len()];
    if file.read_exact(&mut mark).is_err() || mark != TREE_FILE_MARK {
        bail!("{} exists and is not a tree: choose another name", path.display());
    }
    Ok(())
}

/// A report, and the name of the opening where there is one.
#[derive(Serialize)]
struct JsonLine {
    #[serde(flatten)]
    report: JsonReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<JsonOpening>,
}

#[derive(Serialize)]
struct JsonOpening {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

impl From<Opening> for JsonOpening {
    fn from(Opening { code, name }: Opening) -> JsonOpening {
        JsonOpening { name, code }
    }
}

fn print_json(session: &dyn Session, report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    let line =
        JsonLine { report: JsonReport::new(report, session), opening: session.opening().map(Into::into) };
    Ok(writeln!(out, "{}", serde_json::to_string(&line)?)?)
}

/// Prints a block for each depth that is finished, and at the end what the search did. `shown` is the last block.
fn print_text(
    session: &dyn Session,
    report: &Report,
    shown: &mut Option<Report>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if is_new(report, shown.as_ref()) {
        writeln!(out, "{}", report::text(report, session))?;
        *shown = Some(report.clone());
    } else {
        for line in report::said_beside(report) {
            writeln!(out, "{line}")?;
        }
    }
    print_end(session, report, shown.as_ref(), out)
}

/// Prints what a search did, if this is its last report.
fn print_end(
    session: &dyn Session,
    report: &Report,
    shown: Option<&Report>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(reason) = report.stopped else { return Ok(()) };
    let cutoffs = report
        .counters
        .cutoffs
        .map(|cutoffs| format!(", cutoffs {} ({} at the first move)", cutoffs.all, cutoffs.at_first_move));
    let cache = report
        .counters
        .cache
        .map(|cache| format!(", {} of {} positions in the cache", cache.hits, cache.lookups));
    let batches = report.counters.batches.map(|batches| format!(", {:.1} leaves a batch", batches.mean()));
    let counted = [cutoffs, cache, batches].into_iter().flatten().collect::<String>();
    writeln!(
        out,
        "{} nodes in {:.2}s, leaves {}{counted}, ended by: {}",
        report::short(report.counters.nodes),
        report.time.as_secs_f64(),
        report.counters.leaves,
        reason.text()
    )?;
    let best = report.best_move().and_then(|m| session.line_text(&[m]).pop());
    let is_later = shown.is_some_and(|shown| shown.best_move() != report.best_move());
    let later = if is_later { " (better at the depth that was not finished)" } else { "" };
    Ok(writeln!(out, "best move {}{later}", best.as_deref().unwrap_or("none"))?)
}

/// Whether a report says more than the last block: the first one does, that of a new depth with exact values, and whatever a search says that counts visits.
fn is_new(report: &Report, shown: Option<&Report>) -> bool {
    let Some(shown) = shown else { return true };
    let counts_visits = report.lines.iter().any(|line| line.visits.is_some());
    let is_exact = report.lines.iter().all(|line| line.bound == Bound::Exact);
    counts_visits || (is_exact && report.depth > shown.depth)
}
