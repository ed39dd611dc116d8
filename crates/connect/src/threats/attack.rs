//! The turns that make threats.

use outplay_core::{Game, MoveList, Player, Reversible};

use super::board::{Board, Lacking};
use super::gaps::{Gap, Stones, threats};
use crate::position::Connect;
use crate::rules::Rules;

/// A turn, and what it threatens.
#[derive(Clone, Debug)]
pub(crate) struct Attack {
    pub stones: Stones,
    /// How many stones it takes to stop it: two, or three for more.
    pub threats: usize,
    /// What it threatens to fill.
    pub gaps: Vec<Gap>,
    /// How many windows its stones bring forward: the more, the better it promises to go on.
    pub weight: usize,
}

/// Which attacks are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    /// They make at least so many threats.
    pub threats: usize,
    /// Where one stone makes them alone, the other goes anywhere, and not only where it brings a window forward.
    pub everywhere: bool,
}

/// Finds attacks; keeps its lists from one position to the next.
pub(crate) struct Attacks {
    lacking_three: Vec<Lacking<3>>,
    lacking_four: Vec<Lacking<4>>,
    /// What a stone in a cell threatens to fill, alone. [cell]
    alone: Vec<Vec<Gap>>,
    /// How many windows a stone in a cell brings forward. [cell]
    weight: Vec<u16>,
    /// The cells that bring any forward.
    useful: Vec<u16>,
    pairs: Vec<Stones>,
    /// Some attacks that were wanted but for the place of a stone that is left over were left out, since this was last set to false.
    pub left_out: bool,
}

impl Attacks {
    pub fn new(rules: Rules) -> Attacks {
        Attacks {
            lacking_three: Vec::new(),
            lacking_four: Vec::new(),
            alone: vec![Vec::new(); rules.cells()],
            weight: vec![0; rules.cells()],
            useful: Vec::new(),
            pairs: Vec::new(),
            left_out: false,
        }
    }

    /// The attacks of the player to move, who cannot win at once, the most promising first. If `to_stop` is not empty, only those that stop
    /// all of it.
    pub fn find(
        &mut self,
        board: &Board,
        position: &mut Connect,
        to_stop: &[Gap],
        wanted: Wanted,
    ) -> Vec<Attack> {
        let mut attacks = match position.turn().stones_left {
            1 => with_one_stone(board, position, to_stop, wanted),
            _ => self.with_two_stones(board, position, to_stop, wanted),
        };
        attacks.sort_by_key(|attack| std::cmp::Reverse((attack.threats, attack.weight)));
        attacks
    }

    fn with_two_stones(
        &mut self,
        board: &Board,
        position: &Connect,
        to_stop: &[Gap],
        wanted: Wanted,
    ) -> Vec<Attack> {
        self.look(board, position, position.to_move());
        self.pair_up(position, to_stop, wanted);
        let mut attacks = Vec::new();
        for &stones in self.pairs.iter().filter(|&&stones| stops(stones, to_stop)) {
            let gaps = self.gaps_after(stones);
            let threats = threats(&gaps);
            if threats >= wanted.threats {
                let weight = stones.cells().map(|cell| usize::from(self.weight[usize::from(cell)])).sum();
                attacks.push(Attack { stones, threats, gaps, weight });
            }
        }
        attacks
    }

    /// Takes stock of the open windows.
    fn look(&mut self, board: &Board, position: &Connect, attacker: Player) {
        for &cell in &self.useful {
            self.alone[usize::from(cell)].clear();
            self.weight[usize::from(cell)] = 0;
        }
        self.useful.clear();
        board.lacking(position, attacker, &mut self.lacking_three);
        board.lacking(position, attacker, &mut self.lacking_four);
        for &[a, b, c] in &self.lacking_three {
            for (cell, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
                self.alone[usize::from(cell)].push(Gap(rest));
            }
        }
        let of_three = self.lacking_three.iter().flatten().map(|&cell| (cell, 3));
        let of_four = self.lacking_four.iter().flatten().map(|&cell| (cell, 1));
        for (cell, weight) in of_three.chain(of_four) {
            if self.weight[usize::from(cell)] == 0 {
                self.useful.push(cell);
            }
            self.weight[usize::from(cell)] += weight;
        }
    }

    /// The pairs that may make the threats, or stop something beside.
    fn pair_up(&mut self, position: &Connect, to_stop: &[Gap], wanted: Wanted) {
        self.pairs.clear();
        for window in &self.lacking_four {
            for (number, &a) in window.iter().enumerate() {
                self.pairs.extend(window[number + 1..].iter().map(|&b| Stones::pair(a, b)));
            }
        }
        let threatens = |cell: u16| !self.alone[usize::from(cell)].is_empty();
        for &a in self.useful.iter().filter(|&&cell| threatens(cell)) {
            // A stone that is enough leaves the other free; one that is not needs another threat beside it.
            let is_enough = threats(&self.alone[usize::from(a)]) >= wanted.threats;
            if is_enough && wanted.everywhere {
                let empty = position.legal_moves();
                let others = empty.each().map(|m| m.bits()).filter(|&b| b != a);
                self.pairs.extend(others.map(|b| Stones::pair(a, b)));
                continue;
            }
            let partners = self.useful.iter().filter(|&&b| b != a && (is_enough || threatens(b)));
            self.pairs.extend(partners.map(|&b| Stones::pair(a, b)));
            if is_enough {
                let stopping = to_stop.iter().flat_map(|gap| gap.cells()).filter(|&b| b != a);
                self.pairs.extend(stopping.map(|b| Stones::pair(a, b)));
                self.left_out |= stops(Stones::one(a), to_stop);
            }
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    /// What two stones threaten to fill.
    fn gaps_after(&self, stones: Stones) -> Vec<Gap> {
        let Stones { first, second: Some(second) } = stones else { return Vec::new() };
        let mut gaps = Vec::new();
        for (cell, other) in [(first, second), (second, first)] {
            gaps.extend(self.alone[usize::from(cell)].iter().map(|gap| match gap.0 {
                [a, b] if a == other => Gap([b; 2]),
                [a, b] if b == other => Gap([a; 2]),
                _ => *gap,
            }));
        }
        for window in
            self.lacking_four.iter().filter(|window| window.contains(&first) && window.contains(&second))
        {
            let mut rest = window.iter().copied().filter(|&cell| cell != first && cell != second);
            if let (Some(a), Some(b)) = (rest.next(), rest.next()) {
                gaps.push(Gap([a, b]));
            }
        }
        gaps.sort_unstable();
        gaps.dedup();
        gaps
    }
}

/// The attacks of a player who has placed one stone of the turn already: there are few enough cells to try them all.
fn with_one_stone(board: &Board, position: &mut Connect, to_stop: &[Gap], wanted: Wanted) -> Vec<Attack> {
    let attacker = position.to_move();
    let mut attacks = Vec::new();
    for m in position.legal_moves().each() {
        let stones = Stones::one(m.bits());
        if !stops(stones, to_stop) {
            continue;
        }
        let turn = position.make(m);
        let mut gaps = Vec::new();
        board.gaps(position, attacker, &mut gaps);
        position.unmake(m, turn);
        let threats = threats(&gaps);
        if threats >= wanted.threats {
            let weight = gaps.len();
            attacks.push(Attack { stones, threats, gaps, weight });
        }
    }
    attacks
}

/// Whether stones are in all of the gaps.
fn stops(stones: Stones, gaps: &[Gap]) -> bool {
    gaps.iter().all(|gap| stones.cells().any(|cell| gap.has(cell)))
}
