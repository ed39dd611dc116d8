//! Stones in the order in which somebody has placed them, which need not be that of play.

use outplay_connect::{Rules, Turn};
use outplay_core::{Player, text};
use outplay_engine::{Session, SessionError};

pub(crate) use crate::turns::Cell;

/// Stones on a board.
#[derive(Clone, Debug)]
pub(crate) struct Stones {
    rules: Rules,
    placed: Vec<(Player, Cell)>,
}

impl Stones {
    /// An empty board.
    pub fn new(rules: Rules) -> Stones {
        Stones { rules, placed: Vec::new() }
    }

    /// The rules that are played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.placed.len()
    }

    /// The last one.
    pub fn last(&self) -> Option<(Player, Cell)> {
        self.placed.last().copied()
    }

    /// Whose turn it is by the number of stones.
    pub fn turn(&self) -> Turn {
        Turn::after(self.rules, self.placed.len())
    }

    /// Places a stone in an empty cell, or says why there is none.
    pub fn place(&mut self, player: Player, (column, row): Cell) -> Result<(), String> {
        if column >= self.rules.columns() || row >= self.rules.rows() {
            return Err("the board has no such cell".to_string());
        }
        if self.placed.iter().any(|(_, cell)| *cell == (column, row)) {
            return Err("there is a stone already".to_string());
        }
        self.placed.push((player, (column, row)));
        Ok(())
    }

    /// Takes the last stone back.
    pub fn take_back(&mut self) -> Option<(Player, Cell)> {
        self.placed.pop()
    }

    /// The first cell without a stone, row by row from the lower left.
    pub fn any_empty(&self) -> Option<Cell> {
        let columns = self.rules.columns();
        let mut cells = (0..self.rules.cells()).map(|index| (index % columns, index / columns));
        cells.find(|cell| self.placed.iter().all(|(_, taken)| taken != cell))
    }

    /// The cell in the middle.
    pub fn centre(&self) -> Cell {
        (self.rules.columns() / 2, self.rules.rows() / 2)
    }

    /// Takes a session of the game to these stones; it says if no game leads to them, and stays as it is.
    pub fn show(&self, session: &mut dyn Session) -> Result<(), SessionError> {
        let is_as_played =
            |(index, (player, _)): (usize, &(Player, Cell))| Turn::after(self.rules, index).player == *player;
        if self.placed.iter().enumerate().all(is_as_played) {
            let moves = self.placed.iter().map(|(_, (column, row))| text::cell_text(*column, *row));
            session.set_game(None, &moves.collect::<Vec<_>>().join(" "))
        } else {
            session.set_game(Some(&self.position_text()), "")
        }
    }

    /// The position in our own words: rows from the top, whose turn it is, and how many stones the turn still has.
    fn position_text(&self) -> String {
        let letter = |player: Player| if player == Player::First { 'x' } else { 'o' };
        let at = |cell: Cell| self.placed.iter().find(|(_, taken)| *taken == cell);
        let row_text = |row: usize| {
            let (mut text, mut empty) = (String::new(), 0);
            for column in 0..self.rules.columns() {
                match at((column, row)) {
                    None => empty += 1,
                    Some((player, _)) => {
                        if empty > 0 {
                            text += &std::mem::take(&mut empty).to_string();
                        }
                        text.push(letter(*player));
                    }
                }
            }
            if empty > 0 { text + &empty.to_string() } else { text }
        };
        let rows: Vec<String> = (0..self.rules.rows()).rev().map(row_text).collect();
        let Turn { player, stones_left } = self.turn();
        format!("{} {} {stones_left}", rows.join("/"), letter(player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_in_any_order_are_a_position() {
        let mut session = outplay_engine::open("tictactoe").expect("a game");
        let mut stones = Stones::new(Rules::TIC_TAC_TOE);
        for (player, cell) in [(Player::Second, (2, 0)), (Player::First, (0, 0)), (Player::First, (1, 2))] {
            stones.place(player, cell).expect("an empty cell");
        }
        stones.show(&mut *session).expect("a position");
        assert_eq!(session.position_text(), "1x1/3/x1o o 1");
        assert_eq!(stones.any_empty(), Some((1, 0)));
        assert!(stones.place(Player::First, (2, 0)).is_err() && stones.place(Player::First, (3, 0)).is_err());

        stones.place(Player::First, (2, 2)).expect("an empty cell");
        assert!(stones.show(&mut *session).is_err(), "three stones against one");
        assert_eq!(session.position_text(), "1x1/3/x1o o 1", "it stays as it was");
    }

    #[test]
    fn stones_as_they_were_played_are_a_game_that_can_be_taken_back() {
        let mut session = outplay_engine::open("connect6").expect("a game");
        let mut stones = Stones::new(Rules::CONNECT6);
        for (player, cell) in [(Player::First, (9, 9)), (Player::Second, (8, 8)), (Player::Second, (0, 0))] {
            stones.place(player, cell).expect("an empty cell");
        }
        stones.show(&mut *session).expect("a game");
        assert_eq!(session.played_plain().len(), 3);
        assert_eq!(stones.turn(), Turn { player: Player::First, stones_left: 2 });
    }
}
