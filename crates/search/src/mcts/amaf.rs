//! What a node knows of its moves from playouts in which they were made later: *all moves as first*.
//!
//! One word for each legal move, directly behind the sorted moves. So only nodes with a tried move know anything, and nobody pays who does
//! not ask. Where threads put the next move forward while others count, a playout may be counted for its neighbour.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use outplay_core::Move;

use super::state::{State, Value};
use super::tally::Tally;
use super::tree::{NodeId, PRIORS, Tree};

impl Tree {
    /// Says whether nodes keep such words: before the first move is tried.
    pub fn set_amaf(&mut self, keeps_amaf: bool) {
        self.keeps_amaf = keeps_amaf;
    }

    /// The words that are needed for so many moves.
    pub fn amaf_size(&self, moves: u32) -> u32 {
        if self.keeps_amaf { moves } else { 0 }
    }

    /// Forgets what was in the words behind so many sorted moves.
    pub fn clear_amaf(&self, moves_block: u32, moves: u32) {
        let begin = moves_block + moves.div_ceil(4);
        (begin..begin + self.amaf_size(moves)).for_each(|index| self.arena.word(index).store(0, Relaxed));
    }

    /// What is known of each move of a node, in the order of its moves; `None` if nothing is.
    pub fn amaf(&self, node: NodeId, state: State) -> Option<&[AtomicU64]> {
        let moves = state.moves();
        (self.keeps_amaf && state.is_sorted())
            .then(|| self.arena.words(self.moves_block(node) + moves.div_ceil(4), moves))
    }

    /// Counts playouts for those moves of a node that were made.
    pub fn count_as_first(&self, node: NodeId, was_made: impl Fn(Move) -> bool, value: Value, playouts: u32) {
        let state = self.state(node);
        let Some(words) = self.amaf(node, state) else { return };
        let added = Tally::of_playouts(value, playouts).bits();
        let moves_block = self.moves_block(node);
        for (number, word) in words.iter().enumerate() {
            if was_made(self.sorted_move(moves_block, number as u32)) && Tally::of(word).has_room() {
                self.add(word, added);
            }
        }
    }

    /// Exchanges two moves of a node, neither of which has been tried, with all that is known of them. Only for the thread that has locked the
    /// node.
    pub fn exchange(&self, node: NodeId, moves: u32, (one, other): (u32, u32)) {
        let moves_block = self.moves_block(node);
        self.exchange_lanes::<4>(moves_block, one, other);
        match (self.arena.word(node.0 + 1).load(Relaxed) >> 32) as u32 {
            0 => {}
            priors => self.exchange_lanes::<PRIORS>(priors, one, other),
        }
        if self.keeps_amaf {
            self.exchange_lanes::<1>(moves_block + moves.div_ceil(4), one, other);
        }
    }

    /// Exchanges two things in a block in which so many of them share a word.
    fn exchange_lanes<const LANES: u32>(&self, block: u32, one: u32, other: u32) {
        let width = u64::BITS / LANES;
        let lane = |number: u32| {
            (self.arena.word(block + number / LANES), number % LANES * width, u64::MAX >> (u64::BITS - width))
        };
        let read = |number: u32| {
            let (word, shift, mask) = lane(number);
            word.load(Relaxed) >> shift & mask
        };
        let write = |number: u32, value: u64| {
            let (word, shift, mask) = lane(number);
            word.store(word.load(Relaxed) & !(mask << shift) | value << shift, Relaxed);
        };
        let (first, second) = (read(one), read(other));
        write(one, second);
        write(other, first);
    }

    /// Where the sorted moves of a node begin.
    pub fn moves_block(&self, node: NodeId) -> u32 {
        let block = self.arena.word(node.0 + 1).load(Relaxed) as u32;
        (self.arena.word(block).load(Relaxed) >> 32) as u32
    }
}
