//! How the tree grows: policies, and edges one after the other.

use std::sync::atomic::Ordering::Relaxed;

use outplay_core::Move;

use super::arena::Allocator;
use super::bounds::Known;
use super::evaluate::LeftOut;
use super::graph::Place;
use super::prior::Prior;
use super::state::State;
use super::tree::{EdgeId, FIRST_BLOCK, Link, NodeId, PRIORS, Tree};

/// What came of the wish to try another move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Addition {
    /// Here it is, with a node of its own, of which nothing is known yet.
    Added(EdgeId, Link),
    /// Here it is, and it leads to a node that was there before.
    Met(EdgeId, Link),
    /// Another thread is at it.
    Busy,
    /// All moves have been tried.
    NoneLeft,
    /// There is no room.
    Full,
}

/// What a thread needs to let the tree grow.
#[derive(Default)]
pub(super) struct Grower {
    pub(super) words: Allocator,
    /// Room for putting moves into order.
    order: Vec<(Prior, Move)>,
    /// A node that another thread was quicker to make.
    pub(super) spare: Option<NodeId>,
}

impl Grower {
    /// Forgets the tree that it let grow.
    pub fn let_go(&mut self) {
        (self.words, self.spare) = (Allocator::default(), None);
    }
}

/// Where the moves of a node go, and its first edges.
#[derive(Clone, Copy)]
struct RoomForMoves {
    moves: u32,
    block: u32,
}

impl Tree {
    /// Gives a node its policy: the priors of its legal moves, in the order in which the game lists them. False if there is no room.
    pub fn set_policy(&self, node: NodeId, priors: &[Prior], grower: &mut Grower) -> bool {
        let words = (priors.len() as u32).div_ceil(PRIORS);
        let Some(block) = grower.words.take(&self.arena, words) else { return false };
        self.write_priors(block, priors.iter().copied());
        self.arena.word(node.0 + 1).store(u64::from(block) << 32, Relaxed);
        self.publish(node, |state| state.ready(self.scale.open(), priors.len()));
        true
    }

    /// Gives a node the moves that are worth a try, the most likely first, where the evaluator has left others out. False if there is no room.
    pub fn set_candidates(
        &self,
        node: NodeId,
        candidates: &[(Prior, Move)],
        left_out: LeftOut,
        grower: &mut Grower,
    ) -> bool {
        let count = candidates.len() as u32;
        let Some(priors) = grower.words.take(&self.arena, count.div_ceil(PRIORS)) else { return false };
        let Some(room) = self.take_room_for_moves(count, FIRST_BLOCK, grower) else { return false };
        self.write_priors(priors, candidates.iter().map(|&(prior, _)| prior));
        self.write_sorted(node, priors, room, candidates);
        self.publish(node, |state| {
            state.ready(self.scale.open(), 0).with_sorted_moves(count).with_left_out(left_out)
        });
        true
    }

    /// Makes a node ready that has no policy: its moves are tried in any order.
    pub fn set_ready(&self, node: NodeId) {
        self.publish(node, |state| state.ready(self.scale.open(), 0));
    }

    /// Tries a move of a node that was never tried: the one with the number `wanted`, or the next one if that has been tried. `list` lists its legal
    /// moves, in the order of the priors if there are any, with any priors, and is only asked the first time; `arrange` puts them into the order in
    /// which they are tried, as far as priors leave it open.
    pub fn add_edge(
        &self,
        (node, wanted): (NodeId, u32),
        grower: &mut Grower,
        list: impl FnOnce(&mut Vec<(Prior, Move)>),
        arrange: impl FnOnce(&mut [(Prior, Move)]),
        place: impl FnOnce(Move) -> Place,
    ) -> Addition {
        let state = self.lock(node);
        if state.0 & State::LOCKED != 0 {
            return Addition::Busy;
        }
        let sorted = match state.is_sorted() {
            true => Some((self.arena.word(node.0 + 1).load(Relaxed) as u32, state.moves())),
            false => self.sort_moves(node, grower, list, arrange),
        };
        let number = state.edges();
        let (added, moves) = match sorted {
            None => (Addition::Full, None),
            Some((_, moves)) if number >= moves => (Addition::NoneLeft, Some(moves)),
            Some((block, moves)) => {
                if wanted > number {
                    self.exchange(node, moves, (number, wanted));
                }
                (self.write_next_edge(node, block, moves, number, grower, place), Some(moves))
            }
        };
        let edges = u64::from(matches!(added, Addition::Added(..) | Addition::Met(..)));
        // Proofs may have arrived meanwhile: only what was done here changes.
        self.publish(node, |now| {
            let unlocked = now.unlocked(edges);
            moves.map_or(unlocked, |moves| unlocked.with_sorted_moves(moves))
        });
        added
    }

