//! A run as a page with plots.

use super::course::Course;
use super::report::TuneReport;
use crate::html::{Cell, LinePlot, Page, Table};

/// The page of a run as it stands.
pub fn tune_page(report: &TuneReport, course: &Course) -> String {
    let page = Page::new(&report.run).facts([
        ("Comparisons", format!("{} of {}", report.pairs, report.of_pairs)),
        ("Parameters", report.parameters.len().to_string()),
        ("Verdict", format!("{:?}", report.verdict).to_lowercase()),
    ]);
    let header = ["parameter", "start", "tuned", "drift, steps", "least", "greatest", "step"];
    let table = report.parameters.iter().fold(Table::new(header), |table, parameter| {
        let numbers = [parameter.min, parameter.max, parameter.step];
        let texts = [&parameter.start, &parameter.tuned].map(|text| Cell::Number(text.clone()));
        let cells = [Cell::from(parameter.name.as_str())].into_iter().chain(texts);
        let drift = Cell::Number(format!("{:+.2}", parameter.drift));
        table.row(cells.chain([drift]).chain(numbers.map(Cell::from)))
    });
    let way = course.course();
    let drift = course.axes().iter().enumerate().fold(
        LinePlot::new("Drift of all parameters", "comparisons", "steps from the start"),
        |plot, (at, axis)| {
            plot.series(&axis.name, way.iter().map(|(pairs, point)| (*pairs as f64, axis.drift(point[at]))))
        },
    );
    let mut page = page.table(&table).chart(&drift.reference(0.0, "start"));
    let shares = course.shares();
    if !shares.is_empty() {
        let scored = way.iter().zip(&shares).map(|((pairs, _), share)| (*pairs as f64, 100.0 * share));
        let plot = LinePlot::new("Points that were tried", "comparisons", "score against the start, %");
        page = page.chart(&plot.series("score", scored).reference(50.0, "even"));
    }
    page = page.heading("Values");
    for (at, axis) in course.axes().iter().enumerate().filter(|(_, axis)| axis.is_ordered()) {
        let values = way.iter().map(|(pairs, point)| (*pairs as f64, point[at]));
        let plot = LinePlot::new(&axis.name, "comparisons", "value").series(&axis.name, values);
        page = page.chart(&plot.reference(axis.start, "start"));
    }
    let Some(test) = &report.test else { return page.render() };
    page = page.heading("Test of what was found against the start").preformatted(&test.to_string());
    if let Some(sprt) = test.sprt {
        let ratios =
            course.ratios().iter().enumerate().map(|(pair, &ratio)| (2.0 * (pair + 1) as f64, ratio));
        let plot = LinePlot::new("Path of the test", "games", "log-likelihood ratio").series("LLR", ratios);
        page = page.chart(&plot.reference(sprt.lower, "H0").reference(sprt.upper, "H1"));
    }
    page.render()
}
