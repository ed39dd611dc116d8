//! Runs as a page to look at.

use std::collections::BTreeMap;

use super::judge::Certainty;
use super::metrics::{Better, Iteration, MEASURES, Style, compared, growth};
use super::run::{Suite, SuiteRun};
use super::tables::{certainty_text, known_text};
use super::text::{number, total_rows};
use super::totals::{Totals, Typical};
use crate::html::{Cell, LinePlot, Page, Radar, Table};

/// The page that compares runs.
pub fn page(suite: &Suite, runs: &[SuiteRun]) -> String {
    let positions = suite.problems.len();
    let mut page = Page::new(&format!("{positions} positions of {}", suite.game));
    let mut facts = Vec::new();
    for run in runs {
        let totals = run.totals();
        let of = |part: usize, whole: usize| format!("{part} of {whole}");
        let fact = match totals.to_solve {
            0 => of(totals.positions, positions) + " searched",
            to_solve => of(totals.solved, to_solve) + " solved",
        };
        facts.push((format!("{} ({})", run.player, run.limit), fact));
    }
    page = page.facts(facts);
    if let Some(warning) = warning(runs) {
        page = page.paragraph(&warning);
    }
    let header = std::iter::once("").chain(runs.iter().map(|run| run.player.as_str()));
    let totals = total_rows(runs).into_iter().fold(Table::new(header), |table, row| {
        let mut cells = row.into_iter();
        let name = cells.next().map(Cell::Text);
        table.row(name.into_iter().chain(cells.map(Cell::Number)))
    });
    page = page
        .heading("In total")
        .table(&totals)
        .paragraph(
            "Rates come from sums over all positions. The branching factor is the geometric mean of the growth of nodes from \
             depth to depth; line stability is the mean number of moves that the best lines of successive depths have in \
             common. Time and nodes to solution count from where on a player was right for good, over what it has solved. \
             What a search does not tell is left empty.",
        )
        .row(&[&radar(runs), &solved_over_time(runs)])
        .row(&[&nodes_over_depth(runs), &branching_over_depth(runs)])
        .heading("Position by position");
    for run in runs {
        page = page.paragraph(&format!("{} ({})", run.player, run.limit)).table(&positions_table(suite, run));
    }
    page.render()
}

