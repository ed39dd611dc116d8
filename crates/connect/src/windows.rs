//! Windows: as many cells in line as a winning row has, which a player fills or does not.
//!
//! A window that holds stones of one player alone is *open* to that player. How many windows are open, by the stones that they lack, is all
//! that the evaluation wants to know of a position; so positions keep these numbers. A stone changes only the windows through its cell, at
//! most as many on each of four lines as a row is long, and all of them are counted at once: bit by bit of the line's word, each bit the
//! window that begins there.

use crate::lines::{Cell, touched};
use crate::rules::Rules;

/// Windows that lack this many stones, or more, are not counted.
pub(crate) const LEVELS: usize = 8;

/// The four lines through a cell, as words.
pub(crate) type FourLines = [u32; 4];

/// How many windows are open to a player, by the stones that they lack.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Open([u16; LEVELS]);

impl Open {
    /// How many lack exactly so many stones.
    #[inline]
    pub fn lacking(&self, stones: usize) -> u16 {
        self.0.get(stones).copied().unwrap_or(0)
    }

    /// Whether one lacks no more than so many.
    #[inline]
    pub fn any_lacking_at_most(&self, stones: usize) -> bool {
        self.0.iter().take(stones + 1).any(|&count| count > 0)
    }
}

/// Counts anew what a stone in this cell changes, where these are the stones on the four lines through it, without that one.
#[inline]
pub(crate) fn place(rules: Rules, cell: Cell, lines: [FourLines; 2], open: [&mut Open; 2]) {
    match rules.in_a_row() {
        6 => near::place::<6>(rules, cell, lines, open),
        5 => near::place::<5>(rules, cell, lines, open),
        4 => near::place::<4>(rules, cell, lines, open),
        3 => near::place::<3>(rules, cell, lines, open),
        length => {
            let [own, other] = lines;
            let windows = through(rules, cell);
            let without = |stones: FourLines| {
                zip(windows, stones, |windows, stones| windows & !touched(stones, length))
            };
            let changed = [by_lacking(own, without(other), length), by_lacking(other, without(own), length)];
            bring_forward(changed, length, open);
        }
    }
}

/// Of the windows that a stone changes, given how many lack so many stones before, the player's own lack one less then, and the other's are
/// closed.
#[inline]
fn bring_forward(
    [own, other]: [[u16; LEVELS + 1]; 2],
    length: usize,
    [own_open, other_open]: [&mut Open; 2],
) {
    for lacking in 0..LEVELS {
        // Windows without any stone are open to nobody yet.
        let is_counted = lacking > 0 && lacking < length;
        let [less_own, less_other] =
            [own, other].map(|changed| if is_counted { changed[lacking] } else { 0 });
        own_open.0[lacking] = own_open.0[lacking].wrapping_sub(less_own).wrapping_add(own[lacking + 1]);
        other_open.0[lacking] = other_open.0[lacking].wrapping_sub(less_other);
    }
}

/// The windows through a cell on each of its lines, by the bits of the lines where they begin.
#[inline]
pub(crate) fn through(rules: Rules, cell: Cell) -> FourLines {
    let Cell { column, row } = cell;
    let (right, above) = (rules.columns() - 1 - column, rules.rows() - 1 - row);
    let reach = rules.in_a_row() - 1;
    // The cells of the line before this one and after it, and the bit that stands for it.
    let line = |before: usize, after: usize, bit: usize| {
        let (most_back, least_back) = (before.min(reach), reach.saturating_sub(after));
        match (most_back + 1).checked_sub(least_back) {
            Some(count) => (((1u64 << count) - 1) << (bit - most_back)) as u32,
            None => 0,
        }
    };
    [
        line(column, right, column),
        line(row, above, row),
        line(column.min(row), right.min(above), row),
        line(right.min(row), column.min(above), row),
    ]
}

/// How many of the windows lack so many stones, for each number up to [`LEVELS`].
#[inline]
fn by_lacking(stones: FourLines, windows: FourLines, length: usize) -> [u16; LEVELS + 1] {
    let sums = Sums::<PLANES>::new(stones, length);
    let mut counts = [0; LEVELS + 1];
    for (lacking, count) in counts.iter_mut().enumerate().take(length + 1).skip(1) {
        *count = ones(zip(windows, sums.exactly(length - lacking), |windows, right| windows & right));
    }
    counts
}

