//! The page around everything.

use super::svg::escape;
use super::{Chart, Table};

/// An HTML page, written from top to bottom.
///
/// ```
/// use outplay_lab::html::{Cell, LinePlot, Page, Table};
///
/// let plot = LinePlot::new("Log-likelihood ratio", "pairs", "LLR")
///     .series("LLR", [(1.0, 0.1), (2.0, -0.2), (3.0, 0.4)])
///     .reference(2.94, "accept");
/// let html = Page::new("new <b> against old")
///     .facts([("pairs", "3"), ("Elo", "+12 ± 40")])
///     .chart(&plot)
///     .table(&Table::new(["player", "wins"]).row(["new".into(), Cell::from(2.0)]))
///     .render();
/// assert!(html.contains("<h1>new &lt;b&gt; against old</h1>"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    /// A page that so far has a title only.
    #[must_use]
    pub fn new(title: &str) -> Page {
        Page { title: escape(title), body: String::new() }
    }

    /// Begins a section.
    #[must_use]
    pub fn heading(self, text: &str) -> Page {
        self.with(&format!("<h2>{}</h2>\n", escape(text)))
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn paragraph(self, text: &str) -> Page {
        self.with(&format!("<p>{}</p>\n", escape(text)))
    }

    /// Adds key figures, each a name and a value, as a row of cards.
    #[must_use]
    pub fn facts<N: AsRef<str>, V: AsRef<str>>(self, facts: impl IntoIterator<Item = (N, V)>) -> Page {
        let card = |(name, value): (N, V)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name.as_ref()), escape(value.as_ref()))
        };
        self.with(&format!(
            "<dl class=\"facts\">\n{}</dl>\n",
            facts.into_iter().map(card).collect::<String>()
        ))
    }

    /// Adds a table.
    #[must_use]
    pub fn table(self, table: &Table) -> Page {
        self.with(&table.html())
    }

    /// Adds a chart.
    #[must_use]
    pub fn chart(self, chart: &dyn Chart) -> Page {
        self.with(&chart.figure())
    }

    /// Adds charts that stand side by side where there is room.
    #[must_use]
    pub fn row(self, charts: &[&dyn Chart]) -> Page {
        let figures: String = charts.iter().map(|chart| chart.figure()).collect();
        self.with(&format!("<div class=\"row\">\n{figures}</div>\n"))
    }

    /// Adds text whose spaces and lines matter.
    #[must_use]
    pub fn preformatted(self, text: &str) -> Page {
        self.with(&format!("<pre>{}</pre>\n", escape(text)))
    }

    fn with(mut self, html: &str) -> Page {
        self.body.push_str(html);
        self
    }

    /// The page as one file. It forbids browsers to load or run anything, were there ever anything to load or run.
    #[must_use]
    pub fn render(&self) -> String {
        let Page { title, body } = self;
        let style = include_str!("style.css");
        format!(
            r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}</main>
</body>
</html>
"#
        )
    }
}
