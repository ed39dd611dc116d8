//! Victory by continuous double threats: every turn of the attacker makes two threats, so that the other side can do nothing but stop them, in
//! one of at most four ways.
//!
//! The search deepens by turns of the attacker. At each depth it first lets the other side stop the threats in all ways at once, with up to
//! four stones: a win against that is one against each of them, and there is nothing to branch on. Only then each way is tried by itself.
//! What the search claims, it can show: a win comes with a [`Proof`] that answers each way. Where it finds none it says whether it has
//! tried everything.

use std::collections::HashMap;

use outplay_core::{Game, Move, Player};

use super::attack::{Attack, Attacks};
use super::board::Board;
use super::gaps::{Gap, Stones, defences, threats};
use super::proof::{Proof, Undo, make, unmake};
use crate::position::Connect;

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

/// How the other side stops threats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Defence {
    /// In all ways at once.
    Whole,
    /// In one way or another.
    Exact,
}

/// A win, as the search finds it: the attacker's turns, whatever the answers are.
enum Win {
    Fill,
    /// With what follows after each answer that was tried, in the order of the answers.
    Threaten(Stones, Vec<Win>),
}

/// A search; what it learns is of use as long as the attacker is the same.
pub(crate) struct Vcdt<'a> {
    board: &'a Board,
    attacks: Attacks,
    attacker: Player,
    /// Positions in which so many turns were tried in vain, `usize::MAX` if it is for good. [defence][key]
    failed: [HashMap<u64, usize>; 2],
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
            failed: Default::default(),
            limits,
            nodes: 0,
            turns_ran_out: false,
        }
    }

    /// Looks for a win of the player to move, who has a whole turn.
    pub fn solve(&mut self, position: &Connect) -> Verdict {
        let mut position = position.clone();
        for turns in 1..=self.limits.turns {
            for defence in [Defence::Whole, Defence::Exact] {
                self.turns_ran_out = false;
                if let Some(win) = self.attack(&mut position, turns, defence) {
                    return Verdict::Win(self.shown(&mut position, &win, defence));
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
        self.nodes >= self.limits.nodes
    }

    /// A win of the attacker, who is to move and has so many turns.
    fn attack(&mut self, position: &mut Connect, turns: usize, defence: Defence) -> Option<Win> {
        if self.is_spent() {
            return None;
        }
        self.nodes += 1;
        if position.open(self.attacker).any_lacking_at_most(2) {
            return Some(Win::Fill);
        }
        // Filling a gap is the turn after the threat: one turn alone can only fill.
        if turns < 2 {
            self.turns_ran_out = true;
            return None;
        }
        let key = position.key();
        if let Some(&tried) = self.failed[defence as usize].get(&key)
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
            for attack in self.attacks.find(self.board, position, self.attacker, &to_stop) {
                if let Some(win) = self.threaten(position, &attack, turns, defence) {
                    self.turns_ran_out = ran_out_before;
                    return Some(win);
                }
                if self.is_spent() {
                    return None;
                }
            }
        }
        self.failed[defence as usize].insert(key, if self.turns_ran_out { turns } else { usize::MAX });
        self.turns_ran_out |= ran_out_before;
        None
    }

    /// Whether an attack wins against every defence.
    fn threaten(
        &mut self,
        position: &mut Connect,
        attack: &Attack,
        turns: usize,
        defence: Defence,
    ) -> Option<Win> {
        let Attack { stones, gaps, .. } = attack;
        let answers = answers(gaps, defence);
        if turns == 2 && !answers.is_empty() {
            self.turns_ran_out = true;
            return None;
        }
        let undo = make(position, *stones);
        let mut wins = Vec::with_capacity(answers.len());
        for answer in &answers {
            let undo = answer.make(position, self.attacker);
            let win = self.attack(position, turns - 1, defence);
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
    fn shown(&self, position: &mut Connect, win: &Win, defence: Defence) -> Proof {
        let mut gaps = Vec::new();
        self.board.gaps(position, self.attacker, &mut gaps);
        if let Some(&Gap([a, b])) = gaps.first() {
            return Proof::Fill(if a == b { Stones::one(a) } else { Stones::pair(a, b) });
        }
        let Win::Threaten(stones, wins) = win else {
            unreachable!("a row can be filled wherever the search has said so")
        };
        let undo = make(position, *stones);
        self.board.gaps(position, self.attacker, &mut gaps);
        let mut ways = Vec::new();
        defences(&gaps, &mut ways);
        let mut replies = Vec::with_capacity(ways.len());
        for (number, way) in ways.into_iter().enumerate() {
            // With fewer stones on the board than the search has thought, there are at most as many ways.
            let win = match defence {
                Defence::Whole => &wins[0],
                Defence::Exact => &wins[number],
            };
            let undo = make(position, way);
            replies.push((way, self.shown(position, win, defence)));
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
fn answers(gaps: &[Gap], defence: Defence) -> Vec<Answer> {
    let mut ways = Vec::new();
    defences(gaps, &mut ways);
    if defence == Defence::Whole && ways.len() > 1 {
        let mut cells: Vec<u16> = ways.iter().flat_map(|way| way.cells()).collect();
        cells.sort_unstable();
        cells.dedup();
        return vec![Answer { turn: Stones::pair(cells[0], cells[1]), more: cells.split_off(2) }];
    }
    ways.into_iter().map(|turn| Answer { turn, more: Vec::new() }).collect()
}

impl Answer {
    fn make(&self, position: &mut Connect, attacker: Player) -> Undo {
        let undo = make(position, self.turn);
        self.more.iter().for_each(|&cell| position.give(Move::new(cell), !attacker));
        undo
    }

    fn unmake(&self, position: &mut Connect, attacker: Player, undo: Undo) {
        self.more.iter().rev().for_each(|&cell| position.take(Move::new(cell), !attacker));
        unmake(position, self.turn, undo);
    }
}
