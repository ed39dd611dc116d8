//! `outplay solve` of Othello: exact margins, in discs.

use std::cell::Cell;
use std::io::Write;
use std::time::Instant;

use outplay_core::{Game, Notation};
use outplay_othello::Othello;
use outplay_othello::endgame::{Bounds, Confidence, Limits, Progress, Solver};

use super::Args;
use super::rows::{Around, Likely, MoveRow, Row, Task, Value, answer, milliseconds, tasks};
use crate::Failure;
use crate::doctor::number_of_cores;

/// Memory for the table if nobody says otherwise.
const USUAL_MEBIBYTES: usize = 256;

pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let tasks: Vec<Task<Othello>> = tasks(args, &(), "a board of 64 signs and X or O")?;
    let threads = args.threads.map_or_else(number_of_cores, usize::from);
    let mut solver =
        Solver::new(args.hash.map_or(USUAL_MEBIBYTES, |mib| mib as usize), 0).with_threads(threads);
    answer(args, &tasks, out, |task, around| Ok(solve(&mut solver, args, task, around)))
}

fn solve(solver: &mut Solver, args: &Args, Task { id, position }: &Task<Othello>, around: &Around) -> Row {
    let (begun, nodes_before) = (Instant::now(), solver.nodes());
    let thought = Cell::new(None);
    let mut watch = |Progress { nodes, bounds, confidence }: Progress| {
        let (at_least, at_most) = (bounds.least().into(), bounds.most().into());
        let likely = Likely { at_least, at_most, confidence: confidence.percent() };
        around.tell(id, likely, nodes - nodes_before);
        if confidence != Confidence::CERTAIN {
            thought.set(Some(likely));
        }
    };
    let stop = Some(around.interruption());
    let mut limits = Limits { stop, watch: Some(&mut watch), ..Limits::default() };
    let bounds = match args.wld {
        true => solver.result(position, &mut limits),
        false => solver.value(position, &mut limits),
    };
    let value = value_of(bounds);
    let likely = thought.take().filter(|_| !value.is_settled());
    let to_text = |position: &mut Othello, m| {
        let text = position.move_text(m);
        *position = position.after(m);
        text
    };
    let line = bounds.exact().filter(|_| !args.wld).map(|margin| {
        let line = solver.line(position, margin, &mut limits);
        line.into_iter().scan(*position, |at, m| Some(to_text(at, m))).collect()
    });
    let moves = args.moves.then(|| {
        let values = solver.move_values(position, &mut limits);
        let row = |(m, bounds)| MoveRow { text: position.move_text(m), value: value_of(bounds) };
        values.into_iter().map(row).collect()
    });
    let nodes = solver.nodes() - nodes_before;
    let position = position.position_text();
    Row { id: id.clone(), position, value, likely, moves, line, nodes, ms: milliseconds(begun) }
}

fn value_of(bounds: Bounds) -> Value {
    Value::new(bounds.least().into(), bounds.most().into(), None)
}
