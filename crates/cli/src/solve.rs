//! `outplay solve`

mod proofs;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, anyhow};
use outplay_connect::threats::{Limits, Proof, Solution, Solver, Stones, Threats, Verdict};
use outplay_connect::{Connect, Rules};
use outplay_core::{Notation, Records};
use outplay_engine::{Catalogue, NamedGame};
use serde::Serialize;

use crate::experiment::progress_bar;
use crate::{Failure, report};
use proofs::ProofPlace;

/// Find wins by threats in Connect6, and prove them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outplay solve connect6 positions.csv
  outplay solve connect6 --stones \"j10 k11 l9 l10 k9 k10 j8 j11 l8 k7 m7 k8 m8\" --proof win.json
  outplay solve connect6 positions.csv --nodes 1000000 --json --proof proofs
  outplay solve connect6 positions.csv --vcst --nodes 50000
  outplay solve connect:15,15,6,2,1 --stones \"h8 g7\" --turns 5

A table is comma-separated values whose first line names the columns: stones_in_order holds the moves from the start (the
letter i is a column like any other), id a name, side_to_move, B or W, is checked; other columns are passed over.
A win is one in which every turn of the player to move makes two threats (VCDT), so that the other side can do nothing but
stop them; with --vcst, one threat. The result is \"win\"; \"none\" if everything was tried; \"cut\" if the limits came first.
Turns are those of the winner, the one that completes the row among them; the line shows the defence that holds out
longest, and ends with a row or with threats that nothing stops. Where a defence is one stone, the other may go anywhere.
A proof answers every defence: {\"threatens\": STONES, \"replies\": [{\"stones\": STONES, \"then\": …}]}, at last
{\"completes_a_row\": STONES}. A reply of one stone stands for all second stones that have no reply of their own.")]
pub struct Args {
    /// connect6, or connect:M,N,K,P,Q with two stones a turn and five or more in a row.
    #[arg(value_name = "GAME")]
    game: String,
    /// Tables of positions.
    #[arg(value_name = "FILE", required_unless_present = "stones", conflicts_with = "stones")]
    files: Vec<PathBuf>,
    /// One position: the moves from the start, separated by spaces or commas, or a board with whose turn it is.
    #[arg(long, value_name = "MOVES")]
    stones: Option<String>,
    /// Look for wins by single threats as well (VCST): every turn makes one threat at least, and the other side has a stone to spare.
    #[arg(long)]
    vcst: bool,
    /// Give a position up after so many positions with the winner to move.
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Look for wins of so many turns at most.
    #[arg(long, value_name = "N", default_value_t = Limits::default().turns as u16, value_parser = clap::value_parser!(u16).range(1..=200))]
    turns: u16,
    /// Write the tree of each win, as JSON: to this file, or to a file for each win in this folder if it is one or there are several positions.
    #[arg(long, value_name = "PATH")]
    proof: Option<PathBuf>,
    /// Print JSON, an object a line.
    #[arg(long)]
    json: bool,
}

/// The column of a table that it cannot be without.
const STONES: &str = "stones_in_order";

/// A position to solve.
struct Task {
    id: String,
    position: Connect,
}

/// What is printed for a position.
#[derive(Serialize)]
struct Row {
    id: String,
    result: &'static str,
    /// The turns of the winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<usize>,
    /// Turn by turn, of both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<Vec<String>>>,
    nodes: u64,
    ms: f64,
    /// Where the proof was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<PathBuf>,
}

pub fn run(args: &Args, games: &Catalogue, out: &mut dyn Write) -> Result<(), Failure> {
    let rules = rules(&games.find(&args.game).map_err(Failure::usage)?)?;
    let mut solver = Solver::new(rules).map_err(Failure::usage)?;
    let tasks = tasks(args, rules)?;
    let mut place = args.proof.as_deref().map(|path| ProofPlace::new(path, tasks.len())).transpose()?;
    let threats = if args.vcst { Threats::Single } else { Threats::Double };
    let limits = Limits { nodes: args.nodes, turns: usize::from(args.turns) };
    let bar = progress_bar(tasks.len(), "positions");
    let mut totals = Totals::default();
    for Task { id, position } in &tasks {
        let begun = Instant::now();
        let solved = solver.solve(position, threats, limits);
        let solution = solved.with_context(|| format!("position {id}")).map_err(Failure::usage)?;
        let mut row = Row::new(id, position, &solution, begun);
        if let (Some(place), Verdict::Win(proof)) = (&mut place, &solution.verdict) {
            row.proof = Some(place.write(id, position, proof)?);
        }
        totals.add(&row);
        bar.inc(1);
        bar.suspend(|| match args.json {
            true => Ok(writeln!(out, "{}", serde_json::to_string(&row)?)?),
            false => Ok::<(), Failure>(writeln!(out, "{}", row.text())?),
        })?;
    }
    bar.finish_and_clear();
    if !args.json {
        writeln!(out, "{}", totals.text())?;
        if let Some(place) = place {
            writeln!(out, "{}", place.text())?;
        }
    }
    Ok(())
}

