//! The tree as a graph: a position that is reached by several ways is one node.
//!
//! The rule. An edge counts its own visits, and is worth what the node behind it is worth. A node is worth the mean of its own
//! evaluation, counted once, and of its edges, each as often as it was visited:
//!
//! ```text
//! N(node) = 1 + Σ N(edge)      W(node) = evaluation + Σ W(edge)      Q(node) = W(node) / N(node)
//! W(edge) = N(edge) · Q(node behind it)
//! ```
//!
//! So no visit counts twice, however many ways lead to where it went, and a playout that comes to a node with more visits than the
//! edge it came by need not go on: what it could learn there is known. When a node's value changes by more than the tolerance, all edges that lead to it
//! change with it, and so on upwards: no value is staler than twice the tolerance, and with a tolerance of 0 all equations hold;
//! on several threads, once those have met that changed the same value at the same time.
//! All sums are whole numbers, and whatever an edge's sum changes by is added to its node's: so the sums agree on any number of threads.
//!
//! A position is the same if its past is, as far as it matters: which positions could still come back is part of its key. So a repetition, like
//! any other end of the game, is a fact about the node, whichever way led there; and no way leads from a node back to itself.
//!
//! ```text
//! node    8 words  as in a tree | sum of values | visits, first edge that leads here | key | value last told to the edges
//! edge    6 words  as in a tree | next edge to the same node, node it leaves | sum of draws | sum of moves left
//! ```

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use outplay_core::{Game, History, Player};

use super::bounds::{Bounds, Proof};
use super::growth::Grower;
use super::state::{PLY, Stage, State, UNIT, Value};
use super::transpositions::Lookup;
use super::tree::{Edge, EdgeId, NodeId, Tree};

const SUM: u32 = 4;
const VISITS: u32 = 5;
const KEY: u32 = 6;
const TOLD: u32 = 7;
const WAYS: u32 = 3;
const EDGE_DRAWS: u32 = 4;
const EDGE_MOVES_LEFT: u32 = 5;

/// A position as the graph knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub to_move: Player,
    /// What it is found again by; `None` in a tree.
    pub key: Option<u64>,
}

impl Place {
    /// The place of a position with its past.
    #[inline]
    pub fn of<G: Game>(position: &G, history: &History, is_graph: bool) -> Place {
        Place { to_move: position.to_move(), key: is_graph.then(|| history.key(position)) }
    }
}

impl Tree {
    /// The node for a position, and whether it is new; `None` if there is no room.
    pub fn find_or_make_node(&self, place: Place, grower: &mut Grower) -> Option<(NodeId, bool)> {
        let (Some(table), Some(key)) = (&self.transpositions, place.key) else {
            return Some((self.new_node(place.to_move, grower)?, true));
        };
        let is_it = |index: u32| self.key(NodeId(index)) == key;
        let mut made = None;
        let make = || {
            let node = grower.spare.take().or_else(|| self.new_node(place.to_move, grower))?;
            self.arena.word(node.0).store(State::new(place.to_move).0, Relaxed);
            self.arena.word(node.0 + KEY).store(key, Relaxed);
            made = Some(node);
            Some(node.0)
        };
        match table.find_or_make(key, is_it, make) {
            Lookup::New(index) => Some((NodeId(index), true)),
            Lookup::Old(index) => {
                grower.spare = made.or(grower.spare.take());
                Some((NodeId(index), false))
            }
            Lookup::Nothing => None,
        }
    }

    /// The key of a node.
    pub fn key(&self, node: NodeId) -> u64 {
        self.arena.word(node.0 + KEY).load(Relaxed)
    }

    /// Lets a node be found by its key.
    pub fn note_in_table(&self, node: NodeId) {
        if let (Some(table), key) = (&self.transpositions, self.key(node)) {
            table.find_or_make(key, |index| self.key(NodeId(index)) == key, || Some(node.0));
        }
    }

    /// Whether positions are shared.
    #[inline]
    pub fn is_graph(&self) -> bool {
        self.transpositions.is_some()
    }

    /// Visits of a node, by all ways.
    #[inline]
    pub fn node_visits(&self, node: NodeId) -> u32 {
        self.arena.word(node.0 + VISITS).load(Relaxed) as u32
    }

