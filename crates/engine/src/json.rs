//! Reports as JSON, for every reader alike.

use outplay_search::{Bound, Counters, Meaning, MoveStatistics, Report, StopReason};
use serde::Serialize;

use crate::Wording;

/// A report as JSON shows it.
#[derive(Serialize)]
pub struct JsonReport {
    depth: u32,
    selective_depth: u32,
    seconds: f64,
    nodes_per_second: u64,
    #[serde(flatten)]
    counters: Counters,
    #[serde(skip_serializing_if = "Option::is_none")]
    table_permille: Option<u32>,
    lines: Vec<JsonLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<StopReason>,
    /// Why positions could not be evaluated any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// What went wrong without ending the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

#[derive(Serialize)]
struct JsonLine {
    score: Meaning,
    #[serde(skip_serializing_if = "is_exact")]
    bound: Bound,
    #[serde(skip_serializing_if = "Option::is_none")]
    visits: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(flatten)]
    statistics: Option<MoveStatistics>,
    moves: Vec<String>,
}

fn is_exact(bound: &Bound) -> bool {
    *bound == Bound::Exact
}

impl JsonReport {
    /// A report in the words of the position that was searched.
    pub fn new(report: &Report, wording: &dyn Wording) -> JsonReport {
        let lines = report.lines.iter().map(|line| JsonLine {
            score: line.score,
            bound: line.bound,
            visits: line.visits,
            nodes: line.nodes,
            statistics: line.statistics,
            moves: wording.line_text(&line.moves),
        });
        JsonReport {
            depth: report.depth,
            selective_depth: report.selective_depth,
            seconds: report.time.as_secs_f64(),
            nodes_per_second: report.nodes_per_second(),
            counters: report.counters,
            table_permille: report.table_permille,
            lines: lines.collect(),
            best_move: report.best_move().and_then(|m| wording.line_text(&[m]).pop()),
            stopped: report.stopped,
            failure: report.failure.clone(),
            notice: report.notice.clone(),
        }
    }
}
