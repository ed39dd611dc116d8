//! The ways in which protocols name the cells of a board. Each has a name here; none is ever guessed.
//!
//! A cell is its column and row, counted from 0 at the lower left, as `outplay_core::text` has it.

use outplay_core::text;

/// How columns are lettered. It differs from program to program, so it has to be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Columns {
    /// a, b, ... h, i, j: as Outplay itself does, and Othello programs.
    WithI,
    /// a, b, ... h, j, k: as the Go Text Protocol says for Go boards.
    WithoutI,
}

impl Columns {
    /// A cell as a program with this lettering calls it, from how we call it; what is no cell (a pass) stays as it is.
    pub(crate) fn theirs(self, m: &str) -> String {
        match (self, text::parse_cell(m)) {
            (Columns::WithoutI, Some((column, row))) if column >= 8 => text::cell_text(column + 1, row),
            _ => m.to_string(),
        }
    }

    /// The inverse, in small letters. A cell in a column that this lettering does not have stays as it is, with a mark that makes it no
    /// cell at all.
    pub(crate) fn ours(self, m: &str) -> String {
        let m = m.to_ascii_lowercase();
        match (self, text::parse_cell(&m)) {
            (Columns::WithoutI, Some((8, _))) => format!("{m}?"),
            (Columns::WithoutI, Some((column, row))) if column > 8 => text::cell_text(column - 1, row),
            _ => m,
        }
    }
}

/// The side of the board on which cells have two letters.
const LETTERED: usize = 19;

/// A cell of 19×19 as two letters, column and row, A to S with I, from the lower left: the centre is `JJ`.
pub(crate) fn two_letters((column, row): (usize, usize)) -> String {
    [column, row].map(|place| text::column_letter(place).to_ascii_uppercase()).iter().collect()
}

/// The cells of a word of such letters; `None` if it is no such word.
pub(crate) fn cells_of_letters(word: &str) -> Option<Vec<(usize, usize)>> {
    let place = |byte: u8| {
        let place = byte.to_ascii_uppercase().checked_sub(b'A').map(usize::from)?;
        (place < LETTERED).then_some(place)
    };
    let cells = word.as_bytes().chunks(2).map(|pair| match *pair {
        [column, row] => Some((place(column)?, place(row)?)),
        _ => None,
    });
    cells.collect()
}

/// A cell as two numbers, `7,7`: column and row, both counted from 0 at the upper left of a board with so many rows.
pub(crate) fn numbers_from_top((column, row): (usize, usize), rows: usize) -> String {
    format!("{column},{}", rows - 1 - row)
}

/// The inverse; `None` if it is no cell of a board with so many columns and rows.
pub(crate) fn cell_of_numbers(text: &str, (columns, rows): (usize, usize)) -> Option<(usize, usize)> {
    let (column, from_top) = text.split_once(',')?;
    let number = |text: &str, below: usize| text.trim().parse().ok().filter(|&number: &usize| number < below);
    Some((number(column, columns)?, rows - 1 - number(from_top, rows)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_lettered_as_was_said() {
        for (ours, theirs) in
            [("a1", "a1"), ("h8", "h8"), ("i9", "j9"), ("j10", "k10"), ("s19", "t19"), ("pass", "pass")]
        {
            assert_eq!(Columns::WithoutI.theirs(ours), theirs);
            assert_eq!(Columns::WithoutI.ours(&theirs.to_uppercase()), ours);
            assert_eq!(Columns::WithI.ours(&Columns::WithI.theirs(ours)), ours);
        }
        assert_eq!(text::parse_cell(&Columns::WithoutI.ours("I9")), None);
        assert_eq!(Columns::WithI.ours("I9"), "i9");
    }

    #[test]
    fn pairs_of_letters_count_from_the_lower_left_and_have_an_i() {
        assert_eq!(two_letters((9, 9)), "JJ");
        assert_eq!((two_letters((8, 0)), two_letters((18, 18))), ("IA".to_string(), "SS".to_string()));
        assert_eq!(cells_of_letters("JJ"), Some(vec![(9, 9)]));
        assert_eq!(cells_of_letters("iaSs"), Some(vec![(8, 0), (18, 18)]));
        assert_eq!(cells_of_letters(""), Some(Vec::new()));
        for bad in ["J", "JJJ", "TA", "AT", "J1", "é", "[[", "@A"] {
            assert_eq!(cells_of_letters(bad), None, "{bad}");
        }
    }

    #[test]
    fn pairs_of_numbers_count_from_the_upper_left() {
        assert_eq!(numbers_from_top((0, 14), 15), "0,0");
        assert_eq!(cell_of_numbers("0,0", (15, 15)), Some((0, 14)));
        assert_eq!(cell_of_numbers(" 3 , 9 ", (12, 10)), Some((3, 0)));
        for bad in ["", "1", "1,", "-1,0", "15,0", "0,15", "1,2,3", "a,b", "99999999999999999999,0"] {
            assert_eq!(cell_of_numbers(bad, (15, 15)), None, "{bad}");
        }
    }
}
