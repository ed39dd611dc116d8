//! Victory by continuous double threats: every turn of the attacker makes two threats, so that the other side can do nothing but stop them, in
//! one of at most four ways.
//!
//! The search deepens by turns of the attacker. At each depth it first lets the other side stop the threats in all ways at once, with up to
//! four stones: a win against that is one against each of them, and there is nothing to branch on. Only then each way is tried by itself.
//! Where one stone makes both threats, the other is free. It rarely matters where it goes unless it brings a window forward; so the rest of
//! the board is tried for it when all else has failed, in order to say that there is no win.
//! What the search claims, it can show: a win comes with a [`Proof`] that answers each way. Where it finds none it says whether it has
//! tried everything.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use outplay_core::{Game, Move, Player};

use super::attack::{Attack, Attacks, Wanted};
use super::board::Board;
use super::gaps::{Gap, Stones, defences, threats};
use super::proof::{Proof, Reply, Undo, make, unmake};
use super::{Limits, Verdict};
use crate::position::Connect;
use crate::rules::Rules;
use crate::windows::Open;

/// What is tried, from what costs little to everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The other side stops threats in all ways at once.
    WholeDefence,
    /// It stops them in one way or another.
    ExactDefence,
    /// Besides, stones that are left over go anywhere.
    Everywhere,
}

/// How a win is looked for.
#[derive(Clone, Copy)]
struct Effort<'a> {
    stage: Stage,
    /// Asked every now and then: if it is late, the search ends as if its nodes were spent.
    is_late: &'a dyn Fn() -> bool,
}

/// Nodes from one look at the clock to the next.
const NODES_BETWEEN_LOOKS: u64 = 64;

/// A win, as the search finds it: the attacker's turns, whatever the answers are.
enum Win {
    Fill,
    /// With what follows after each answer that was tried, in the order of the answers.
    Threaten(Stones, Vec<Win>),
}

type ByKey<T> = HashMap<u64, T, BuildHasherDefault<Itself>>;

/// So many positions are kept with their attacks: long searches would fill the memory.
const MOST_FOUND: usize = 1 << 14;

/// A position's key is as good as any hash of it.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The search, and what it remembers of positions with the same attacker.
pub(crate) struct Vcdt {
    pub board: Board,
    pub attacks: Attacks,
    attacker: Player,
    /// Positions in which so many turns were tried in vain, `usize::MAX` if it is for good. [stage][key]
    failed: [ByKey<usize>; 3],
    /// The attacks of positions that come again at the next depth, or at the next stage. [key]
    found: ByKey<Arc<[Attack]>>,
    /// Where to stop.
    most_nodes: u64,
    /// How many attacks of a position are tried.
    most_attacks: usize,
    pub nodes: u64,
    /// Something was not tried because the turns were used up.
    turns_ran_out: bool,
}

impl Vcdt {
    pub fn new(rules: Rules) -> Vcdt {
        Vcdt {
            board: Board::new(rules),
            attacks: Attacks::new(rules),
            attacker: Player::First,
            failed: Default::default(),
            found: ByKey::default(),
            most_nodes: 0,
            most_attacks: usize::MAX,
            nodes: 0,
            turns_ran_out: false,
        }
    }

    /// Forgets what it knows, but not the memory for it: so a search of a position is the same whatever came before.
    pub fn begin(&mut self, attacker: Player) {
        self.attacker = attacker;
        self.failed.iter_mut().for_each(HashMap::clear);
        self.found.clear();
        self.nodes = 0;
        self.attacks.left_out = false;
    }

    /// Looks for a win of the player to move, until it is late.
    pub fn solve(&mut self, position: &Connect, limits: Limits, is_late: &dyn Fn() -> bool) -> Verdict {
        self.begin(position.to_move());
        let mut position = position.clone();
        match self.search(&mut position, limits, &[Stage::WholeDefence, Stage::ExactDefence], 1, is_late) {
            Verdict::None if self.attacks.left_out => {}
            // Within so few turns, it is of no use to try more.
            Verdict::Cut if self.attacks.left_out && !self.is_spent() => {}
            verdict => return verdict,
        }
        self.search(&mut position, limits, &[Stage::Everywhere], 3, is_late)
    }

    /// Looks for a win of the same attacker as before, with so many further nodes, but does not try the whole board for stones that are left over.
    pub fn look_for_win(&mut self, position: &mut Connect, limits: Limits) -> Verdict {
        self.look_until_late(position, limits, &|| false)
    }