    /// The mean value of a node for the first player.
    #[inline]
    pub fn node_value(&self, node: NodeId) -> f32 {
        let words = self.arena.words(node.0, self.layout.node);
        let state = State(words[0].load(Acquire));
        match state.stage() {
            Stage::Settled => f32::from(state.bounds().result().unwrap_or(0)),
            _ => {
                let (sum, visits) =
                    (words[SUM as usize].load(Relaxed) as i64, words[VISITS as usize].load(Relaxed));
                (sum as f64 / UNIT / f64::from((visits as u32).max(1))) as f32
            }
        }
    }

    /// How many visits of a node an edge that leads there does not know of.
    #[inline]
    pub fn unseen_visits(&self, edge: EdgeId, node: NodeId) -> u32 {
        self.node_visits(node).saturating_sub(self.stats(edge).visits)
    }

    /// Notes that an edge leads from one node to another; none for the edge of a root.
    pub fn add_parent_edge(&self, edge: EdgeId, from: Option<NodeId>, to: NodeId) {
        let word = self.arena.word(to.0 + VISITS);
        let mut before = word.load(Relaxed);
        loop {
            let owner = from.map_or(0, |node| node.0);
            self.arena.word(edge.0 + WAYS).store(before >> 32 | u64::from(owner) << 32, Relaxed);
            let after = u64::from(edge.0) << 32 | before & 0xFFFF_FFFF;
            match word.compare_exchange_weak(before, after, Release, Relaxed) {
                Ok(_) => return,
                Err(other) => before = other,
            }
        }
    }

    /// Forgets all edges that lead to a node. One thread at a time.
    pub fn forget_parent_edges(&self, node: NodeId) {
        self.arena.word(node.0 + VISITS).fetch_and(0xFFFF_FFFF, Relaxed);
    }

