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
//! priors           four a word
//! moves            four a word, once they are sorted | all moves as first: one a word, if anybody asks
//! ```
//!
//! In bytes, for a node with its edge and m moves: 56 in a tree and 112 in a [graph](super::graph), and m more for the policy; 2 m more, and 8 for each block, once
//! a move is tried. A graph has 11 to 32 more for its table, by how full that is. Each node owns its blocks, so that they can be [recycled](super::recycle).
//!
//! Threads share all of it without locks, but for the table of a graph, which is locked while it grows. Counters and sums only grow, by atomic additions, and are read *relaxed*: selection may see a
//! visit before its value, which does no more harm than the visit in flight that it was a moment before. What is built, a node's
//! policy or a new edge, is published by the *state* of the node it belongs to: written with *release* after everything else, read with *acquire* before.
//! One bit of the state says that a thread is adding an edge there; others do something else meanwhile.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use outplay_core::{Move, Player};

use super::arena::Arena;
use super::bounds::{Known, Scale};
use super::graph::Place;
use super::growth::Grower;
use super::options::MctsOptions;
use super::pool::TreePool;
use super::prefetch::prefetch_to_write;
use super::prior::Prior;
use super::state::{Means, PLY, Stage, State, Sum, UNIT, Value};
use super::transpositions::Transpositions;

/// Words of nodes and edges.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub node: u32,
    pub edge: u32,
}

const TREE: Layout = Layout { node: 4, edge: 3 };
const GRAPH: Layout = Layout { node: 8, edge: 6 };
/// Edges in the first block of a node with a policy; each further block is as large as all before it. Without a policy every move is
/// tried before any is tried twice, so that one block has room for all.
pub(super) const FIRST_BLOCK: u32 = 2;
/// Priors of a word.
pub(super) const PRIORS: u32 = 4;
/// Where the prior stands in the last word of an edge, above node and move.
const PRIOR_SHIFT: u32 = 48;
/// And what is known of its result, in the highest bits.
pub(super) const KNOWN_SHIFT: u32 = PRIOR_SHIFT + Prior::BITS;

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
    pub words: &'a [AtomicU64],
}