    /// The same until it is late.
    pub fn look_until_late(
        &mut self,
        position: &mut Connect,
        limits: Limits,
        is_late: &dyn Fn() -> bool,
    ) -> Verdict {
        let limits = Limits { nodes: self.nodes + limits.nodes, ..limits };
        self.search(position, limits, &[Stage::WholeDefence, Stage::ExactDefence], 1, is_late)
    }

    /// Whether the player to move wins, as far as so many nodes tell: for whoever asks of very many positions. The other side stops threats in
    /// all ways at once, and there is no deepening: in a few nodes that finds the most.
    pub fn is_won(&mut self, position: &mut Connect, limits: Limits, is_late: &dyn Fn() -> bool) -> bool {
        self.descend(position, limits, is_late).is_some()
    }

    /// The same with the zone of the win for so many stones more of the other side, see [`super::zone`]. Against all ways at once a win is one
    /// line: there is no tree to walk.
    pub fn quick_zone(
        &mut self,
        position: &mut Connect,
        limits: Limits,
        stones_more: usize,
    ) -> Option<Vec<u16>> {
        let mut win = self.descend(position, limits, &|| false)?;
        let (mut cells, mut gaps) = (Vec::new(), Vec::new());
        while let Win::Threaten(stones, mut then) = win {
            cells.extend(stones.cells());
            make(position, stones);
            self.board.gaps(position, self.attacker, &mut gaps);
            cells.extend(gaps.iter().flat_map(|gap| gap.cells()));
            let other = !self.attacker;
            self.board.visit_cells(position, other, 3..=2 + stones_more, |cell| cells.push(cell));
            let Some((answer, next)) = answers(&gaps, Stage::WholeDefence).pop().zip(then.pop()) else {
                break;
            };
            answer.make(position, self.attacker);
            win = next;
        }
        // Where the win ends with a row, any that can be filled.
        self.board.gaps(position, self.attacker, &mut gaps);
        cells.extend(gaps.iter().flat_map(|gap| gap.cells()));
        Some(cells)
    }

    fn descend(&mut self, position: &mut Connect, limits: Limits, is_late: &dyn Fn() -> bool) -> Option<Win> {
        self.begin(position.to_move());
        self.most_nodes = limits.nodes;
        // More than there are nodes for.
        self.most_attacks = usize::try_from(limits.nodes).unwrap_or(usize::MAX);
        let effort = Effort { stage: Stage::WholeDefence, is_late };
        let win = self.attack(position, limits.turns, effort);
        self.most_attacks = usize::MAX;
        win
    }

    /// Deepens from so many turns on, in these stages.
    fn search(
        &mut self,
        position: &mut Connect,
        limits: Limits,
        stages: &[Stage],
        least: usize,
        is_late: &dyn Fn() -> bool,
    ) -> Verdict {
        self.most_nodes = limits.nodes;
        for turns in least..=limits.turns {
            for &stage in stages {
                self.turns_ran_out = false;
                if let Some(win) = self.attack(position, turns, Effort { stage, is_late }) {
                    return Verdict::Win(self.shown(position, &win, stage));
                }
                if self.is_spent() {
                    return Verdict::Cut;
                }
            }
            if !self.turns_ran_out {
                return Verdict::None;
            }
        }
        Verdict::Cut
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.most_nodes
    }

