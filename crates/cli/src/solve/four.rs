//! `outplay solve` of Connect Four: exact scores.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, anyhow};
use outplay_connect::four::{Bounds, ConnectFour, Limits, Oracle, Progress, Rules};
use outplay_core::{Known, Notation, Problem};
use outplay_engine::NamedGame;

use super::Args;
use super::rows::{Likely, MoveRow, Row, Task, Value, answer, milliseconds, tasks};
use crate::Failure;
use crate::experiment::{interrupted, interruption, progress_bar};

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
    let tasks = tasks(args, &rules, "4453")?;
    if let Some(file) = &args.suite {
        return write_suite(args, rules, &tasks, file, out);
    }
    let mut oracle = oracle(args, rules);
    answer(args, &tasks, out, |Task { id, position }, around| {
        let mut watch = |Progress { nodes, bounds }: Progress| {
            let (at_least, at_most) = (bounds.least(), bounds.most());
            around.tell(id, Likely { at_least, at_most, confidence: 100 }, nodes);
            if around.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut limits = Limits { nodes: args.nodes, watch: Some(&mut watch) };
        solve(&mut oracle, id, position, args.moves, &mut limits)
    })
}

fn oracle(args: &Args, rules: Rules) -> Oracle {
    Oracle::new(rules, args.hash.map_or(Oracle::USUAL_MEBIBYTES, |mib| mib as usize))
}

/// Writes each position with the moves that keep its result.
fn write_suite(
    args: &Args,
    rules: Rules,
    tasks: &[Task<ConnectFour>],
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
        let row = |(m, bounds)| MoveRow { text: position.move_text(m), value: value(bounds) };
        moves = Some(values.into_iter().map(row).collect());
    }
    let ms = milliseconds(begun);
    let position = position.position_text();
    Ok(Row { id: id.to_string(), position, value: value(bounds), likely: None, moves, line: None, nodes, ms })
}

fn value(bounds: Bounds) -> Value {
    Value::new(bounds.least(), bounds.most(), bounds.plies())
}
