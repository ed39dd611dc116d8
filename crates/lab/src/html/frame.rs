//! Two axes with their grid, and the area between them.

use super::axis::Axis;
use super::figure::WIDTH;
use super::svg::{Anchor, Point, Svg, fit, width};

/// The height of charts with two axes.
pub(super) const HEIGHT: f64 = 320.0;

/// The numbers of ticks to aim at, for which there is room at any size of text.
pub(super) const X_TICKS: usize = 7;
pub(super) const Y_TICKS: usize = 5;

const TOP: f64 = 34.0;
const BOTTOM: f64 = HEIGHT - 52.0;

/// Where the values of two axes lie in a drawing.
pub(super) struct Frame {
    x: Axis,
    y: Axis,
    pub(super) left: f64,
    pub(super) right: f64,
}

impl Frame {
    pub(super) const TOP: f64 = TOP;
    pub(super) const BOTTOM: f64 = BOTTOM;

    pub(super) fn new(x: Axis, y: Axis) -> Frame {
        let half_label = widest(&x) / 2.0;
        let left = (widest(&y) + 14.0).max(half_label);
        let right = WIDTH - half_label.max(14.0);
        Frame { x, y, left, right }
    }

    pub(super) fn x(&self, value: f64) -> Option<f64> {
        Some(self.left + self.x.fraction(value)? * (self.right - self.left))
    }

    pub(super) fn y(&self, value: f64) -> Option<f64> {
        Some(BOTTOM - self.y.fraction(value)? * (BOTTOM - TOP))
    }

    /// The place of a point that has one.
    pub(super) fn place(&self, (x, y): Point) -> Option<Point> {
        Some((self.x(x)?, self.y(y)?))
    }

    /// Says that there is nothing to see.
    pub(super) fn draw_no_data(&self, svg: &mut Svg) {
        svg.text("note", Anchor::Middle, ((self.left + self.right) / 2.0, (TOP + BOTTOM) / 2.0), "no data");
    }

    /// Draws everything that lies behind the data.
    pub(super) fn draw(&self, svg: &mut Svg, x_label: &str, y_label: &str) {
        svg.rect("area", (self.left, TOP), (self.right - self.left, BOTTOM - TOP));
        for &tick in self.y.ticks() {
            let Some(y) = self.y(tick) else { continue };
            svg.line("grid", (self.left, y), (self.right, y));
            svg.text("tick", Anchor::End, (self.left - 8.0, y + 4.0), &self.y.label(tick));
        }
        for &tick in ticks_with_room(&self.x, self.right - self.left) {
            let Some(x) = self.x(tick) else { continue };
            svg.line("axis", (x, BOTTOM), (x, BOTTOM + 5.0));
            svg.text("tick", Anchor::Middle, (x, BOTTOM + 20.0), &self.x.label(tick));
        }
        svg.line("axis", (self.left, BOTTOM), (self.right, BOTTOM));
        svg.text("label", Anchor::Start, (2.0, 16.0), &fit(y_label, WIDTH));
        svg.text("label", Anchor::End, (self.right, HEIGHT - 8.0), &fit(x_label, self.right));
    }
}

/// The ticks whose labels have room beside one another on a horizontal axis.
pub(super) fn ticks_with_room(axis: &Axis, length: f64) -> impl Iterator<Item = &f64> {
    let spacing = length / axis.ticks().len() as f64;
    let every = ((widest(axis) + 6.0) / spacing).ceil().max(1.0);
    axis.ticks().iter().step_by(every as usize)
}

fn widest(axis: &Axis) -> f64 {
    axis.ticks().iter().map(|&tick| width(&axis.label(tick))).fold(0.0, f64::max)
}
