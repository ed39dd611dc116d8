//! Turns of two stones, for protocols that exchange whole turns where our games place one stone after the other.

use outplay_connect::{Connect, Rules};
use outplay_core::{Game, Notation, Player, text};

use crate::opponent::{Answer, Situation};

/// The column and row of a cell, counted from 0 at the lower left.
pub(crate) type Cell = (usize, usize);

/// A player's stones of one turn.
pub(crate) type Turn = (Player, Vec<Cell>);

/// The turns of a game, and the stones that it began with as if they were turns; or what in it cannot be told by turns, and why.
///
/// The stones at the start are ordered so that whoever moves then comes last but one, as in play.
pub(crate) fn turns_of(rules: Rules, situation: &Situation) -> Result<Vec<Turn>, (String, String)> {
    let mut position = match &situation.start {
        None => Connect::start(&rules),
        Some(start) => {
            Connect::parse_position(&rules, start).map_err(|error| (start.clone(), error.to_string()))?
        }
    };
    let mut turns: Vec<Turn> = Vec::new();
    let next = position.to_move();
    for player in [next, !next] {
        let cells = (0..rules.cells()).map(|index| (index % rules.columns(), index / rules.columns()));
        let stones: Vec<_> =
            cells.filter(|&(column, row)| position.stone_at(column, row) == Some(player)).collect();
        turns.extend(stones.chunks(rules.turn_stones()).map(|stones| (player, stones.to_vec())));
    }
    let is_at_turn = |position: &Connect| {
        let whole = if position.stone_count() == 0 { rules.opening_stones() } else { rules.turn_stones() };
        usize::from(position.turn().stones_left) == whole
    };
    let mut begins_turn = is_at_turn(&position);
    for (player, m) in &situation.moves {
        let refused = |reason: String| (m.clone(), reason);
        let played = position.parse_move(m).map_err(|error| refused(error.to_string()))?;
        let cell =
            text::parse_cell(m).ok_or_else(|| refused("this protocol knows only cells".to_string()))?;
        match turns.last_mut() {
            Some((last, stones)) if !begins_turn && last == player => stones.push(cell),
            _ => turns.push((*player, vec![cell])),
        }
        position.play(played);
        begins_turn = is_at_turn(&position);
    }
    if begins_turn {
        return Ok(turns);
    }
    let reason = "this protocol asks for whole turns, and here one stone of a turn is placed already";
    Err((position.position_text(), reason.to_string()))
}

/// The second stone of a turn, kept until it is asked for.
#[derive(Default)]
pub(crate) struct SecondStone(Option<(Situation, String)>);

impl SecondStone {
    /// The stone, if it is what this situation asks for. It is forgotten in any case.
    pub fn take(&mut self, situation: &Situation) -> Option<Answer> {
        let (asked, stone) = self.0.take()?;
        (asked == *situation).then(|| Answer { best: stone, ..Answer::default() })
    }

    /// Keeps the second of the stones that answer a situation, and returns the first.
    pub fn keep(&mut self, situation: &Situation, cells: &[Cell]) -> Option<String> {
        let mut stones = cells.iter().map(|&(column, row)| text::cell_text(column, row));
        let first = stones.next()?;
        self.0 = stones.next().map(|second| {
            let mut next = situation.clone();
            next.moves.push((situation.to_move, first.clone()));
            (next, second)
        });
        Some(first)
    }
}
