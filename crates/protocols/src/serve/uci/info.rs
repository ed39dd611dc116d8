//! Reports as `info` lines.

use std::time::Duration;

use outplay_engine::Wording;
use outplay_search::{Bound, Meaning, PrincipalVariation, Report};

use super::chances;

/// Nobody wants to know which move is being looked at before a search has taken this long.
const TIME_BEFORE_CURRENT: Duration = Duration::from_secs(3);

/// What board programs want to hear of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Telling {
    /// How many lines, however many the search reports.
    pub lines: usize,
    /// Whether to tell the chances to win, to draw and to lose.
    pub chances: bool,
}

impl Telling {
    /// The `info` lines of a report, best variation first; or only which move is being looked at, if that is what it tells.
    pub fn lines(&self, report: &Report, wording: &dyn Wording) -> Vec<String> {
        let Some(current) = report.current else {
            let shown = report.lines.iter().take(self.lines.max(1)).enumerate();
            return shown.map(|(index, line)| self.line(report, index, line, wording)).collect();
        };
        let text = wording.plain_line_text(&[current.m]).pop();
        let text = text.filter(|_| report.time >= TIME_BEFORE_CURRENT);
        let (depth, number) = (report.depth, current.number);
        text.map(|text| format!("info depth {depth} currmove {text} currmovenumber {number}"))
            .into_iter()
            .collect()
    }

    fn line(
        &self,
        report: &Report,
        index: usize,
        line: &PrincipalVariation,
        wording: &dyn Wording,
    ) -> String {
        let numbers = [
            ("nodes", Some(line.nodes.unwrap_or(report.counters.nodes))),
            ("nps", Some(report.nodes_per_second())),
            ("hashfull", report.table_permille.map(u64::from)),
            ("tbhits", report.counters.endgame_hits),
            ("time", u64::try_from(report.time.as_millis()).ok()),
        ];
        let number = |(name, value): (&str, Option<u64>)| value.map(|value| format!(" {name} {value}"));
        let numbers: String = numbers.into_iter().filter_map(number).collect();
        format!(
            "info depth {} seldepth {} multipv {} score {}{}{numbers} pv {}",
            report.depth,
            report.selective_depth.max(report.depth),
            index + 1,
            score_text(line),
            if self.chances { chances_text(line) } else { String::new() },
            wording.plain_line_text(&line.moves).join(" ")
        )
    }
}

/// `cp 25`, `mate -3`, and behind it whether that is only a bound. Mates are counted in moves of the player who mates.
fn score_text(line: &PrincipalVariation) -> String {
    let shown = line.statistics.and_then(|known| known.shown);
    let score = match line.score {
        Meaning::WinIn(plies) => format!("mate {}", plies.div_ceil(2)),
        Meaning::LossIn(0) => "mate 0".to_string(),
        Meaning::LossIn(plies) => format!("mate -{}", plies.div_ceil(2)),
        _ => format!("cp {}", shown.map_or_else(|| chances::centipawns(line.score), |shown| shown.value)),
    };
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::AtLeast => " lowerbound",
        Bound::AtMost => " upperbound",
    };
    score + bound
}

fn chances_text(line: &PrincipalVariation) -> String {
    let chances = match (line.score, line.statistics) {
        (Meaning::WinIn(_), _) => [1.0, 0.0, 0.0],
        (Meaning::LossIn(_), _) => [0.0, 0.0, 1.0],
        (_, Some(known)) => known.wdl,
        (score, None) => chances::of_score(chances::centipawns(score)),
    };
    let [win, draw, loss] = chances::per_mille(chances);
    format!(" wdl {win} {draw} {loss}")
}
