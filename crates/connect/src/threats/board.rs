//! The lines of a board, prepared for looking at open windows.

use std::ops::RangeInclusive;

use outplay_core::{Game, Player};

use super::gaps::{Gap, Stones};
use crate::lines::{cell_on_line, cells_of_lines, runs, touched};
use crate::position::Connect;
use crate::rules::Rules;
use crate::windows::{PLANES, Sums};

/// Lines that are looked at together.
const TOGETHER: usize = 4;

/// A window that is open to a player: the cells that it lacks, of which there are `N`.
pub(crate) type Lacking<const N: usize> = [u16; N];

/// Whether a line holds so many stones. Faster than to count them where the processor may not be asked to.
#[inline]
fn has_at_least(line: u32, stones: usize) -> bool {
    (1..stones).fold(line, |line, _| line & line.wrapping_sub(1)) != 0
}

/// Where a window is: its line, the bit at which it begins, and the stones of the line.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    start: u32,
    own: u32,
}

/// What follows from the rules alone.
pub(crate) struct Board {
    length: usize,
    /// Where windows begin, line by line, in groups. [group][line of the group]
    starts: Vec<[u32; TOGETHER]>,
    /// The cells of the lines. [line][bit]
    cells: Vec<[u16; Rules::MAX_SIDE]>,
}

impl Board {
    pub fn new(rules: Rules) -> Board {
        let length = rules.in_a_row();
        let lines: Vec<u32> = cells_of_lines(rules).collect();
        let starts = lines
            .chunks(TOGETHER)
            .map(|group| std::array::from_fn(|line| group.get(line).map_or(0, |&cells| runs(cells, length))));
        let index = |line: usize, cells: u32, bit: usize| match cells >> bit & 1 {
            1 => rules.index(cell_on_line(line, bit)) as u16,
            _ => 0,
        };
        let cells =
            lines.iter().enumerate().map(|(line, &cells)| std::array::from_fn(|bit| index(line, cells, bit)));
        Board { length, starts: starts.collect(), cells: cells.collect() }
    }

    /// Visits the windows that are open to a player and lack as many stones as is asked for: how many, and where they are.
    #[inline]
    fn visit(
        &self,
        position: &Connect,
        player: Player,
        lacking: RangeInclusive<usize>,
        visit: impl FnMut(usize, Place),
    ) {
        // Three planes hold the sums of short rows; and a length that is known makes it twice as fast.
        match self.length {
            6 => self.visit_with::<3>(6, position, player, lacking, visit),
            length => self.visit_with::<PLANES>(length, position, player, lacking, visit),
        }
    }

    #[inline(always)]
    fn visit_with<const PLANES: usize>(
        &self,
        length: usize,
        position: &Connect,
        player: Player,
        lacking: RangeInclusive<usize>,
        mut visit: impl FnMut(usize, Place),
    ) {
        let (least, most) = (*lacking.start(), (*lacking.end()).min(length - 1));
        let open = position.open(player);
        let mut to_find: u16 = (least..=most).map(|lacking| open.lacking(lacking)).sum();
        if to_find == 0 {
            return;
        }
        let stones_needed = length - most;
        let [own, other] = [player, !player].map(|player| position.lines(player).words());
        for (group, starts) in self.starts.iter().enumerate() {
            let first = group * TOGETHER;
            let of_group =
                |words: &[u32]| std::array::from_fn(|line| words.get(first + line).copied().unwrap_or(0));
            let own: [u32; TOGETHER] = of_group(own);
            // Most lines hold too few stones.
            if own.iter().all(|&line| !has_at_least(line, stones_needed)) {
                continue;
            }
            let other: [u32; TOGETHER] = of_group(other);
            let sums = Sums::<PLANES>::new(own, length);
            for lacking in least..=most {
                let right = sums.exactly(length - lacking);
                for line in 0..TOGETHER {
                    let mut windows = right[line] & starts[line];
                    if windows != 0 {
                        windows &= !touched(other[line], length);
                    }
                    while windows != 0 {
                        let start = windows.trailing_zeros();
                        visit(lacking, Place { line: first + line, start, own: own[line] });
                        windows &= windows - 1;
                        to_find -= 1;
                    }
                }
            }
            if to_find == 0 {
                return;
            }
        }
    }

    /// Visits the cells of windows that are open to a player and lack as many stones as is asked for, those that they lack.
    pub fn visit_cells(
        &self,
        position: &Connect,
        player: Player,
        lacking: RangeInclusive<usize>,
        mut visit: impl FnMut(u16),
    ) {
        self.visit(position, player, lacking, |_, place| {
            self.each_missing(place).for_each(&mut visit);
        });
    }

    /// The windows that are open to a player and lack three stones, and four.
    pub fn lacking_three_and_four(
        &self,
        position: &Connect,
        player: Player,
        (three, four): (&mut Vec<Lacking<3>>, &mut Vec<Lacking<4>>),
    ) {
        three.clear();
        four.clear();
        self.visit(position, player, 3..=4, |lacking, place| match lacking {
            3 => three.push(self.missing(place)),
            _ => four.push(self.missing(place)),
        });
    }

    /// What a window lacks.
    #[inline]
    fn each_missing(&self, Place { line, start, own }: Place) -> impl Iterator<Item = u16> {
        let mut bits = !own & ((1u32 << self.length) - 1) << start;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(self.cells[line][bit])
        })
    }

    /// What a window lacks that lacks `N` stones.
    #[inline]
    fn missing<const N: usize>(&self, place: Place) -> Lacking<N> {
        let mut cells = self.each_missing(place);
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    }

    /// The gaps that a player can fill in a turn of two stones.
    pub fn gaps(&self, position: &Connect, player: Player, gaps: &mut Vec<Gap>) {
        gaps.clear();
        self.visit(position, player, 1..=2, |lacking, place| {
            gaps.push(match lacking {
                1 => Gap([self.missing::<1>(place)[0]; 2]),
                _ => Gap(self.missing(place)),
            });
        });
        // Rows that lack one cell are the nearest.
        gaps.sort_by_key(|gap| gap.0[0] != gap.0[1]);
    }

    /// Stones with which the player to move completes a row in what is left of the turn, one stone or two.
    pub fn fill(&self, position: &Connect) -> Option<Stones> {
        let left = usize::from(position.turn().stones_left);
        let mut gaps = Vec::new();
        self.gaps(position, position.to_move(), &mut gaps);
        let nearest = gaps.first().filter(|gap| gap.cells().count() <= left)?;
        match nearest.0 {
            [a, b] if a == b => Some(Stones::one(a)),
            [a, b] => Some(Stones::pair(a, b)),
        }
    }
}
