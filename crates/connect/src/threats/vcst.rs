//! Victory by continuous single threats: every turn of the attacker makes one threat at least. The other side stops it with one stone and has
//! another to spare, which may go anywhere.
//!
//! Against one threat, the defender first does without that stone. If the attacker does not win even then, the threat is of no use. If he
//! does, the stone can only matter inside the [`zone`] of that win, and only there it is tried. At every position a win by double
//! threats alone is looked for first; the search deepens by the turns before those.

use std::collections::HashMap;

use outplay_core::Game;

use super::attack::{Attack, Wanted};
use super::gaps::{Stones, defences, threats};
use super::proof::{Proof, Reply, make, unmake};
use super::vcdt::Vcdt;
use super::zone::zone;
use super::{Limits, Verdict};
use crate::position::Connect;
use crate::rules::Rules;

/// How many nodes a position is worth in the search for double threats.
const NODES_FOR_DOUBLE_THREATS: u64 = 1_000;

const EVERYTHING: usize = usize::MAX;

/// A position, with how many stones the defender has done without on the way to it: the more, the larger are the zones.
type Key = (u64, usize);

/// What is left at a position.
#[derive(Clone, Copy)]
struct Left {
    /// Turns of the attacker before there are double threats only.
    depth: usize,
    /// All turns of the attacker.
    turns: usize,
}

/// The search, and what it remembers of positions with the same attacker.
pub(crate) struct Vcst {
    pub double: Vcdt,
    /// Positions that were searched to such a depth in vain, [`EVERYTHING`] if deeper is the same.
    failed: HashMap<Key, usize>,
    limits: Limits,
    nodes: u64,
    /// Something was not tried because the depth, or the turns, were used up.
    ran_out: bool,
    /// A search for double threats came to its limits.
    double_was_cut: bool,
}

impl Vcst {
    pub fn new(rules: Rules) -> Vcst {
        let limits = Limits { nodes: 0, turns: 0 };
        let (double, failed) = (Vcdt::new(rules), HashMap::new());
        Vcst { double, failed, limits, nodes: 0, ran_out: false, double_was_cut: false }
    }

