//! Values over time, or over anything else that has an order.

use super::axis::{Axis, Scale};
use super::figure::{figure, legend, marker, series_class};
use super::frame::{Frame, HEIGHT, X_TICKS, Y_TICKS};
use super::svg::{Anchor, Point, Svg, fit, polyline};
use super::thin::drawn;
use super::{Chart, number};

/// Up to this many points of a series show their markers; longer series are lines, with markers for the pointer.
const MOST_MARKERS: usize = 40;

/// Lines through points, one line for each series.
///
/// Points with a number that is not finite are left out and break their line. Long series are thinned to at most a
/// thousand points such that all peaks remain.
#[derive(Clone, PartialEq, Debug)]
pub struct LinePlot {
    title: String,
    x_label: String,
    y_label: String,
    log_y: bool,
    series: Vec<Series>,
    references: Vec<(f64, String)>,
}

#[derive(Clone, PartialEq, Debug)]
struct Series {
    name: String,
    points: Vec<Point>,
    /// Each an x with the low and the high end of the band.
    band: Vec<(f64, f64, f64)>,
}

impl LinePlot {
    /// A plot without data.
    #[must_use]
    pub fn new(title: &str, x_label: &str, y_label: &str) -> LinePlot {
        let [title, x_label, y_label] = [title, x_label, y_label].map(str::to_string);
        LinePlot { title, x_label, y_label, log_y: false, series: Vec::new(), references: Vec::new() }
    }

    /// Adds a line through points (x, y), in the order given.
    #[must_use]
    pub fn series(self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> LinePlot {
        self.series_with_band(name, points, [])
    }

    /// Adds a line with a band around it, such as error bars over time: for each x its low and high end.
    #[must_use]
    pub fn series_with_band(
        mut self,
        name: &str,
        points: impl IntoIterator<Item = (f64, f64)>,
        band: impl IntoIterator<Item = (f64, f64, f64)>,
    ) -> LinePlot {
        let (points, band) = (points.into_iter().collect(), band.into_iter().collect());
        self.series.push(Series { name: name.to_string(), points, band });
        self
    }

    /// Adds a horizontal line to compare with, such as the bound of a test.
    #[must_use]
    pub fn reference(mut self, y: f64, label: &str) -> LinePlot {
        self.references.push((y, label.to_string()));
        self
    }

    /// Makes the y axis logarithmic. Values that are not positive are left out.
    #[must_use]
    pub fn log_y(mut self) -> LinePlot {
        self.log_y = true;
        self
    }

    fn frame(&self) -> Frame {
        let bands = || self.series.iter().flat_map(|series| &series.band);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let xs: Vec<f64> = points().map(|point| point.0).chain(bands().map(|band| band.0)).collect();
        let references = self.references.iter().map(|reference| reference.0);
        let ys: Vec<f64> = points()
            .map(|point| point.1)
            .chain(bands().flat_map(|band| [band.1, band.2]))
            .chain(references)
            .collect();
        let y_scale = if self.log_y { Scale::Log } else { Scale::of(ys.iter().copied()) };
        let x = Axis::new(Scale::of(xs.iter().copied()), xs, X_TICKS);
        Frame::new(x, Axis::new(y_scale, ys, Y_TICKS).rounded())
    }

    /// Labels of references lie above everything else and keep their distance from one another.
    fn draw_reference_labels(&self, svg: &mut Svg, frame: &Frame) {
        const LABEL_HEIGHT: f64 = 18.0;
        let mut lines: Vec<_> =
            self.references.iter().filter_map(|(value, label)| Some((frame.y(*value)?, label))).collect();
        lines.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free_from = Frame::TOP + LABEL_HEIGHT - 4.0;
        for (y, label) in lines {
            let baseline = (y - 5.0).max(free_from).min(Frame::BOTTOM);
            free_from = baseline + LABEL_HEIGHT;
            let label = fit(label, frame.right - frame.left);
            svg.text("note", Anchor::End, (frame.right - 4.0, baseline), &label);
        }
    }

    fn draw_series(&self, svg: &mut Svg, frame: &Frame, index: usize) {
        let points = &self.series[index].points;
        let places: Vec<Option<Point>> = points.iter().map(|&point| frame.place(point)).collect();
        let kept = drawn(&places.iter().map(|place| place.map(|place| place.1)).collect::<Vec<_>>());
        let thinned: Vec<Option<Point>> = kept.iter().map(|&at| places[at]).collect();
        let runs = thinned.split(Option::is_none).filter(|run| !run.is_empty());
        let line = runs.map(|run| polyline(&run.iter().copied().flatten().collect::<Vec<_>>()));
        svg.path(&format!("path {}", series_class(index)), &line.collect::<String>());
        let marks: Vec<_> = kept.iter().filter_map(|&at| Some((places[at]?, points[at]))).collect();
        self.draw_marks(svg, index, &marks);
    }

    fn draw_marks(&self, svg: &mut Svg, index: usize, places: &[(Point, Point)]) {
        let visible = if places.len() <= MOST_MARKERS { "marks" } else { "marks hidden" };
        let class = format!("{visible} {}", series_class(index));
        for &(place, (x, y)) in places.iter().step_by(places.len().div_ceil(2 * MOST_MARKERS).max(1)) {
            let name = &self.series[index].name;
            let (x_label, y_label) = (&self.x_label, &self.y_label);
            let title = format!("{name}\n{x_label}: {}\n{y_label}: {}", number(x), number(y));
            svg.titled(&class, &title, |svg| svg.path("mark", &marker(index, place)));
        }
    }
}

impl Chart for LinePlot {
    fn figure(&self) -> String {
        let frame = self.frame();
        let mut svg = Svg::default();
        frame.draw(&mut svg, &self.x_label, &self.y_label);
        for (index, series) in self.series.iter().enumerate() {
            draw_band(&mut svg, index, &frame, &series.band);
        }
        for y in self.references.iter().filter_map(|reference| frame.y(reference.0)) {
            svg.line("reference", (frame.left, y), (frame.right, y));
        }
        for index in 0..self.series.len() {
            self.draw_series(&mut svg, &frame, index);
        }
        self.draw_reference_labels(&mut svg, &frame);
        if self.series.iter().flat_map(|series| &series.points).all(|&point| frame.place(point).is_none()) {
            frame.draw_no_data(&mut svg);
        }
        let kind = format!("line plot of {} over {}", self.y_label, self.x_label);
        let legend = legend(self.series.iter().map(|series| series.name.as_str()), None);
        figure(&self.title, &kind, HEIGHT, &svg, &legend)
    }
}

fn draw_band(svg: &mut Svg, index: usize, frame: &Frame, band: &[(f64, f64, f64)]) {
    let places: Vec<Option<(Point, Point)>> =
        band.iter().map(|&(x, low, high)| Some((frame.place((x, low))?, frame.place((x, high))?))).collect();
    let edge = |pick: fn((Point, Point)) -> f64| {
        drawn(&places.iter().map(|place| place.map(pick)).collect::<Vec<_>>())
    };
    let mut kept = edge(|(low, _)| low.1);
    kept.extend(edge(|(_, high)| high.1));
    kept.sort_unstable();
    kept.dedup();
    let thinned: Vec<Option<(Point, Point)>> = kept.into_iter().map(|at| places[at]).collect();
    for run in thinned.split(Option::is_none).filter(|run| run.len() > 1) {
        let present = || run.iter().copied().flatten();
        let outline: Vec<Point> =
            present().map(|(low, _)| low).chain(present().rev().map(|(_, high)| high)).collect();
        svg.path(&format!("band {}", series_class(index)), &(polyline(&outline) + "z"));
    }
}
