//! The lines of a board, prepared for looking at open windows.

use outplay_core::{Game, Player};

use super::gaps::{Gap, Stones};
use crate::lines::{cell_on_line, cells_of_lines, runs, touched};
use crate::position::Connect;
use crate::rules::Rules;
use crate::windows::Sums;

/// Lines that are looked at together.
const TOGETHER: usize = 4;

/// A window that is open to a player: the cells that it lacks, of which there are `N`.
pub(crate) type Lacking<const N: usize> = [u16; N];

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

    /// The windows that are open to a player and lack `N` stones.
    pub fn lacking<const N: usize>(&self, position: &Connect, player: Player, found: &mut Vec<Lacking<N>>) {
        found.clear();
        if self.length < N || position.open(player).lacking(N) == 0 {
            return;
        }
        let [own, other] = [player, !player].map(|player| position.lines(player).words());
        for (group, starts) in self.starts.iter().enumerate() {
            let first = group * TOGETHER;
            let of_group =
                |words: &[u32]| std::array::from_fn(|line| words.get(first + line).copied().unwrap_or(0));
            let (own, other): ([u32; TOGETHER], [u32; TOGETHER]) = (of_group(own), of_group(other));
            if own == [0; TOGETHER] {
                continue;
            }
            let right = Sums::new(own, self.length).exactly(self.length - N);
            for line in 0..TOGETHER {
                let mut windows = right[line] & starts[line] & !touched(other[line], self.length);
                while windows != 0 {
                    found.push(self.missing(first + line, windows.trailing_zeros(), own[line]));
                    windows &= windows - 1;
                }
            }
        }
    }

    /// What a window lacks, `own` being the stones of its line.
    #[inline]
    fn missing<const N: usize>(&self, line: usize, start: u32, own: u32) -> Lacking<N> {
        let mut bits = !own & ((1u32 << self.length) - 1) << start;
        std::array::from_fn(|_| {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.cells[line][bit]
        })
    }

    /// The gaps that a player can fill in a turn of two stones.
    pub fn gaps(&self, position: &Connect, player: Player, gaps: &mut Vec<Gap>) {
        gaps.clear();
        if !position.open(player).any_lacking_at_most(2) {
            return;
        }
        let (mut singles, mut pairs) = (Vec::new(), Vec::new());
        self.lacking::<1>(position, player, &mut singles);
        self.lacking::<2>(position, player, &mut pairs);
        gaps.extend(singles.into_iter().map(|[cell]| Gap([cell; 2])));
        gaps.extend(pairs.into_iter().map(Gap));
    }

    /// Stones with which the player to move completes a row in what is left of the turn, one stone or two.
    pub fn fill(&self, position: &Connect) -> Option<Stones> {
        let player = position.to_move();
        let mut singles = Vec::new();
        self.lacking::<1>(position, player, &mut singles);
        if let Some(&[cell]) = singles.first() {
            return Some(Stones::one(cell));
        }
        if position.turn().stones_left == 1 {
            return None;
        }
        let mut pairs = Vec::new();
        self.lacking::<2>(position, player, &mut pairs);
        pairs.first().map(|&[a, b]| Stones::pair(a, b))
    }
}
