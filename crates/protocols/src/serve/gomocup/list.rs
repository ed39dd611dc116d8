//! Boards that come line by line, from `BOARD` and its like to `DONE`.

use outplay_core::Player;
use outplay_core::text::shortened;

use super::{Gomocup, Purpose, Refusal};
use crate::serve::desk::Desk;
use crate::serve::stones::{Cell, Stones};

/// A list that is being read.
pub struct List {
    command: String,
    /// Each stone with whether it is ours.
    stones: Vec<(bool, Cell)>,
    /// What was wrong with a line.
    error: Option<String>,
}

impl List {
    /// The list that follows a command.
    pub fn new(command: String) -> List {
        List { command, stones: Vec::new(), error: None }
    }
}

impl Gomocup {
    /// Takes one more line of a list of stones.
    pub(super) fn read_on(
        &mut self,
        mut list: List,
        line: &str,
        desk: &mut Desk,
    ) -> Result<Option<String>, Refusal> {
        if !line.eq_ignore_ascii_case("DONE") {
            if !line.is_empty() && list.error.is_none() {
                match self.read_stone(line) {
                    Ok(stone) => list.stones.push(stone),
                    Err(reason) => list.error = Some(reason),
                }
            }
            self.list = Some(list);
            return Ok(None);
        }
        if let Some(reason) = list.error {
            return Err(format!("{}: {reason}", list.command));
        }
        if list.command == "SWAP2BOARD" {
            return self.swap2(&list.stones, desk);
        }
        let stones = self.of_list(&list.stones)?;
        self.go_to(stones, desk)?;
        if list.command == "YXBOARD" { Ok(None) } else { self.think(Purpose::Play, 1, desk) }
    }

    /// Reads `x,y,whose`: 1 for our own stones, 2 for the opponent's.
    fn read_stone(&self, line: &str) -> Result<(bool, Cell), Refusal> {
        let (cell, whose) = line
            .rsplit_once(',')
            .ok_or_else(|| format!("expected x,y,1 or x,y,2, not {}", shortened(line)))?;
        let is_ours = match whose.trim() {
            "1" => true,
            "2" => false,
            _ => {
                return Err(format!(
                    "expected 1 (ours) or 2 (the opponent's) at the end of {}",
                    shortened(line)
                ));
            }
        };
        Ok((is_ours, self.read_cell(cell)?))
    }

    /// A list of stones after which it is our turn.
    fn of_list(&self, list: &[(bool, Cell)]) -> Result<Stones, Refusal> {
        let mut stones = Stones::new(self.stones()?.rules());
        // Black begins, so that we are Black where both have as many.
        let ours = list.iter().filter(|(is_ours, _)| *is_ours).count();
        let us = if 2 * ours == list.len() { Player::First } else { Player::Second };
        for &(is_ours, cell) in list {
            stones.place(if is_ours { us } else { !us }, cell)?;
        }
        Ok(stones)
    }
}
