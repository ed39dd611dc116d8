//! What surrounds a cell on a line, as a number: the key of tables that answer questions about the cell.
//!
//! What a line says of a cell depends on the cells that a window through it can reach, on either side: how far one can go before a stone of the
//! other side or the edge, and the stones on the way. All of that is a number of a few bits.

use outplay_core::Player;

use crate::lines::{Cell, cells_of_lines, places};
use crate::position::Connect;
use crate::rules::Rules;

/// The longest row for which there are tables; of the cells of longer ones nothing is known.
pub(super) const LONGEST: usize = 6;

/// The lines of a board, prepared for looking at the surroundings of cells.
pub(super) struct Surroundings {
    /// How many cells away a window can reach; 0 if rows are too long.
    reach: usize,
    /// The bits of each line that are no cells. [line]
    outside: Vec<u32>,
}

impl Surroundings {
    pub fn new(rules: Rules) -> Surroundings {
        let reach = if rules.in_a_row() <= LONGEST { rules.in_a_row() - 1 } else { 0 };
        Surroundings { reach, outside: cells_of_lines(rules).map(|cells| !cells).collect() }
    }

    /// A table with an answer for each kind of surroundings, given how many stones there are in each of the open windows through the cell.
    pub fn table<T: Clone + Default>(&self, answer: impl Fn(&mut dyn Iterator<Item = usize>) -> T) -> Vec<T> {
        let (reach, length) = (self.reach, self.reach + 1);
        let mut table = vec![T::default(); index(reach, reach, reach, 0) + (1 << (2 * reach))];
        for back in 0..=reach {
            for on in 0..=reach {
                for sides in 0..1usize << (2 * reach) {
                    // With the cell itself between the two sides, empty.
                    let line = sides & ((1 << reach) - 1) | sides >> reach << (reach + 1);
                    let starts = reach - back..=(reach + on + 1).saturating_sub(length);
                    let stones = |start: usize| (line >> start & ((1 << length) - 1)).count_ones() as usize;
                    table[index(reach, back, on, sides)] = answer(&mut starts.map(stones));
                }
            }
        }
        table
    }

    /// Visits the lines through an empty cell that hold stones: with the surroundings as a player sees them, and as the other does.
    #[inline]
    pub fn visit(&self, position: &Connect, player: Player, cell: Cell, mut visit: impl FnMut(usize, usize)) {
        let [own, other] = [player, !player].map(|player| position.lines(player).words());
        for (line, bit) in places(cell) {
            let outside = self.outside[line];
            let [own, other] = [own[line], other[line]];
            if own | other != 0 {
                visit(self.index(own, other | outside, bit), self.index(other, own | outside, bit));
            }
        }
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

/// The cells that are no further from a stone than this are looked at; others promise next to nothing.
pub(super) const NEAR: usize = 2;

/// The cells of a row that are no further than that from some of it, and these.
#[inline]
pub(super) fn cells_beside(row: u32) -> u32 {
    (1..=NEAR).fold(row, |cells, step| cells | row << step | row >> step)
}

/// The empty cells near stones of either side, row by row.
pub(super) fn near_stones(position: &Connect) -> [u32; Rules::MAX_SIDE] {
    let [first, second] = Player::BOTH.map(|player| position.lines(player).rows());
    let stones: [u32; Rules::MAX_SIDE] = std::array::from_fn(|row| first[row] | second[row]);
    let beside = stones.map(cells_beside);
    let cells = (1 << position.rules().columns()) - 1;
    std::array::from_fn(|row| {
        if row >= position.rules().rows() {
            return 0;
        }
        let rows = row.saturating_sub(NEAR)..(row + NEAR + 1).min(Rules::MAX_SIDE);
        beside[rows].iter().fold(0, |cells, row| cells | row) & cells & !stones[row]
    })
}
