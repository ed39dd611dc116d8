//! Several measures at once.

use std::f64::consts::TAU;

use super::figure::{WIDTH, figure, legend, marker, series_class};
use super::svg::{Anchor, Point, Svg, coordinate, fit, polyline, width};
use super::{Chart, number};

/// From the centre to the labels. The web takes what signs of absence leave of it.
const LABELS: f64 = 166.0;
/// The room for a sign of absence.
const SIGN: f64 = 11.0;
const LINE_HEIGHT: f64 = 19.0;
const MOST_LINES: usize = 3;

/// A web of axes with a polygon for each series. It can be read with 3 to 12 axes.
///
/// A value that is absent, or not finite, leaves its axis out of the polygon and is marked outside the web.
#[derive(Clone, PartialEq, Debug)]
pub struct Radar {
    title: String,
    axes: Vec<Spoke>,
    series: Vec<(String, Vec<Option<f64>>)>,
}

#[derive(Clone, PartialEq, Debug)]
struct Spoke {
    name: String,
    centre: f64,
    rim: f64,
}

impl Spoke {
    /// How far out a value lies, 0 to 1.
    fn fraction(&self, value: f64) -> Option<f64> {
        let fraction = (value - self.centre) / (self.rim - self.centre);
        fraction.is_finite().then(|| fraction.clamp(0.0, 1.0))
    }
}

impl Radar {
    /// A radar without axes.
    #[must_use]
    pub fn new(title: &str) -> Radar {
        Radar { title: title.to_string(), axes: Vec::new(), series: Vec::new() }
    }

    /// Adds an axis, clockwise from the top, with its values at the centre and at the rim. Where less is better, the
    /// greater of the two belongs in the centre. Values beyond either are drawn there.
    #[must_use]
    pub fn axis(mut self, name: &str, centre: f64, rim: f64) -> Radar {
        self.axes.push(Spoke { name: name.to_string(), centre, rim });
        self
    }