impl Edge<'_> {
    /// The sum of the values of its visits, their number, and what there is more to it: the upper half of that word is 0 if there are some, none in
    /// flight, and nothing is certain about its result.
    #[inline]
    pub fn sum_of_visits(self) -> (f32, u32, u64) {
        let counts = self.words[0].load(Relaxed);
        let sum = self.words[1].load(Relaxed) as i64;
        let more = counts | counts.wrapping_sub(1) | self.words[2].load(Relaxed) >> (KNOWN_SHIFT - 32);
        (sum as f32 * (1.0 / UNIT as f32), counts as u32, more)
    }

    #[inline]
    pub fn link(self) -> Link {
        let word = self.words[2].load(Relaxed);
        Link {
            node: NodeId(word as u32),
            m: Move::new((word >> 32) as u16),
            prior: Prior::from_bits((word >> PRIOR_SHIFT) as u16),
            known: Known::unpack((word >> KNOWN_SHIFT) as u8),
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

/// The arena seen as a tree.
pub(super) struct Tree {
    pub(super) arena: Arena,
    pub(super) layout: Layout,
    /// Where positions are found again, if the tree is a graph.
    pub(super) transpositions: Option<Transpositions>,
    /// What the size of a certain value tells.
    pub(super) scale: Scale,
    /// Whether only one thread is at work: then adding needs no lock on the memory, which is several times as quick.
    alone: bool,
    /// Whether plies to the end of the game are counted.
    pub(super) counts_plies: bool,
    /// Whether nodes know of their moves from playouts in which they were made later.
    pub(super) keeps_amaf: bool,
}

impl Tree {
    /// An empty tree, or a graph, that never takes more bytes than the settings allow.
    pub fn new(options: &MctsOptions, scale: Scale) -> Tree {
        let (limit, is_graph) = (options.ram_limit(), options.dag);
        let of_table = limit.filter(|_| is_graph).map(|bytes| bytes / TABLE_SHARE);
        let transpositions = is_graph.then(|| Transpositions::new(of_table));
        let of_arena = limit.map(|bytes| bytes - of_table.unwrap_or(0));
        Tree {
            arena: Arena::new(of_arena, options.ram_limit_recycles),
            layout: if is_graph { GRAPH } else { TREE },
            transpositions,
            scale,
            alone: false,
            counts_plies: false,
            keeps_amaf: false,
        }
    }

    /// An empty tree or graph of one thread, with memory from a pool.
    pub fn from_pool(options: &MctsOptions, scale: Scale, pool: Arc<TreePool>) -> Tree {
        Tree {
            arena: Arena::from_pool(pool),
            layout: if options.dag { GRAPH } else { TREE },
            transpositions: options.dag.then(Transpositions::small),
            scale,
            alone: true,
            counts_plies: false,
            keeps_amaf: options.rave,
        }
    }

    /// An empty tree for the same purpose, with memory from the same pool; `None` if this one has its memory from none.
    pub fn another(&self) -> Option<Tree> {
        let Tree { layout, scale, alone, counts_plies, keeps_amaf, .. } = *self;
        let transpositions = self.is_graph().then(Transpositions::small);
        let arena = self.arena.another()?;
        Some(Tree { arena, layout, transpositions, scale, alone, counts_plies, keeps_amaf })
    }

    /// Whether another tree serves the same purpose, with memory from the same pool.
    pub fn is_like(&self, other: &Tree) -> bool {
        let purpose = |tree: &Tree| (tree.is_graph(), tree.alone, tree.counts_plies, tree.keeps_amaf);
        purpose(self) == purpose(other) && self.arena.shares_pool(&other.arena)
    }

    pub fn clear(&mut self) {
        self.arena.clear();
        if let Some(table) = &mut self.transpositions {
            table.clear();
        }
    }

    /// Says whether only one thread will be at work, and whether plies to the end of the game are counted.
    pub fn prepare(&mut self, alone: bool, counts_plies: bool) {
        (self.alone, self.counts_plies) = (alone, counts_plies);
    }

    /// Whether only one thread is at work.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Adds to a counter or a sum.
    #[inline]
    pub(super) fn add(&self, word: &AtomicU64, value: u64) {
        match self.alone {
            true => word.store(word.load(Relaxed).wrapping_add(value), Relaxed),
            false => drop(word.fetch_add(value, Relaxed)),
        }
    }

    /// Says that an edge is being added to a node; what its state was.
    #[inline]
    pub(super) fn lock(&self, node: NodeId) -> State {
        let word = self.arena.word(node.0);
        match self.alone {
            true => {
                let state = word.load(Relaxed);
                word.store(state | State::LOCKED, Relaxed);
                State(state)
            }
            false => State(word.fetch_or(State::LOCKED, Acquire)),
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

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes() + self.transpositions.as_ref().map_or(0, Transpositions::bytes)
    }

    /// An edge that leads to the node of a position, where a search begins; `None` if there is no room.
    pub fn new_root(&self, place: Place, grower: &mut Grower) -> Option<EdgeId> {
        let edge = EdgeId(grower.words.take(&self.arena, self.layout.edge)?);
        let (node, _) = self.find_or_make_node(place, grower)?;
        self.write_edge(edge, Link { node, m: Move::new(0), prior: Prior::ONE, known: Known::NOTHING });
        if self.is_graph() {
            self.plant_root_edge(node, edge);
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
            self.plant_root_edge(self.link(edge).node, second);
        }
        Some(second)
    }

    /// A node of which nothing is known but who moves.
    pub fn new_node(&self, to_move: Player, grower: &mut Grower) -> Option<NodeId> {
        let node = grower.words.take(&self.arena, self.layout.node)?;
        let words = self.arena.words(node, self.layout.node);
        words[0].store(State::new(to_move).0, Relaxed);
        words[1..].iter().for_each(|word| word.store(0, Relaxed));
        Some(NodeId(node))
    }

    pub(super) fn write_edge(&self, edge: EdgeId, link: Link) {
        let words = self.arena.words(edge.0, self.layout.edge);
        words.iter().for_each(|word| word.store(0, Relaxed));
        let (m, prior, known) = (link.m.bits(), link.prior.bits(), link.known.pack());
        let word = u64::from(link.node.0)
            | u64::from(m) << 32
            | u64::from(prior) << PRIOR_SHIFT
            | u64::from(known) << KNOWN_SHIFT;
        words[2].store(word, Relaxed);
    }

    /// Changes the prior of an edge.
    pub(super) fn set_prior(&self, edge: EdgeId, prior: Prior) {
        let word = self.arena.word(edge.0 + 2);
        let others = word.load(Relaxed) & !(u64::from(Prior::ONE.bits()) << PRIOR_SHIFT);
        word.store(others | u64::from(prior.bits()) << PRIOR_SHIFT, Relaxed);
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

    /// How often playouts have come back through an edge.
    #[inline]
    pub fn visits(&self, edge: EdgeId) -> u32 {
        self.arena.word(edge.0).load(Relaxed) as u32
    }

    #[inline]
    pub(super) fn edge(&self, id: EdgeId) -> Edge<'_> {
        Edge { id, words: self.arena.words(id.0, self.layout.edge) }
    }

    /// Everything that was backed up through an edge.
    pub fn means(&self, edge: EdgeId) -> Means {
        let Link { node, known, .. } = self.link(edge);
        // What was learned before a result was certain does not count any more.
        let certain = known.is_decided().then(|| f64::from(u8::from(known == Known::DRAW)));
        if self.is_graph() {
            let (sums, visits) = (self.edge_sums(edge), f64::from(self.stats(edge).visits.max(1)));
            let mean = |sum: i64, unit: f64| sum as f64 / unit / visits;
            // An edge is a ply longer than what is behind it.
            return Means {
                wl: mean(sums.wl, UNIT),
                draws: certain.unwrap_or(mean(sums.draws, UNIT)),
                moves_left: mean(sums.moves_left - visits as i64 * PLY as i64, PLY).max(0.0),
            };
        }
        let sum = |index: u32| self.arena.word(index).load(Relaxed) as i64 as f64;
        let visits = f64::from((self.arena.word(edge.0).load(Relaxed) as u32).max(1));
        // Draws and moves left are counted for the node, which later searches may have visited from below.
        let mut below = 1.0;
        self.for_each_edge(node, self.state(node).edges(), |edge| below += f64::from(edge.stats().visits));
        let node_visits = f64::max(visits, below);
        Means {
            wl: sum(edge.0 + 1) / UNIT / visits,
            draws: certain.unwrap_or(sum(node.0 + 2) / UNIT / node_visits),
            moves_left: sum(node.0 + 3) / PLY / node_visits,
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

    /// Notes that one playout is on its way through an edge; where that leads.
    #[inline]
    pub fn send_one(&self, edge: EdgeId) -> Link {
        let edge = self.edge(edge);
        self.add(&edge.words[0], 1 << 32);
        edge.link()
    }

    /// Asks for an edge that this thread is about to write, so that it need not wait for it then: where several threads are at work, another one has probably
    /// written it last, and an addition that finds its words elsewhere holds up everything after it.
    #[inline]
    pub fn ask_for(&self, edge: EdgeId) {
        // They may lie on two cache lines.
        self.arena.words(edge.0, 2).iter().for_each(prefetch_to_write);
    }

    /// The same for the sums that [`Tree::back_up`] adds to besides those of the edge.
    #[inline]
    pub fn ask_for_sums(&self, edge: EdgeId) {
        if self.counts_plies {
            prefetch_to_write(self.arena.word(self.link(edge).node.0 + 2));
        }
    }

    /// They have come to nothing.
    #[inline]
    pub fn call_back(&self, edge: EdgeId, playouts: u32) {
        self.add(self.arena.word(edge.0), 0u64.wrapping_sub(u64::from(playouts) << 32));
    }

    /// They have come back with this.
    #[inline]
    pub fn back_up(&self, edge: EdgeId, sum: &Sum) {
        let playouts = u64::from(sum.playouts());
        let words = self.arena.words(edge.0, self.layout.edge);
        self.add(&words[1], sum.value().wl as u64);
        if sum.value().draws != 0 || self.counts_plies {
            self.add_to_node(self.link(edge).node, sum);
        }
        self.add(&words[0], playouts.wrapping_sub(playouts << 32));
    }

    /// Adds the draws of playouts, and how long their games last from a node on, to what the node knows.
    pub fn add_to_node(&self, node: NodeId, sum: &Sum) {
        let words = self.arena.words(node.0 + 2, 2);
        self.add(&words[0], sum.value().draws as u64);
        if self.counts_plies {
            self.add(&words[1], sum.value().moves_left as u64);
        }
    }

    /// Changes the values of all visits of an edge to a certain one. What was backed up above it stays as it was.
    pub fn revalue(&self, edge: EdgeId, value: Value) {
        let visits = i64::from(self.arena.word(edge.0).load(Relaxed) as u32);
        self.arena.word(edge.0 + 1).store((visits * value.wl) as u64, Relaxed);
    }

    /// The edge of a node for a move.
    pub fn edge_of(&self, node: NodeId, m: Move) -> Option<EdgeId> {
        let mut found = None;
        self.for_each_edge(node, self.state(node).edges(), |edge| {
            if edge.link().m == m {
                found = Some(edge.id);
            }
        });
        found
    }

    /// Changes a node's state after everything that it speaks of was written; returns what it was.
    pub(super) fn publish(&self, node: NodeId, change: impl Fn(State) -> State) -> State {
        let word = self.arena.word(node.0);
        let mut state = State(word.load(Relaxed));
        if self.alone {
            word.store(change(state).0, Relaxed);
            return state;
        }
        while let Err(other) = word.compare_exchange_weak(state.0, change(state).0, Release, Relaxed) {
            state = State(other);
        }
        state
    }

    /// Notes that playouts go through a node now.
    pub fn touch(&self, node: NodeId, tick: u8) {
        self.publish(node, |state| state.used_at(tick));
    }

    /// Whether a forgotten node is to be evaluated again by whoever asks: by the first one only.
    pub fn claim(&self, node: NodeId) -> bool {
        self.publish(node, State::claimed).stage() == Stage::Forgotten
    }

    /// The prior of the move with this number in the order of the policy; the same for all if there is none.
    #[inline]
    pub fn prior(&self, node: NodeId, state: State, number: u32) -> Prior {
        match (self.arena.word(node.0 + 1).load(Relaxed) >> 32) as u32 {
            0 => Prior::new(1.0 / state.moves().max(1) as f32),
            block => Prior::from_bits(
                (self.arena.word(block + number / PRIORS).load(Relaxed) >> (number % PRIORS * 16)) as u16,
            ),
        }
    }

    /// Calls `see` with each edge of a node, the first `count` ones.
    #[inline]
    pub fn for_each_edge<'a>(&'a self, node: NodeId, count: u32, see: impl FnMut(Edge<'a>)) {
        // Where the number of words is a constant the loop is quicker.
        match self.is_graph() {
            false => self.for_each_edge_of_words::<{ TREE.edge }>(node, count, see),
            true => self.for_each_edge_of_words::<{ GRAPH.edge }>(node, count, see),
        }
    }

    /// The first `count` edges of a node of a tree without a policy, which lie in one block; none if there is a policy, or in a graph.
    #[inline]
    pub fn edges_without_policy(&self, node: NodeId, count: u32) -> impl Iterator<Item = Edge<'_>> {
        let blocks = self.arena.word(node.0 + 1).load(Relaxed);
        let count = if blocks >> 32 == 0 && !self.is_graph() { count } else { 0 };
        let words = self.arena.words(blocks as u32, 1 + count * TREE.edge);
        let first = blocks as u32 + 1;
        words[1..]
            .chunks_exact(TREE.edge as usize)
            .enumerate()
            .map(move |(number, words)| Edge { id: EdgeId(first + number as u32 * TREE.edge), words })
    }

    #[inline]
    fn for_each_edge_of_words<'a, const WORDS: u32>(
        &'a self,
        node: NodeId,
        count: u32,
        mut see: impl FnMut(Edge<'a>),
    ) {
        let blocks = self.arena.word(node.0 + 1).load(Relaxed);
        let mut block = blocks as u32;
        let (mut seen, mut size) = (0, if blocks >> 32 == 0 { count } else { FIRST_BLOCK });
        while seen < count {
            let here = size.min(count - seen);
            let words = self.arena.words(block, 1 + here * WORDS);
            let mut id = block + 1;
            for words in words[1..].chunks_exact(WORDS as usize) {
                see(Edge { id: EdgeId(id), words });
                id += WORDS;
            }
            seen += here;
            size = seen;
            block = words[0].load(Relaxed) as u32;
        }
    }
}