    /// A win of the attacker, who is to move and has so many turns.
    fn attack(&mut self, position: &mut Connect, turns: usize, effort: Effort) -> Option<Win> {
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) && (effort.is_late)() {
            self.most_nodes = self.nodes;
        }
        if self.is_spent() {
            return None;
        }
        self.nodes += 1;
        let stage = effort.stage;
        if position.open(self.attacker).any_lacking_at_most(usize::from(position.turn().stones_left)) {
            return Some(Win::Fill);
        }
        // Filling a gap is the turn after the threat: one turn alone can only fill.
        if turns < 2 {
            self.turns_ran_out = true;
            return None;
        }
        let key = position.key();
        if let Some(&tried) = self.failed[stage as usize].get(&key)
            && tried >= turns
        {
            self.turns_ran_out |= tried != usize::MAX;
            return None;
        }
        let mut to_stop = Vec::new();
        self.board.gaps(position, !self.attacker, &mut to_stop);
        // With more stones than a turn has, the other side may have filled a row of which it only threatens to do so.
        let is_overrun = position.open(!self.attacker).lacking(0) > 0;
        let ran_out_before = std::mem::replace(&mut self.turns_ran_out, false);
        if threats(&to_stop) <= 2 && !is_overrun {
            // With the last threats before a row is filled, a stone that adds none of them is of no use.
            let wanted = Wanted {
                threats: 2,
                everywhere: stage == Stage::Everywhere && turns > 2,
                most: self.most_attacks,
            };
            for attack in &*self.attacks_of(position, &to_stop, wanted) {
                if let Some(win) = self.threaten(position, attack, turns, effort) {
                    self.turns_ran_out = ran_out_before;
                    return Some(win);
                }
                if self.is_spent() {
                    return None;
                }
            }
        }
        self.failed[stage as usize].insert(key, if self.turns_ran_out { turns } else { usize::MAX });
        self.turns_ran_out |= ran_out_before;
        None
    }

    /// The attacks of a position, found now or before.
    fn attacks_of(&mut self, position: &mut Connect, to_stop: &[Gap], wanted: Wanted) -> Arc<[Attack]> {
        let key = position.key();
        if !wanted.everywhere
            && let Some(found) = self.found.get(&key)
        {
            return Arc::clone(found);
        }
        let found: Arc<[Attack]> = self.attacks.find(&self.board, position, to_stop, wanted).into();
        if !wanted.everywhere && self.found.len() < MOST_FOUND {
            self.found.insert(key, Arc::clone(&found));
        }
        found
    }

    /// Whether an attack wins against every defence.
    fn threaten(
        &mut self,
        position: &mut Connect,
        attack: &Attack,
        turns: usize,
        effort: Effort,
    ) -> Option<Win> {
        let Attack { stones, gaps, .. } = attack;
        let answers = answers(gaps, effort.stage);
        if turns == 2 && !answers.is_empty() {
            self.turns_ran_out = true;
            return None;
        }
        let undo = make(position, *stones);
        let mut wins = Vec::with_capacity(answers.len());
        for answer in &answers {
            let undo = answer.make(position, self.attacker);
            let win = self.attack(position, turns - 1, effort);
            answer.unmake(position, self.attacker, undo);
            match win {
                Some(win) => wins.push(win),
                None => break,
            }
        }
        unmake(position, *stones, undo);
        (wins.len() == answers.len()).then_some(Win::Threaten(*stones, wins))
    }

    /// The win with an answer to each way to stop its threats.
    fn shown(&self, position: &mut Connect, win: &Win, stage: Stage) -> Proof {
        if let Some(stones) = self.board.fill(position) {
            return Proof::Fill(stones);
        }
        let Win::Threaten(stones, wins) = win else {
            unreachable!("a row can be filled wherever the search has said so")
        };
        let undo = make(position, *stones);
        let mut gaps = Vec::new();
        self.board.gaps(position, self.attacker, &mut gaps);
        let mut ways = Vec::new();
        defences(&gaps, &mut ways);
        let mut replies = Vec::with_capacity(ways.len());
        for (number, way) in ways.into_iter().enumerate() {
            // With fewer stones on the board than the search has thought, there are at most as many ways.
            let win = if stage == Stage::WholeDefence { &wins[0] } else { &wins[number] };
            let undo = make(position, way);
            replies.push(Reply { stones: way, then: self.shown(position, win, stage) });
            unmake(position, way, undo);
        }
        unmake(position, *stones, undo);
        Proof::Threaten { stones: *stones, replies }
    }
}

/// The stones with which the other side answers: at most four.
struct Answer {
    turn: Stones,
    more: Vec<u16>,
}

/// What is tried against threats.
fn answers(gaps: &[Gap], stage: Stage) -> Vec<Answer> {
    let mut ways = Vec::new();
    defences(gaps, &mut ways);
    if stage == Stage::WholeDefence && ways.len() > 1 {
        let mut cells: Vec<u16> = ways.iter().flat_map(|way| way.cells()).collect();
        cells.sort_unstable();
        cells.dedup();
        return vec![Answer { turn: Stones::pair(cells[0], cells[1]), more: cells.split_off(2) }];
    }
    ways.into_iter().map(|turn| Answer { turn, more: Vec::new() }).collect()
}

impl Answer {
    fn make(&self, position: &mut Connect, attacker: Player) -> (Undo, Vec<[Open; 2]>) {
        let undo = make(position, self.turn);
        (undo, self.more.iter().map(|&cell| position.give(Move::new(cell), !attacker)).collect())
    }

    fn unmake(&self, position: &mut Connect, attacker: Player, (undo, given): (Undo, Vec<[Open; 2]>)) {
        for (&cell, open) in self.more.iter().zip(given).rev() {
            position.take(Move::new(cell), !attacker, open);
        }
        unmake(position, self.turn, undo);
    }
}
