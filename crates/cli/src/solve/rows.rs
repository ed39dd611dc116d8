//! What exact solvers have in common: the positions they are asked about, and what is printed of each.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow};
use indicatif::ProgressBar;
use outplay_core::{Game, Notation, Records};
use outplay_search::proof::Numbers;
use serde::Serialize;

use super::Args;
use crate::experiment::{interrupted, interruption, progress_bar};
use crate::{Failure, report};

/// A position to solve.
pub struct Task<G> {
    pub id: String,
    pub position: G,
}

/// What is printed for a position.
#[derive(Serialize)]
pub struct Row {
    pub id: String,
    pub position: String,
    #[serde(flatten)]
    pub value: Value,
    /// What a search that left things out thinks of the position, where no more is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likely: Option<Likely>,
    /// What each move is worth to the player who makes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveRow>>,
    /// A best line to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
    pub nodes: u64,
    pub ms: f64,
}

#[derive(Serialize)]
pub struct MoveRow {
    #[serde(rename = "move")]
    pub text: String,
    #[serde(flatten)]
    pub value: Value,
}

/// What is known of a position for the player to move, or of a move for the player who makes it.
#[derive(Clone, Copy, Serialize)]
pub struct Value {
    /// Who wins, if that is certain.
    result: &'static str,
    /// Whether the score is certain.
    exact: bool,
    at_least: i32,
    at_most: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    /// To the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
}

/// Bounds that are not certain.
#[derive(Clone, Copy, Serialize)]
pub struct Likely {
    pub at_least: i32,
    pub at_most: i32,
    /// How often a cut on the way to them is right, in percent.
    pub confidence: u8,
}

/// Who hears of a search while it goes on, and who may end it.
pub struct Around {
    bar: ProgressBar,
    interruption: Arc<AtomicBool>,
}

impl Around {
    /// Says how far a search has come.
    pub fn tell(&self, id: &str, Likely { at_least, at_most, confidence }: Likely, nodes: u64) {
        let sure = if confidence < 100 { format!(" ({confidence} %)") } else { String::new() };
        self.bar
            .set_message(format!("{id}: from {at_least} to {at_most}{sure}, {} nodes", report::short(nodes)));
    }

    /// Says how far a proof has come: the numbers of the claim that the player to move wins, or at least does not lose.
    pub fn tell_numbers(&self, id: &str, draw_will_do: bool, numbers: Numbers, nodes: u64) {
        let claim = if draw_will_do { "not lost" } else { "won" };
        let Numbers { proof, disproof } = numbers;
        let nodes = report::short(nodes);
        self.bar.set_message(format!("{id}: {claim}? proof {proof}, disproof {disproof}, {nodes} nodes"));
    }

    /// Whether somebody has pressed Ctrl-C.
    pub fn is_interrupted(&self) -> bool {
        self.interruption.load(Ordering::Relaxed)
    }

    /// Set by Ctrl-C.
    pub fn interruption(&self) -> &AtomicBool {
        &self.interruption
    }
}

/// What the command line asks about; positions without a name are numbered. Without any, the start is what is asked about.
pub fn tasks<G: Game + Records>(
    args: &Args,
    rules: &G::Rules,
    example: &str,
) -> Result<Vec<Task<G>>, Failure> {
    if args.files.is_empty() {
        let position = match &args.position {
            Some(text) => G::parse_position(rules, text).map_err(Failure::usage)?,
            None => G::start(rules),
        };
        return Ok(vec![Task { id: "1".to_string(), position }]);
    }
    let mut tasks = Vec::new();
    for path in &args.files {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let problems = G::read_problems(rules, &bytes.map_err(Failure::Failed)?)
            .with_context(|| format!("in {}", path.display()))
            .map_err(Failure::Failed)?;
        for problem in problems {
            let id = problem.id.clone().unwrap_or_else(|| (tasks.len() + 1).to_string());
            tasks.push(Task { id, position: problem.position() });
        }
    }
    match tasks.is_empty() {
        true => Err(Failure::Failed(anyhow!(
            "there is no position to solve: expected one a line, as in {example}, or a board and whose turn it is"
        ))),
        false => Ok(tasks),
    }
}