    /// Puts the moves of a node that was evaluated into the order in which they are tried, before one is; `list` lists its legal moves. False if there is no room. Only
    /// where one thread is at work.
    pub fn arrange_moves(
        &self,
        node: NodeId,
        grower: &mut Grower,
        list: impl FnOnce(&mut Vec<Move>),
    ) -> bool {
        if self.state(node).is_sorted() {
            return true;
        }
        let list = |order: &mut Vec<(Prior, Move)>| {
            let mut moves = Vec::new();
            list(&mut moves);
            order.extend(moves.into_iter().map(|m| (Prior::ONE, m)));
        };
        let sorted = self.sort_moves(node, grower, list, |_| ());
        if let Some((_, moves)) = sorted {
            self.publish(node, |state| state.with_sorted_moves(moves));
        }
        sorted.is_some()
    }

    /// The moves of a node in the order in which they are tried, with their priors.
    pub fn policy(&self, node: NodeId) -> Vec<(Move, f32)> {
        let (state, block) = (self.state(node), self.moves_block(node));
        let prior = |number| self.prior(node, state, number).get();
        (0..state.moves()).map(|number| (self.sorted_move(block, number), prior(number))).collect()
    }

    /// Whether the moves of a node have priors of their own.
    pub fn has_policy(&self, node: NodeId) -> bool {
        self.arena.word(node.0 + 1).load(Relaxed) >> 32 != 0
    }

    /// The number of a move in that order.
    pub fn number_of(&self, node: NodeId, m: Move) -> Option<u32> {
        let block = self.moves_block(node);
        (0..self.state(node).moves()).find(|&number| self.sorted_move(block, number) == m)
    }

    /// Gives the moves of a node other priors, in the order of [`Tree::policy`]; the likeliest of those that were never tried are the next then. Only where one
    /// thread is at work, in a tree with a policy.
    pub fn change_priors(&self, node: NodeId, priors: &[f32]) {
        debug_assert!(self.has_policy(node));
        let (state, block) = (self.state(node), (self.arena.word(node.0 + 1).load(Relaxed) >> 32) as u32);
        let mut priors: Vec<Prior> = priors.iter().map(|&prior| Prior::new(prior)).collect();
        self.write_priors(block, priors.iter().copied());
        let mut number = 0;
        self.for_each_edge(node, state.edges(), |edge| {
            self.set_prior(edge.id, priors[number]);
            number += 1;
        });
        for next in number..priors.len() {
            // Of equals the first, so that nothing is exchanged that need not be.
            let best = (next..priors.len()).reduce(|a, b| if priors[b] > priors[a] { b } else { a });
            if let Some(best) = best.filter(|&best| best != next) {
                self.exchange(node, state.moves(), (next as u32, best as u32));
                priors.swap(next, best);
            }
        }
    }

    fn write_next_edge(
        &self,
        node: NodeId,
        block: u32,
        moves: u32,
        number: u32,
        grower: &mut Grower,
        place: impl FnOnce(Move) -> Place,
    ) -> Addition {
        let moves_block = (self.arena.word(block).load(Relaxed) >> 32) as u32;
        let m = self.sorted_move(moves_block, number);
        let prior = self.prior(node, State(0).with_sorted_moves(moves), number);
        let has_policy = self.arena.word(node.0 + 1).load(Relaxed) >> 32 != 0;
        let first_size = if has_policy { FIRST_BLOCK } else { moves };
        let Some(edge) = self.edge_slot(block, first_size, number, grower) else { return Addition::Full };
        let Some((child, is_new)) = self.find_or_make_node(place(m), grower) else { return Addition::Full };
        let mut link = Link { node: child, m, prior, known: Known::NOTHING };
        self.write_edge(edge, link);
        if self.is_graph() {
            self.add_parent_edge(edge, Some(node), child);
            // From here on the edge is told whatever is found out; what was before, it has to ask.
            link.known = self.state(child).bounds().known();
            self.set_known(edge, link.known);
        }
        if is_new { Addition::Added(edge, link) } else { Addition::Met(edge, link) }
    }

