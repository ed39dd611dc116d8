//! The plainest search for wins by double threats, to hold the other against: every pair of cells, every defence, no order, no memory.

use outplay_core::{Game, Player};

use super::checker::windows;
use crate::position::Connect;
use crate::rules::Rules;

const ATTACKER: usize = 0;
const DEFENDER: usize = 1;

pub struct Plain {
    length: u8,
    windows: Vec<Vec<u16>>,
    /// The windows through a cell. [cell]
    through: Vec<Vec<usize>>,
    is_taken: Vec<bool>,
    /// How many stones of each side a window holds. [side][window]
    stones: [Vec<u8>; 2],
}

impl Plain {
    pub fn new(rules: Rules) -> Plain {
        let windows = windows(rules);
        let through = |cell: usize| {
            (0..windows.len()).filter(|&window| windows[window].contains(&(cell as u16))).collect()
        };
        Plain {
            length: rules.in_a_row() as u8,
            through: (0..rules.cells()).map(through).collect(),
            is_taken: vec![false; rules.cells()],
            stones: [vec![0; windows.len()], vec![0; windows.len()]],
            windows,
        }
    }

    /// Whether the player to move wins within so many turns, each of which makes two threats or more.
    pub fn wins(&mut self, position: &Connect, turns: usize) -> bool {
        self.is_taken.fill(false);
        self.stones.iter_mut().for_each(|counts| counts.fill(0));
        let columns = position.rules().columns();
        for cell in 0..position.rules().cells() {
            if let Some(player) = position.stone_at(cell % columns, cell / columns) {
                let side: Player = position.to_move();
                self.place(if player == side { ATTACKER } else { DEFENDER }, cell as u16);
            }
        }
        match position.turn().stones_left {
            1 => self.wins_with_one_stone(turns),
            _ => self.wins_with_two_stones(turns),
        }
    }

    fn wins_with_one_stone(&mut self, turns: usize) -> bool {
        if self.any_lacking(ATTACKER, 1) {
            return true;
        }
        let to_stop = self.lacking_at_most_two(DEFENDER);
        turns >= 2 && self.empty().into_iter().any(|cell| self.wins_by(&[cell], &to_stop, turns))
    }

    fn wins_with_two_stones(&mut self, turns: usize) -> bool {
        if self.any_lacking(ATTACKER, 2) {
            return true;
        }
        if turns < 2 {
            return false;
        }
        // To make a threat, a window must come to lack two: so one stone at least is in one that lacks four or fewer.
        let empty = self.empty();
        let forward: Vec<u16> = empty.iter().copied().filter(|&cell| self.is_in(cell, ATTACKER, 4)).collect();
        // With the last threats, the other stone matters only if it is in such a window too, or stops something.
        let matters = |&cell: &u16| turns > 2 || forward.contains(&cell) || self.is_in(cell, DEFENDER, 2);
        let others: Vec<u16> = empty.into_iter().filter(matters).collect();
        let to_stop = self.lacking_at_most_two(DEFENDER);
        for &a in &forward {
            for &b in others.iter().filter(|&&b| b != a && !(b < a && forward.contains(&b))) {
                if self.wins_by(&[a, b], &to_stop, turns) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether these stones stop what the other side threatens, make two threats and win within so many turns against every defence.
    fn wins_by(&mut self, stones: &[u16], to_stop: &[usize], turns: usize) -> bool {
        let is_stopped = |&window: &usize| stones.iter().any(|cell| self.windows[window].contains(cell));
        if !to_stop.iter().all(is_stopped) {
            return false;
        }
        stones.iter().for_each(|&cell| self.place(ATTACKER, cell));
        let gaps = match stones {
            // What could not be filled before goes through one of the stones.
            [a, b] => {
                self.gaps([a, b].into_iter().flat_map(|&cell| &self.through[usize::from(cell)]).copied())
            }
            _ => self.gaps(0..self.windows.len()),
        };
        let wins = self.threats_win(&gaps, turns);
        stones.iter().for_each(|&cell| self.take(ATTACKER, cell));
        wins
    }

    /// What the attacker could fill in these windows.
    fn gaps(&self, windows: impl Iterator<Item = usize>) -> Vec<Vec<u16>> {
        let is_threat = |&window: &usize| self.lacks(window, ATTACKER).is_some_and(|lacking| lacking <= 2);
        let gap = |window: usize| {
            let cells = self.windows[window].iter().copied();
            cells.filter(|&cell| !self.is_taken[usize::from(cell)]).collect()
        };
        windows.filter(is_threat).map(gap).collect()
    }

    fn threats_win(&mut self, gaps: &[Vec<u16>], turns: usize) -> bool {
        let stops = |stones: &[u16]| gaps.iter().all(|gap| gap.iter().any(|cell| stones.contains(cell)));
        let mut cells: Vec<u16> = gaps.iter().flatten().copied().collect();
        cells.sort_unstable();
        cells.dedup();
        if gaps.is_empty() || cells.iter().any(|&cell| stops(&[cell])) {
            return false;
        }
        let pairs = (0..cells.len()).flat_map(|a| (a + 1..cells.len()).map(move |b| (a, b)));
        let defences: Vec<[u16; 2]> =
            pairs.map(|(a, b)| [cells[a], cells[b]]).filter(|pair| stops(pair)).collect();
        if turns == 2 {
            return defences.is_empty();
        }
        defences.into_iter().all(|pair| {
            pair.iter().for_each(|&cell| self.place(DEFENDER, cell));
            let wins = self.wins_with_two_stones(turns - 1);
            pair.iter().for_each(|&cell| self.take(DEFENDER, cell));
            wins
        })
    }

    /// How many stones a window lacks that is open to a side.
    fn lacks(&self, window: usize, side: usize) -> Option<u8> {
        (self.stones[1 - side][window] == 0).then(|| self.length - self.stones[side][window])
    }

    fn lacking_at_most_two(&self, side: usize) -> Vec<usize> {
        let is_such = |&window: &usize| self.lacks(window, side).is_some_and(|lacking| lacking <= 2);
        (0..self.windows.len()).filter(is_such).collect()
    }

    fn any_lacking(&self, side: usize, most: u8) -> bool {
        (0..self.windows.len()).any(|window| self.lacks(window, side).is_some_and(|lacking| lacking <= most))
    }

    fn is_in(&self, cell: u16, side: usize, most: u8) -> bool {
        let mut through = self.through[usize::from(cell)].iter();
        through.any(|&window| self.lacks(window, side).is_some_and(|lacking| lacking <= most))
    }

    fn empty(&self) -> Vec<u16> {
        (0..self.is_taken.len()).filter(|&cell| !self.is_taken[cell]).map(|cell| cell as u16).collect()
    }

    fn place(&mut self, side: usize, cell: u16) {
        self.is_taken[usize::from(cell)] = true;
        self.through[usize::from(cell)].iter().for_each(|&window| self.stones[side][window] += 1);
    }

    fn take(&mut self, side: usize, cell: u16) {
        self.is_taken[usize::from(cell)] = false;
        self.through[usize::from(cell)].iter().for_each(|&window| self.stones[side][window] -= 1);
    }
}
