//! `outplay solve` of Connect6 and its relatives: wins by threats.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, anyhow};
use outplay_connect::threats::{Limits, Proof, Solution, Solver, Stones, Threats, Verdict};
use outplay_connect::{Connect, Rules};
use outplay_core::{Notation, Records};
use outplay_engine::NamedGame;
use serde::Serialize;

use super::Args;
use super::proofs::ProofPlace;
use crate::experiment::progress_bar;
use crate::{Failure, report};

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

pub fn run(args: &Args, game: &NamedGame, out: &mut dyn Write) -> Result<(), Failure> {
    let rules = rules(game)?;
    if args.files.is_empty() && args.position.is_none() {
        return Err(Failure::usage(anyhow!("there is nothing to solve: name a FILE, or give --position P")));
    }
    let mut solver = Solver::new(rules).map_err(Failure::usage)?;
    let tasks = tasks(args, rules)?;
    let mut place = args.proof.as_deref().map(|path| ProofPlace::new(path, tasks.len())).transpose()?;
    let threats = if args.vcst { Threats::Single } else { Threats::Double };
    let usual = Limits::default();
    let limits = Limits {
        nodes: args.nodes.unwrap_or(usual.nodes),
        turns: args.turns.map_or(usual.turns, usize::from),
    };
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
        Failure::usage(anyhow!("{game:?} has no threats to look for: expected connect6 or connect:M,N,K,P,Q, or connect4 to be solved whole"))
    })
}

/// What the command line asks about; positions without a name are numbered.
fn tasks(args: &Args, rules: Rules) -> Result<Vec<Task>, Failure> {
    if let Some(text) = &args.position {
        let position = Connect::parse_position(&rules, text).map_err(Failure::usage)?;
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
pub(super) fn texts(position: &Connect, stones: Stones) -> Vec<String> {
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
