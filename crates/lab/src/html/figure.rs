//! What charts have in common: their size, how series differ, the legend, the figure around the drawing.

use super::svg::{Point, Svg, coordinate, escape};

/// All drawings are this wide, in units; the page scales them.
pub(super) const WIDTH: f64 = 560.0;

/// Shapes about a place, so that series differ by more than colour.
const MARKERS: [&str; 8] = [
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",    // circle
    "m-3.5-3.5h7v7h-7z",                     // square
    "m0-5.2l4.6 5.2l-4.6 5.2l-4.6-5.2z",     // diamond
    "m0-5l4.7 8.2h-9.4z",                    // triangle
    "m0 5l4.7-8.2h-9.4z",                    // triangle, upside down
    "m-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z", // plus
    "m-4.3-2.2l2.1-2.1l2.2 2.2l2.2-2.2l2.1 2.1l-2.2 2.2l2.2 2.2l-2.1 2.1l-2.2-2.2l-2.2 2.2l-2.1-2.1l2.2-2.2z",
    "m-4-4.5h8l-8 9h8z", // hourglass
];

/// Colour and dash of a series, as a class of the style sheet.
pub(super) fn series_class(index: usize) -> String {
    format!("s{}", index % MARKERS.len())
}

/// The marker of a series as path data. Series of one colour have different markers.
pub(super) fn marker(index: usize, at: Point) -> String {
    let shape = MARKERS[(index + index / MARKERS.len()) % MARKERS.len()];
    format!("M{} {}{shape}", coordinate(at.0), coordinate(at.1))
}

/// Names with colours, dashes and markers. A single series needs none: it is what the caption says.
pub(super) fn legend<'a>(names: impl ExactSizeIterator<Item = &'a str>, note: Option<&str>) -> String {
    let note = note.map(|note| format!(r#"<li class="note">{}</li>"#, escape(note))).unwrap_or_default();
    if names.len() < 2 && note.is_empty() {
        return String::new();
    }
    let entries = names.enumerate().map(|(index, name)| {
        let mut key = Svg::default();
        key.line("path", (1.0, 7.0), (33.0, 7.0));
        key.path("mark", &marker(index, (17.0, 7.0)));
        let (class, key, name) = (series_class(index), key.0, escape(name));
        format!(r#"<li class="{class}"><svg viewBox="0 0 34 14" aria-hidden="true">{key}</svg><span>{name}</span></li>"#)
    });
    format!("<ul class=\"legend\">{}{note}</ul>", entries.collect::<String>())
}

/// The finished figure. `kind` says to those who cannot see it what is drawn.
pub(super) fn figure(title: &str, kind: &str, height: f64, drawing: &Svg, legend: &str) -> String {
    let (title, kind, height, drawing) = (escape(title), escape(kind), coordinate(height), &drawing.0);
    format!(
        r#"<figure class="chart"><figcaption>{title}</figcaption>
<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}: {kind}">
{drawing}</svg>{legend}</figure>
"#
    )
}