fn rules(game: &NamedGame) -> Result<Rules, Failure> {
    let game = game.to_string();
    let text = game.strip_prefix("connect:").unwrap_or(&game);
    text.parse().map_err(|_| {
        Failure::usage(anyhow!("{game:?} has no threats to look for: expected connect6 or connect:M,N,K,P,Q"))
    })
}

/// What the command line asks about; positions without a name are numbered.
fn tasks(args: &Args, rules: Rules) -> Result<Vec<Task>, Failure> {
    if let Some(stones) = &args.stones {
        let position = Connect::parse_position(&rules, stones).map_err(Failure::usage)?;
        return Ok(vec![Task { id: "1".to_string(), position }]);
    }
    let mut tasks = Vec::new();
    for path in &args.files {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let bytes = bytes.map_err(Failure::Failed)?;
        // Whatever else is wrong with a line, without this column in the first one it is no table.
        let is_table = bytes.windows(STONES.len()).any(|word| word == STONES.as_bytes());
        let hint =
            if is_table { "" } else { " (a table has a column stones_in_order, named in its first line)" };
        let problems = Connect::read_problems(&rules, &bytes)
            .with_context(|| format!("in {}{hint}", path.display()))
            .map_err(Failure::Failed)?;
        for problem in problems {
            let id = problem.id.clone().unwrap_or_else(|| (tasks.len() + 1).to_string());
            tasks.push(Task { id, position: problem.position() });
        }
    }
    if tasks.is_empty() {
        let wanted = format!(
            "expected a line that names the columns, as in \"id,{STONES}\", and then a position a line"
        );
        return Err(Failure::Failed(anyhow!("there is no position to solve: {wanted}")));
    }
    Ok(tasks)
}

impl Row {
    fn new(id: &str, position: &Connect, solution: &Solution, begun: Instant) -> Row {
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        let proof = match &solution.verdict {
            Verdict::Win(proof) => Some(proof),
            Verdict::None | Verdict::Cut => None,
        };
        let line = |proof: &Proof| proof.main_line().iter().map(|&turn| texts(position, turn)).collect();
        Row {
            id: id.to_string(),
            result: match solution.verdict {
                Verdict::Win(_) => "win",
                Verdict::None => "none",
                Verdict::Cut => "cut",
            },
            turns: proof.map(Proof::turns),
            line: proof.map(line),
            nodes: solution.nodes,
            ms: (ms * 1e3).round() / 1e3,
            proof: None,
        }
    }

    fn text(&self) -> String {
        let Row { id, result, nodes, ms, .. } = self;
        let result = match self.turns {
            Some(turns) => format!("{result} in {turns}"),
            None => result.to_string(),
        };
        let line = self.line.iter().flatten().enumerate().map(|(ply, turn)| match turn.as_slice() {
            [stone] if ply % 2 == 1 => format!("{stone}+any"),
            stones => stones.join("+"),
        });
        let line = line.collect::<Vec<_>>().join(" ");
        let row = format!("{id:<10} {result:<9} {:>8} nodes {ms:>9.1} ms  {line}", report::short(*nodes));
        row.trim_end().to_string()
    }
}

/// The stones of a turn in words.
fn texts(position: &Connect, stones: Stones) -> Vec<String> {
    stones.moves().map(|m| position.move_text(m)).collect()
}

#[derive(Default)]
struct Totals {
    wins: usize,
    none: usize,
    cut: usize,
    nodes: u64,
    ms: f64,
    slowest: f64,
}

impl Totals {
    fn add(&mut self, row: &Row) {
        match row.result {
            "win" => self.wins += 1,
            "none" => self.none += 1,
            _ => self.cut += 1,
        }
        self.nodes += row.nodes;
        self.ms += row.ms;
        self.slowest = self.slowest.max(row.ms);
    }

    fn text(&self) -> String {
        let Totals { wins, none, cut, nodes, ms, slowest } = self;
        let count = wins + none + cut;
        format!(
            "won {wins} of {count}, {none} without such a win, {cut} cut; {} nodes, {ms:.1} ms, slowest {slowest:.1} ms",
            report::short(*nodes)
        )
    }
}
