//! Tables.

use super::number::number;
use super::svg::escape;

/// One cell of a [`Table`].
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words, set to the left.
    Text(String),
    /// A number as it shall be read, set to the right with figures of one width.
    Number(String),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_string())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

/// A number cell as [`number`] writes it.
impl From<f64> for Cell {
    fn from(value: f64) -> Cell {
        Cell::Number(number(value))
    }
}

/// A header and rows of cells. Rows may be of different lengths: missing cells are empty.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new<T: Into<String>>(header: impl IntoIterator<Item = T>) -> Table {
        Table { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row below the others.
    #[must_use]
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Table {
        self.rows.push(cells.into_iter().collect());
        self
    }

    /// The table in a box of its own, in which it scrolls when it is wider than the page.
    pub(super) fn html(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).fold(self.header.len(), usize::max);
        let is_number =
            |column: usize| matches!(self.rows.iter().find_map(|row| row.get(column)), Some(Cell::Number(_)));
        let cell = |tag: &str, numeric: bool, text: &str| {
            format!("<{tag}{}>{}</{tag}>", if numeric { r#" class="number""# } else { "" }, escape(text))
        };
        let header = (0..columns)
            .map(|column| cell("th", is_number(column), self.header.get(column).map_or("", String::as_str)));
        let row = |cells: &Vec<Cell>| {
            let cells = (0..columns).map(|column| match cells.get(column) {
                Some(Cell::Number(text)) => cell("td", true, text),
                Some(Cell::Text(text)) => cell("td", false, text),
                None => cell("td", false, ""),
            });
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let (header, rows): (String, String) = (header.collect(), self.rows.iter().map(row).collect());
        format!(
            "<div class=\"table\"><table><thead><tr>{header}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
        )
    }
}
