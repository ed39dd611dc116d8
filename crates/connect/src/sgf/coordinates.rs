//! Cells as SGF files of these games write them.

use super::LANGUAGE;
use crate::lines::Cell;
use crate::rules::Rules;
use outplay_core::ParseError;
use outplay_core::text::column_letter;

/// How coordinates of two letters are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LetterPairs {
    /// Small letters count rows from the top, capital letters from the bottom.
    #[default]
    ByCase,
    /// Rows are counted from the top.
    FromTop,
    /// Rows are counted from the bottom.
    FromBottom,
}

/// A cell in the standard's own coordinates.
pub(super) fn standard_text(rules: Rules, cell: Cell) -> String {
    [cell.column, rules.rows() - 1 - cell.row].map(column_letter).iter().collect()
}

/// Reads the cell at the beginning of `value`, which stands at byte `offset` of `input`; returns its length,
/// too.
pub(super) fn read_cell(
    rules: Rules,
    pairs: LetterPairs,
    input: &str,
    offset: usize,
    value: &str,
) -> Result<(Cell, usize), ParseError> {
    let expected = |what: String| ParseError::syntax(LANGUAGE, input, offset, what);
    let bytes = value.as_bytes();
    let (cell, length) = match bytes {
        [letter, digit, ..] if letter.is_ascii_alphabetic() && digit.is_ascii_digit() => {
            let two = bytes.get(2).is_some_and(u8::is_ascii_digit);
            let length = if two { 3 } else { 2 };
            // Row 0, which is nowhere, becomes a row that is off every board.
            let row =
                bytes[1..length].iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0'));
            (Cell { column: letter_index(*letter), row: row.wrapping_sub(1) }, length)
        }
        [first, second, ..] if first.is_ascii_alphabetic() && second.is_ascii_alphabetic() => {
            let from_top = match pairs {
                LetterPairs::FromTop => true,
                LetterPairs::FromBottom => false,
                LetterPairs::ByCase if first.is_ascii_lowercase() == second.is_ascii_lowercase() => {
                    first.is_ascii_lowercase()
                }
                LetterPairs::ByCase => {
                    return Err(expected(
                        "two small letters (rows from the top) or two capital ones".to_string(),
                    ));
                }
            };
            let row = letter_index(*second);
            let row = if from_top { (rules.rows() - 1).wrapping_sub(row) } else { row };
            (Cell { column: letter_index(*first), row }, 2)
        }
        [] => return Err(expected("a cell: there are no passes in this game".to_string())),
        _ => return Err(expected("a cell such as jj, JJ or j10".to_string())),
    };
    if cell.column < rules.columns() && cell.row < rules.rows() {
        Ok((cell, length))
    } else {
        Err(expected(format!("a cell of a board of {}×{}", rules.columns(), rules.rows())))
    }
}

fn letter_index(letter: u8) -> usize {
    usize::from(letter.to_ascii_lowercase() - b'a')
}