    /// Adds a polygon: a value for each axis in their order, `None` for those that it lacks.
    #[must_use]
    pub fn series(mut self, name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Radar {
        self.series.push((name.to_string(), values.into_iter().collect()));
        self
    }

    /// The value of a series on an axis, and its place as a part of the radius.
    fn value(&self, series: usize, axis: usize) -> Option<(f64, f64)> {
        let value = self.series[series].1.get(axis).copied().flatten()?;
        Some((value, self.axes[axis].fraction(value)?))
    }

    fn direction(&self, axis: usize) -> Point {
        let angle = TAU * axis as f64 / self.axes.len() as f64;
        (angle.sin(), -angle.cos())
    }

    /// The name of an axis and its range, broken into lines that fit beside the web, with the place of the first.
    fn label(&self, axis: usize) -> Label {
        let direction = self.direction(axis);
        let at = (direction.0 * LABELS, direction.1 * LABELS);
        let (anchor, room) = match direction.0 {
            x if x > 0.25 => (Anchor::Start, WIDTH / 2.0 - at.0),
            x if x < -0.25 => (Anchor::End, WIDTH / 2.0 + at.0),
            _ => (Anchor::Middle, 2.0 * LABELS * (TAU / self.axes.len() as f64).sin() - 10.0),
        };
        let spoke = &self.axes[axis];
        let mut lines = wrapped(&spoke.name, room);
        lines.push(fit(&format!("{} … {}", number(spoke.centre), number(spoke.rim)), room));
        // Above the web a label stands on its place, below it hangs from it, beside it is centred.
        let share_above = (1.0 - direction.1) / 2.0;
        let top = at.1 - share_above * LINE_HEIGHT * lines.len() as f64;
        Label { anchor, at: (at.0, top), lines }
    }

    fn draw_web(&self, svg: &mut Svg, place: impl Fn(usize, f64) -> Point) {
        for ring in [0.25, 0.5, 0.75, 1.0] {
            let corners: Vec<Point> = (0..self.axes.len()).map(|axis| place(axis, ring)).collect();
            svg.path(if ring == 1.0 { "web rim" } else { "web" }, &(polyline(&corners) + "z"));
        }
        for axis in 0..self.axes.len() {
            svg.line("grid", place(axis, 0.0), place(axis, 1.0));
        }
    }

    fn draw_series(&self, svg: &mut Svg, index: usize, place: impl Fn(usize, f64) -> Point) {
        let class = series_class(index);
        let present: Vec<(usize, f64, f64)> = (0..self.axes.len())
            .filter_map(|axis| self.value(index, axis).map(|(value, fraction)| (axis, value, fraction)))
            .collect();
        let corners: Vec<Point> = present.iter().map(|&(axis, _, fraction)| place(axis, fraction)).collect();
        svg.path(
            &format!("polygon {class}"),
            &(polyline(&corners) + if corners.is_empty() { "" } else { "z" }),
        );
        for ((axis, value, _), &corner) in present.into_iter().zip(&corners) {
            let title = format!("{}\n{}: {}", self.series[index].0, self.axes[axis].name, number(value));
            svg.titled(&format!("marks {class}"), &title, |svg| svg.path("mark", &marker(index, corner)));
        }
    }

    /// Signs for the values that an axis lacks, from the rim outwards.
    fn draw_absent(&self, svg: &mut Svg, axis: usize, place: impl Fn(usize, f64) -> Point) {
        let absent = (0..self.series.len()).filter(|&series| self.value(series, axis).is_none());
        for (nth, series) in absent.enumerate() {
            let ((x, y), (outwards_x, outwards_y)) = (place(axis, 1.0), self.direction(axis));
            let distance = SIGN * (nth as f64 + 1.0);
            let title = format!("{}\n{}: no value", self.series[series].0, self.axes[axis].name);
            let (x, y) = (coordinate(x + outwards_x * distance), coordinate(y + outwards_y * distance));
            svg.titled(&format!("absent {}", series_class(series)), &title, |svg| {
                svg.path("sign", &format!("M{x} {y}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0m-1.5 4.5l9-9"));
            });
        }
    }

    fn most_absent(&self) -> usize {
        let absent =
            |axis: usize| (0..self.series.len()).filter(|&series| self.value(series, axis).is_none()).count();
        (0..self.axes.len()).map(absent).max().unwrap_or(0)
    }
}

struct Label {
    anchor: Anchor,
    at: Point,
    lines: Vec<String>,
}

impl Chart for Radar {
    fn figure(&self) -> String {
        let mut svg = Svg::default();
        if self.axes.len() < 3 {
            svg.text("note", Anchor::Middle, (WIDTH / 2.0, 30.0), "a radar needs three measures or more");
            return figure(&self.title, "empty radar chart", 60.0, &svg, "");
        }
        let absent = self.most_absent();
        let radius = (LABELS - 12.0 - SIGN * absent as f64).max(LABELS / 3.0);
        let labels: Vec<Label> = (0..self.axes.len()).map(|axis| self.label(axis)).collect();
        let bottom_of = |label: &Label| label.at.1 + LINE_HEIGHT * label.lines.len() as f64;
        let top = labels.iter().map(|label| label.at.1).fold(-radius, f64::min) - 4.0;
        let bottom = labels.iter().map(bottom_of).fold(radius, f64::max) + 4.0;
        let centre = (WIDTH / 2.0, -top);
        let place = |axis: usize, fraction: f64| {
            let (x, y) = self.direction(axis);
            (centre.0 + x * fraction * radius, centre.1 + y * fraction * radius)
        };

        self.draw_web(&mut svg, place);
        for (axis, label) in labels.iter().enumerate() {
            let spoke = &self.axes[axis];
            let title = format!("{}: {} … {}", spoke.name, number(spoke.centre), number(spoke.rim));
            svg.titled("spoke", &title, |svg| {
                for (line, text) in label.lines.iter().enumerate() {
                    let class = if line + 1 == label.lines.len() { "tick" } else { "name" };
                    let baseline = centre.1 + label.at.1 + LINE_HEIGHT * (line as f64 + 0.75);
                    svg.text(class, label.anchor, (centre.0 + label.at.0, baseline), text);
                }
            });
        }
        for index in 0..self.series.len() {
            self.draw_series(&mut svg, index, place);
        }
        for axis in 0..self.axes.len() {
            self.draw_absent(&mut svg, axis, place);
        }
        let note = (absent > 0).then_some("∅ no value");
        let legend = legend(self.series.iter().map(|(name, _)| name.as_str()), note);
        let kind = format!("radar chart of {} measures", self.axes.len());
        figure(&self.title, &kind, bottom - top, &svg, &legend)
    }
}

/// Breaks text between words into lines that fit; what is still too long ends in an ellipsis.
fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() == MOST_LINES;
        match lines.last_mut() {
            Some(line) if full || width(line) + width(" ") + width(word) <= room => {
                *line += &format!(" {word}")
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.iter().map(|line| fit(line, room)).collect()
}
