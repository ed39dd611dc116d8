//! The tree: positions, the moves between them, and what is known about both.
//!
//! A *node* is a position, an *edge* a move that has been tried. What a node's moves are worth a try is its *policy*: a byte for
//! each legal move as long as nobody has tried one; sorted, with the moves beside them, from then on. Since moves are tried in
//! the order of the policy, the edges of a node are its first moves, and the next one to be tried is the one after them. Edges lie in blocks of
//! growing size that never move.
//!
//! ```text
//! node    4 words  state | first block of edges, priors | sum of draws | sum of moves left
//! edge    3 words  visits, visits in flight | sum of values | node, move, prior, certain result
//! block            next block, sorted moves | edges: two, two, four, eight …
//! priors           eight a word
//! moves            four a word, once they are sorted
//! ```
//!
//! Threads share all of it without locks. Counters and sums only grow, by atomic additions, and are read *relaxed*: selection may see a
//! visit before its value, which does no more harm than the visit in flight that it was a moment before. What is built, a node's
//! policy or a new edge, is published by the *state* of the node it belongs to: written with *release* after everything else, read with *acquire* before.
//! One bit of the state says that a thread is adding an edge there; others do something else meanwhile.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use outplay_core::{Move, Player};

use super::arena::{Allocator, Arena};
use super::bounds::{Bounds, Known, Proof};
use super::graph::Place;
use super::prior::Prior;
use super::state::{Means, State, UNIT, Value};
use super::transpositions::Transpositions;

/// Words of nodes and edges.
#[derive(Clone, Copy)]
struct Layout {
    node: u32,
    edge: u32,
}

const TREE: Layout = Layout { node: 4, edge: 3 };
const GRAPH: Layout = Layout { node: 8, edge: 6 };
/// Edges in the first block of a node with a policy; each further block is as large as all before it. Without a policy every move is
/// tried before any is tried twice, so that one block has room for all.
const FIRST_BLOCK: u32 = 2;

/// Of a limit on memory, a graph gives one part in so many to the table of its positions.
const TABLE_SHARE: u64 = 8;

/// A position in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(pub(super) u32);

/// A move that has been tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EdgeId(pub(super) u32);

/// The numbers of an edge at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeStats {
    pub visits: u32,
    pub in_flight: u32,
    /// The mean value for the first player.
    pub q: f32,
}

/// A move that has been tried: where it leads and how likely it was thought to be good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub node: NodeId,
    pub m: Move,
    pub prior: Prior,
    /// What is certain about the result.
    pub known: Known,
}

/// An edge and its words.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a> {
    pub id: EdgeId,
    words: &'a [AtomicU64],
}

impl Edge<'_> {
    /// Whether anything is certain about its result.
    #[inline]
    pub fn has_bounds(self) -> bool {
        self.words[2].load(Relaxed) >> 56 != 0
    }

    #[inline]
    pub fn link(self) -> Link {
        let word = self.words[2].load(Relaxed);
        Link {
            node: NodeId(word as u32),
            m: Move::new((word >> 32) as u16),
            prior: Prior::from_bits((word >> 48) as u8),
            known: Known::unpack((word >> 56) as u8),
        }
    }

    #[inline]
    pub fn stats(self) -> EdgeStats {
        let counts = self.words[0].load(Relaxed);
        let sum = self.words[1].load(Relaxed) as i64;
        let visits = counts as u32;
        let q = sum as f32 * (1.0 / UNIT as f32) / visits.max(1) as f32;
        EdgeStats { visits, in_flight: (counts >> 32) as u32, q }
    }
}

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
    words: Allocator,
    /// Room for putting moves into order.
    order: Vec<(Prior, Move)>,
    /// A node that another thread was quicker to make.
    pub(super) spare: Option<NodeId>,
}

/// The arena seen as a tree.
pub(super) struct Tree {
    pub(super) arena: Arena,
    layout: Layout,
    /// Where positions are found again, if the tree is a graph.
    pub(super) transpositions: Option<Transpositions>,
    /// Whether only one thread is at work: then adding needs no lock on the memory, which is several times as quick.
    alone: bool,
}

impl Tree {
    /// An empty tree, or a graph, that never takes more than so many bytes.
    pub fn new(limit: Option<u64>, is_graph: bool) -> Tree {
        let of_table = limit.filter(|_| is_graph).map(|bytes| bytes / TABLE_SHARE);
        let transpositions = is_graph.then(|| Transpositions::new(of_table));
        let table = transpositions.as_ref().filter(|_| limit.is_some()).map_or(0, Transpositions::bytes);
        Tree {
            arena: Arena::new(limit.map(|bytes| bytes - table)),
            layout: if is_graph { GRAPH } else { TREE },
            transpositions,
            alone: false,
        }
    }

