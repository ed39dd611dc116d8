//! What a stone in a cell is worth at sight: the windows that it brings forward, and those of the opponent that it closes.
//!
//! A cell lies on four lines. What a line says of it depends on the cells that a window through it can reach, on either side: how far one can
//! go before a stone of the other side or the edge, and the stones on the way. All of that is a number of a few bits, so that a table
//! holds the answers.

use outplay_core::Player;

use crate::lines::{Cell, cells_of_lines, places};
use crate::position::Connect;
use crate::rules::Rules;

/// The longest row for which there is a table; the cells of longer ones are all worth nothing.
const LONGEST: usize = 6;

/// What a stone is worth in a window that holds so many stones of one player alone; without any it is worth nothing. [stones]
pub(crate) type Worths = [i32; LONGEST];

/// The tables for one set of rules.
pub(crate) struct Potentials {
    /// How many cells away a window can reach; 0 if rows are too long.
    reach: usize,
    /// The bits of each line that are no cells. [line]
    outside: Vec<u32>,
    /// [how far one can go back, and on][stones in reach]
    forward: Vec<i32>,
    closed: Vec<i32>,
}

impl Potentials {
    /// The tables for windows that are worth so much to who brings them forward, and to who closes them.
    pub fn new(rules: Rules, forward: &Worths, closed: &Worths) -> Potentials {
        let reach = if rules.in_a_row() <= LONGEST { rules.in_a_row() - 1 } else { 0 };
        Potentials {
            reach,
            outside: cells_of_lines(rules).map(|cells| !cells).collect(),
            forward: table(reach, forward),
            closed: table(reach, closed),
        }
    }

    /// What a stone of a player is worth in an empty cell.
    #[inline]
    pub fn of(&self, position: &Connect, player: Player, cell: Cell) -> i32 {
        let [own, other] = [player, !player].map(|player| position.lines(player).words());
        let mut worth = 0;
        for (line, bit) in places(cell) {
            let outside = self.outside[line];
            let [own, other] = [own[line], other[line]];
            if own | other == 0 {
                continue;
            }
            worth += self.forward[self.index(own, other | outside, bit)];
            worth += self.closed[self.index(other, own | outside, bit)];
        }
        worth
    }

    /// The place in a table for a bit of a line, on which one side has `stones` and cannot pass `barriers`.
    #[inline]
    fn index(&self, stones: u32, barriers: u32, bit: usize) -> usize {
        let reach = self.reach;
        let low = (1u64 << reach) - 1;
        // Below the first cell of the line there is nothing.
        let barriers = ((u64::from(barriers) << reach) | low) >> bit;
        let stones = (u64::from(stones) << reach) >> bit;
        let back = ((barriers & low) << (64 - reach)).leading_zeros();
        let on = (barriers >> (reach + 1)).trailing_zeros().min(reach as u32);
        let sides = (stones & low) | (stones >> (reach + 1) & low) << reach;
        index(reach, back.min(reach as u32) as usize, on as usize, sides as usize)
    }
}

/// Where a table has its answer.
#[inline]
fn index(reach: usize, back: usize, on: usize, sides: usize) -> usize {
    (back * (reach + 1) + on) << (2 * reach) | sides
}

fn table(reach: usize, worths: &Worths) -> Vec<i32> {
    let mut table = vec![0; index(reach, reach, reach, 0) + (1 << (2 * reach))];
    let length = reach + 1;
    for back in 0..=reach {
        for on in 0..=reach {
            for sides in 0..1usize << (2 * reach) {
                // With the cell itself between the two sides, empty.
                let line = sides & ((1 << reach) - 1) | sides >> reach << (reach + 1);
                let starts = reach - back..=(reach + on + 1).saturating_sub(length);
                let stones = |start: usize| (line >> start & ((1 << length) - 1)).count_ones() as usize;
                table[index(reach, back, on, sides)] =
                    starts.map(stones).filter(|&stones| stones > 0).map(|stones| worths[stones]).sum();
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, MoveList, Rng};

    use super::*;

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
            let potentials = Potentials::new(rules, &forward, &closed);
            for _ in 0..20 {
                let mut position = Connect::start(&rules);
                while position.outcome().is_none() {
                    let moves = position.legal_moves();
                    let m = moves.nth(rng.below(moves.count()));
                    let cell = rules.cell(m.index());
                    for player in Player::BOTH {
                        let expected = by_counting(&position, player, m, [&forward, &closed]);
                        assert_eq!(potentials.of(&position, player, cell), expected, "{position:?} {m:?}");
                    }
                    position.play(m);
                }
            }
        }
    }
}