    /// Positions with the attacker to move, in both searches.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.double.nodes
    }

    /// Looks for a win of the player to move that also holds if the defender has so many stones more outside its zone.
    pub fn solve(&mut self, position: &Connect, limits: Limits, stones_more: usize) -> Verdict {
        self.double.begin(position.to_move());
        self.failed.clear();
        (self.limits, self.nodes) = (limits, 0);
        let mut position = position.clone();
        // With all nodes that there are, so that no win by double threats alone is missed for the sake of others.
        let found = self.double.look_for_win(&mut position, limits);
        if matches!(found, Verdict::Win(_)) {
            return found;
        }
        self.double_was_cut = found == Verdict::Cut;
        for depth in 1..limits.turns {
            self.ran_out = false;
            let left = Left { depth, turns: limits.turns };
            if let Some(proof) = self.attack(&mut position, left, stones_more, None) {
                return Verdict::Win(proof);
            }
            if self.is_spent() {
                return Verdict::Cut;
            }
            if !self.ran_out {
                // Stones that are left over were not tried everywhere.
                let is_everything = !self.double.attacks.left_out && !self.double_was_cut;
                return if is_everything { Verdict::None } else { Verdict::Cut };
            }
        }
        Verdict::Cut
    }

    fn is_spent(&self) -> bool {
        self.nodes() >= self.limits.nodes
    }

    /// A win of the attacker, who is to move, if the defender has done without so many stones so far. The attacker's turns of `hint`, a win of
    /// a similar position, are tried first.
    fn attack(
        &mut self,
        position: &mut Connect,
        left: Left,
        stones_more: usize,
        hint: Option<&Proof>,
    ) -> Option<Proof> {
        if self.is_spent() {
            return None;
        }
        self.nodes += 1;
        if let Some(stones) = self.double.board.fill(position) {
            return Some(Proof::Fill(stones));
        }
        let key = (position.key(), stones_more);
        let tried = self.failed.get(&key).copied();
        if let Some(tried) = tried
            && tried >= left.depth
        {
            self.ran_out |= tried != EVERYTHING;
            return None;
        }
        if tried.is_none()
            && let Some(proof) = self.win_by_double_threats(position, left.turns)
        {
            return Some(proof);
        }
        let ran_out_before = std::mem::replace(&mut self.ran_out, false);
        // One threat can be stopped: a row takes three turns at least.
        if left.depth == 0 || left.turns < 3 {
            self.ran_out = true;
        } else {
            for attack in self.attacks(position, hint) {
                if let Some(proof) = self.threaten(position, &attack, left, stones_more, hint) {
                    self.ran_out = ran_out_before;
                    return Some(proof);
                }
                if self.is_spent() {
                    return None;
                }
            }
        }
        self.failed.insert(key, if self.ran_out { left.depth } else { EVERYTHING });
        self.ran_out |= ran_out_before;
        None
    }

    fn win_by_double_threats(&mut self, position: &mut Connect, turns: usize) -> Option<Proof> {
        let nodes = NODES_FOR_DOUBLE_THREATS.min(self.limits.nodes.saturating_sub(self.nodes()));
        match self.double.look_for_win(position, Limits { nodes, turns }) {
            Verdict::Win(proof) => Some(proof),
            Verdict::None => None,
            Verdict::Cut => {
                self.double_was_cut = true;
                None
            }
        }
    }

    /// The attacks of the player to move, that of the hint first.
    fn attacks(&mut self, position: &mut Connect, hint: Option<&Proof>) -> Vec<Attack> {
        let mut to_stop = Vec::new();
        let Vcdt { board, attacks, .. } = &mut self.double;
        board.gaps(position, !position.to_move(), &mut to_stop);
        if threats(&to_stop) > 2 {
            return Vec::new();
        }
        let mut found = attacks.find(
            board,
            position,
            &to_stop,
            Wanted { threats: 1, everywhere: false, most: usize::MAX },
        );
        if let Some(Proof::Threaten { stones, .. }) = hint
            && let Some(index) = found.iter().position(|attack| attack.stones == *stones)
        {
            found[..=index].rotate_right(1);
        }
        found
    }

    /// The win by an attack, if it wins against every defence.
    fn threaten(
        &mut self,
        position: &mut Connect,
        attack: &Attack,
        left: Left,
        stones_more: usize,
        hint: Option<&Proof>,
    ) -> Option<Proof> {
        let left = Left { depth: left.depth - 1, turns: left.turns - 1 };
        let mut ways = Vec::new();
        defences(&attack.gaps, &mut ways);
        let undo = make(position, attack.stones);
        let mut replies = Vec::new();
        // Stones beside one that stops everything alone, which may matter: with the win against that one stone.
        let mut to_try: Vec<(Stones, usize)> = Vec::new();
        let mut holds = true;
        for way in ways {
            let hint = hint.and_then(|hint| continuation(hint, attack.stones, way));
            let Some(then) = self.reply(position, way, left, stones_more, hint) else {
                holds = false;
                break;
            };
            if way.second.is_none() {
                let beside = self.zone_after(position, way, &then, stones_more + 1);
                let pairs = beside.into_iter().map(|cell| (Stones::pair(way.first, cell), replies.len()));
                to_try.extend(pairs);
            }
            replies.push(Reply { stones: way, then });
        }
        for (pair, alone) in to_try {
            if !holds {
                break;
            }
            if replies.iter().any(|reply| reply.stones == pair) {
                continue;
            }
            let then = self.reply(position, pair, left, stones_more, Some(&replies[alone].then));
            holds = then.is_some();
            replies.extend(then.map(|then| Reply { stones: pair, then }));
        }
        unmake(position, attack.stones, undo);
        holds.then_some(Proof::Threaten { stones: attack.stones, replies })
    }

    /// The win after a defence: two stones, or one without the other.
    fn reply(
        &mut self,
        position: &mut Connect,
        stones: Stones,
        left: Left,
        stones_more: usize,
        hint: Option<&Proof>,
    ) -> Option<Proof> {
        let undo = make(position, stones);
        let proof = if stones.second.is_some() {
            self.attack(position, left, stones_more, hint)
        } else {
            let turn = position.end_turn();
            let proof = self.attack(position, left, stones_more + 1, hint);
            position.resume_turn(turn);
            proof
        };
        unmake(position, stones, undo);
        proof
    }

    /// The empty cells in which a second stone of the defender may matter to a win after the first.
    fn zone_after(
        &self,
        position: &mut Connect,
        stone: Stones,
        proof: &Proof,
        stones_more: usize,
    ) -> Vec<u16> {
        let undo = make(position, stone);
        let turn = position.end_turn();
        let cells = zone(&self.double.board, position, proof, stones_more);
        position.resume_turn(turn);
        unmake(position, stone, undo);
        cells
    }
}

/// What a proof has after a turn of the attacker and a reply.
fn continuation(proof: &Proof, turn: Stones, answer: Stones) -> Option<&Proof> {
    let Proof::Threaten { stones, replies } = proof else { return None };
    let reply = replies.iter().find(|reply| *stones == turn && reply.stones == answer)?;
    Some(&reply.then)
}
