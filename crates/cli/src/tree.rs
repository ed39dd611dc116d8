//! `outplay tree`

use std::io::Write;
use std::time::Duration;

use anyhow::anyhow;
use outplay_engine::{Catalogue, TreeMove};

use crate::Failure;
use crate::inputs::TaskArgs;

/// Print the top of the tree that a Monte Carlo search grows.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay tree othello --nodes 20000 --plies 3 --least 500
  outplay tree chess --nodes 50000 --set evaluator=static --json
  outplay tree connect4 --nodes 10000 --dot | dot -Tsvg > tree.svg

Each move has its visits, its value for whoever makes it, its prior P, its mean Q and the bonus U for being tried seldom.
Without a limit, a second of search.")]
pub struct Args {
    #[command(flatten)]
    task: TaskArgs,
    /// How many plies to print.
    #[arg(long, value_name = "N", default_value_t = 2)]
    plies: u16,
    /// Leave out moves with fewer visits.
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: u64,
    /// Print JSON.
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// Print a graph for Graphviz.
    #[arg(long)]
    dot: bool,
}

const DEFAULT_TIME: Duration = Duration::from_secs(1);

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut session, limits) = args.task.open_with(games, DEFAULT_TIME, "mcts")?;
    let handle = session.go(limits, Box::new(|_, _| ())).map_err(Failure::usage)?;
    // Where the system refuses, Ctrl-C ends the program as it always does.
    drop(ctrlc::set_handler(move || handle.stop()));
    session.wait();
    let tree = session.grown_tree(args.plies.into(), args.least)?;
    let tree = tree.ok_or_else(|| match session.outcome() {
        Some(_) => Failure::usage(anyhow!("the game is over: there is nothing to search")),
        None => Failure::usage(anyhow!("this search grows no tree: use --search mcts")),
    })?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&tree)?)?;
    } else if args.dot {
        writeln!(out, "digraph tree {{\n  node [shape=box, fontname=\"monospace\"];")?;
        write_dot(&tree, &mut 0, out)?;
        writeln!(out, "}}")?;
    } else {
        writeln!(out, "{}\n", session.board().trim_end())?;
        write_text(&tree, 0, out)?;
    }
    Ok(())
}

fn label(node: &TreeMove) -> String {
    let name = if node.played.is_empty() { format!("{} to move", node.by) } else { node.played.clone() };
    let statistics = node.statistics.map_or(String::new(), |known| {
        format!("  P {:.1} %  Q {:+.3}  U {:.3}", 100.0 * known.prior, known.q, known.u)
    });
    format!("{name}  {} visits  {}{statistics}", node.visits, node.score)
}

fn write_text(node: &TreeMove, depth: usize, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}{}", "  ".repeat(depth), label(node))?;
    node.replies.iter().try_for_each(|reply| write_text(reply, depth + 1, out))
}

/// Writes a node and those below it; `next` is the number of the next node.
fn write_dot(node: &TreeMove, next: &mut usize, out: &mut dyn Write) -> Result<(), Failure> {
    let number = *next;
    *next += 1;
    let quoted = label(node).replace('\\', "\\\\").replace('"', "\\\"").replace("  ", "\\n");
    writeln!(out, "  n{number} [label=\"{quoted}\"];")?;
    for reply in &node.replies {
        writeln!(out, "  n{number} -> n{};", *next)?;
        write_dot(reply, next, out)?;
    }
    Ok(())
}
