//! The turns that make threats.

use outplay_core::{Game, MoveList, Player};

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
    /// Of all that use two stones, the most promising; the others are left out.
    pub most: usize,
}

/// Finds attacks; keeps its lists from one position to the next.
pub(crate) struct Attacks {
    lacking_three: Vec<Lacking<3>>,
    lacking_four: Vec<Lacking<4>>,
    /// The cells that bring any window forward.
    useful: Vec<Useful>,
    /// How many of them there are.
    count: usize,
    /// The places of cells among them, [`NONE`] for others. [cell]
    places: Vec<u16>,
    /// Pairs of useful cells that are worth a look, by their places, the lower first.
    pairs: Vec<[u16; 2]>,
    /// For each pair of places: whether it is among the pairs, and the last of the rests that belong to it.
    heads: Vec<Head>,
    /// The number of this look at a position: heads of earlier ones do not count. So nothing need be cleared.
    look: u32,
    /// What two stones in a window that lacks four leave of it; with the one before that belongs to the same pair.
    rests: Vec<(Gap, u32)>,
    /// What the pair at hand threatens to fill.
    gaps: Vec<Gap>,
    /// The pairs that make as many threats as are wanted: how many, and the weight of the pair.
    promising: Vec<(u16, u16, [u16; 2])>,
    /// Some attacks were left out since this was last set to false: there were too many, or it was the place of a stone that is left over.
    pub left_out: bool,
}

/// A cell that brings windows forward.
#[derive(Default)]
struct Useful {
    cell: u16,
    /// How many windows a stone there brings forward, those that lack less counting more.
    weight: u16,
    /// What it threatens to fill, alone.
    alone: Vec<Gap>,
}

#[derive(Clone, Copy, Default)]
struct Head {
    /// The look at which the pair was listed.
    look: u32,
    /// One more than the place of a rest; 0 if there is none.
    rest: u32,
    /// How many rests there are.
    rests: u32,
}

/// The place of a cell that has none.
const NONE: u16 = u16::MAX;

