//! What this turn decides: rows that it can complete, and rows that it must not leave to the opponent.

use outplay_core::{Game, Move, Rng};

use crate::lines::{cell_on_line, cells_of_line, runs};
use crate::position::Connect;

/// A window, as many cells in line as a winning row has, that is nearly full of one player's stones.
#[derive(Clone, Copy)]
pub(crate) struct Chance {
    /// The place of its line among the lines of a player.
    line: usize,
    /// The cells of the line that are missing.
    missing: u32,
}

impl Connect {
    /// A row that this turn can complete, or else one that the opponent's next turn could; `None` if there is neither.
    pub(crate) fn urgent_row(&self) -> Option<Chance> {
        let (turn, rules) = (self.turn(), self.rules());
        let [own, other] = [turn.player, !turn.player].map(|player| self.lines(player).words());
        let left = u32::from(turn.stones_left);
        nearly_full(self, own, other, left).or_else(|| {
            // One that the rest of the turn cannot stop is a loss, whatever is played.
            nearly_full(self, other, own, rules.turn_stones() as u32)
        })
    }

    /// One of the stones that complete a row, or stop one: any of them.
    pub(crate) fn stone_in(&self, chance: Chance, rng: &mut Rng) -> Move {
        let Chance { line, missing } = chance;
        let skipped = rng.below(missing.count_ones() as usize);
        let bits = (0..skipped).fold(missing, |bits, _| bits & (bits - 1));
        let cell = cell_on_line(line, bits.trailing_zeros() as usize);
        let m = Move::new(self.rules().index(cell) as u16);
        debug_assert!(self.is_legal(m));
        m
    }
}

/// The first window that lacks at most so many stones of `own` and has none of `other`.
fn nearly_full(position: &Connect, own: &[u32], other: &[u32], most_missing: u32) -> Option<Chance> {
    let length = position.rules().in_a_row();
    let least = (length as u32).saturating_sub(most_missing);
    for (line, (&own, &other)) in own.iter().zip(other).enumerate() {
        if !has_ones(own, least) {
            continue;
        }
        let mut starts = runs(cells_of_line(position.rules(), line) & !other, length);
        while starts != 0 {
            let window = ((1u32 << length) - 1) << starts.trailing_zeros();
            let missing = window & !own;
            if !has_ones(missing, most_missing + 1) {
                return Some(Chance { line, missing });
            }
            starts &= starts - 1;
        }
    }
    None
}

/// Whether a word has at least so many ones; quicker for few than counting them.
#[inline]
fn has_ones(word: u32, least: u32) -> bool {
    least == 0 || (1..least).fold(word, |word, _| word & word.wrapping_sub(1)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use outplay_core::{MoveList, Outcome, Player};

    /// Whether `player` can complete a row by placing so many stones, found by trying all.
    fn can_complete(position: &Connect, player: Player, stones: usize) -> bool {
        stones > 0
            && position.legal_moves().each().any(|m| {
                let cell = position.rules().cell(m.index());
                let all = position.stones().chain([(cell, player)]);
                let mut lines = position.lines(player).clone();
                lines.toggle(cell);
                lines.have_row(position.rules().in_a_row())
                    || can_complete(&Connect::with_stones(position.rules(), all, None), player, stones - 1)
            })
    }

    #[test]
    fn urgent_rows_are_those_that_trying_all_stones_finds() {
        let mut rng = Rng::new(4);
        let mut found = [0, 0, 0];
        for rules in ["5,5,4,2,1", "6,5,4,1,1", "3,3,3,1,1", "4,7,4,3,2"] {
            let rules: Rules = rules.parse().expect("valid rules");
            for _ in 0..8 {
                let mut position = Connect::start(&rules);
                while position.outcome().is_none() {
                    let turn = position.turn();
                    let left = usize::from(turn.stones_left);
                    let wins = can_complete(&position, turn.player, left);
                    let loses = can_complete(&position, !turn.player, rules.turn_stones());
                    let urgent = position.urgent_row();
                    assert_eq!(urgent.is_some(), wins || loses, "{position:?}");
                    found[usize::from(wins) + usize::from(wins || loses)] += 1;
                    if let Some(chance) = urgent.filter(|_| wins) {
                        // Each of these stones brings the row nearer, and the last completes it.
                        let mut won = position.clone();
                        let mut row = Some(chance);
                        while let Some(chance) = row.filter(|_| won.outcome().is_none()) {
                            won.play(won.stone_in(chance, &mut rng));
                            row = won.urgent_row();
                        }
                        assert_eq!(won.outcome(), Some(Outcome::win(turn.player)), "{position:?}");
                        assert!(won.stone_count() - position.stone_count() <= left, "{position:?}");
                    }
                    let moves = position.legal_moves();
                    position.play(moves.nth(rng.below(moves.count())));
                }
            }
        }
        assert!(found.iter().all(|&count| count > 20), "{found:?}");
    }
}
