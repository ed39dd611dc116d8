//! Recycling of nodes in a tree that is full: the parts that were used least recently are given up.
//!
//! Every position that playouts go through is marked with the time. When there is no room left, all threads come to rest, and the
//! moves of the positions that nobody has gone through for the longest are given up, with everything below them that cannot be reached
//! by another way; of those left at the same time, the ones with the fewest visits. Positions and moves above them stay as they are.
//!
//! A position that was given up is known but *forgotten*: the edge that leads there keeps its visits and its value, what is certain about it
//! stays certain, and the next playout that comes has it evaluated once more and counts as any other. So these laws go on to hold:
//! every playout counts once at each move on its way, and a move is worth the mean of what was backed up through it. But a position may have more visits than
//! its moves together, because some went through moves that are forgotten; in a graph, these and their values count with its own evaluation.

use std::sync::atomic::Ordering::Relaxed;

use super::marks::Marks;
use super::state::State;
use super::tree::{EdgeId, FIRST_BLOCK, NodeId, PRIORS, Tree};

/// So many shares of the memory are given up one after the other, until there is room: as a rule the first one is enough.
const SHARES: u64 = 3;
/// If less than one word in so many is free then, the search had better stop.
const LEAST_FREE_SHARE: u64 = 16;

/// How much it is worth to keep a position's moves: the later they were used the more, then the more visits the more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Worth(u16);

impl Worth {
    const KINDS: usize = 1 << 13;
    const LEAST: Worth = Worth(0);
    /// Never to be given up.
    const MOST: Worth = Worth(Worth::KINDS as u16);

    fn new(state: State, visits: u32, now: u8) -> Worth {
        let age = now.wrapping_sub(state.last_used());
        Worth(u16::from(u8::MAX - age) << 5 | visits.max(1).ilog2() as u16)
    }
}

/// A node that has been come to.
struct Met {
    node: NodeId,
    visits: u32,
    /// The worth of where it was come to from.
    above: Worth,
}

/// Some words that belong to a node: priors, moves or edges.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub index: u32,
    pub words: u32,
    /// How many edges it has room for.
    pub edges: u32,
}

impl Tree {
    /// Gives up what was used least recently, but neither the positions of these roots nor their moves; whether there is room now.
    ///
    /// No playout may be on its way, and no thread may keep an allocator.
    pub fn recycle(&self, roots: &[EdgeId]) -> bool {
        let Some(live) = self.arena.live() else { return false };
        // A playout takes several blocks, of which the one that was refused is about the largest.
        let wanted = 2 * self.arena.take_refused().max(self.layout.edge);
        let capacity = self.arena.capacity();
        // Much may be free and yet no place large enough for a node with many moves: then more has to go.
        (1..=SHARES).any(|share| {
            self.give_up(live, roots, capacity * share / SHARES);
            capacity - live.count() >= capacity / LEAST_FREE_SHARE && self.arena.has_room(wanted)
        })
    }

    /// Gives up so much that so many words are free, if there is as much to give up.
    fn give_up(&self, live: &Marks, roots: &[EdgeId], free: u64) {
        let mut words = vec![0; Worth::KINDS + 1];
        self.mark_reachable(live, roots, Worth::LEAST, |worth, held| words[worth.0 as usize] += held);
        let least_worth = self.least_worth_keeping(&words, free);
        self.mark_reachable(live, roots, least_worth, |_, _| ());
        if let Some(table) = &self.transpositions {
            table.retain(|node| live.contains(node));
        }
        self.arena.begin_again();
    }

    /// What has to be given up so that so many words are free, given how many words are held by what of each worth: everything below this.
    fn least_worth_keeping(&self, words: &[u64], wanted: u64) -> Worth {
        let mut free = self.arena.capacity().saturating_sub(words.iter().sum());
        let enough = |held: &u64| {
            let is_enough = free >= wanted;
            free += held;
            is_enough
        };
        let found = words.iter().position(enough).unwrap_or(Worth::KINDS);
        Worth(found as u16)
    }

    /// Marks what can be reached from some roots through moves that are worth keeping, and gives up the moves that are worth less. Calls `count` with
    /// each worth and the number of words that go if it is given up: a position goes with the moves that lead to it.
    fn mark_reachable(
        &self,
        live: &Marks,
        roots: &[EdgeId],
        least: Worth,
        mut count: impl FnMut(Worth, u64),
    ) {
        let now = self.arena.tick();
        let mut open = Vec::new();
        live.clear();
        live.mark(0, 1);
        for &root in roots {
            if live.mark(root.0, self.layout.edge) {
                self.meet(root, None, Worth::MOST, live, &mut open);
            }
        }
        let begun: Vec<NodeId> = open.iter().map(|met: &Met| met.node).collect();
        while let Some(Met { node, visits, above }) = open.pop() {
            let state = self.state(node);
            let worth = match state.edges() {
                _ if begun.contains(&node) => Worth::MOST,
                // Without moves it goes, or stays, as it is.
                0 => above,
                _ => above.min(Worth::new(state, visits, now)),
            };
            count(above, self.layout.node.into());
            if worth < least {
                self.publish(node, State::forgotten);
                self.arena.word(node.0 + 1).store(0, Relaxed);
                continue;
            }
            self.for_each_block(node, state, |block| {
                live.mark(block.index, block.words);
                count(worth, block.words.into());
                true
            });
            self.for_each_edge(node, state.edges(), |edge| {
                self.meet(edge.id, Some(node), worth, live, &mut open);
            });
        }
    }

    /// Goes along an edge.
    fn meet(&self, edge: EdgeId, from: Option<NodeId>, above: Worth, live: &Marks, open: &mut Vec<Met>) {
        let node = self.link(edge).node;
        let is_new = live.mark(node.0, self.layout.node);
        if self.is_graph() {
            // Edges that are given up no longer lead here.
            if is_new {
                self.forget_parent_edges(node);
            }
            self.add_parent_edge(edge, from, node);
        }
        if is_new {
            let visits = if self.is_graph() { self.node_visits(node) } else { self.stats(edge).visits };
            open.push(Met { node, visits, above });
        }
    }

    /// Calls `see` with each block that belongs to a node in this state, before anything in it is relied on; until it says that this is
    /// enough.
    pub fn for_each_block(&self, node: NodeId, state: State, mut see: impl FnMut(Block) -> bool) {
        let blocks = self.arena.word(node.0 + 1).load(Relaxed);
        let (priors, mut index) = ((blocks >> 32) as u32, blocks as u32);
        if priors != 0 && !see(Block { index: priors, words: state.moves().div_ceil(PRIORS), edges: 0 }) {
            return;
        }
        let (mut before, mut edges) = (0, if priors == 0 { state.moves() } else { FIRST_BLOCK });
        while index != 0 {
            if !see(Block { index, words: 1 + edges * self.layout.edge, edges }) {
                return;
            }
            let header = self.arena.word(index).load(Relaxed);
            // The first one knows where the moves are.
            let words = state.moves().div_ceil(4) + self.amaf_size(state.moves());
            if before == 0 && !see(Block { index: (header >> 32) as u32, words, edges: 0 }) {
                return;
            }
            before += edges;
            edges = before;
            index = header as u32;
        }
    }
}