    /// Puts a node's moves into the order in which they are tried, most likely first, with room for the first edges; the block and the
    /// number of moves.
    fn sort_moves(
        &self,
        node: NodeId,
        grower: &mut Grower,
        list: impl FnOnce(&mut Vec<(Prior, Move)>),
        arrange: impl FnOnce(&mut [(Prior, Move)]),
    ) -> Option<(u32, u32)> {
        // The vector is used again: asking the system for memory would cost more than all the rest.
        let mut order = std::mem::take(&mut grower.order);
        order.clear();
        list(&mut order);
        let count = order.len() as u32;
        let priors = (self.arena.word(node.0 + 1).load(Relaxed) >> 32) as u32;
        let size = if priors == 0 { count } else { FIRST_BLOCK };
        let room = self.take_room_for_moves(count, size, grower)?;
        if priors != 0 {
            for (number, (prior, _)) in order.iter_mut().enumerate() {
                *prior = self.prior(node, State(0), number as u32);
            }
        }
        arrange(&mut order);
        if priors != 0 {
            order.sort_by_key(|&(prior, _)| std::cmp::Reverse(prior));
            self.write_priors(priors, order.iter().map(|&(prior, _)| prior));
        }
        self.write_sorted(node, priors, room, &order);
        grower.order = order;
        Some((room.block, count))
    }

    /// Room for so many moves in order, and for the first edges.
    fn take_room_for_moves(&self, count: u32, edges: u32, grower: &mut Grower) -> Option<RoomForMoves> {
        let moves = grower.words.take(&self.arena, count.div_ceil(4) + self.amaf_size(count))?;
        let block = grower.words.take(&self.arena, 1 + edges * self.layout.edge)?;
        Some(RoomForMoves { moves, block })
    }

    /// Writes moves in the order in which they are tried into the room for them, and tells their node where that is.
    fn write_sorted(&self, node: NodeId, priors: u32, room: RoomForMoves, order: &[(Prior, Move)]) {
        let RoomForMoves { moves, block } = room;
        self.write_moves(moves, order.iter().map(|&(_, m)| m));
        self.clear_amaf(moves, order.len() as u32);
        self.arena.word(block).store(u64::from(moves) << 32, Relaxed);
        self.arena.word(node.0 + 1).store(u64::from(priors) << 32 | u64::from(block), Relaxed);
    }

    /// Where the edge with this number goes: in the last block, or in a new one behind it.
    fn edge_slot(&self, first: u32, first_size: u32, number: u32, grower: &mut Grower) -> Option<EdgeId> {
        let (mut block, mut begin, mut size) = (first, 0, first_size);
        while number >= begin + size {
            begin += size;
            size = begin;
            let header = self.arena.word(block).load(Relaxed);
            block = match header as u32 {
                0 => {
                    let next = grower.words.take(&self.arena, 1 + size * self.layout.edge)?;
                    self.arena.word(next).store(0, Relaxed);
                    self.arena.word(block).store(header | u64::from(next), Relaxed);
                    next
                }
                next => next,
            };
        }
        Some(EdgeId(block + 1 + (number - begin) * self.layout.edge))
    }

    /// The move with this number among the sorted moves of a node.
    pub fn sorted_move(&self, moves_block: u32, number: u32) -> Move {
        Move::new(self.sorted_move_bits(moves_block, number))
    }

    /// Its bits, which may be anything if they come from outside.
    pub fn sorted_move_bits(&self, moves_block: u32, number: u32) -> u16 {
        let word = self.arena.word(moves_block + number / 4).load(Relaxed);
        (word >> (number % 4 * 16)) as u16
    }

    fn write_priors(&self, block: u32, priors: impl ExactSizeIterator<Item = Prior>) {
        self.write_packed::<16>(block, priors.map(|prior| prior.bits().into()));
    }

    fn write_moves(&self, block: u32, moves: impl ExactSizeIterator<Item = Move>) {
        self.write_packed::<16>(block, moves.map(|m| m.bits().into()));
    }

    /// Writes numbers of so many bits, as many a word as fit.
    fn write_packed<const BITS: usize>(&self, block: u32, numbers: impl ExactSizeIterator<Item = u64>) {
        let a_word = 64 / BITS;
        let (mut word, last) = (0, numbers.len().saturating_sub(1));
        for (index, number) in numbers.enumerate() {
            word |= number << (index % a_word * BITS);
            if index % a_word == a_word - 1 || index == last {
                self.arena.word(block + (index / a_word) as u32).store(word, Relaxed);
                word = 0;
            }
        }
    }
}
