//! Runs as text for people.

use super::judge::Certainty;
use super::metrics::MEASURES;
use super::run::{Searched, Suite, SuiteRun};
use super::tables::known_text;
use super::totals::{Totals, Typical};

/// More of a name, or of what is known, makes the table hard to read.
const MOST_CHARACTERS: usize = 32;

/// The runs as text: a table of its positions for each if `with_positions`, and one of totals for all.
pub fn text(suite: &Suite, runs: &[SuiteRun], with_positions: bool) -> String {
    let mut text = String::new();
    for run in runs.iter().filter(|_| with_positions) {
        text += &format!("{} ({})\n{}\n", run.player, run.limit, positions(suite, run));
    }
    text + &totals_table(runs)
}

fn positions(suite: &Suite, run: &SuiteRun) -> String {
    let header = [
        "",
        "position",
        "known",
        "played",
        "score",
        "depth",
        "nodes",
        "seconds",
        "nps",
        "right from",
        "branching",
    ];
    let mut rows = vec![header.map(str::to_string).to_vec()];
    for searched in &run.searches {
        let problem = &suite.problems[searched.problem];
        let metrics = &searched.metrics;
        rows.push(vec![
            mark(searched).to_string(),
            shortened(&problem.name),
            shortened(&known_text(problem)),
            searched.played.clone().unwrap_or_else(|| "-".to_string()),
            searched.score.map_or(String::new(), |score| score.to_string()),
            number(metrics.depth, 0),
            number(searched.nodes.map(|nodes| nodes as f64), 0),
            number(Some(searched.seconds), 3),
            number(metrics.nodes_per_second, 0),
            searched.solution.map_or(String::new(), |solution| format!("{:.3} s", solution.seconds)),
            number(metrics.branching_factor, 2),
        ]);
    }
    let mut text = aligned(&rows, 4);
    for searched in &run.searches {
        let name = &suite.problems[searched.problem].name;
        if let Some(fault) = &searched.fault {
            text += &format!("{name}: {fault}\n");
        } else if searched.certainty == Some(Certainty::False) {
            text += &format!(
                "{name}: FALSE CLAIM, contradicts what is known: {}\n",
                known_text(&suite.problems[searched.problem])
            );
        }
    }
    text
}

/// How a position went, in one sign and perhaps a word.
fn mark(searched: &Searched) -> &'static str {
    match (searched.solved, searched.certainty) {
        _ if searched.fault.is_some() => "✗ fault",
        (_, Some(Certainty::False)) => "✗ false",
        (Some(true), Some(Certainty::Proved)) => "✓ proved",
        (Some(true), _) => "✓",
        (Some(false), _) => "✗",
        (None, _) => "",
    }
}

/// A row for each number, a column for each run.
pub(super) fn total_rows(runs: &[SuiteRun]) -> Vec<Vec<String>> {
    let totals: Vec<Totals> = runs.iter().map(SuiteRun::totals).collect();
    let row = |name: &str, value: &dyn Fn(&Totals) -> String| {
        std::iter::once(name.to_string()).chain(totals.iter().map(value)).collect::<Vec<String>>()
    };
    let of =
        |part: usize, whole: usize| if whole == 0 { String::new() } else { format!("{part} of {whole}") };
    let typical = |typical: Option<Typical>, decimals: usize| {
        typical.map_or(String::new(), |Typical { mean, median }| {
            format!("{}, median {}", number(Some(mean), decimals), number(Some(median), decimals))
        })
    };
    let mut rows = vec![
        row("positions", &|totals| totals.positions.to_string()),
        row("solved", &|totals| of(totals.solved, totals.to_solve)),
        row("proved", &|totals| of(totals.proved, totals.to_prove)),
        row("false claims", &|totals| totals.false_claims.to_string()),
        row("faults", &|totals| totals.faults.to_string()),
        row("seconds", &|totals| number(Some(totals.seconds), 3)),
        row("nodes", &|totals| number(totals.nodes.map(|nodes| nodes as f64), 0)),
        row("seconds to solution", &|totals| typical(totals.solution_seconds, 3)),
        row("nodes to solution", &|totals| typical(totals.solution_nodes, 0)),
    ];
    rows.extend(MEASURES.iter().map(|measure| {
        row(measure.name, &|totals| number((measure.get)(&totals.metrics), measure.decimals))
    }));
    rows.retain(|row| row.iter().skip(1).any(|value| !value.is_empty()));
    rows
}

fn totals_table(runs: &[SuiteRun]) -> String {
    let header =
        std::iter::once("total".to_string()).chain(runs.iter().map(|run| run.player.clone())).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(total_rows(runs)).collect();
    aligned(&rows, 1)
}

/// A number with groups of three digits; nothing if it is not known.
pub(super) fn number(value: Option<f64>, decimals: usize) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return String::new() };
    let text = format!("{value:.decimals$}");
    let whole = text.find('.').unwrap_or(text.len());
    let mut grouped = String::new();
    for (index, digit) in text.chars().enumerate() {
        let digits_left = whole.saturating_sub(index);
        if index > 0 && index < whole && digits_left % 3 == 0 && !grouped.ends_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        None => text.to_string(),
        Some(_) => text.chars().take(MOST_CHARACTERS - 1).chain(['…']).collect(),
    }
}

/// Rows in columns: the first `left` of them set to the left, the others to the right.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let width = |text: &String| text.chars().count();
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> =
        (0..columns).map(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let space = " ".repeat(widths[column] - width(cell));
            line += &if column < left { format!("{cell}{space}  ") } else { format!("{space}{cell}  ") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        for (value, decimals, expected) in [
            (0.0, 0, "0"),
            (999.0, 0, "999"),
            (1000.0, 0, "1,000"),
            (-123_456.0, 0, "-123,456"),
            (1_234_567.891, 2, "1,234,567.89"),
            (12.5, 3, "12.500"),
        ] {
            assert_eq!(number(Some(value), decimals), expected);
        }
        assert_eq!(number(None, 0), "");
        assert_eq!(number(Some(f64::NAN), 0), "");
    }

    #[test]
    fn columns_are_aligned_by_characters() {
        let rows = [["é", "1"], ["long", "20"]].map(|row| row.map(str::to_string).to_vec());
        assert_eq!(aligned(&rows, 1), "é      1\nlong  20\n");
        assert_eq!(shortened(&"é".repeat(40)).chars().count(), MOST_CHARACTERS);
    }
}