    /// The edges that lead to a node.
    pub fn parent_edges(&self, node: NodeId) -> impl Iterator<Item = EdgeId> + '_ {
        let first = (self.arena.word(node.0 + VISITS).load(Acquire) >> 32) as u32;
        let some = |index: u32| (index != 0).then_some(EdgeId(index));
        std::iter::successors(some(first), move |edge| {
            some(self.arena.word(edge.0 + WAYS).load(Acquire) as u32)
        })
    }

    /// The node that an edge leaves; `None` for the edge of a root.
    pub fn owner(&self, edge: EdgeId) -> Option<NodeId> {
        let owner = (self.arena.word(edge.0 + WAYS).load(Relaxed) >> 32) as u32;
        (owner != 0).then_some(NodeId(owner))
    }

    /// A node's own evaluation, its first visit.
    pub fn set_own_value(&self, node: NodeId, value: Value) {
        self.add(self.arena.word(node.0 + SUM), value.wl as u64);
        self.add(self.arena.word(node.0 + 2), value.draws as u64);
        self.add(self.arena.word(node.0 + 3), value.moves_left as u64);
        self.add(self.arena.word(node.0 + VISITS), 1);
    }

    /// Playouts that were sent through an edge have ended below it: they count as visits, with the value that its node has now.
    pub fn count(&self, edge: EdgeId, playouts: u32, tolerance: f32, changed: &mut Vec<NodeId>) {
        let arrived = u64::from(playouts).wrapping_sub(u64::from(playouts) << 32);
        let Edge { words, .. } = self.edge(edge);
        self.add(&words[0], arrived);
        let owner = (words[WAYS as usize].load(Relaxed) >> 32) as u32;
        if owner != 0 {
            self.add(self.arena.word(owner + VISITS), playouts.into());
        }
        self.revalue_edge(edge);
        let node = self.edge(edge).link().node;
        let (value, told) = (self.node_value(node), self.arena.word(node.0 + TOLD));
        if self.parent_edges(node).nth(1).is_none() {
            told.store(value.to_bits().into(), Relaxed);
        } else if is_news(value, f32::from_bits(told.load(Relaxed) as u32), tolerance) {
            self.spread(node, tolerance, changed);
        }
    }

    /// Brings the value of a node to all edges that lead to it, and on upwards as far as it makes a difference. `changed` is empty before and after.
    pub fn spread(&self, node: NodeId, tolerance: f32, changed: &mut Vec<NodeId>) {
        changed.push(node);
        while let Some(node) = changed.pop() {
            let value = self.node_value(node);
            self.arena.word(node.0 + TOLD).store(value.to_bits().into(), Relaxed);
            for edge in self.parent_edges(node) {
                let stats = self.stats(edge);
                if stats.visits == 0 || !is_news(value, stats.q, tolerance) {
                    continue;
                }
                self.revalue_edge(edge);
                if let Some(owner) = self.owner(edge) {
                    let told = self.arena.word(owner.0 + TOLD).load(Relaxed) as u32;
                    if is_news(self.node_value(owner), f32::from_bits(told), tolerance) {
                        changed.push(owner);
                    }
                }
            }
        }
    }

    /// Adds to what is certain about a node and, with a solver, to what follows from it for all that lead there.
    pub fn narrow_upwards(
        &self,
        node: NodeId,
        bounds: Bounds,
        (solver, tolerance): (Option<Proof>, f32),
        changed: &mut Vec<NodeId>,
    ) {
        let proof = solver.unwrap_or(Proof::Result);
        let mut learned = vec![(node, bounds)];
        while let Some((node, bounds)) = learned.pop() {
            let (before, now) = self.narrow(node, bounds, proof);
            if !proof.is_progress(before, now) {
                continue;
            }
            for edge in self.parent_edges(node) {
                self.set_known(edge, now.known());
                if let (Some(owner), Some(_)) = (self.owner(edge), solver) {
                    learned.push((owner, self.bounds_by_moves(owner, now, proof)));
                }
            }
            if proof.is_complete(now) {
                self.spread(node, tolerance, changed);
            }
        }
    }

    /// Gives an edge the value of the node behind it, and its own node what that changes.
    pub fn revalue_edge(&self, edge: EdgeId) {
        let edge = self.edge(edge);
        let visits = edge.words[0].load(Relaxed) as u32;
        let node = self.arena.words(edge.link().node.0, self.layout.node);
        let state = State(node[0].load(Acquire));
        let (value, of) = match state.stage() {
            Stage::Settled => (self.certain_value(state.bounds()), 1),
            _ => (sums_of(node), (node[VISITS as usize].load(Relaxed) as u32).max(1)),
        };
        let share = |sum: i64| match of == visits {
            true => sum,
            false => (sum as f64 / f64::from(of) * f64::from(visits)) as i64,
        };
        let one_ply = i64::from(visits) * PLY as i64;
        let owner = (edge.words[WAYS as usize].load(Relaxed) >> 32) as u32;
        let owner = (owner != 0).then(|| self.arena.words(owner, self.layout.node));
        let set = |edge_word: u32, node_word: u32, now: i64| {
            let before = self.swap(&edge.words[edge_word as usize], now as u64);
            if let Some(owner) = owner {
                self.add(&owner[node_word as usize], (now as u64).wrapping_sub(before));
            }
        };
        set(1, SUM, share(value.wl));
        set(EDGE_DRAWS, 2, share(value.draws));
        if self.counts_plies {
            set(EDGE_MOVES_LEFT, 3, share(value.moves_left).saturating_add(one_ply));
        }
    }

    /// The sums of a node, over all its visits.
    pub fn node_sums(&self, node: NodeId) -> Value {
        sums_of(self.arena.words(node.0, self.layout.node))
    }

    /// The sums of an edge, over all its visits.
    pub fn edge_sums(&self, edge: EdgeId) -> Value {
        let sum = |index: u32| self.arena.word(edge.0 + index).load(Relaxed) as i64;
        Value { wl: sum(1), draws: sum(EDGE_DRAWS), moves_left: sum(EDGE_MOVES_LEFT) }
    }

    /// Another edge to a node, for a search that begins there: with all visits of the node.
    pub fn plant_root_edge(&self, node: NodeId, edge: EdgeId) {
        self.add_parent_edge(edge, None, node);
        self.arena.word(edge.0).store(self.node_visits(node).into(), Relaxed);
        self.revalue_edge(edge);
    }
}

/// Whether a value has changed so much that others should know.
fn is_news(value: f32, told: f32, tolerance: f32) -> bool {
    (value - told).abs() > tolerance
}

/// The sums in the words of a node.
fn sums_of(node: &[AtomicU64]) -> Value {
    let sum = |index: u32| node[index as usize].load(Relaxed) as i64;
    Value { wl: sum(SUM), draws: sum(2), moves_left: sum(3) }
}
