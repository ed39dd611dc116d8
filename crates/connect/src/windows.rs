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

    #[inline]
    fn add(&mut self, lacking: usize, count: u16) {
        if let Some(level) = self.0.get_mut(lacking) {
            *level = level.wrapping_add(count);
        }
    }
}

/// The windows through a cell that a stone there would change, by the stones that they lack before. [lacking]
#[derive(Clone, Copy)]
pub(crate) struct Change {
    own: [u16; LEVELS + 1],
    other: [u16; LEVELS + 1],
    length: usize,
}

impl Change {
    /// The change by a stone in this cell, where these are the stones on the four lines through it, without that one.
    #[inline]
    pub fn new(rules: Rules, cell: Cell, own: FourLines, other: FourLines) -> Change {
        let length = rules.in_a_row();
        let windows = through(rules, cell);
        if length <= near::LONGEST {
            let [own, other, windows] = [own, other, windows].map(|lines| near::packed(lines, cell));
            return Change {
                own: near::by_lacking(own, windows & !near::touched(other, length), length),
                other: near::by_lacking(other, windows & !near::touched(own, length), length),
                length,
            };
        }
        let without =
            |stones: FourLines| zip(windows, stones, |windows, stones| windows & !touched(stones, length));
        Change {
            own: by_lacking(own, without(other), length),
            other: by_lacking(other, without(own), length),
            length,
        }
    }

    /// The stone is placed.
    #[inline]
    pub fn place(&self, own: &mut Open, other: &mut Open) {
        for lacking in 1..=LEVELS.min(self.length) {
            // Windows without any stone are open to nobody yet.
            if lacking < self.length {
                own.add(lacking, self.own[lacking].wrapping_neg());
                other.add(lacking, self.other[lacking].wrapping_neg());
            }
            own.add(lacking - 1, self.own[lacking]);
        }
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

/// The same for rows of up to six, of which all that matters of four lines fits into one word: five cells on either side of a cell.
mod near {
    use super::{Cell, FourLines, LEVELS};

    /// The longest rows.
    pub const LONGEST: usize = 6;
    const REACH: usize = LONGEST - 1;
    /// Bits for each line. There is room for the bits that a shift brings in from the next one.
    const LANE: usize = 16;

    /// The bits of four lines around a cell, that of the cell being number [`REACH`] of each.
    #[inline]
    pub fn packed(lines: FourLines, cell: Cell) -> u64 {
        let around = |line: u32, bit: usize| u64::from(line) << REACH >> bit & ((1 << (2 * REACH + 1)) - 1);
        let Cell { column, row } = cell;
        around(lines[0], column)
            | around(lines[1], row) << LANE
            | around(lines[2], row) << (2 * LANE)
            | around(lines[3], row) << (3 * LANE)
    }

    /// A bit for each window with a one in it.
    #[inline]
    pub fn touched(lines: u64, length: usize) -> u64 {
        (1..length).fold(lines, |touched, step| touched | lines >> step)
    }

    /// How many of the windows lack so many stones, for each number up to [`LEVELS`].
    #[inline]
    pub fn by_lacking(stones: u64, windows: u64, length: usize) -> [u16; LEVELS + 1] {
        let mut planes = [0u64; 3];
        for step in 0..length {
            let mut carry = stones >> step;
            for plane in &mut planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        let mut counts = [0; LEVELS + 1];
        for (lacking, count) in counts.iter_mut().enumerate().take(length + 1).skip(1) {
            let sum = length - lacking;
            let is_right = |bit: usize| if sum >> bit & 1 == 1 { planes[bit] } else { !planes[bit] };
            *count = (windows & is_right(0) & is_right(1) & is_right(2)).count_ones() as u16;
        }
        counts
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
    use outplay_core::{Game, MoveList, Player, Reversible, Rng};

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
                if stones > 0 {
                    open.add(length - stones, 1);
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
            for step in 0..30_000 {
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