/// Says which runs were certain of something false, if any was.
fn warning(runs: &[SuiteRun]) -> Option<String> {
    let counts = runs.iter().map(|run| (run, run.totals().false_claims)).filter(|&(_, count)| count > 0);
    let sentences: Vec<String> = counts
        .map(|(run, count)| {
            format!("{}: positions with certain claims that contradict the suite: {count}.", run.player)
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What an axis of the radar shows.
enum Range {
    /// From none to all.
    Share,
    /// From zero to the most that a run has.
    Upwards,
    /// From twice the most that a run has, so that the worst can still be seen, to the least.
    Downwards,
}

/// Every measure that one of the runs has.
fn radar(runs: &[SuiteRun]) -> Radar {
    let totals: Vec<Totals> = runs.iter().map(SuiteRun::totals).collect();
    let column = |get: &dyn Fn(&Totals) -> Option<f64>| totals.iter().map(get).collect::<Vec<Option<f64>>>();
    let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
    let median = |typical: Option<Typical>| typical.map(|typical| typical.median);
    let mut axes = vec![
        ("solved", Range::Share, column(&|totals| share(totals.solved, totals.to_solve))),
        ("proved", Range::Share, column(&|totals| share(totals.proved, totals.to_prove))),
        ("median seconds to solution", Range::Downwards, column(&|totals| median(totals.solution_seconds))),
        ("median nodes to solution", Range::Downwards, column(&|totals| median(totals.solution_nodes))),
    ];
    for measure in &MEASURES {
        let range = match measure.better {
            Better::More => Range::Upwards,
            Better::Less => Range::Downwards,
        };
        axes.push((measure.name, range, column(&|totals| (measure.get)(&totals.metrics))));
    }
    let most = |values: &[Option<f64>]| values.iter().flatten().copied().fold(0.0, f64::max);
    // An axis on which all are zero has no scale.
    axes.retain(|(_, _, values)| most(values) > 0.0);
    let radar = axes.iter().fold(
        Radar::new("The runs compared: further out is better"),
        |radar, (name, range, values)| {
            let most = most(values);
            match range {
                Range::Share => radar.axis(name, 0.0, 1.0),
                Range::Upwards => radar.axis(name, 0.0, most),
                Range::Downwards => {
                    radar.axis(name, 2.0 * most, values.iter().flatten().copied().fold(most, f64::min))
                }
            }
        },
    );
    runs.iter().enumerate().fold(radar, |radar, (index, run)| {
        radar.series(&run.player, axes.iter().map(|(_, _, values)| values[index]))
    })
}

fn solved_over_time(runs: &[SuiteRun]) -> LinePlot {
    runs.iter().fold(LinePlot::new("Solved for good over time", "seconds", "positions"), |plot, run| {
        let mut times: Vec<f64> =
            run.searches.iter().filter_map(|searched| Some(searched.solution?.seconds)).collect();
        times.sort_by(f64::total_cmp);
        let end = run.searches.iter().map(|searched| searched.seconds).fold(0.0, f64::max);
        let count = times.len() as f64;
        let steps = times.into_iter().enumerate().map(|(index, time)| (time, index as f64 + 1.0));
        plot.series(&run.player, std::iter::once((0.0, 0.0)).chain(steps).chain([(end, count)]))
    })
}

/// For each depth that half of the positions reach, the geometric mean of something over those that do.
fn by_depth(run: &SuiteRun, logarithms: impl Fn(&[&Iteration]) -> Vec<(u32, f64)>) -> Vec<(f64, f64)> {
    let mut sums: BTreeMap<u32, (f64, usize)> = BTreeMap::new();
    for searched in run.searches.iter().filter(|searched| searched.style == Style::Deepening) {
        for (depth, logarithm) in logarithms(&compared(&searched.iterations, searched.style)) {
            let (sum, count) = sums.entry(depth).or_default();
            *sum += logarithm;
            *count += 1;
        }
    }
    // Few positions say little, and those that are searched deeper than others are not like others.
    sums.retain(|_, (_, count)| 2 * *count >= run.searches.len());
    sums.into_iter().map(|(depth, (sum, count))| (f64::from(depth), (sum / count as f64).exp())).collect()
}

fn nodes_over_depth(runs: &[SuiteRun]) -> LinePlot {
    let plot = LinePlot::new("Nodes to a depth that half of the positions reach", "depth", "nodes").log_y();
    runs.iter().fold(plot, |plot, run| {
        let points = by_depth(run, |iterations| {
            let nodes = |iteration: &&Iteration| {
                Some((iteration.depth?, (iteration.nodes.filter(|&n| n > 0)? as f64).ln()))
            };
            iterations.iter().filter_map(nodes).collect()
        });
        plot.series(&run.player, points)
    })
}

fn branching_over_depth(runs: &[SuiteRun]) -> LinePlot {
    let plot = LinePlot::new("Growth of nodes from the depth before", "depth", "branching factor");
    runs.iter().fold(plot, |plot, run| {
        let points = by_depth(run, |iterations| {
            let step = |pair: &[&Iteration]| Some((pair[1].depth?, growth(pair[0], pair[1])?));
            iterations.windows(2).filter_map(step).collect()
        });
        plot.series(&run.player, points)
    })
}

fn positions_table(suite: &Suite, run: &SuiteRun) -> Table {
    let header = ["position", "known", "played", "", "score", "seconds", "nodes", "right from (s)"];
    let header = header.into_iter().chain(MEASURES.iter().map(|measure| measure.name));
    run.searches.iter().fold(Table::new(header), |table, searched| {
        let problem = &suite.problems[searched.problem];
        let result = match (&searched.fault, searched.solved, searched.certainty) {
            (Some(fault), ..) => fault.clone(),
            (None, _, Some(Certainty::False)) => "FALSE CLAIM".to_string(),
            (None, Some(solved), certainty) => {
                let proved = certainty.filter(|&certainty| certainty != Certainty::Open).map(certainty_text);
                let solved = if solved { "solved" } else { "not solved" };
                [Some(solved), proved].into_iter().flatten().collect::<Vec<_>>().join(", ")
            }
            (None, None, _) => String::new(),
        };
        let mut cells = vec![
            Cell::Text(problem.name.clone()),
            Cell::Text(known_text(problem)),
            Cell::Text(searched.played.clone().unwrap_or_default()),
            Cell::Text(result),
            Cell::Number(searched.score.map_or(String::new(), |score| score.to_string())),
            Cell::Number(number(Some(searched.seconds), 3)),
            Cell::Number(number(searched.nodes.map(|nodes| nodes as f64), 0)),
            Cell::Number(number(searched.solution.map(|solution| solution.seconds), 3)),
        ];
        cells.extend(
            MEASURES
                .iter()
                .map(|measure| Cell::Number(number((measure.get)(&searched.metrics), measure.decimals))),
        );
        table.row(cells)
    })
}
