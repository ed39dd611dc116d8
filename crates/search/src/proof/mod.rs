//! Proof-number search: is a claim about a position true?
//!
//! A [`Claim`] says that a player wins, or does not lose. Where that player moves, one good move proves it; where the other one does, every move has to be
//! answered. The proof number of a position is how many positions would have to be proved at least to prove the claim there, the disproof number how
//! many to refute it; the search goes where either is least (L. V. Allis, "Searching for solutions in games and artificial intelligence", 1994). This is
//! the depth-first form with a table of bounded size (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002): what the table
//! forgets is found again. It stays with a line of play until that is clearly worse than the next, by a quarter (the 1 + ε trick of J. Pawlewicz and
//! Ł. Lew, "Improving depth-first PN-search: 1 + ε trick", 2006).
//!
//! A position must not depend on its past: where positions repeat ([`Game::REPEATS`]), a proof found on one way may be none on another (the graph-history
//! interaction problem), and such games are refused. Either player may move several times in a row.

mod table;
mod tree;

use std::fmt;

use outplay_core::{Game, MoveList, Outcome, Player};

use crate::{Certainty, Oracle};

pub use table::ProofTable;
pub use tree::{ProofCheckError, ProofNode, ProofTree};

/// A number that stands for "cannot be".
pub(crate) const INFINITE: u32 = u32::MAX;
/// The largest number that can still come true.
const MOST: u32 = INFINITE - 1;

/// What is to be proved of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// Of whom.
    pub player: Player,
    /// Whether a draw will do.
    pub draw_will_do: bool,
}

impl Claim {
    /// The player wins.
    pub const fn wins(player: Player) -> Claim {
        Claim { player, draw_will_do: false }
    }

    /// The player does not lose.
    pub const fn does_not_lose(player: Player) -> Claim {
        Claim { player, draw_will_do: true }
    }

    /// What is true if this is not.
    #[must_use]
    pub const fn opposite(self) -> Claim {
        Claim { player: self.player.other(), draw_will_do: !self.draw_will_do }
    }

    /// Whether it is true of a game that has ended so.
    pub const fn holds(self, outcome: Outcome) -> bool {
        let margin = outcome.for_player(self.player);
        margin > 0 || margin == 0 && self.draw_will_do
    }

    /// Whether it is true of a position of which so much is certain for the player to move; `None` if that is not enough.
    fn holds_by(self, certainty: Certainty, mover: Player) -> Option<bool> {
        let sign = if mover == self.player { 1 } else { -1 };
        Some(match sign * certainty.result()? {
            0 => self.draw_will_do,
            margin => margin > 0,
        })
    }
}

/// Proof and disproof number of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// How many positions have to be proved at least to prove the claim; 0 if it is proved.
    pub proof: u32,
    /// How many to refute it; 0 if it is refuted.
    pub disproof: u32,
}

impl Numbers {
    const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    const REFUTED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    const fn of(holds: bool) -> Numbers {
        if holds { Numbers::PROVED } else { Numbers::REFUTED }
    }

    /// Whether the claim is true, if that is known.
    pub const fn answer(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct ProofProgress {
    /// Positions looked at.
    pub nodes: u64,
    /// The numbers at its root.
    pub root: Numbers,
}

/// A search for proofs. Claims of one game share its table.
pub struct ProofSearch<'a, G: Game, O: Oracle<G>> {
    oracle: &'a O,
    state: O::State,
    table: &'a mut ProofTable,
    claim: Claim,
    nodes: u64,
    most_nodes: u64,
    root: Numbers,
    stop: &'a mut dyn FnMut(ProofProgress) -> bool,
    stopped: bool,
}

/// Why a game cannot be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionsRepeat;

impl fmt::Display for PositionsRepeat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("positions of this game may repeat, and what is proved on one way to a position need not hold on another")
    }
}

impl std::error::Error for PositionsRepeat {}

/// Nodes between two questions whether to stop.
const ASK_EVERY: u64 = 1024;

