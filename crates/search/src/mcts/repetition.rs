//! Repetitions in a graph.
//!
//! Whether a position has been on the board before depends on the way to it, so it must not be noted in a node that other ways
//! share. But what lies between a position and its repetition can be given to that way alone: when a playout closes such a circle,
//! the way gets nodes of its own, copies of the shared ones, from the first time on to the move that repeats, and there the end of the
//! game is noted. Everybody who comes through the first node of the circle comes to the same end; nobody else does.

use std::sync::atomic::Ordering::{Acquire, Release};

use outplay_core::Move;

use super::bounds::{Bounds, Proof};
use super::graph::Place;
use super::growth::Grower;
use super::state::State;
use super::tree::{EdgeId, NodeId, Tree};

/// A circle that a playout has closed.
#[derive(Clone, Debug)]
pub(super) struct Circle {
    /// The edges from the root to the position before the repetition.
    pub path: Vec<EdgeId>,
    /// The number of the first of them behind which a node has to be of this way alone.
    pub first: usize,
    /// The move that repeats a position.
    pub m: Move,
    /// How the game ends by that.
    pub end: Bounds,
}

impl Tree {
    /// Whether all nodes behind these edges belong to one way only.
    pub fn is_own_way(&self, edges: &[EdgeId]) -> bool {
        edges.iter().all(|&edge| self.state(self.link(edge).node).is_own())
    }

    /// Gives a circle nodes of its own and notes its end. If a node is just being changed, or there is no room, nothing more happens
    /// until the next time.
    pub fn close(&self, circle: &Circle, grower: &mut Grower) -> Option<Vec<NodeId>> {
        // Two threads must not take an edge out of the same list.
        let _others_wait = self.closing.lock().ok()?;
        let mut edge = circle.path[circle.first];
        let mut nodes = Vec::new();
        for number in circle.first..circle.path.len() {
            let mut node = self.link(edge).node;
            if !self.state(node).is_own() {
                node = self.copy(node, grower)?;
                self.lead_to(edge, node);
            }
            nodes.push(node);
            let m = circle.path.get(number + 1).map_or(circle.m, |&next| self.link(next).m);
            edge = self.edge_of(node, m)?;
        }
        let to_move = self.state(self.link(edge).node).to_move();
        let (end, _) = self.find_or_make_node(Place { to_move, key: None }, grower)?;
        self.narrow(end, circle.end, Proof::Result);
        self.forget_visits(edge);
        self.lead_to(edge, end);
        Some(nodes)
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

    /// A copy of a node with its edges, for one way only. What is certain about it has to be found out again.
    fn copy(&self, node: NodeId, grower: &mut Grower) -> Option<NodeId> {
        let state = State(self.arena.word(node.0).fetch_or(State::LOCKED, Acquire));
        if state.0 & State::LOCKED != 0 {
            return None;
        }
        let copy = self.copy_locked(node, state, grower);
        self.arena.word(node.0).fetch_and(!State::LOCKED, Release);
        copy
    }

    fn copy_locked(&self, node: NodeId, state: State, grower: &mut Grower) -> Option<NodeId> {
        let copy = self.new_node(state.to_move(), grower)?;
        self.copy_sums(node, copy);
        self.copy_edges(node, state, copy, grower)?;
        self.arena.word(copy.0).store(state.made_own().0, Release);
        self.for_each_edge(copy, state.edges(), |edge| self.add_way(edge.id, Some(copy), edge.link().node));
        Some(copy)
    }

    /// Lets an edge lead to another node.
    fn lead_to(&self, edge: EdgeId, node: NodeId) {
        let owner = self.owner(edge);
        self.remove_way(edge, self.link(edge).node);
        self.set_node(edge, node, self.state(node).bounds().known());
        self.add_way(edge, owner, node);
        self.revalue_edge(edge);
    }
}
