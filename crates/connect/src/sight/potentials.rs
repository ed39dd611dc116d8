//! What a stone in a cell is worth at sight: the windows that it brings forward, and those of the opponent that it closes.

use outplay_core::Player;

use super::surroundings::{LONGEST, Surroundings};
use crate::lines::Cell;
use crate::position::Connect;

/// What a stone is worth in a window that holds so many stones of one player alone; without any it is worth nothing. [stones]
pub(super) type Worths = [i32; LONGEST];

/// Tables of such worths. [surroundings]
pub(super) struct Potentials {
    forward: Vec<i32>,
    closed: Vec<i32>,
}

impl Potentials {
    /// The tables for windows that are worth so much to who brings them forward, and to who closes them.
    pub fn new(surroundings: &Surroundings, forward: &Worths, closed: &Worths) -> Potentials {
        let table = |worths: &Worths| {
            surroundings
                .table(|windows| windows.filter(|&stones| stones > 0).map(|stones| worths[stones]).sum())
        };
        Potentials { forward: table(forward), closed: table(closed) }
    }

    /// What a stone of a player is worth in an empty cell.
    #[inline]
    pub fn of(&self, surroundings: &Surroundings, position: &Connect, player: Player, cell: Cell) -> i32 {
        let mut worth = 0;
        surroundings
            .visit(position, player, cell, |own, other| worth += self.forward[own] + self.closed[other]);
        worth
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, MoveList, Rng};

    use super::*;
    use crate::rules::Rules;

    /// The same from the numbers of open windows, before and after.
    fn by_counting(position: &Connect, player: Player, m: outplay_core::Move, worths: [&Worths; 2]) -> i32 {
        let length = position.rules().in_a_row();
        let mut after = position.clone();
        after.give(m, player);
        let more = |player: Player, lacking: usize| {
            let [before, after] = [position, &after].map(|position| position.open(player).lacking(lacking));
            i32::from(after) - i32::from(before)
        };
        let (mut total, mut forward) = (0, 0);
        for stones in (1..length).rev() {
            // Those that are brought forward come to the next level, and those of the next level leave it.
            forward += more(player, length - stones - 1);
            let closed = -more(!player, length - stones);
            total += forward * worths[0][stones] + closed * worths[1][stones];
        }
        total
    }

    #[test]
    fn the_table_says_what_counting_windows_says() {
        let (forward, closed) = ([0, 3, 10, 31, 100, 1_000], [0, 2, 7, 29, 90, 800]);
        let mut rng = Rng::new(8);
        for rules in ["19,19,6,2,1", "15,15,5,1,1", "3,3,3,1,1", "7,4,4,2,1"] {
            let rules: Rules = rules.parse().expect("valid rules");
            let surroundings = Surroundings::new(rules);
            let potentials = Potentials::new(&surroundings, &forward, &closed);
            for _ in 0..20 {
                let mut position = Connect::start(&rules);
                while position.outcome().is_none() {
                    let moves = position.legal_moves();
                    let m = moves.nth(rng.below(moves.count()));
                    let cell = rules.cell(m.index());
                    for player in Player::BOTH {
                        let expected = by_counting(&position, player, m, [&forward, &closed]);
                        let found = potentials.of(&surroundings, &position, player, cell);
                        assert_eq!(found, expected, "{position:?} {m:?}");
                    }
                    position.play(m);
                }
            }
        }
    }
}
