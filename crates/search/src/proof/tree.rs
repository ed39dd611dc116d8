//! A proof as a tree that can be checked without the search: whoever keeps the claim has one move everywhere, the other player has all.

use std::collections::HashMap;
use std::fmt;

use outplay_core::{Game, Move, MoveList};

use super::{Claim, INFINITE, ProofSearch};
use crate::Oracle;

/// A proof. What can be reached on several ways stands in it once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofTree {
    /// What it proves.
    pub claim: Claim,
    /// Its positions; the first is the root.
    pub nodes: Vec<ProofNode>,
}

/// A position of a proof; others are named by their place in the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofNode {
    /// The game is over.
    Over,
    /// The oracle knows.
    Known,
    /// The move of the player of whom the claim is, and what follows.
    Keeps(Move, usize),
    /// All moves of the other player, each with what follows.
    Meets(Vec<(Move, usize)>),
}

/// What is wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofCheckError {
    /// The place in the list.
    pub node: usize,
    /// What is wrong.
    pub reason: &'static str,
}

impl fmt::Display for ProofCheckError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "position {} of the proof: {}", self.node, self.reason)
    }
}

impl std::error::Error for ProofCheckError {}

impl<G: Game, O: Oracle<G>> ProofSearch<'_, G, O> {
    /// The proof of a position whose answer was found: of the claim, or of its opposite. `None` if the answer is not known, or if the limits come first, where what
    /// the table has forgotten is searched again, or if the proof has more positions than this.
    pub fn tree(&mut self, position: &G, most: usize) -> Option<ProofTree> {
        let holds = self.search(position).answer()?;
        let claim = if holds { self.claim } else { self.claim.opposite() };
        let mut tree = ProofTree { claim, nodes: Vec::new() };
        let mut places: HashMap<u64, Vec<(G, usize)>> = HashMap::new();
        self.grow(position, holds, &mut tree, &mut places, most)?;
        Some(tree)
    }

    fn grow(
        &mut self,
        position: &G,
        holds: bool,
        tree: &mut ProofTree,
        places: &mut HashMap<u64, Vec<(G, usize)>>,
        most: usize,
    ) -> Option<usize> {
        let same = places.get(&position.key()).into_iter().flatten();
        if let Some((_, place)) = same.into_iter().find(|(other, _)| other == position) {
            return Some(*place);
        }
        let place = tree.nodes.len();
        if place >= most {
            return None;
        }
        tree.nodes.push(ProofNode::Over);
        places.entry(position.key()).or_default().push((position.clone(), place));
        tree.nodes[place] = if position.outcome().is_some() {
            ProofNode::Over
        } else if self.known(position) == Some(holds) {
            ProofNode::Known
        } else {
            let moves = position.legal_moves();
            let moves = (0..moves.count()).map(|index| moves.nth(index));
            if position.to_move() == tree.claim.player {
                let (m, after) = self.keeping_move(position, holds)?;
                ProofNode::Keeps(m, self.grow(&after, holds, tree, places, most)?)
            } else {
                let met = moves.map(|m| Some((m, self.grow(&position.after(m), holds, tree, places, most)?)));
                ProofNode::Meets(met.collect::<Option<_>>()?)
            }
        };
        Some(place)
    }

    /// A move after which the answer is still the same.
    fn keeping_move(&mut self, position: &G, holds: bool) -> Option<(Move, G)> {
        for attempt in 0..2 {
            let moves = position.legal_moves();
            for index in 0..moves.count() {
                let after = position.after(moves.nth(index));
                if self.look(&after).answer() == Some(holds) {
                    return Some((moves.nth(index), after));
                }
            }
            // The table has forgotten it.
            if attempt == 0 && self.expand(position, INFINITE, INFINITE, false).answer() != Some(holds) {
                return None;
            }
        }
        None
    }
}

impl ProofTree {
    /// Checks the proof against the rules of the game, and what it says is known with `knows`, which has to say whether the claim is certain. Returns how many
    /// positions were checked.
    pub fn check<G: Game>(
        &self,
        start: &G,
        knows: &mut dyn FnMut(&G, Claim) -> bool,
    ) -> Result<usize, ProofCheckError> {
        let mut checked: HashMap<usize, G> = HashMap::new();
        let mut open = vec![(0, start.clone())];
        while let Some((place, position)) = open.pop() {
            let wrong = |reason| Err(ProofCheckError { node: place, reason });
            if let Some(before) = checked.get(&place) {
                if *before != position {
                    return wrong("two positions share it");
                }
                continue;
            }
            let outcome = position.outcome();
            let keeps = position.to_move() == self.claim.player;
            match self.nodes.get(place) {
                None => return wrong("it is missing"),
                Some(ProofNode::Over) => match outcome {
                    Some(outcome) if self.claim.holds(outcome) => {}
                    Some(_) => return wrong("the game has ended otherwise"),
                    None => return wrong("the game goes on"),
                },
                Some(ProofNode::Known) if knows(&position, self.claim) => {}
                Some(ProofNode::Known) => return wrong("nobody else knows that"),
                Some(_) if outcome.is_some() => return wrong("the game is over"),
                Some(ProofNode::Keeps(..)) if !keeps => return wrong("the other player moves"),
                Some(ProofNode::Meets(..)) if keeps => return wrong("it has the wrong player's moves"),
                Some(ProofNode::Keeps(m, next)) => match position.is_legal(*m) {
                    true => open.push((*next, position.after(*m))),
                    false => return wrong("its move is not legal"),
                },
                Some(ProofNode::Meets(replies)) => {
                    let moves = position.legal_moves();
                    let mut missing: Vec<Move> = (0..moves.count()).map(|index| moves.nth(index)).collect();
                    for (m, next) in replies {
                        match missing.iter().position(|legal| legal == m) {
                            Some(at) => {
                                missing.swap_remove(at);
                            }
                            None => return wrong("a reply is not legal, or met twice"),
                        }
                        open.push((*next, position.after(*m)));
                    }
                    if !missing.is_empty() {
                        return wrong("a reply is not met");
                    }
                }
            }
            checked.insert(place, position);
        }
        Ok(checked.len())
    }
}
