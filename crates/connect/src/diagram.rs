//! Boards as text, the same way for all the games of this crate: rows from the top, separated by `/`, `x` for
//! the first player's stones, `o` for the second's, and numbers for as many empty cells. For people: a
//! drawing.

use outplay_core::{ParseError, Player, text::column_letter};

/// The letter of a player, in boards and for whose turn it is.
pub(crate) fn letter(player: Player) -> char {
    ['x', 'o'][player.index()]
}

/// The player with this letter, of either case.
pub(crate) fn player_with_letter(letter: char) -> Option<Player> {
    Player::BOTH.into_iter().find(|&player| self::letter(player) == letter.to_ascii_lowercase())
}

/// A board of some size.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub columns: usize,
    pub rows: usize,
}

/// A stone and where it is: the column, and the row from the bottom.
pub(crate) type Stone = (usize, usize, Player);

impl Size {
    /// The board as one word. `at` is asked for the stone in a column and row, counted from 0 at the lower
    /// left.
    pub(crate) fn write(self, at: impl Fn(usize, usize) -> Option<Player>) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            let mut empty = 0;
            for column in 0..self.columns {
                match at(column, row) {
                    None => empty += 1,
                    Some(player) => {
                        push_empty(&mut text, &mut empty);
                        text.push(letter(player));
                    }
                }
            }
            push_empty(&mut text, &mut empty);
            if row > 0 {
                text.push('/');
            }
        }
        text
    }

    /// Reads what [`Size::write`] writes. The board is the first word of `input`, from byte `begin` to `end`.
    pub(crate) fn read(
        self,
        language: &'static str,
        input: &str,
        begin: usize,
        end: usize,
    ) -> Result<Vec<Stone>, ParseError> {
        let expected = |offset: usize, what: String| Err(ParseError::syntax(language, input, offset, what));
        let mut stones = Vec::new();
        let mut offset = begin;
        let mut rows_left = self.rows;
        for row_text in input[begin..end].split('/') {
            let Some(row) = rows_left.checked_sub(1) else {
                return expected(offset, format!("no more than {} rows", self.rows));
            };
            rows_left = row;
            let mut column = 0;
            let mut number = 0;
            for (at, character) in row_text.char_indices() {
                if let Some(digit) = character.to_digit(10) {
                    number = number * 10 + digit as usize;
                } else if let Some(player) = player_with_letter(character) {
                    column += std::mem::take(&mut number);
                    stones.push((column, row, player));
                    column += 1;
                } else {
                    return expected(offset + at, "x, o, a number of empty cells or /".to_string());
                }
                if column + number > self.columns {
                    return expected(offset, format!("a row of {} cells, not more", self.columns));
                }
            }
            if column + number < self.columns {
                return expected(offset, format!("a row of {} cells, not {}", self.columns, column + number));
            }
            offset += row_text.len() + 1;
        }
        match rows_left {
            0 => Ok(stones),
            missing => expected(end, format!("more rows, {missing} missing")),
        }
    }

    /// The board with its coordinates, for people.
    pub(crate) fn draw(self, at: impl Fn(usize, usize) -> Option<Player>) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            text.push_str(&format!("{:>2}", row + 1));
            for column in 0..self.columns {
                text.push(' ');
                text.push(at(column, row).map_or('.', letter));
            }
            text.push('\n');
        }
        text.push_str("  ");
        for column in 0..self.columns {
            text.push(' ');
            text.push(column_letter(column));
        }
        text.push('\n');
        text
    }
}

fn push_empty(text: &mut String, empty: &mut usize) {
    match std::mem::take(empty) {
        0 => {}
        count => text.push_str(&count.to_string()),
    }
}