impl Attacks {
    pub fn new(rules: Rules) -> Attacks {
        Attacks {
            lacking_three: Vec::new(),
            lacking_four: Vec::new(),
            useful: Vec::new(),
            count: 0,
            places: vec![NONE; rules.cells()],
            pairs: Vec::new(),
            heads: Vec::new(),
            look: 0,
            rests: Vec::new(),
            gaps: Vec::new(),
            promising: Vec::new(),
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
        let mut attacks = Vec::new();
        self.pair_up(position, to_stop, wanted, &mut attacks);
        let pairs = std::mem::take(&mut self.pairs);
        let mut promising = std::mem::take(&mut self.promising);
        promising.clear();
        for &pair in &pairs {
            let [a, b] = pair.map(|place| &self.useful[usize::from(place)]);
            let weight = a.weight + b.weight;
            // So many threats take so many gaps at least.
            let rests = self.heads[self.index(pair)].rests as usize;
            let has_enough = a.alone.len() + b.alone.len() + rests >= wanted.threats;
            if has_enough && stops(Stones::pair(a.cell, b.cell), to_stop) {
                self.look_at(pair);
                let threats = threats(&self.gaps) as u16;
                if usize::from(threats) >= wanted.threats {
                    promising.push((threats, weight, pair));
                }
            }
        }
        if promising.len() > wanted.most {
            promising.sort_unstable_by_key(|&(threats, weight, _)| std::cmp::Reverse((threats, weight)));
            promising.truncate(wanted.most);
            self.left_out = true;
        }
        for &(threats, weight, pair) in &promising {
            self.look_at(pair);
            let [a, b] = pair.map(|place| self.useful[usize::from(place)].cell);
            let (stones, gaps) = (Stones::pair(a, b), self.gaps.clone());
            attacks.push(Attack { stones, threats: threats.into(), gaps, weight: weight.into() });
        }
        self.promising = promising;
        self.pairs = pairs;
        attacks
    }

    /// Takes stock of the open windows.
    fn look(&mut self, board: &Board, position: &Connect, attacker: Player) {
        for useful in &self.useful[..self.count] {
            self.places[usize::from(useful.cell)] = NONE;
        }
        self.count = 0;
        let found = (&mut self.lacking_three, &mut self.lacking_four);
        board.lacking_three_and_four(position, attacker, found);
        for window in 0..self.lacking_three.len() {
            let [a, b, c] = self.lacking_three[window];
            for (cell, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
                self.useful(cell, 3).alone.push(Gap(rest));
            }
        }
        for window in 0..self.lacking_four.len() {
            for cell in self.lacking_four[window] {
                self.useful(cell, 1);
            }
        }
    }

    /// A cell among the useful ones, where it counts so much more.
    fn useful(&mut self, cell: u16, weight: u16) -> &mut Useful {
        let place = &mut self.places[usize::from(cell)];
        if *place == NONE {
            *place = self.count as u16;
            self.count += 1;
            if self.useful.len() < self.count {
                self.useful.push(Useful::default());
            }
            let useful = &mut self.useful[self.count - 1];
            (useful.cell, useful.weight) = (cell, 0);
            useful.alone.clear();
        }
        let useful = &mut self.useful[usize::from(*place)];
        useful.weight += weight;
        useful
    }

    #[inline]
    fn index(&self, [a, b]: [u16; 2]) -> usize {
        usize::from(a) * self.count + usize::from(b)
    }

    /// Makes room for the heads of all pairs, none of which is listed.
    fn begin_heads(&mut self) {
        let size = self.count * self.count;
        if self.heads.len() < size {
            self.heads.resize(size, Head::default());
        }
        self.look = self.look.wrapping_add(1);
        if self.look == 0 {
            self.heads.fill(Head::default());
            self.look = 1;
        }
    }

    /// Lists a pair, if it is not listed yet; returns where its head is.
    #[inline]
    fn list(&mut self, a: u16, b: u16) -> usize {
        let pair = [a.min(b), a.max(b)];
        let index = self.index(pair);
        if self.heads[index].look != self.look {
            self.heads[index] = Head { look: self.look, ..Head::default() };
            self.pairs.push(pair);
        }
        index
    }

    /// Lists the pairs that may make the threats, or stop something beside. Those with a stone in a cell that is not useful are attacks at once.
    fn pair_up(&mut self, position: &Connect, to_stop: &[Gap], wanted: Wanted, attacks: &mut Vec<Attack>) {
        self.pairs.clear();
        self.rests.clear();
        self.begin_heads();
        for window in 0..self.lacking_four.len() {
            let [a, b, c, d] = self.lacking_four[window];
            for ([a, b], rest) in [
                ([a, b], [c, d]),
                ([a, c], [b, d]),
                ([a, d], [b, c]),
                ([b, c], [a, d]),
                ([b, d], [a, c]),
                ([c, d], [a, b]),
            ] {
                let [a, b] = [a, b].map(|cell| self.places[usize::from(cell)]);
                let index = self.list(a, b);
                let head = &mut self.heads[index];
                self.rests.push((Gap(rest), head.rest));
                head.rest = self.rests.len() as u32;
                head.rests += 1;
            }
        }
        for a in 0..self.count {
            let alone = threats(&self.useful[a].alone);
            if alone == 0 {
                continue;
            }
            // A stone that is enough leaves the other free; one that is not needs another threat beside it.
            let is_enough = alone >= wanted.threats;
            for b in (0..self.count).filter(|&b| b != a) {
                if is_enough || !self.useful[b].alone.is_empty() {
                    self.list(a as u16, b as u16);
                }
            }
            if is_enough {
                self.add_left_over(a, position, to_stop, wanted, attacks);
            }
        }
    }

    /// Where a stone makes the threats alone, the other may go to cells that are not useful.
    fn add_left_over(
        &mut self,
        place: usize,
        position: &Connect,
        to_stop: &[Gap],
        wanted: Wanted,
        attacks: &mut Vec<Attack>,
    ) {
        let Useful { cell, weight, ref alone } = self.useful[place];
        let mut others: Vec<u16> = match wanted.everywhere {
            true => position.legal_moves().each().map(|m| m.bits()).collect(),
            false => to_stop.iter().flat_map(|gap| gap.cells()).collect(),
        };
        others.retain(|&other| self.places[usize::from(other)] == NONE);
        others.sort_unstable();
        others.dedup();
        let pairs = others.into_iter().map(|other| Stones::pair(cell, other));
        attacks.extend(pairs.filter(|&stones| stops(stones, to_stop)).map(|stones| Attack {
            stones,
            threats: threats(alone),
            gaps: alone.clone(),
            weight: weight.into(),
        }));
        self.left_out |= !wanted.everywhere && stops(Stones::one(cell), to_stop);
    }

    /// Finds out what a pair threatens to fill.
    fn look_at(&mut self, pair: [u16; 2]) {
        let head = self.heads[self.index(pair)];
        let [a, b] = pair.map(|place| &self.useful[usize::from(place)]);
        self.gaps.clear();
        for (from, other) in [(a, b.cell), (b, a.cell)] {
            self.gaps.extend(from.alone.iter().map(|gap| match gap.0 {
                [a, b] if a == other => Gap([b; 2]),
                [a, b] if b == other => Gap([a; 2]),
                _ => *gap,
            }));
        }
        let mut rest = head.rest;
        while rest > 0 {
            let (gap, before) = self.rests[rest as usize - 1];
            self.gaps.push(gap);
            rest = before;
        }
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
