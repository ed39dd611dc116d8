//! `outplay explain`

mod lessons;
mod simulations;
mod tables;

use std::io::Write;

use anyhow::anyhow;
use outplay_engine::{
    Bound, Catalogue, ExplainedNode, Explanation, Session, SessionError, explainable_names,
};
use outplay_search::{Counters, Meaning};

use crate::Failure;
use crate::inputs::{PositionArgs, setting};
use crate::words::on_one_screen;

/// Print a textbook search, node by node or simulation by simulation, to be followed by hand; or a lesson about searches.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay explain tictactoe --position \"xo1/xo1/3 x 1\" --search alphabeta --depth 3
  outplay explain tictactoe --moves \"a1 b1 a2 b2\" --search minimax --depth 2
  outplay explain connect4:4x4 --search alphabeta --depth 4 --dot | dot -Tsvg > tree.svg
  outplay explain tictactoe --moves \"b2 a1\" --search uct --simulations 20
  outplay explain tictactoe --search uct --simulations 50 --set seed=7 --set exploration=0.5 --json
  outplay explain --list
  outplay explain --lesson null-move
  outplay explain --lesson growth --set branching=3 --set depth=9

A lesson shows one idea on a position of its own; the same lessons stand on the page under Learn.

A value stands in the view of the player who made the move, a window [alpha, beta] in the view of the player who
moves next; ≤ and ≥ mark bounds. A cutoff lists the moves that need not be looked at.

A simulation of flat or uct chooses moves on its way down, by turns or by the highest bound, plays a random game to its
end and backs up the result. Values are mean results from -1 to 1 for who makes the move. The same seed gives the same
simulations.")]
pub struct Args {
    /// The game, with its rules after a colon where it has variants: chess, othello, connect4:5x4 (see `outplay games`).
    #[arg(value_name = "GAME", required_unless_present_any = ["list", "lesson"], conflicts_with_all = ["list", "lesson"])]
    game: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// List the lessons.
    #[arg(long, conflicts_with = "lesson")]
    list: bool,
    /// Show a lesson.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["position", "moves", "file", "search", "dot"])]
    lesson: Option<String>,
    /// minimax, negamax, alphabeta, flat or uct; alphabeta by default.
    #[arg(long, value_name = "S")]
    search: Option<String>,
    /// Change a setting of flat or uct, or a number of a lesson; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// How many plies to search, for minimax, negamax and alphabeta; 3 by default.
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// How many simulations to make, for flat and uct; 20 by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    simulations: Option<u64>,
    /// Refuse to print more nodes than this, or rows of simulations.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    most_nodes: usize,
    /// Print all of it, however long it is; a terminal is shown one screen otherwise.
    #[arg(long)]
    all: bool,
    /// Print JSON.
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// Print a graph for Graphviz.
    #[arg(long)]
    dot: bool,
}

const USUAL_SEARCH: &str = "alphabeta";
const USUAL_DEPTH: u32 = 3;

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    if args.list {
        return lessons::list(args, games, out);
    }
    if let Some(lesson) = &args.lesson {
        return lessons::show(lesson, args, games, out);
    }
    let mut session = games.open(args.game.as_deref().unwrap_or_default()).map_err(Failure::usage)?;
    args.position.apply(&mut *session)?;
    let search = args.search.as_deref().unwrap_or(USUAL_SEARCH);
    follow(&mut *session, search, (args.depth, args.simulations), args, "", out)
}

/// Prints a search to be followed by hand, with what stands before it.
fn follow(
    session: &mut dyn Session,
    search: &str,
    (depth, simulations): (Option<u32>, Option<u64>),
    args: &Args,
    head: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let is_chosen = |name: &str| name.eq_ignore_ascii_case(search);
    if session.searches().iter().any(|info| info.counts_playouts && is_chosen(info.name)) {
        if depth.is_some() || args.dot {
            let message = "--depth and --dot are for minimax, negamax and alphabeta, not for";
            return Err(Failure::usage(anyhow!("{message} {search}: use --simulations")));
        }
        return simulations::run(session, search, simulations, args, head, out);
    }
    if simulations.is_some() || !args.settings.is_empty() {
        let message = "--simulations and --set are for flat and uct, not for";
        return Err(Failure::usage(anyhow!("{message} {search}: use --depth")));
    }
    let explanation =
        session.explain(search, depth.unwrap_or(USUAL_DEPTH), args.most_nodes).map_err(usage_if_unknown)?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&explanation)?)?;
    } else if args.dot {
        write_dot(&explanation, out)?;
    } else {
        print(args, out, |text| {
            writeln!(text, "{head}{}\n", session.board().trim_end())?;
            write_tree(&explanation, text)
        })?;
    }
    Ok(())
}

