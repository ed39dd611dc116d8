//! What the tree knows for certain: the bounds of nodes, and what they make of each other.

use std::sync::atomic::Ordering::Relaxed;

use super::bounds::{Bounds, Known, Proof};
use super::evaluate::LeftOut;
use super::state::{State, Value};
use super::tree::{EdgeId, KNOWN_SHIFT, NodeId, Tree};

impl Tree {
    /// What a decided result is worth to the playouts that come to it.
    pub fn certain_value(&self, bounds: Bounds) -> Value {
        let result = f32::from(bounds.result().unwrap_or(0));
        Value::new(result, 1.0 - result.abs(), f32::from(self.scale.distance(bounds).unwrap_or(0)))
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
        self.arena.word(edge.0 + 2).fetch_or(u64::from(known.pack()) << KNOWN_SHIFT, Relaxed);
    }

    /// What the moves of a node make certain about it.
    pub fn bounds_by_all_moves(&self, node: NodeId, proof: Proof) -> Bounds {
        let mut bounds = Bounds::UNKNOWN;
        self.for_each_edge(node, self.state(node).edges(), |edge| {
            let of_move = self.state(edge.link().node).bounds();
            bounds = bounds.and(self.bounds_by_moves(node, of_move, proof));
        });
        bounds
    }

    /// What is certain about a node, given what is certain about one of its moves.
    pub fn bounds_by_moves(&self, node: NodeId, of_move: Bounds, proof: Proof) -> Bounds {
        let state = self.state(node);
        let player = state.to_move();
        let own = state.bounds().seen_by(player);
        let low = own.low.max(of_move.one_move_before(self.scale).seen_by(player).low);
        let (mut best, mut most) = (-1, i16::MIN);
        // Of moves that nobody looks at nothing is known, unless it is that they lose.
        let left_out = state.left_out();
        if !state.has_new() && left_out != LeftOut::Moves {
            self.for_each_edge(node, state.edges(), |edge| best = best.max(edge.link().known.most(player)));
            // Where a win is possible there is nothing to say, unless it matters how soon or by how much.
            if best < 1 || proof == Proof::Exact {
                self.for_each_edge(node, state.edges(), |edge| {
                    let bounds = self.state(edge.link().node).bounds();
                    most = most.max(bounds.one_move_before(self.scale).seen_by(player).high);
                });
                if left_out == LeftOut::Losses {
                    most = most.max(Bounds::LATEST_LOSS);
                }
            }
        }
        let high = if most == i16::MIN { own.high } else { own.high.min(most) };
        Bounds { low, high }.seen_by(player)
    }
}
