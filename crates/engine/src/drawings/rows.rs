//! Stones in a row.

use std::collections::HashSet;

use outplay_core::text::{cell_text, parse_cell};

use crate::picture::Board;

/// Steps from a cell to the next one of a row, each direction once.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// All rows of a player's stones with this length or more, each from one end to the other.
pub(super) fn rows(board: &Board, player: usize, length: usize) -> Vec<Vec<String>> {
    let own = board.pieces.iter().filter(|piece| piece.player == player);
    let cells: Vec<(usize, usize)> = own.filter_map(|piece| parse_cell(&piece.cell)).collect();
    let stones: HashSet<(usize, usize)> = cells.iter().copied().collect();
    let step = |(column, row): (usize, usize), (right, up): (isize, isize)| {
        let next = (column.checked_add_signed(right)?, row.checked_add_signed(up)?);
        stones.contains(&next).then_some(next)
    };
    let mut rows = Vec::new();
    for cell in cells {
        for direction in DIRECTIONS {
            let before = (-direction.0, -direction.1);
            if step(cell, before).is_some() {
                continue;
            }
            let row: Vec<_> = std::iter::successors(Some(cell), |&cell| step(cell, direction)).collect();
            if row.len() >= length {
                rows.push(row.into_iter().map(|(column, row)| cell_text(column, row)).collect());
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use outplay_core::Player;

    use super::*;
    use crate::picture::Family;

    #[test]
    fn rows_are_found_in_all_directions_and_longer_ones_whole() {
        let found = |text: &str, player: usize, length: usize| {
            let signs: Vec<Vec<char>> = text.split('/').rev().map(|row| row.chars().collect()).collect();
            let board = Board::new(Family::Stones, (signs[0].len(), signs.len()), |column, row| match signs
                [row][column]
            {
                'x' => Some((Player::First, "disc")),
                'o' => Some((Player::Second, "disc")),
                _ => None,
            });
            rows(&board, player, length)
        };
        assert_eq!(found("---/xxx/---", 0, 3), [["a2", "b2", "c2"]]);
        assert_eq!(found("x--/-x-/--x", 0, 3), [["a3", "b2", "c1"]]);
        assert_eq!(found("--o/-o-/o--", 1, 3), [["a1", "b2", "c3"]]);
        assert_eq!(found("x--/x--/x--", 0, 3), [["a1", "a2", "a3"]]);
        assert_eq!(found("-xxxx/-----", 0, 3), [["b2", "c2", "d2", "e2"]]);
        assert_eq!(found("xxx/x--/x--", 0, 3).len(), 2);
        assert!(found("xx-/oo-/---", 0, 3).is_empty() && found("xxx/---/---", 1, 3).is_empty());
    }
}
