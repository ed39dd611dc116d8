//! `outplay solve` of Connect Four: exact scores.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, anyhow};
use outplay_connect::four::{Bounds, ConnectFour, Limits, Oracle, Progress, Rules};
use outplay_core::{Game, Known, Notation, Problem, Records};
use outplay_engine::NamedGame;
use serde::Serialize;

use super::Args;
use crate::experiment::{interrupted, interruption, progress_bar};
use crate::{Failure, report};

/// A position to solve.
struct Task {
    id: String,
    position: ConnectFour,
}

/// What is printed for a position.
#[derive(Serialize)]
struct Row {
    id: String,
    position: String,
    #[serde(flatten)]
    value: Value,
    /// What each move is worth to the player who makes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveRow>>,
    nodes: u64,
    ms: f64,
}

#[derive(Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    value: Value,
}

/// What is known of a position for the player to move, or of a move for the player who makes it.
#[derive(Clone, Copy, Serialize)]
struct Value {
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

/// The board of a game, if that is Connect Four.
pub fn rules(game: &NamedGame) -> Option<Result<Rules, Failure>> {
    let game = game.to_string();
    match game.split_once(':').unwrap_or((&game, "")) {
        ("connect4", "") => Some(Ok(Rules::default())),
        ("connect4", size) => Some(size.parse().map_err(Failure::usage)),
        _ => None,
    }
}

pub fn run(args: &Args, rules: Rules, out: &mut dyn Write) -> Result<(), Failure> {
    let tasks = tasks(args, rules)?;
    if let Some(file) = &args.suite {
        return write_suite(args, rules, &tasks, file, out);
    }
    let mut oracle = oracle(args, rules);
    let interruption = interruption();
    let is_interrupted = || interruption.load(Ordering::Relaxed);
    let bar = progress_bar(tasks.len(), "positions");
    let mut totals = Totals::default();
    for Task { id, position } in &tasks {
        let mut watch = |progress: Progress| {
            let Progress { nodes, bounds } = progress;
            let (least, most) = (bounds.least(), bounds.most());
            bar.set_message(format!("{id}: from {least} to {most}, {} nodes", report::short(nodes)));
            if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut limits = Limits { nodes: args.nodes, watch: Some(&mut watch) };
        let row = solve(&mut oracle, id, position, args.moves, &mut limits)?;
        totals.add(&row);
        bar.inc(1);
        bar.suspend(|| match args.json {
            true => Ok(writeln!(out, "{}", serde_json::to_string(&row)?)?),
            false => Ok::<(), Failure>(writeln!(out, "{}", row.text())?),
        })?;
        if is_interrupted() {
            break;
        }
    }
    bar.finish_and_clear();
    if !args.json {
        writeln!(out, "{}", totals.text())?;
    }
    match is_interrupted() {
        true => Err(interrupted(&format!("{} of {} positions are solved", totals.exact, tasks.len()))),
        false => Ok(()),
    }
}

fn oracle(args: &Args, rules: Rules) -> Oracle {
    Oracle::new(rules, args.hash.map_or(Oracle::USUAL_MEBIBYTES, |mib| mib as usize))
}

/// Writes each position with the moves that keep its result.
fn write_suite(
    args: &Args,
    rules: Rules,
    tasks: &[Task],
    file: &Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut oracle = oracle(args, rules);
    let interruption = interruption();
    let bar = progress_bar(tasks.len(), "positions");
    let cannot = |error| Failure::Failed(anyhow!("cannot write {}: {error}", file.display()));
    let mut lines = BufWriter::new(File::create(file).map_err(cannot)?);
    let mut written = 0;
    for Task { id, position } in tasks {
        let mut watch = |_: Progress| match interruption.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut limits = Limits { nodes: args.nodes, watch: Some(&mut watch) };
        let kept = oracle.keeping_moves(position, &mut limits);
        let kept = kept.with_context(|| format!("position {id}")).map_err(Failure::usage)?;
        if let Some((_, best)) = kept {
            let known = Known { best, ..Known::default() };
            let problem = Problem { id: Some(id.clone()), known, ..Problem::new(position.clone()) };
            writeln!(lines, "{}", problem.text(&rules)).map_err(cannot)?;
            written += 1;
        }
        bar.inc(1);
        if interruption.load(Ordering::Relaxed) {
            break;
        }
    }
    lines.flush().map_err(cannot)?;
    bar.finish_and_clear();
    writeln!(out, "{written} of {} positions are in {}", tasks.len(), file.display())?;
    match interruption.load(Ordering::Relaxed) {
        true => Err(interrupted("the suite has the positions so far")),
        false => Ok(()),
    }
}

fn solve(
    oracle: &mut Oracle,
    id: &str,
    position: &ConnectFour,
    with_moves: bool,
    limits: &mut Limits,
) -> Result<Row, Failure> {
    let begun = Instant::now();
    let about = || format!("position {id}");
    let bounds = oracle.value(position, limits).with_context(about).map_err(Failure::usage)?;
    let mut nodes = oracle.nodes();
    let mut moves = None;
    if with_moves {
        let values = oracle.move_values(position, limits).with_context(about).map_err(Failure::usage)?;
        nodes += oracle.nodes();
        let row = |(m, bounds)| MoveRow { text: position.move_text(m), value: Value::new(bounds) };
        moves = Some(values.into_iter().map(row).collect());
    }
    let ms = (begun.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    let position = position.position_text();
    Ok(Row { id: id.to_string(), position, value: Value::new(bounds), moves, nodes, ms })
}

/// What the command line asks about; positions without a name are numbered.
fn tasks(args: &Args, rules: Rules) -> Result<Vec<Task>, Failure> {
    if args.files.is_empty() {
        let position = match &args.position {
            Some(text) => ConnectFour::parse_position(&rules, text).map_err(Failure::usage)?,
            None => ConnectFour::start(&rules),
        };
        return Ok(vec![Task { id: "1".to_string(), position }]);
    }
    let mut tasks = Vec::new();
    for path in &args.files {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let problems = ConnectFour::read_problems(&rules, &bytes.map_err(Failure::Failed)?)
            .with_context(|| format!("in {}", path.display()))
            .map_err(Failure::Failed)?;
        for problem in problems {
            let id = problem.id.clone().unwrap_or_else(|| (tasks.len() + 1).to_string());
            tasks.push(Task { id, position: problem.position() });
        }
    }
    match tasks.is_empty() {
        true => Err(Failure::Failed(anyhow!(
            "there is no position to solve: expected one a line, as in 4453, or a board and whose turn it is"
        ))),
        false => Ok(tasks),
    }
}

impl Value {
    fn new(bounds: Bounds) -> Value {
        let (at_least, at_most) = (bounds.least(), bounds.most());
        let result = match bounds.exact() {
            Some(0) => "draw",
            _ if at_least > 0 => "win",
            _ if at_most < 0 => "loss",
            _ => "unknown",
        };
        let score = bounds.exact();
        Value { result, exact: score.is_some(), at_least, at_most, score, plies: bounds.plies() }
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
