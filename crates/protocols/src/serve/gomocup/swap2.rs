//! The opening in which one player places three stones and the other chooses: `SWAP2BOARD`.

use outplay_search::Meaning;

use super::{Gomocup, Purpose, Refusal};
use crate::cells::numbers_from_top;
use crate::serve::desk::{Desk, Thought};
use crate::serve::stones::{Cell, Stones};

/// The stones that we begin with, black, white, black, counted from 0 at the middle of the upper edge, columns to the right of the one
/// before it and rows downwards: of some that we tried, a search of ours of three seconds found this one the most even on 15×15.
const OPENING: [(usize, usize); 3] = [(0, 0), (1, 1), (2, 0)];

/// Whether whoever moves would rather have the other colour.
pub fn prefers_other_side(thought: &Thought) -> bool {
    match thought.lines.first() {
        None => false,
        Some((Meaning::WinIn(_), _)) => false,
        Some((Meaning::LossIn(_), _)) => true,
        Some((Meaning::Opinion(value) | Meaning::Margin(value), _)) => *value < 0,
        Some((Meaning::Expected(mean), _)) => *mean < 0.0,
    }
}

impl Gomocup {
    /// Answers an opening of no, three or five stones: with three of our own, or with the next one if White is the better side and
    /// `SWAP` if Black is. The stones come in the order of play, whosever they are called.
    pub(super) fn swap2(
        &mut self,
        list: &[(bool, Cell)],
        desk: &mut Desk,
    ) -> Result<Option<String>, Refusal> {
        let rules = self.stones()?.rules();
        let cells: Vec<Cell> = match list.len() {
            0 => {
                let (left, top) = (rules.columns() / 2 - 1, rules.rows() - 1);
                OPENING.map(|(column, down)| (left + column, top - down)).to_vec()
            }
            3 | 5 => list.iter().map(|(_, cell)| *cell).collect(),
            count => return Err(format!("SWAP2BOARD: expected no, three or five stones, not {count}")),
        };
        let mut stones = Stones::new(rules);
        for &cell in &cells {
            let player = stones.turn().player;
            stones.place(player, cell)?;
        }
        self.go_to(stones, desk)?;
        if list.is_empty() {
            let opening: Vec<String> =
                cells.iter().map(|&cell| numbers_from_top(cell, rules.rows())).collect();
            return Ok(Some(opening.join(" ")));
        }
        self.think(Purpose::Choose, 1, desk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_side_is_chosen() {
        let prefers_other = |value: Meaning| {
            let lines = vec![(value, vec!["a1".to_string()])];
            prefers_other_side(&Thought { lines, ..Thought::default() })
        };
        assert!(prefers_other(Meaning::LossIn(4)) && prefers_other(Meaning::Opinion(-1)));
        assert!(prefers_other(Meaning::Expected(-0.1)));
        assert!(!prefers_other(Meaning::WinIn(3)) && !prefers_other(Meaning::Opinion(0)));
    }
}
