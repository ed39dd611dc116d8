//! What is told of a study: as text and as a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::ablation::{Finding, Work, change_text};
use crate::html::{Cell, Interval, IntervalPlot, Page, Table};

impl Finding {
    /// What was changed, in words.
    pub fn change(&self) -> String {
        change_text(&self.search, &self.option, &self.full, &self.changed)
    }
}

/// The findings as a table: Elo above 0 says that the engine is better as it is.
pub fn ablation_text(findings: &[Finding]) -> String {
    let width = findings.iter().map(|finding| finding.change().chars().count()).max().unwrap_or(0).max(6);
    let mut text = String::new();
    let mut line = |words: std::fmt::Arguments| {
        // Writing into memory cannot fail.
        let _ = writeln!(text, "{words}");
    };
    line(format_args!("{:<width$}  {:<24} {:>7} {:>17} {:>7}", "change", "limit", "games", "Elo", "LOS"));
    for finding in findings {
        for found in &finding.matches {
            let elo = found.summary.elo.map_or("-".to_string(), |elo| elo.to_string());
            line(format_args!(
                "{:<width$}  {:<24} {:>7} {elo:>17} {:>5.1} %",
                finding.change(),
                found.limit,
                found.summary.games,
                100.0 * found.summary.los
            ));
        }
        if let Some(work) = finding.work {
            line(format_args!("{:<width$}  {}", finding.change(), work_text(&work)));
        }
    }
    let options: BTreeMap<&str, &str> =
        findings.iter().map(|finding| (&*finding.option, &*finding.help)).collect();
    for (option, help) in options {
        line(format_args!("{option}: {help}"));
    }
    text
}

fn work_text(work: &Work) -> String {
    let at_least = if work.given_up > 0 { "at least " } else { "" };
    format!(
        "{at_least}{:.2} times the nodes and {:.2} times the time to depth {:.1} ({} positions)",
        work.nodes_ratio, work.time_ratio, work.depth, work.positions
    )
}

/// The findings as a page that needs nothing else.
pub fn ablation_page(game: &str, findings: &[Finding]) -> String {
    let mut page = Page::new(&format!("{game}: what each technique is worth")).paragraph(
        "Each engine as it is played against itself with one setting changed. Elo above 0: it is better as it is. The last columns: how many times as many nodes and how much more time the changed engine needs for the \
         same depth.",
    );
    let limits = findings.iter().map(|finding| finding.matches.len()).max().unwrap_or(0);
    for index in 0..limits {
        let found = || findings.iter().filter_map(|finding| Some((finding, finding.matches.get(index)?)));
        let title = found().next().map_or(String::new(), |(_, found)| format!("Elo at {}", found.limit));
        let plot = found().fold(IntervalPlot::new(&title, "Elo"), |plot, (finding, found)| {
            match found.summary.elo {
                Some(elo) => {
                    plot.row(&finding.change(), Interval { value: elo.value, low: elo.low, high: elo.high })
                }
                None => plot,
            }
        });
        page = page.chart(&plot);
    }
    let table =
        findings.iter().flat_map(|finding| finding.matches.iter().map(move |found| (finding, found))).fold(
            Table::new(["change", "limit", "games", "won", "drawn", "lost", "Elo", "LOS", "nodes", "time"]),
            |table, (finding, found)| {
                let summary = &found.summary;
                let numbers = [summary.games, summary.wdl.wins, summary.wdl.draws, summary.wdl.losses];
                let elo = summary.elo.map_or(String::new(), |elo| elo.to_string());
                let work = |ratio: fn(&Work) -> f64| {
                    Cell::Number(finding.work.map_or(String::new(), |work| {
                        let at_least = if work.given_up > 0 { "≥ " } else { "" };
                        format!("{at_least}{:.2}×", ratio(&work))
                    }))
                };
                let words = [finding.change().into(), found.limit.as_str().into()].into_iter();
                let last = [
                    Cell::Number(elo),
                    Cell::Number(format!("{:.1} %", 100.0 * summary.los)),
                    work(|work| work.nodes_ratio),
                    work(|work| work.time_ratio),
                ];
                table.row(words.chain(numbers.map(|number| (number as f64).into())).chain(last))
            },
        );
    page.table(&table).render()
}
