//! Text and shapes as markup. Nothing else in this module writes text from outside or coordinates.

use std::fmt::Write;

/// A place in a drawing.
pub(super) type Point = (f64, f64);

/// Which end of a text its place names.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Text as it may stand between tags and in quoted attributes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The size of text in small charts, as in style.css.
const LARGEST_FONT: f64 = 18.0;

/// The room that text takes at most, in drawing units, at the largest size that the style sheet gives to charts.
/// Fonts differ from reader to reader: this errs on the wide side.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(relative_width).sum::<f64>() * LARGEST_FONT
}

fn relative_width(c: char) -> f64 {
    match c {
        ' ' | '.' | ',' | ':' | 'i' | 'j' | 'l' | '(' | ')' => 0.34,
        'm' | 'w' | 'M' | 'W' => 0.9,
        'A'..='Z' | '+' | '−' => 0.68,
        ' '..='~' | '–' | '\u{202f}' => 0.58,
        _ => 1.0,
    }
}

/// The text, or as much of it as fits into the room, with an ellipsis.
pub(super) fn fit(text: &str, room: f64) -> String {
    if width(text) <= room {
        return text.to_string();
    }
    let mut left = room - width("…");
    let fits = |c: &char| {
        left -= relative_width(*c) * LARGEST_FONT;
        left >= 0.0
    };
    text.chars().take_while(fits).collect::<String>().trim_end().to_string() + "…"
}

/// A coordinate to a tenth of a unit, as short as can be.
pub(super) fn coordinate(value: f64) -> String {
    debug_assert!(value.is_finite(), "nothing without a place is drawn");
    let no_negative_zero = (value * 10.0).round() / 10.0 + 0.0;
    no_negative_zero.to_string()
}

/// The drawing so far.
#[derive(Default)]
pub(super) struct Svg(pub(super) String);

impl Svg {
    pub(super) fn line(&mut self, class: &str, from: Point, to: Point) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(coordinate);
        let _ = writeln!(self.0, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    pub(super) fn rect(&mut self, class: &str, corner: Point, size: Point) {
        let [x, y, width, height] = [corner.0, corner.1, size.0, size.1].map(coordinate);
        let _ =
            writeln!(self.0, r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#);
    }

    pub(super) fn path(&mut self, class: &str, data: &str) {
        let _ = writeln!(self.0, r#"<path class="{class}" d="{data}"/>"#);
    }

    pub(super) fn text(&mut self, class: &str, anchor: Anchor, at: Point, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let [x, y] = [at.0, at.1].map(coordinate);
        let text = escape(text);
        let _ =
            writeln!(self.0, r#"<text class="{class}" text-anchor="{anchor}" x="{x}" y="{y}">{text}</text>"#);
    }

    /// Draws a group with a text that shows when the reader points at it.
    pub(super) fn titled(&mut self, class: &str, title: &str, draw: impl FnOnce(&mut Svg)) {
        let _ = write!(self.0, r#"<g class="{class}"><title>{}</title>"#, escape(title));
        draw(self);
        self.0.push_str("</g>\n");
    }
}

/// Path data of a line through the points; of a single point, a dot where line caps are round.
pub(super) fn polyline(points: &[Point]) -> String {
    let mut data = String::new();
    for (index, point) in points.iter().enumerate() {
        let [x, y] = [point.0, point.1].map(coordinate);
        let _ = write!(data, "{}{x} {y}", if index == 0 { 'M' } else { 'L' });
    }
    if points.len() == 1 { data + "h0" } else { data }
}