/// The bits of a sum of up to 21 ones.
pub(crate) const PLANES: usize = 5;

/// For each bit of four lines: how many ones are among the bits that begin there. As numbers that stand upright: the first plane holds the
/// lowest bits of all of them. Three planes are enough for rows of up to seven, five for all.
pub(crate) struct Sums<const PLANES: usize>([FourLines; PLANES]);

impl<const PLANES: usize> Sums<PLANES> {
    #[inline]
    pub fn new(lines: FourLines, length: usize) -> Sums<PLANES> {
        let mut planes = [[0; 4]; PLANES];
        for step in 0..length {
            let mut carry = lines.map(|line| line >> step);
            for plane in &mut planes {
                (*plane, carry) = (zip(*plane, carry, |a, b| a ^ b), zip(*plane, carry, |a, b| a & b));
            }
        }
        Sums(planes)
    }

    /// The places of which the sum is this.
    #[inline]
    pub fn exactly(&self, sum: usize) -> FourLines {
        self.0.iter().enumerate().fold([u32::MAX; 4], |places, (bit, &plane)| match sum >> bit & 1 {
            1 => zip(places, plane, |places, plane| places & plane),
            _ => zip(places, plane, |places, plane| places & !plane),
        })
    }
}

/// The same for short rows, of which all that matters of four lines fits into one word: five cells at most on either side of a cell.
mod near {
    use super::{Cell, FourLines, LEVELS, Open, Rules, bring_forward};

    /// The most cells on either side.
    const REACH: usize = 5;
    /// Bits for each line, of which eleven are used: there is room for what a shift brings in from the next one.
    const LANE: usize = 16;

    #[inline]
    pub fn place<const LENGTH: usize>(rules: Rules, cell: Cell, lines: [FourLines; 2], open: [&mut Open; 2]) {
        let [own, other] = lines.map(|lines| packed(lines, cell));
        let cells = cells_around(rules, cell, LENGTH - 1);
        let changed = [(own, other), (other, own)].map(|(own, other)| {
            let free = cells & !other;
            let windows = (1..LENGTH).fold(free, |windows, step| windows & free >> step);
            by_lacking::<LENGTH>(own, windows)
        });
        bring_forward(changed, LENGTH, open);
    }

    /// The bits of four lines around a cell, that of the cell being number [`REACH`] of each.
    #[inline]
    fn packed(lines: FourLines, Cell { column, row }: Cell) -> u64 {
        lanes([around(lines[0], column), around(lines[1], row), around(lines[2], row), around(lines[3], row)])
    }

    #[inline]
    fn around(line: u32, bit: usize) -> u64 {
        u64::from(line) << REACH >> bit & ((1 << (2 * REACH + 1)) - 1)
    }

    #[inline]
    fn lanes(lines: [u64; 4]) -> u64 {
        lines[0] | lines[1] << LANE | lines[2] << (2 * LANE) | lines[3] << (3 * LANE)
    }

    /// The cells of the board on the four lines, no further away than this. A cell of a diagonal is there if both its row and its column are.
    #[inline]
    fn cells_around(rules: Rules, Cell { column, row }: Cell, reach: usize) -> u64 {
        let ones = |count: usize| ((1u64 << count) - 1) as u32;
        let near = ((1 << (2 * reach + 1)) - 1) << (REACH - reach);
        let columns = around(ones(rules.columns()), column) & near;
        let rows = around(ones(rules.rows()), row) & near;
        let columns_backwards = around(ones(rules.columns()), rules.columns() - 1 - column);
        lanes([columns, rows, columns & rows, columns_backwards & rows])
    }

