//! The pieces on a board, read from the text of the position.

use outplay_core::text::{cell_text, parse_cell};
use serde::Serialize;

use super::Family;

/// The side of Othello's board.
const OTHELLO_SIDE: usize = 8;

/// Something on a cell.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Piece {
    /// Where it is.
    pub cell: String,
    /// Whose it is.
    pub player: usize,
    /// `K`, `Q`, `R`, `B`, `N`, `P` or `disc`.
    pub kind: String,
}

/// A board and what is on it.
#[derive(Debug)]
pub struct Board {
    pub columns: usize,
    pub rows: usize,
    pub pieces: Vec<Piece>,
}

impl Board {
    /// Reads the text of a position, as the games write it.
    pub fn read(family: Family, position: &str) -> Board {
        let board = position.split_whitespace().next().unwrap_or_default();
        match family {
            Family::Othello => Board::read_othello(board),
            _ => Board::read_rows(family, board),
        }
    }

    /// A sign for each square, row by row from the top, where rows begin with 1.
    fn read_othello(board: &str) -> Board {
        let pieces = board.chars().enumerate().filter_map(|(index, sign)| {
            let player = match sign {
                'X' => 0,
                'O' => 1,
                _ => return None,
            };
            Some(disc(cell_text(index % OTHELLO_SIDE, index / OTHELLO_SIDE), player))
        });
        Board { columns: OTHELLO_SIDE, rows: OTHELLO_SIDE, pieces: pieces.collect() }
    }

    /// Rows from the top with a slash between them, and numbers for empty cells; the lowest row is number 1.
    fn read_rows(family: Family, board: &str) -> Board {
        let rows = board.split('/').count();
        let (mut columns, mut pieces) = (0, Vec::new());
        for (from_top, row_text) in board.split('/').enumerate() {
            let (mut column, mut empty) = (0, 0);
            for sign in row_text.chars() {
                if let Some(digit) = sign.to_digit(10) {
                    empty = 10 * empty + digit as usize;
                    continue;
                }
                column += std::mem::take(&mut empty);
                let cell = cell_text(column, rows - 1 - from_top);
                pieces.push(match family {
                    Family::Chess => Piece {
                        cell,
                        player: usize::from(sign.is_ascii_lowercase()),
                        kind: sign.to_ascii_uppercase().to_string(),
                    },
                    _ => disc(cell, usize::from(sign.eq_ignore_ascii_case(&'o'))),
                });
                column += 1;
            }
            columns = columns.max(column + empty);
        }
        Board { columns, rows, pieces }
    }

    /// Where a disc comes to rest that falls down a column.
    pub fn landing_cell(&self, column: &str) -> Option<String> {
        parse_cell(&format!("{column}{}", self.height(column) + 1))
            .map(|(column, row)| cell_text(column, row))
    }

    /// The highest disc of a column.
    pub fn top_cell(&self, column: &str) -> Option<String> {
        let height = self.height(column);
        (height > 0).then(|| format!("{column}{height}"))
    }

    fn height(&self, column: &str) -> usize {
        self.pieces.iter().filter(|piece| piece.cell.starts_with(column)).count()
    }
}

fn disc(cell: String, player: usize) -> Piece {
    Piece { cell, player, kind: "disc".to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(board: &Board) -> Vec<String> {
        let words = board.pieces.iter().map(|piece| format!("{}{}{}", piece.player, piece.kind, piece.cell));
        words.collect()
    }

    #[test]
    fn boards_of_all_families_are_read() {
        let chess = Board::read(Family::Chess, "4k3/8/8/8/8/8/P7/4K2R w K - 0 1");
        assert_eq!((chess.columns, chess.rows), (8, 8));
        assert_eq!(cells(&chess), ["1Ke8", "0Pa2", "0Ke1", "0Rh1"]);
        let othello = Board::read(
            Family::Othello,
            "---------------------------OX------XO--------------------------- X",
        );
        assert_eq!(cells(&othello), ["1discd4", "0disce4", "0discd5", "1disce5"]);
        let stones = Board::read(Family::Stones, "19/19/12x6/19 x 1");
        assert_eq!((stones.columns, stones.rows), (19, 4));
        assert_eq!(cells(&stones), ["0discm2"]);
        let drop = Board::read(Family::Drop, "7/7/7/7/3o3/3x3 x");
        assert_eq!(cells(&drop), ["1discd2", "0discd1"]);
        assert_eq!(drop.landing_cell("d").as_deref(), Some("d3"));
        assert_eq!(drop.landing_cell("a").as_deref(), Some("a1"));
        assert_eq!((drop.top_cell("d").as_deref(), drop.top_cell("a")), (Some("d2"), None));
    }

    #[test]
    fn nonsense_makes_a_board_of_nothing() {
        for text in ["", "/", "999999999999/x", " ", "é/ü"] {
            for family in [Family::Chess, Family::Othello, Family::Stones, Family::Drop] {
                let board = Board::read(family, text);
                assert!(board.rows >= 1);
            }
        }
    }
}
