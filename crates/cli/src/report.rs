//! Reports of a search as text and as JSON.

use std::fmt::Write;

use outplay_engine::Session;
use outplay_search::{Counters, Meaning, PrincipalVariation, Report, StopReason};
use serde::Serialize;

/// How much of a long line is shown.
const SHOWN_MOVES: usize = 12;

/// One report in lines of text: a line for each variation.
pub fn text(session: &dyn Session, report: &Report) -> String {
    let mut text = String::new();
    for (index, line) in report.lines.iter().enumerate() {
        if index == 0 {
            write!(
                text,
                "depth {:>2}/{:<2} {:>8} nodes {:>7} {:>8}/s",
                report.depth,
                report.selective_depth,
                short(report.counters.nodes),
                format!("{:.2}s", report.time.as_secs_f64()),
                short(report.nodes_per_second()),
            )
        } else {
            write!(text, "\n{:>42}", format!("{}.", index + 1))
        }
        .expect("a string takes all that is written to it");
        let moves = session.line_text(&line.moves);
        let more = if moves.len() > SHOWN_MOVES { " …" } else { "" };
        let visits = line.visits.map_or(String::new(), |visits| format!(" ({} visits)", short(visits)));
        let shown = moves[..moves.len().min(SHOWN_MOVES)].join(" ");
        write!(text, "  {:>10}{visits}  {shown}{more}", line.score.to_string())
            .expect("a string takes all that is written to it");
    }
    text
}

/// A number in three or four characters.
pub fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{:.1}k", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2}M", number as f64 / 1e6),
        _ => format!("{:.2}G", number as f64 / 1e9),
    }
}

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
}

#[derive(Serialize)]
struct JsonLine {
    score: JsonScore,
    #[serde(skip_serializing_if = "Option::is_none")]
    visits: Option<u64>,
    moves: Vec<String>,
}

/// A score as one named number.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonScore {
    /// Hundredths of the game's unit.
    Centi(i32),
    WinIn(u32),
    LossIn(u32),
    Margin(i32),
    Expected(f64),
}

impl JsonReport {
    /// The report of a search in the session's current position.
    pub fn new(session: &dyn Session, report: &Report) -> JsonReport {
        let line = |line: &PrincipalVariation| JsonLine {
            score: match line.score {
                Meaning::Opinion(value) => JsonScore::Centi(value),
                Meaning::WinIn(plies) => JsonScore::WinIn(plies),
                Meaning::LossIn(plies) => JsonScore::LossIn(plies),
                Meaning::Margin(margin) => JsonScore::Margin(margin),
                Meaning::Expected(mean) => JsonScore::Expected(mean),
            },
            visits: line.visits,
            moves: session.line_text(&line.moves),
        };
        JsonReport {
            depth: report.depth,
            selective_depth: report.selective_depth,
            seconds: report.time.as_secs_f64(),
            nodes_per_second: report.nodes_per_second(),
            counters: report.counters,
            table_permille: report.table_permille,
            lines: report.lines.iter().map(line).collect(),
            best_move: report.best_move().and_then(|m| session.line_text(&[m]).pop()),
            stopped: report.stopped,
        }
    }
}
