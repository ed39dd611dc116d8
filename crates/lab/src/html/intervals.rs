//! Estimates with what is known of their error.

use super::Chart;
use super::axis::{Axis, Scale};
use super::figure::{WIDTH, figure};
use super::frame::ticks_with_room;
use super::number::difference;
use super::svg::{Anchor, Svg, coordinate, fit, width};

const ROW: f64 = 28.0;
const WIDEST_LABEL: f64 = 300.0;

/// A difference from zero and the interval in which it lies. Ends may be infinite, unknown ones are NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// A row for each estimate, such as Elo differences with their error bars, beside a line at zero.
///
/// What is infinite ends in an arrow at the edge; an estimate that is unknown is a dash instead of a mark.
#[derive(Clone, PartialEq, Debug)]
pub struct IntervalPlot {
    title: String,
    label: String,
    rows: Vec<(String, Interval)>,
}

impl IntervalPlot {
    /// A plot without rows. The label names the values.
    #[must_use]
    pub fn new(title: &str, label: &str) -> IntervalPlot {
        IntervalPlot { title: title.to_string(), label: label.to_string(), rows: Vec::new() }
    }

    /// Adds a row below the others.
    #[must_use]
    pub fn row(mut self, label: &str, interval: Interval) -> IntervalPlot {
        self.rows.push((label.to_string(), interval));
        self
    }
}

impl Chart for IntervalPlot {
    fn figure(&self) -> String {
        let ends = self.rows.iter().flat_map(|(_, interval)| [interval.value, interval.low, interval.high]);
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let left = widest(&mut self.rows.iter().map(|(label, _)| width(label))).min(WIDEST_LABEL) + 16.0;
        let right =
            WIDTH - widest(&mut self.rows.iter().map(|(_, row)| width(&difference(row.value)))) - 20.0;
        let axis = Axis::new(Scale::Linear, ends.chain([0.0]), ((right - left) / 75.0) as usize).rounded();
        let bottom = ROW * self.rows.len() as f64 + 8.0;
        let x = |value: f64| {
            let fraction =
                if value.is_infinite() { Some((value.signum() + 1.0) / 2.0) } else { axis.fraction(value) };
            fraction.map(|fraction| left + fraction * (right - left))
        };

        let mut svg = Svg::default();
        svg.rect("area", (left, 4.0), (right - left, bottom - 4.0));
        for &tick in axis.ticks() {
            let Some(x) = x(tick) else { continue };
            svg.line(if tick == 0.0 { "zero" } else { "grid" }, (x, 4.0), (x, bottom));
        }
        for &tick in ticks_with_room(&axis, right - left) {
            let Some(x) = x(tick) else { continue };
            svg.text("tick", Anchor::Middle, (x, bottom + 18.0), &axis.label(tick));
        }
        for (index, (label, interval)) in self.rows.iter().enumerate() {
            let y = 6.0 + ROW * (index as f64 + 0.5);
            let &Interval { value, low, high } = interval;
            let title =
                format!("{label}: {} ({} … {})", difference(value), difference(low), difference(high));
            svg.titled(interval.class(), &title, |svg| {
                svg.rect("hit", (0.0, y - ROW / 2.0), (WIDTH, ROW));
                svg.text("name", Anchor::End, (left - 12.0, y + 4.0), &fit(label, left - 14.0));
                svg.text("value", Anchor::End, (WIDTH - 2.0, y + 4.0), &difference(value));
                if let (Some(from), Some(to)) = (x(low.min(high)), x(high.max(low))) {
                    svg.line("whisker", (from, y), (to, y));
                    draw_end(svg, (from, y), low.min(high));
                    draw_end(svg, (to, y), high.max(low));
                }
                match x(value) {
                    Some(x) if value.is_finite() => svg.rect("mark", (x - 4.0, y - 4.0), (8.0, 8.0)),
                    Some(x) => draw_end(svg, (x, y), value),
                    None => (),
                }
            });
        }
        svg.text("label", Anchor::End, (right, bottom + 38.0), &fit(&self.label, right));
        let kind = format!("{} of {} rows with intervals", self.label, self.rows.len());
        figure(&self.title, &kind, bottom + 46.0, &svg, "")
    }
}

impl Interval {
    /// Which side of zero the value is on, where the interval leaves no doubt.
    fn class(&self) -> &'static str {
        match self {
            interval if interval.low > 0.0 && interval.high > 0.0 => "interval above",
            interval if interval.low < 0.0 && interval.high < 0.0 => "interval below",
            _ => "interval",
        }
    }
}

/// The end of an interval: a small bar, or an arrow where it has none.
fn draw_end(svg: &mut Svg, (x, y): (f64, f64), value: f64) {
    if value.is_finite() {
        svg.line("whisker", (x, y - 4.0), (x, y + 4.0));
    } else {
        let back = coordinate(-8.0 * value.signum());
        svg.path("arrow", &format!("M{} {}l{back} -6v12z", coordinate(x), coordinate(y)));
    }
}