    /// How many of the windows lack so many stones, for each number up to [`LEVELS`].
    #[inline]
    fn by_lacking<const LENGTH: usize>(stones: u64, windows: u64) -> [u16; LEVELS + 1] {
        let mut planes = [0u64; 3];
        for step in 0..LENGTH {
            let mut carry = stones >> step;
            for plane in &mut planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        let with = |sum: usize| {
            let is_right = |bit: usize| if sum >> bit & 1 == 1 { planes[bit] } else { !planes[bit] };
            windows & is_right(0) & is_right(1) & is_right(2)
        };
        let mut counts = [0; LEVELS + 1];
        for stones in (0..LENGTH).step_by(2) {
            let next = if stones + 1 < LENGTH { with(stones + 1) } else { 0 };
            let [few, more] = ones_of_both(with(stones), next);
            counts[LENGTH - stones] = few;
            if stones + 1 < LENGTH {
                counts[LENGTH - stones - 1] = more;
            }
        }
        counts
    }

    /// How many ones there are in each of two words that use the lowest six bits of each lane: both are counted at once.
    #[inline]
    fn ones_of_both(a: u64, b: u64) -> [u16; 2] {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let bits = a | b << 8;
        let pairs = bits - (bits >> 1 & (0x55 * EACH));
        let fours = (pairs & (0x33 * EACH)) + (pairs >> 2 & (0x33 * EACH));
        let bytes = (fours + (fours >> 4)) & (0x0f * EACH);
        let sum = bytes.wrapping_mul(0x0001_0001_0001_0001) >> 48;
        [sum as u16 & 0xff, sum as u16 >> 8]
    }
}

#[inline]
fn zip(a: FourLines, b: FourLines, combine: impl Fn(u32, u32) -> u32) -> FourLines {
    [combine(a[0], b[0]), combine(a[1], b[1]), combine(a[2], b[2]), combine(a[3], b[3])]
}

#[inline]
fn ones(lines: FourLines) -> u16 {
    let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    (pair(lines[0], lines[1]).count_ones() + pair(lines[2], lines[3]).count_ones()) as u16
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, MoveList, Player, Rng};

    use super::*;
    use crate::lines::{cells_of_lines, runs};
    use crate::position::Connect;

    /// The same numbers, from nothing.
    fn counted(position: &Connect, player: Player) -> Open {
        let length = position.rules().in_a_row();
        let [own, other] = [player, !player].map(|player| position.lines(player).words());
        let mut open = Open::default();
        for ((&own, &other), cells) in own.iter().zip(other).zip(cells_of_lines(position.rules())) {
            let starts = runs(cells & !other, length);
            for start in (0..32).filter(|start| starts >> start & 1 == 1) {
                let stones = (own >> start & ((1 << length) - 1)).count_ones() as usize;
                if stones > 0
                    && let Some(level) = open.0.get_mut(length - stones)
                {
                    *level += 1;
                }
            }
        }
        open
    }

    #[test]
    fn what_is_kept_is_what_counting_from_nothing_gives_through_all_makes_and_unmakes() {
        let mut rng = Rng::new(6);
        for rules in [
            "19,19,6,2,1",
            "15,15,5,1,1",
            "3,3,3,1,1",
            "7,4,4,2,1",
            "4,9,4,3,2",
            "21,21,21,1,1",
            "9,21,9,2,1",
        ] {
            let rules: Rules = rules.parse().expect("valid rules");
            let mut position = Connect::start(&rules);
            let mut made = Vec::new();
            for step in 0..200_000 {
                let forwards = position.outcome().is_none() && (made.is_empty() || rng.below(100) < 55);
                if forwards {
                    let moves = position.legal_moves();
                    let m = moves.nth(rng.below(moves.count()));
                    made.push((m, position.make(m)));
                } else if let Some((m, undo)) = made.pop() {
                    position.unmake(m, undo);
                }
                if step % 50 == 0 || rules.cells() < 40 {
                    for player in Player::BOTH {
                        assert_eq!(*position.open(player), counted(&position, player), "{position:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn connect6_has_924_windows_and_a_stone_in_the_middle_is_in_24() {
        let rules = Rules::CONNECT6;
        let windows: u32 = cells_of_lines(rules).map(|cells| runs(cells, 6).count_ones()).sum();
        assert_eq!(windows, 924);
        assert_eq!(ones(through(rules, Cell { column: 9, row: 9 })), 24);
        assert_eq!(ones(through(rules, Cell { column: 0, row: 0 })), 3);
    }
}
