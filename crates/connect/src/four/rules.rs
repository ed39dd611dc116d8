//! The size of the board, and where its cells are in a word of bits.

use std::fmt;
use std::str::FromStr;

use outplay_core::ParseError;

const LANGUAGE: &str = "rules";
/// How many stones in a row win.
pub(super) const IN_A_ROW: usize = 4;

/// The board of a game of Connect Four; as text, columns and rows: `7x6`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    columns: u8,
    rows: u8,
}

impl Rules {
    /// The board on which the game is sold.
    pub(super) const STANDARD: Rules = Rules { columns: 7, rows: 6 };

    /// A board with so many columns and rows: at least four columns and two rows, and columns × (rows + 1) at
    /// most 64.
    pub fn new(columns: usize, rows: usize) -> Result<Rules, ParseError> {
        let refused = |reason| Err(ParseError::refused(LANGUAGE, &format!("{columns}x{rows}"), reason));
        if columns < IN_A_ROW || rows < 2 {
            refused("a board has at least 4 columns and 2 rows")
        } else if columns.saturating_mul(rows.saturating_add(1)) > 64 {
            refused("columns × (rows + 1) must be at most 64")
        } else {
            Ok(Rules { columns: columns as u8, rows: rows as u8 })
        }
    }

    /// How many columns the board has.
    #[inline]
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// How many rows the board has.
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// How far apart in the word neighbours in a row are.
    #[inline]
    pub(super) const fn stride(self) -> usize {
        self.rows() + 1
    }

    /// How many columns there are on the nearer side of a column.
    #[inline]
    pub(super) fn nearness_to_centre(self, column: usize) -> usize {
        column.min(self.columns() - 1 - column)
    }

    /// The bit of a cell.
    #[inline]
    pub(super) const fn cell(self, column: usize, row: usize) -> u64 {
        1 << (column * self.stride() + row)
    }

    /// The cells of a column.
    #[inline]
    pub(super) const fn column(self, column: usize) -> u64 {
        ((1 << self.rows()) - 1) << (column * self.stride())
    }

    /// The lowest cells of all the columns.
    #[inline]
    pub(super) fn bottom(self) -> u64 {
        (0..self.columns()).fold(0, |cells, column| cells | self.cell(column, 0))
    }

    /// All the cells.
    #[inline]
    pub(super) fn board(self) -> u64 {
        (0..self.columns()).fold(0, |cells, column| cells | self.column(column))
    }

    /// How far apart in the word neighbours are: in a column, in a row and in the two diagonals.
    #[inline]
    pub(super) const fn directions(self) -> [usize; 4] {
        [1, self.stride(), self.stride() + 1, self.stride() - 1]
    }
}

/// The board on which the game is sold.
impl Default for Rules {
    fn default() -> Rules {
        Rules::STANDARD
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for Rules {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Rules, ParseError> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let size = text.to_ascii_lowercase();
        match size.split_once('x').and_then(|(columns, rows)| number(columns).zip(number(rows))) {
            Some((columns, rows)) => Rules::new(columns, rows),
            None => Err(ParseError::refused(LANGUAGE, text, "expected columns and rows, as in 7x6")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_survive_their_text_and_impossible_ones_are_refused() {
        for text in ["7x6", "4x4", "8x7", "21x2", "4x15", "9x6"] {
            assert_eq!(text.parse::<Rules>().map(|rules| rules.to_string()).as_deref(), Ok(text));
        }
        for (text, reason) in [
            ("8x8", "must be at most 64"),
            ("3x4", "at least 4 columns and 2 rows"),
            ("64x0", "at least 4 columns and 2 rows"),
            ("18446744073709551615x18446744073709551615", "must be at most 64"),
            ("7", "as in 7x6"),
            ("7x6x5", "as in 7x6"),
            ("-7x6", "as in 7x6"),
            ("", "as in 7x6"),
        ] {
            let error = text.parse::<Rules>().expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
