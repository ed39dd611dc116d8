//! Reports of a search as text.

use outplay_engine::Wording;
use outplay_search::{Bound, Report};

/// How much of a long line is shown.
const SHOWN_MOVES: usize = 12;

/// One report in lines of text: a line for each variation.
pub fn text(report: &Report, wording: &dyn Wording) -> String {
    let lines = report.lines.iter().enumerate().map(|(index, line)| {
        let own_nodes = line.nodes.map_or(String::new(), |nodes| format!("{:>8} nodes ", short(nodes)));
        let begin = match index {
            0 => format!(
                "depth {:>2}/{:<2} {:>8} nodes {:>7} {:>8}/s",
                report.depth,
                report.selective_depth,
                short(line.nodes.unwrap_or(report.counters.nodes)),
                format!("{:.2}s", report.time.as_secs_f64()),
                short(report.nodes_per_second()),
            ),
            _ => format!("{:>42}", format!("{own_nodes}{}.", index + 1)),
        };
        let moves = wording.line_text(&line.moves);
        let more = if moves.len() > SHOWN_MOVES { " …" } else { "" };
        let visits = line.visits.map_or(String::new(), |visits| format!(" ({} visits)", short(visits)));
        let number = line.statistics.and_then(|known| known.shown);
        let number = number.map_or(String::new(), |number| format!(" {} {}", number.kind, number.value));
        let shown = moves[..moves.len().min(SHOWN_MOVES)].join(" ");
        let bound = match line.bound {
            Bound::Exact => "",
            Bound::AtLeast => "≥ ",
            Bound::AtMost => "≤ ",
        };
        format!("{begin}  {:>10}{number}{visits}  {shown}{more}", format!("{bound}{}", line.score))
    });
    lines.chain(said_beside(report)).collect::<Vec<_>>().join("\n")
}

/// What a report says beside its lines: what went wrong on the way, and why the search ended before its time.
pub fn said_beside(report: &Report) -> impl Iterator<Item = String> {
    let notice = report.notice.iter().map(|notice| format!("note: {notice}"));
    let failure = report.failure.iter().map(|failure| format!("the search ended early: {failure}"));
    notice.chain(failure)
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
