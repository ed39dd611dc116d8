//! Turning and mirroring the board.

use outplay_core::{Game, Move, Symmetric};

use crate::lines::Cell;
use crate::position::Connect;
use crate::rules::Rules;

/// A symmetry's number is made of these: first the board is mirrored in its rising diagonal, then its columns
/// and its rows are reversed, each as the bit says. Only square boards have the first.
const REVERSE_COLUMNS: usize = 1;
const REVERSE_ROWS: usize = 2;
const TRANSPOSE: usize = 4;

fn transformed_cell(rules: Rules, cell: Cell, index: usize) -> Cell {
    let Cell { mut column, mut row } = cell;
    if index & TRANSPOSE != 0 {
        std::mem::swap(&mut column, &mut row);
    }
    if index & REVERSE_COLUMNS != 0 {
        column = rules.columns() - 1 - column;
    }
    if index & REVERSE_ROWS != 0 {
        row = rules.rows() - 1 - row;
    }
    Cell { column, row }
}

impl Symmetric for Connect {
    fn symmetries(&self) -> usize {
        if self.rules().columns() == self.rules().rows() { 8 } else { 4 }
    }

    fn transformed(&self, index: usize) -> Connect {
        let rules = self.rules();
        let stones = self.stones().map(|(cell, player)| (transformed_cell(rules, cell, index), player));
        Connect::with_stones(rules, stones, self.outcome())
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        let rules = self.rules();
        Move::new(rules.index(transformed_cell(rules, rules.cell(m.index()), index)) as u16)
    }
}