/// Prints what is written, or one screen of it.
fn print(
    args: &Args,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    write(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    Ok(write!(out, "{}", if args.all { text.into_owned() } else { on_one_screen(&text) })?)
}

fn usage_if_unknown(error: SessionError) -> Failure {
    match error {
        // Each way to follow a search names its own; here there are both.
        SessionError::NotExplainable { name, .. } => {
            Failure::usage(SessionError::NotExplainable { name, known: explainable_names() })
        }
        error => error.into(),
    }
}

/// What one node says about itself.
fn label(node: &ExplainedNode) -> String {
    let name = if node.played.is_empty() { format!("{} to move", node.to_move) } else { node.played.clone() };
    let window = node.window.map_or(String::new(), |[alpha, beta]| {
        let or_infinity =
            |bound: Option<Meaning>, infinity: &str| bound.map_or(infinity.to_string(), value_text);
        format!(" [{}, {}]", or_infinity(alpha, "-∞"), or_infinity(beta, "+∞"))
    });
    let relation = match node.bound {
        Bound::Exact => '=',
        Bound::AtMost => '≤',
        Bound::AtLeast => '≥',
    };
    let leaf = node.leaf.map_or(String::new(), |leaf| format!(" ({leaf})"));
    format!("{name}{window} {relation} {}{leaf}", value_text(node.value))
}

fn value_text(value: Meaning) -> String {
    match value {
        Meaning::Opinion(0) => "0".to_string(),
        value => value.to_string(),
    }
}

/// A line of the printed tree: a node, or the moves that its parent was spared.
enum Row<'a> {
    Node(&'a ExplainedNode),
    Cut(&'a [String]),
}

fn write_tree(explanation: &Explanation, out: &mut dyn Write) -> Result<(), Failure> {
    // What is still to be printed, each row with what stands before it and before the rows below it; last is next.
    let mut rest = vec![(Row::Node(&explanation.nodes[0]), String::new(), String::new())];
    while let Some((row, before, below)) = rest.pop() {
        let node = match row {
            Row::Cut(moves) => {
                writeln!(out, "{before}cut: {}", moves.join(" "))?;
                continue;
            }
            Row::Node(node) => node,
        };
        writeln!(out, "{before}{}", label(node))?;
        let children = node.children.iter().map(|&child| Row::Node(&explanation.nodes[child]));
        let cut = (!node.pruned.is_empty()).then_some(Row::Cut(&node.pruned));
        for (place, row) in children.chain(cut).collect::<Vec<_>>().into_iter().rev().enumerate() {
            let (branch, indent) = if place == 0 { ("╰─ ", "   ") } else { ("├─ ", "│  ") };
            rest.push((row, format!("{below}{branch}"), format!("{below}{indent}")));
        }
    }
    let Counters { nodes, leaves, cutoffs, .. } = explanation.counters;
    let cutoffs = cutoffs.unwrap_or_default().all;
    writeln!(out, "\n{nodes} nodes, {leaves} leaves, {cutoffs} cutoffs")?;
    Ok(())
}

fn write_dot(explanation: &Explanation, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "digraph search {{\n  node [shape=box, fontname=\"monospace\"];")?;
    for (index, node) in explanation.nodes.iter().enumerate() {
        let quoted = label(node).replace('\\', "\\\\").replace('"', "\\\"");
        let style = if node.leaf.is_some() { ", style=rounded" } else { "" };
        writeln!(out, "  n{index} [label=\"{quoted}\"{style}];")?;
        for child in &node.children {
            writeln!(out, "  n{index} -> n{child};")?;
        }
        if !node.pruned.is_empty() {
            writeln!(out, "  p{index} [label=\"cut: {}\", style=dashed, color=red];", node.pruned.join(" "))?;
            writeln!(out, "  n{index} -> p{index} [style=dashed, color=red];")?;
        }
    }
    writeln!(out, "}}")?;
    Ok(())
}
