//! Victory by continuous double threats: every turn of the attacker makes two threats, so that the other side can do nothing but stop them, in
//! one of at most four ways.
//!
//! The search deepens by turns of the attacker. What it claims, it can show: a win comes with a [`Proof`]. Where it finds none it says
//! whether it has tried everything.

use std::collections::HashMap;

use outplay_core::{Game, Move, Player, Reversible};

use super::attack::{Attack, Attacks};
use super::board::Board;
use super::gaps::{Gap, Stones, defences, threats};
use crate::position::Connect;

/// How a win goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// These stones complete a row.
    Fill(Stones),
    /// These stones threaten; the replies are all that stop the threats, without more than needed. There may be none.
    Threaten { stones: Stones, replies: Vec<(Stones, Proof)> },
}

impl Proof {
    /// The turns of the attacker, if the other side holds out as long as it can.
    pub fn turns(&self) -> usize {
        match self {
            Proof::Fill(_) => 1,
            // If nothing stops the threats, one of them is filled next.
            Proof::Threaten { replies, .. } => {
                1 + replies.iter().map(|(_, proof)| proof.turns()).max().unwrap_or(1)
            }
        }
    }
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The attacker wins like this.
    Win(Proof),
    /// The attacker has no win of this kind: everything was tried.
    None,
    /// The limits came first.
    Cut,
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// Positions with the attacker to move.
    pub nodes: u64,
    /// Turns of the attacker.
    pub turns: usize,
}

/// A search; what it learns is of use as long as the attacker is the same.
pub(crate) struct Vcdt<'a> {
    board: &'a Board,
    attacks: Attacks,
    attacker: Player,
    /// Positions in which so many turns were tried in vain; `usize::MAX` if it is for good. [key]
    failed: HashMap<u64, usize>,
    limits: Limits,
    pub nodes: u64,
    /// Something was not tried because the turns were used up.
    turns_ran_out: bool,
}

impl<'a> Vcdt<'a> {
    pub fn new(board: &'a Board, position: &Connect, limits: Limits) -> Vcdt<'a> {
        Vcdt {
            board,
            attacks: Attacks::new(position.rules()),
            attacker: position.to_move(),
            failed: HashMap::new(),
            limits,
            nodes: 0,
            turns_ran_out: false,
        }
    }

    /// Looks for a win of the player to move, who has a whole turn.
    pub fn solve(&mut self, position: &Connect) -> Verdict {
        let mut position = position.clone();
        for turns in 1..=self.limits.turns {
            self.turns_ran_out = false;
            match self.attack(&mut position, turns) {
                Some(proof) => return Verdict::Win(proof),
                None if self.is_spent() => return Verdict::Cut,
                None if !self.turns_ran_out => return Verdict::None,
                None => {}
            }
        }
        Verdict::Cut
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.limits.nodes
    }

    /// A win of the attacker, who is to move and has so many turns.
    fn attack(&mut self, position: &mut Connect, turns: usize) -> Option<Proof> {
        if self.is_spent() {
            return None;
        }
        self.nodes += 1;
        if let Some(stones) = self.filling(position, self.attacker) {
            return Some(Proof::Fill(stones));
        }
        // Filling a gap is the turn after the threat: one turn alone can only fill.
        if turns < 2 {
            self.turns_ran_out = true;
            return None;
        }
        let key = position.key();
        if let Some(&tried) = self.failed.get(&key)
            && tried >= turns
        {
            self.turns_ran_out |= tried != usize::MAX;
            return None;
        }
        let mut to_stop = Vec::new();
        self.board.gaps(position, !self.attacker, &mut to_stop);
        if threats(&to_stop) > 2 {
            self.failed.insert(key, usize::MAX);
            return None;
        }
        let ran_out_before = std::mem::replace(&mut self.turns_ran_out, false);
        for attack in self.attacks.find(self.board, position, self.attacker, &to_stop) {
            if let Some(proof) = self.threaten(position, &attack, turns) {
                self.turns_ran_out = ran_out_before;
                return Some(proof);
            }
            if self.is_spent() {
                return None;
            }
        }
        self.failed.insert(key, if self.turns_ran_out { turns } else { usize::MAX });
        self.turns_ran_out |= ran_out_before;
        None
    }

    /// Whether an attack wins against every defence.
    fn threaten(&mut self, position: &mut Connect, attack: &Attack, turns: usize) -> Option<Proof> {
        let Attack { stones, gaps, .. } = attack;
        let mut answers = Vec::new();
        defences(gaps, &mut answers);
        if turns == 2 && !answers.is_empty() {
            self.turns_ran_out = true;
            return None;
        }
        let mut replies = Vec::with_capacity(answers.len());
        let undo = make(position, *stones);
        let mut is_won = true;
        for answer in answers {
            let undo = make(position, answer);
            let proof = self.attack(position, turns - 1);
            unmake(position, answer, undo);
            match proof {
                Some(proof) => replies.push((answer, proof)),
                None => {
                    is_won = false;
                    break;
                }
            }
        }
        unmake(position, *stones, undo);
        is_won.then_some(Proof::Threaten { stones: *stones, replies })
    }

    /// Stones that complete a row at once.
    fn filling(&self, position: &Connect, player: Player) -> Option<Stones> {
        let mut gaps = Vec::new();
        self.board.gaps(position, player, &mut gaps);
        gaps.first().map(|&Gap([a, b])| if a == b { Stones::one(a) } else { Stones::pair(a, b) })
    }
}

type Undo<'a> = [Option<<Connect as Reversible>::Undo>; 2];

/// Plays the stones of a turn.
fn make(position: &mut Connect, stones: Stones) -> Undo<'static> {
    let first = position.make(Move::new(stones.first));
    [Some(first), stones.second.map(|cell| position.make(Move::new(cell)))]
}

fn unmake(position: &mut Connect, stones: Stones, [first, second]: Undo<'static>) {
    if let (Some(cell), Some(undo)) = (stones.second, second) {
        position.unmake(Move::new(cell), undo);
    }
    if let Some(undo) = first {
        position.unmake(Move::new(stones.first), undo);
    }
}
