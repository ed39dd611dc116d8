//! How values are distributed.

use super::axis::{Axis, Scale, Step, range};
use super::figure::{figure, legend, series_class};
use super::frame::{Frame, HEIGHT, X_TICKS, Y_TICKS};
use super::svg::{Point, Svg, polyline};
use super::{Chart, number};

const MOST_BINS: f64 = 40.0;

/// Bars over ranges of values. One series is counted; several are compared, each as shares of its own size.
///
/// All series have the same bins. Values that are not finite are left out.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    title: String,
    label: String,
    series: Vec<(String, Vec<f64>)>,
}

impl Histogram {
    /// A histogram without data. The label names the values.
    #[must_use]
    pub fn new(title: &str, label: &str) -> Histogram {
        Histogram { title: title.to_string(), label: label.to_string(), series: Vec::new() }
    }

    /// Adds values.
    #[must_use]
    pub fn series(mut self, name: &str, values: impl IntoIterator<Item = f64>) -> Histogram {
        let values = values.into_iter().filter(|value| value.is_finite()).collect();
        self.series.push((name.to_string(), values));
        self
    }

    fn heights(&self, bins: &Bins) -> Vec<Vec<f64>> {
        let several = self.series.len() > 1;
        let heights = self.series.iter().map(|(_, values)| {
            let mut heights = vec![0.0; bins.count];
            let unit = if several { 100.0 / values.len() as f64 } else { 1.0 };
            values.iter().for_each(|&value| heights[bins.of(value)] += unit);
            heights
        });
        heights.collect()
    }
}

impl Chart for Histogram {
    fn figure(&self) -> String {
        let bins = Bins::new(self.series.iter().flat_map(|(_, values)| values.iter().copied()).collect());
        let heights = self.heights(&bins);
        let several = self.series.len() > 1;
        let (y_scale, y_label) = if several { (Scale::Linear, "share, %") } else { (Scale::Whole, "count") };
        let highest = heights.iter().flatten().copied().fold(0.0, f64::max);
        let y = Axis::new(y_scale, [0.0, if highest > 0.0 { highest } else { 1.0 }], Y_TICKS).rounded();
        let x = Axis::new(bins.scale, [bins.edge(0), bins.edge(bins.count)], X_TICKS);
        let frame = Frame::new(x, y);
        let x_of = |edge: usize| frame.x(bins.edge(edge)).unwrap_or(frame.left);
        let y_of = |height: f64| frame.y(height).unwrap_or(Frame::BOTTOM);

        let mut svg = Svg::default();
        frame.draw(&mut svg, &self.label, y_label);
        for bin in 0..bins.count {
            let (left, right) = (x_of(bin), x_of(bin + 1));
            let mut title = format!("{}: {}", self.label, bins.name(bin));
            for ((name, _), heights) in self.series.iter().zip(&heights) {
                let percent = if several { " %" } else { "" };
                title += &format!("\n{name}: {}{percent}", number(heights[bin]));
            }
            svg.titled("bin", &title, |svg| {
                svg.rect("hit", (left, Frame::TOP), (right - left, Frame::BOTTOM - Frame::TOP));
                for (index, heights) in heights.iter().enumerate().filter(|(_, heights)| heights[bin] > 0.0) {
                    let (top, gap) = (y_of(heights[bin]), if several { 0.0 } else { 1.0 });
                    let (corner, size) = ((left, top), (right - left - gap, Frame::BOTTOM - top));
                    let class = if several { "bar shared" } else { "bar" };
                    svg.rect(&format!("{class} {}", series_class(index)), corner, size);
                }
            });
        }
        if several {
            for (index, heights) in heights.iter().enumerate() {
                let steps = heights
                    .iter()
                    .enumerate()
                    .flat_map(|(bin, &height)| [bin, bin + 1].map(|edge| (x_of(edge), y_of(height))));
                let outline: Vec<Point> = steps.collect();
                svg.path(&format!("path outline {}", series_class(index)), &polyline(&outline));
            }
        }
        if highest == 0.0 {
            frame.draw_no_data(&mut svg);
        }
        let legend = legend(self.series.iter().map(|(name, _)| name.as_str()), None);
        figure(&self.title, &format!("histogram of {}", self.label), HEIGHT, &svg, &legend)
    }
}

/// Ranges of equal, round width. Bins of whole numbers end half-way between two of them.
struct Bins {
    scale: Scale,
    step: Step,
    first: i64,
    count: usize,
}

impl Bins {
    /// The width is that of Freedman and Diaconis, twice the interquartile range over the cube root of the number of
    /// values, rounded up; where half of the values are equal, that of Sturges.
    fn new(mut values: Vec<f64>) -> Bins {
        values.sort_by(f64::total_cmp);
        let scale = Scale::of(values.iter().copied());
        let (low, high) = range(scale, values.iter().copied());
        let quartile = |quarter: usize| values.get(values.len() * quarter / 4).copied().unwrap_or(0.0);
        let size = values.len().max(1) as f64;
        let width = 2.0 * (quartile(3) - quartile(1)) / size.cbrt();
        let count = if width > 0.0 { (high - low) / width } else { size.log2() + 1.0 };
        let step = Step::at_least((high - low) / count.clamp(1.0, MOST_BINS), scale);
        let first = step.floor(low);
        Bins { scale, step, first, count: (step.floor(high) - first) as usize + 1 }
    }

    fn of(&self, value: f64) -> usize {
        ((self.step.floor(value) - self.first).max(0) as usize).min(self.count - 1)
    }

    fn edge(&self, index: usize) -> f64 {
        let half = if self.scale == Scale::Whole { 0.5 } else { 0.0 };
        self.step.times(self.first + index as i64) - half
    }

    fn name(&self, bin: usize) -> String {
        let (low, high) = (self.edge(bin), self.edge(bin + 1));
        match self.scale {
            Scale::Whole if high - low == 1.0 => number(low + 0.5),
            Scale::Whole => format!("{} … {}", number(low + 0.5), number(high - 0.5)),
            _ => format!("{} … {}", number(low), number(high)),
        }
    }
}