    pub fn clear(&mut self) {
        self.arena.clear();
        if let Some(table) = &mut self.transpositions {
            table.clear();
        }
    }

    /// Says whether only one thread will be at work.
    pub fn set_alone(&mut self, alone: bool) {
        self.alone = alone;
    }

    /// Adds to a counter or a sum.
    #[inline]
    pub(super) fn add(&self, word: &AtomicU64, value: u64) {
        match self.alone {
            true => word.store(word.load(Relaxed).wrapping_add(value), Relaxed),
            false => drop(word.fetch_add(value, Relaxed)),
        }
    }

    /// Changes a sum; what it was.
    #[inline]
    pub(super) fn swap(&self, word: &AtomicU64, value: u64) -> u64 {
        match self.alone {
            true => {
                let before = word.load(Relaxed);
                word.store(value, Relaxed);
                before
            }
            false => word.swap(value, Relaxed),
        }
    }

    /// Bytes taken from the system.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes() + self.transpositions.as_ref().map_or(0, Transpositions::bytes)
    }

    /// An edge that leads to the node of a position, where a search begins; `None` if there is no room.
    pub fn new_root(&self, place: Place, grower: &mut Grower) -> Option<EdgeId> {
        let edge = EdgeId(grower.words.take(&self.arena, self.layout.edge)?);
        let (node, _) = self.find_or_make_node(place, grower)?;
        self.write_edge(edge, Link { node, m: Move::new(0), prior: Prior::ONE, known: Known::NOTHING });
        if self.is_graph() {
            self.new_way(node, edge);
        }
        Some(edge)
    }

    /// Another edge to the same node, which begins with what the first one knows.
    pub fn second_edge(&self, edge: EdgeId, grower: &mut Grower) -> Option<EdgeId> {
        let second = EdgeId(grower.words.take(&self.arena, self.layout.edge)?);
        for word in 0..self.layout.edge {
            self.arena.word(second.0 + word).store(self.arena.word(edge.0 + word).load(Relaxed), Relaxed);
        }
        if self.is_graph() {
            self.new_way(self.link(edge).node, second);
        }
        Some(second)
    }

    /// A node of which nothing is known but who moves.
    pub fn new_node(&self, to_move: Player, grower: &mut Grower) -> Option<NodeId> {
        let node = grower.words.take(&self.arena, self.layout.node)?;
        self.arena.word(node).store(State::new(to_move).0, Relaxed);
        (node + 1..node + self.layout.node).for_each(|index| self.arena.word(index).store(0, Relaxed));
        Some(NodeId(node))
    }

    fn write_edge(&self, edge: EdgeId, link: Link) {
        self.arena.words(edge.0, self.layout.edge).iter().for_each(|word| word.store(0, Relaxed));
        let (m, prior, known) = (link.m.bits(), link.prior.bits(), link.known.pack());
        let word =
            u64::from(link.node.0) | u64::from(m) << 32 | u64::from(prior) << 48 | u64::from(known) << 56;
        self.arena.word(edge.0 + 2).store(word, Relaxed);
    }

    #[inline]
    pub fn state(&self, node: NodeId) -> State {
        State(self.arena.word(node.0).load(Acquire))
    }

    #[inline]
    pub fn link(&self, edge: EdgeId) -> Link {
        self.edge(edge).link()
    }

    #[inline]
    pub fn stats(&self, edge: EdgeId) -> EdgeStats {
        self.edge(edge).stats()
    }

    #[inline]
    fn edge(&self, id: EdgeId) -> Edge<'_> {
        Edge { id, words: self.arena.words(id.0, self.layout.edge) }
    }

    /// Everything that was backed up through an edge.
    pub fn means(&self, edge: EdgeId) -> Means {
        let node = self.link(edge).node;
        if self.is_graph() {
            let (sums, visits) = (self.edge_sums(edge), f64::from(self.stats(edge).visits.max(1)));
            let mean = |sum: i64| sum as f64 / UNIT / visits;
            // An edge is a ply longer than what is behind it.
            return Means {
                wl: mean(sums.wl),
                draws: mean(sums.draws),
                moves_left: (mean(sums.moves_left) - 1.0).max(0.0),
            };
        }
        let sum = |index: u32| self.arena.word(index).load(Relaxed) as i64 as f64 / UNIT;
        let visits = f64::from((self.arena.word(edge.0).load(Relaxed) as u32).max(1));
        // Draws and moves left are counted for the node, which later searches may have visited from below.
        let mut below = 1.0;
        self.for_each_edge(node, self.state(node).edges(), |edge| below += f64::from(edge.stats().visits));
        let node_visits = f64::max(visits, below);
        Means {
            wl: sum(edge.0 + 1) / visits,
            draws: sum(node.0 + 2) / node_visits,
            moves_left: sum(node.0 + 3) / node_visits,
        }
    }

    /// Visits and value, for the first player, of the node behind an edge.
    #[inline]
    pub fn visits_and_value(&self, edge: EdgeId, node: NodeId) -> (u32, f32) {
        if self.is_graph() {
            return (self.node_visits(node), self.node_value(node));
        }
        let stats = self.stats(edge);
        (stats.visits, stats.q)
    }

    /// Notes that so many playouts are on their way through an edge.
    #[inline]
    pub fn send(&self, edge: EdgeId, playouts: u32) {
        self.add(self.arena.word(edge.0), u64::from(playouts) << 32);
    }

    /// They have come to nothing.
    #[inline]
    pub fn call_back(&self, edge: EdgeId, playouts: u32) {
        self.add(self.arena.word(edge.0), 0u64.wrapping_sub(u64::from(playouts) << 32));
    }

    /// So many of them have come back with this value, from so many plies below if that is counted.
    #[inline]
    pub fn back_up(&self, edge: EdgeId, value: Value, playouts: u32, plies: Option<u32>) {
        let times = i64::from(playouts);
        let arrived = u64::from(playouts).wrapping_sub(u64::from(playouts) << 32);
        let words = self.arena.words(edge.0, self.layout.edge);
        self.add(&words[1], (value.wl * times) as u64);
        if value.draws != 0 || plies.is_some() {
            let sums = self.arena.words(self.link(edge).node.0 + 2, 2);
            self.add(&sums[0], (value.draws * times) as u64);
            let moves_left = plies.map_or(0, |plies| value.moves_left + i64::from(plies) * UNIT as i64);
            self.add(&sums[1], (moves_left * times) as u64);
        }
        self.add(&words[0], arrived);
    }

    /// Changes the values of all visits of an edge to a certain one. What was backed up above it stays as it was.
    pub fn revalue(&self, edge: EdgeId, value: Value) {
        let visits = i64::from(self.arena.word(edge.0).load(Relaxed) as u32);
        self.arena.word(edge.0 + 1).store((visits * value.wl) as u64, Relaxed);
    }

    /// Gives a node its policy: the priors of its legal moves, in the order in which the game lists them. False if there is no room.
    pub fn set_policy(&self, node: NodeId, priors: &[Prior], grower: &mut Grower) -> bool {
        let words = (priors.len() as u32).div_ceil(8);
        let Some(block) = grower.words.take(&self.arena, words) else { return false };
        self.write_priors(block, priors.iter().copied());
        self.arena.word(node.0 + 1).store(u64::from(block) << 32, Relaxed);
        self.publish(node, |state| state.ready(priors.len()));
        true
    }

    /// Makes a node ready that has no policy: its moves are tried in any order.
    pub fn set_ready(&self, node: NodeId) {
        self.publish(node, |state| state.ready(0));
    }

    /// Adds to what is certain about a node; what was known before, and what is known now.
    pub fn narrow(&self, node: NodeId, bounds: Bounds, proof: Proof) -> (Bounds, Bounds) {
        let narrowed = |state: State| state.bounds().and(bounds);
        let before = self.publish(node, |state| {
            let bounds = narrowed(state);
            state.with_bounds(bounds, proof.is_complete(bounds))
        });
        (before.bounds(), narrowed(before))
    }

    /// Tells an edge what is certain about the node that it leads to.
    pub fn set_known(&self, edge: EdgeId, known: Known) {
        self.arena.word(edge.0 + 2).fetch_or(u64::from(known.pack()) << 56, Relaxed);
    }

    /// What is certain about a node, given what is certain about one of its moves.
    pub fn bounds_by_moves(&self, node: NodeId, of_move: Bounds, proof: Proof) -> Bounds {
        let state = self.state(node);
        let player = state.to_move();
        let own = state.bounds().seen_by(player);
        let low = own.low.max(of_move.one_move_before().seen_by(player).low);
        let (mut best, mut most) = (-1, i16::MIN);
        if !state.has_new() {
            self.for_each_edge(node, state.edges(), |edge| best = best.max(edge.link().known.most(player)));
            // Where a win is possible there is nothing to say, unless the distance matters.
            if best < 1 || proof == Proof::Distance {
                self.for_each_edge(node, state.edges(), |edge| {
                    let bounds = self.state(edge.link().node).bounds();
                    most = most.max(bounds.one_move_before().seen_by(player).high);
                });
            }
        }
        let high = if most == i16::MIN { own.high } else { own.high.min(most) };
        Bounds { low, high }.seen_by(player)
    }

    /// Changes a node's state after everything that it speaks of was written; returns what it was.
    fn publish(&self, node: NodeId, change: impl Fn(State) -> State) -> State {
        let word = self.arena.word(node.0);
        let mut state = State(word.load(Relaxed));
        while let Err(other) = word.compare_exchange_weak(state.0, change(state).0, Release, Relaxed) {
            state = State(other);
        }
        state
    }

    fn write_priors(&self, block: u32, priors: impl ExactSizeIterator<Item = Prior>) {
        let (mut word, last) = (0, priors.len().saturating_sub(1));
        for (index, prior) in priors.enumerate() {
            word |= u64::from(prior.bits()) << (index % 8 * 8);
            if index % 8 == 7 || index == last {
                self.arena.word(block + index as u32 / 8).store(word, Relaxed);
                word = 0;
            }
        }
    }

    fn write_moves(&self, block: u32, moves: impl ExactSizeIterator<Item = Move>) {
        let (mut word, last) = (0, moves.len().saturating_sub(1));
        for (index, m) in moves.enumerate() {
            word |= u64::from(m.bits()) << (index % 4 * 16);
            if index % 4 == 3 || index == last {
                self.arena.word(block + index as u32 / 4).store(word, Relaxed);
                word = 0;
            }
        }
    }

    /// The prior of the move with this number in the order of the policy; the same for all if there is none.
    #[inline]
    pub fn prior(&self, node: NodeId, state: State, number: u32) -> Prior {
        match (self.arena.word(node.0 + 1).load(Relaxed) >> 32) as u32 {
            0 => Prior::new(1.0 / state.moves().max(1) as f32),
            block => Prior::from_bits(
                (self.arena.word(block + number / 8).load(Relaxed) >> (number % 8 * 8)) as u8,
            ),
        }
    }

    /// Calls `see` with each edge of a node, the first `count` ones.
    #[inline]
    pub fn for_each_edge<'a>(&'a self, node: NodeId, count: u32, mut see: impl FnMut(Edge<'a>)) {
        let blocks = self.arena.word(node.0 + 1).load(Relaxed);
        let mut block = blocks as u32;
        let (mut seen, mut size) = (0, if blocks >> 32 == 0 { count } else { FIRST_BLOCK });
        while seen < count {
            let here = size.min(count - seen);
            let words = self.arena.words(block, 1 + here * self.layout.edge);
            let mut id = block + 1;
            for words in words[1..].chunks_exact(self.layout.edge as usize) {
                see(Edge { id: EdgeId(id), words });
                id += self.layout.edge;
            }
            seen += here;
            size = seen;
            block = words[0].load(Relaxed) as u32;
        }
    }

    /// Tries the next move of a node. `list` lists its legal moves, in the order of the priors if there are any, with any priors, and is only asked the first
    /// time; `arrange` puts moves without priors into the order in which they are tried.
    pub fn add_edge(
        &self,
        node: NodeId,
        grower: &mut Grower,
        list: impl FnOnce(&mut Vec<(Prior, Move)>),
        arrange: impl FnOnce(&mut [(Prior, Move)]),
        place: impl FnOnce(Move) -> Place,
    ) -> Addition {
        let state = State(self.arena.word(node.0).fetch_or(State::LOCKED, Acquire));
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
        let word = self.arena.word(moves_block + number / 4).load(Relaxed);
        let m = Move::new((word >> (number % 4 * 16)) as u16);
        let prior = self.prior(node, State(0).with_sorted_moves(moves), number);
        let has_policy = self.arena.word(node.0 + 1).load(Relaxed) >> 32 != 0;
        let first_size = if has_policy { FIRST_BLOCK } else { moves };
        let Some(edge) = self.edge_slot(block, first_size, number, grower) else { return Addition::Full };
        let Some((child, is_new)) = self.find_or_make_node(place(m), grower) else { return Addition::Full };
        let known = self.state(child).bounds().known();
        let link = Link { node: child, m, prior, known };
        self.write_edge(edge, link);
        if self.is_graph() {
            self.add_way(edge, Some(node), child);
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
        let moves_block = grower.words.take(&self.arena, count.div_ceil(4))?;
        let block = grower.words.take(&self.arena, 1 + size * self.layout.edge)?;
        if priors == 0 {
            arrange(&mut order);
        } else {
            for (number, (prior, _)) in order.iter_mut().enumerate() {
                *prior = self.prior(node, State(0), number as u32);
            }
            order.sort_by_key(|&(prior, _)| std::cmp::Reverse(prior));
            self.write_priors(priors, order.iter().map(|&(prior, _)| prior));
        }
        self.write_moves(moves_block, order.iter().map(|&(_, m)| m));
        grower.order = order;
        self.arena.word(block).store(u64::from(moves_block) << 32, Relaxed);
        self.arena.word(node.0 + 1).store(u64::from(priors) << 32 | u64::from(block), Relaxed);
        Some((block, count))
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
}
