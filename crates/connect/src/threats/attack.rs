//! The turns of two stones that make two threats or more.

use outplay_core::Player;

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
        }
    }

    /// All attacks of a player who cannot win at once, made of stones that bring open windows forward, the most promising first. If `to_stop`
    /// is not empty, only those that stop all of it.
    pub fn find(
        &mut self,
        board: &Board,
        position: &Connect,
        attacker: Player,
        to_stop: &[Gap],
    ) -> Vec<Attack> {
        self.look(board, position, attacker);
        self.pair_up(to_stop);
        let mut attacks = Vec::new();
        for &stones in &self.pairs {
            let stops = |gap: &Gap| stones.cells().any(|cell| gap.has(cell));
            if !to_stop.iter().all(stops) {
                continue;
            }
            let gaps = self.gaps_after(stones);
            let threats = threats(&gaps);
            if threats >= 2 {
                let weight = stones.cells().map(|cell| usize::from(self.weight[usize::from(cell)])).sum();
                attacks.push(Attack { stones, threats, gaps, weight });
            }
        }
        attacks.sort_by_key(|attack| std::cmp::Reverse((attack.threats, attack.weight)));
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

    /// The pairs that may make two threats, or stop something beside.
    fn pair_up(&mut self, to_stop: &[Gap]) {
        self.pairs.clear();
        for window in &self.lacking_four {
            for (number, &a) in window.iter().enumerate() {
                self.pairs.extend(window[number + 1..].iter().map(|&b| Stones::pair(a, b)));
            }
        }
        let threatens = |cell: u16| !self.alone[usize::from(cell)].is_empty();
        for &a in self.useful.iter().filter(|&&cell| threatens(cell)) {
            // Two threats by one stone leave the other free; one threat needs another beside it.
            let is_double = threats(&self.alone[usize::from(a)]) >= 2;
            let partners = self.useful.iter().filter(|&&b| b != a && (is_double || threatens(b)));
            self.pairs.extend(partners.map(|&b| Stones::pair(a, b)));
            if is_double {
                let stopping = to_stop.iter().flat_map(|gap| gap.cells()).filter(|&b| b != a);
                self.pairs.extend(stopping.map(|b| Stones::pair(a, b)));
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