/// Solves one position after the other and prints what was found; Ctrl-C prints what is known by then.
pub fn answer<G: Notation>(
    args: &Args,
    tasks: &[Task<G>],
    out: &mut dyn Write,
    mut solve: impl FnMut(&Task<G>, &Around) -> Result<Row, Failure>,
) -> Result<(), Failure> {
    let bar = progress_bar(tasks.len(), "positions");
    let around = Around { bar, interruption: interruption() };
    let mut totals = Totals::default();
    let mut kept = args.resume.as_ref().map(|path| Kept::open(path, args.moves)).transpose()?;
    for task in tasks {
        if kept.as_ref().is_some_and(|kept| kept.has(&task.position.position_text())) {
            around.bar.inc(1);
            continue;
        }
        let row = solve(task, &around)?;
        totals.add(&row);
        if let Some(kept) = &mut kept {
            kept.add(&row)?;
        }
        around.bar.inc(1);
        around.bar.suspend(|| match args.json {
            true => Ok(writeln!(out, "{}", serde_json::to_string(&row)?)?),
            false => Ok::<(), Failure>(writeln!(out, "{}", row.text())?),
        })?;
        if around.is_interrupted() {
            break;
        }
    }
    around.bar.finish_and_clear();
    if !args.json {
        writeln!(out, "{}", totals.text())?;
    }
    match around.is_interrupted() {
        true => Err(interrupted(&format!("{} of {} positions are solved", totals.exact, tasks.len()))),
        false => Ok(()),
    }
}

/// A file of answers, to which a list that was interrupted comes back.
struct Kept {
    file: File,
    positions: HashSet<String>,
}

impl Kept {
    /// Reads what is there already: what is settled, with its moves if these are asked for, need not be solved again.
    fn open(path: &Path, with_moves: bool) -> Result<Kept, Failure> {
        let about = || format!("cannot keep answers in {}", path.display());
        let open = || -> anyhow::Result<Kept> {
            let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            // A last line without an end was cut off, and is solved again.
            if !text.is_empty() && !text.ends_with('\n') {
                writeln!(file)?;
            }
            let whole = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
            let settled = whole.filter(|row| {
                row["result"].as_str().is_some_and(|result| result != "unknown")
                    && (!with_moves || row["moves"].is_array())
            });
            let positions = settled.filter_map(|row| Some(row["position"].as_str()?.to_string())).collect();
            Ok(Kept { file, positions })
        };
        open().with_context(about).map_err(Failure::Failed)
    }

    fn has(&self, position: &str) -> bool {
        self.positions.contains(position)
    }

    fn add(&mut self, row: &Row) -> Result<(), Failure> {
        Ok(writeln!(self.file, "{}", serde_json::to_string(row)?)?)
    }
}

/// The time that has gone by, to the microsecond.
pub fn milliseconds(begun: Instant) -> f64 {
    (begun.elapsed().as_secs_f64() * 1e6).round() / 1e3
}

impl Value {
    pub fn new(at_least: i32, at_most: i32, plies: Option<u32>) -> Value {
        let score = (at_least == at_most).then_some(at_least);
        let result = match score {
            Some(0) => "draw",
            _ if at_least > 0 => "win",
            _ if at_most < 0 => "loss",
            _ => "unknown",
        };
        Value { result, exact: score.is_some(), at_least, at_most, score, plies }
    }

    /// Whether it is certain who wins.
    pub fn is_settled(&self) -> bool {
        self.result != "unknown"
    }

    fn score_text(&self) -> String {
        match self.score {
            Some(0) => "0".to_string(),
            Some(score) => format!("{score:+}"),
            None => format!("{:+} to {:+}", self.at_least, self.at_most),
        }
    }

    fn text(&self) -> String {
        let result = match self.plies {
            Some(plies) if self.result != "draw" => format!("{} in {plies} plies", self.result),
            _ => self.result.to_string(),
        };
        format!("{result:<18} score {:<10}", self.score_text())
    }
}

impl Row {
    fn text(&self) -> String {
        let Row { id, value, nodes, ms, .. } = self;
        let mut text = format!("{id:<10} {} {:>8} nodes {ms:>9.1} ms", value.text(), report::short(*nodes));
        if let Some(Likely { at_least, at_most, confidence }) = &self.likely {
            text += &format!("  likely {at_least:+} to {at_most:+} ({confidence} %)");
        }
        if let Some(line) = &self.line {
            text += &format!("  {}", line.join(" "));
        }
        if let Some(moves) = &self.moves {
            let moves: Vec<_> =
                moves.iter().map(|m| format!("{} {}", m.text, m.value.score_text())).collect();
            text += &format!("  {}", moves.join(", "));
        }
        text
    }
}

#[derive(Default)]
struct Totals {
    count: usize,
    exact: usize,
    nodes: u64,
    ms: f64,
    slowest: f64,
}

impl Totals {
    fn add(&mut self, row: &Row) {
        let mut moves = row.moves.iter().flatten();
        let is_exact = row.value.exact && moves.all(|m| m.value.exact);
        self.count += 1;
        self.exact += usize::from(is_exact);
        self.nodes += row.nodes;
        self.ms += row.ms;
        self.slowest = self.slowest.max(row.ms);
    }

    fn text(&self) -> String {
        let Totals { count, exact, nodes, ms, slowest } = self;
        let each = ms / (*count).max(1) as f64;
        format!(
            "solved {exact} of {count}; {} nodes, {ms:.1} ms, {each:.2} ms each, slowest {slowest:.1} ms",
            report::short(*nodes)
        )
    }
}