impl<'a, G: Game, O: Oracle<G>> ProofSearch<'a, G, O> {
    /// A search that believes the oracle where that knows a result, and looks at about so many positions at most; `stop` hears every now and then
    /// how far it is, and may end it.
    pub fn new(
        claim: Claim,
        oracle: &'a O,
        table: &'a mut ProofTable,
        most_nodes: u64,
        stop: &'a mut dyn FnMut(ProofProgress) -> bool,
    ) -> Result<ProofSearch<'a, G, O>, PositionsRepeat> {
        if G::REPEATS {
            return Err(PositionsRepeat);
        }
        let root = Numbers { proof: 1, disproof: 1 };
        let state = oracle.state();
        Ok(ProofSearch { oracle, state, table, claim, nodes: 0, most_nodes, root, stop, stopped: false })
    }

    /// Positions looked at so far: one for each move made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches until the claim is proved or refuted, or the limits come first.
    pub fn search(&mut self, position: &G) -> Numbers {
        let known = self.known(position);
        self.root = match known {
            Some(holds) => Numbers::of(holds),
            None => self.expand(position, INFINITE, INFINITE, true),
        };
        self.root
    }

    /// Whether the claim is true of a position at sight.
    fn known(&mut self, position: &G) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(self.claim.holds(outcome));
        }
        let mover = position.to_move();
        if let Some((outcome, _)) = self.oracle.at_sight(position) {
            return Some(self.claim.holds(outcome));
        }
        if let Some(certainty) = self.oracle.probe(position, 0)
            && let Some(holds) = self.claim.holds_by(certainty, mover)
        {
            return Some(holds);
        }
        match self.oracle.wins_by_force(&mut self.state, position, 1, &|| false) {
            Some(true) => Some(self.claim.holds(Outcome::win(mover))),
            _ => None,
        }
    }

    /// What is known of a position that was reached by a move: from the table, or at sight, which the table then knows.
    fn look(&mut self, position: &G) -> Numbers {
        let key = self.key(position);
        if let Some(numbers) = self.table.get(key) {
            return numbers;
        }
        let numbers = match self.known(position) {
            Some(holds) => Numbers::of(holds),
            // Where there is more to answer, there is more to prove.
            None => {
                let replies = (position.legal_count() as u32).max(1);
                match position.to_move() == self.claim.player {
                    true => Numbers { proof: 1, disproof: replies },
                    false => Numbers { proof: replies, disproof: 1 },
                }
            }
        };
        self.table.put(key, numbers, 1);
        numbers
    }

    /// The key of a position and of the claim.
    fn key(&self, position: &G) -> u64 {
        let claim = 2 * self.claim.player.index() as u64 + u64::from(self.claim.draw_will_do);
        outplay_core::mix(position.key() ^ claim.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn is_over(&mut self) -> bool {
        if !self.stopped {
            let progress = ProofProgress { nodes: self.nodes, root: self.root };
            self.stopped = self.nodes >= self.most_nodes || (self.stop)(progress);
        }
        self.stopped
    }

    /// Searches below a position until one of its numbers reaches its threshold.
    fn expand(&mut self, position: &G, most_proof: u32, most_disproof: u32, is_root: bool) -> Numbers {
        let proves = position.to_move() == self.claim.player;
        let begun = self.nodes;
        let moves = position.legal_moves();
        let mut children: Vec<(G, u64, Numbers)> = Vec::with_capacity(moves.count());
        for index in 0..moves.count() {
            let child = position.after(moves.nth(index));
            let numbers = self.look(&child);
            children.push((child, 0, numbers));
            if numbers.answer() == Some(proves) {
                break;
            }
        }
        for (child, key, _) in &mut children {
            *key = self.key(child);
        }
        let asked = self.nodes / ASK_EVERY;
        self.nodes += children.len() as u64;
        if self.nodes / ASK_EVERY != asked {
            self.is_over();
        }
        loop {
            let numbers = together(&children, proves);
            if is_root {
                self.root = numbers;
            }
            let reached = numbers.proof >= most_proof || numbers.disproof >= most_disproof;
            if reached || numbers.answer().is_some() || self.stopped {
                let work = self.nodes - begun;
                self.table.put(self.key(position), numbers, work);
                return numbers;
            }
            // As one player would see it: `least` is what is to be brought to nothing, `sum` what others add to.
            let view = |numbers: Numbers| match proves {
                true => (numbers.proof, numbers.disproof),
                false => (numbers.disproof, numbers.proof),
            };
            let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
            for (index, (_, _, numbers)) in children.iter().enumerate() {
                let (number, _) = view(*numbers);
                if number < least {
                    (best, least, second) = (index, number, least);
                } else {
                    second = second.min(number);
                }
            }
            let (most_least, most_sum) = view(Numbers { proof: most_proof, disproof: most_disproof });
            let (_, sum) = view(numbers);
            let (_, own) = view(children[best].2);
            let patient = second.saturating_add(second / 4).saturating_add(1);
            let threshold = most_least.min(patient);
            let other = if most_sum == INFINITE { INFINITE } else { most_sum - sum + own };
            let (proof, disproof) = if proves { (threshold, other) } else { (other, threshold) };
            let child = children[best].0.clone();
            children[best].2 = self.expand(&child, proof, disproof, false);
            // Others may have been reached on other ways.
            for (_, key, numbers) in &mut children {
                if let Some(known) = self.table.get(*key) {
                    *numbers = known;
                }
            }
        }
    }
}

/// The numbers of a position from those of the positions after it. Where all moves have lost the claim for whoever has to keep it, it is lost.
fn together<G>(children: &[(G, u64, Numbers)], proves: bool) -> Numbers {
    let (mut least, mut sum) = (INFINITE, 0u32);
    for (_, _, numbers) in children {
        let (number, other) = match proves {
            true => (numbers.proof, numbers.disproof),
            false => (numbers.disproof, numbers.proof),
        };
        least = least.min(number);
        sum = match other {
            INFINITE => INFINITE,
            _ if sum == INFINITE => INFINITE,
            _ => sum.saturating_add(other).min(MOST),
        };
    }
    if least == 0 {
        sum = INFINITE;
    }
    match proves {
        true => Numbers { proof: least, disproof: sum },
        false => Numbers { proof: sum, disproof: least },
    }
}
