//! Runs as tables for other programs: CSV and JSON.

use std::io::{self, Write};

use outplay_engine::SuiteProblem;
use serde_json::{Value, json};

use super::judge::Certainty;
use super::metrics::MEASURES;
use super::run::{Searched, Suite, SuiteRun};
use crate::csv::{CsvWriter, field};

/// Writes a row for each search.
pub fn write_searches(output: impl Write, suite: &Suite, runs: &[SuiteRun]) -> io::Result<()> {
    let mut header = vec![
        "player",
        "limit",
        "problem",
        "name",
        "known",
        "played",
        "solved",
        "certainty",
        "fault",
        "score",
        "seconds",
        "nodes",
        "selective_depth",
        "solution_seconds",
        "solution_nodes",
        "solution_depth",
        "stop_reason",
    ];
    header.extend(MEASURES.map(|measure| measure.column));
    let mut table = CsvWriter::new(output, &header)?;
    for (run, searched) in rows(runs) {
        let problem = &suite.problems[searched.problem];
        let solution = searched.solution;
        let mut row = vec![
            run.player.clone(),
            run.limit.clone(),
            (searched.problem + 1).to_string(),
            problem.name.clone(),
            known_text(problem),
            field(searched.played.as_ref()),
            field(searched.solved),
            field(searched.certainty.map(certainty_text)),
            field(searched.fault.as_ref()),
            field(searched.score),
            seconds(searched.seconds),
            field(searched.nodes),
            field(searched.selective_depth),
            field(solution.map(|solution| seconds(solution.seconds))),
            field(solution.and_then(|solution| solution.nodes)),
            field(solution.and_then(|solution| solution.depth)),
            field(searched.stopped.as_ref()),
        ];
        row.extend(MEASURES.iter().map(|measure| field((measure.get)(&searched.metrics).map(short))));
        table.row(&row)?;
    }
    table.finish().map(drop)
}

/// Writes a row for each iteration of each search.
pub fn write_iterations(output: impl Write, suite: &Suite, runs: &[SuiteRun]) -> io::Result<()> {
    let header = [
        "player",
        "limit",
        "problem",
        "name",
        "iteration",
        "depth",
        "selective_depth",
        "seconds",
        "nodes",
        "score",
        "right",
        "cutoffs",
        "first_move_cutoffs",
        "table_probes",
        "table_hits",
        "line",
    ];
    let mut table = CsvWriter::new(output, &header)?;
    for (run, searched) in rows(runs) {
        for (index, iteration) in searched.iterations.iter().enumerate() {
            table.row(&[
                run.player.clone(),
                run.limit.clone(),
                (searched.problem + 1).to_string(),
                suite.problems[searched.problem].name.clone(),
                (index + 1).to_string(),
                field(iteration.depth),
                field(iteration.selective_depth),
                seconds(iteration.seconds),
                field(iteration.nodes),
                field(iteration.score),
                field(iteration.right),
                field(iteration.cutoffs),
                field(iteration.first_move_cutoffs),
                field(iteration.table_probes),
                field(iteration.table_hits),
                iteration.line.join(" "),
            ])?;
        }
    }
    table.finish().map(drop)
}

/// Everything as JSON, with all iterations or without.
pub fn json(suite: &Suite, runs: &[SuiteRun], with_iterations: bool) -> serde_json::Result<Value> {
    let search = |searched: &Searched| {
        let problem = &suite.problems[searched.problem];
        let mut value = serde_json::to_value(searched)?;
        value["problem"] = json!(searched.problem + 1);
        value["name"] = json!(problem.name);
        value["known"] = json!(known_text(problem));
        if with_iterations {
            value["iterations"] = serde_json::to_value(&searched.iterations)?;
        }
        Ok(value)
    };
    let run = |run: &SuiteRun| {
        let searches = run.searches.iter().map(search).collect::<serde_json::Result<Vec<Value>>>()?;
        Ok(json!({ "player": run.player, "limit": run.limit, "totals": run.totals(), "searches": searches }))
    };
    let runs = runs.iter().map(run).collect::<serde_json::Result<Vec<Value>>>()?;
    Ok(json!({ "game": suite.game.to_string(), "problems": suite.problems.len(), "runs": runs }))
}

fn rows(runs: &[SuiteRun]) -> impl Iterator<Item = (&SuiteRun, &Searched)> {
    runs.iter().flat_map(|run| run.searches.iter().map(move |searched| (run, searched)))
}

/// What is known about a problem, in words: `bm e4; +6`.
pub(super) fn known_text(problem: &SuiteProblem) -> String {
    let known = &problem.known;
    let moves =
        |opcode: &str, moves: &[String]| (!moves.is_empty()).then(|| format!("{opcode} {}", moves.join(" ")));
    let parts =
        [moves("bm", &known.best), moves("am", &known.avoid), known.result.map(|result| result.to_string())];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

pub(super) fn certainty_text(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::False => "false",
        Certainty::Open => "open",
        Certainty::Proved => "proved",
    }
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.6}")
}

/// A number with what is certain of it: six digits are more than any of them has.
fn short(value: f64) -> String {
    let decimals = (5 - value.abs().max(1.0).log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}
