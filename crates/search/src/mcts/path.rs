//! The paths that playouts take through the tree.

use super::state::Value;
use super::tree::{EdgeId, NodeId};

/// The path of playouts through the tree.
#[derive(Clone, Default)]
pub(super) struct Path {
    /// The edges from the root on.
    pub edges: Vec<EdgeId>,
    /// From which of them on the playouts count. Those that look for a proof beside a move that is certain already do not count
    /// above it.
    pub counts_from: usize,
}

impl Path {
    /// The edges through which the playouts were sent.
    pub fn counted(&self) -> &[EdgeId] {
        &self.edges[self.counts_from..]
    }

    /// The edge above those through which the playouts were sent, if they did not begin at the root.
    pub fn above_counted(&self) -> Option<EdgeId> {
        self.counts_from.checked_sub(1).and_then(|above| self.edges.get(above)).copied()
    }

    /// Whether the playouts count all the way up.
    pub fn counts_at_root(&self) -> bool {
        self.counts_from == 0
    }

    /// How many plies the playouts went down from the root.
    pub fn depth(&self) -> u64 {
        self.edges.len() as u64 - 1
    }

    /// Becomes a copy of another, without new memory if it has enough.
    pub fn copy(&mut self, other: &Path) {
        self.edges.clone_from(&other.edges);
        self.counts_from = other.counts_from;
    }
}

/// What is needed to back up a leaf that waits for its evaluation.
pub(super) struct PendingLeaf {
    pub path: Path,
    pub node: NodeId,
    /// What the playout brings back whatever the evaluation says.
    pub counts_as: Option<Value>,
}

/// Playouts that met others on their way: their paths, one after the other.
#[derive(Default)]
pub(super) struct Collisions {
    paths: Vec<Collision>,
    edges: Vec<EdgeId>,
}

/// One of them: up to where its edges reach in the common list.
struct Collision {
    end: usize,
    counts_from: usize,
    playouts: u32,
}

impl Collisions {
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Notes playouts that go no further than this.
    pub fn push(&mut self, path: &Path, playouts: u32) {
        self.edges.extend_from_slice(&path.edges);
        self.paths.push(Collision { end: self.edges.len(), counts_from: path.counts_from, playouts });
    }

    /// Calls `see` with the path of each, from which of its edges on they count, and their number; then forgets them.
    pub fn drain(&mut self, mut see: impl FnMut(&[EdgeId], usize, u32)) {
        let mut begin = 0;
        for Collision { end, counts_from, playouts } in self.paths.drain(..) {
            see(&self.edges[begin..end], counts_from, playouts);
            begin = end;
        }
        self.edges.clear();
    }
}
