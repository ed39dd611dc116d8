//! How a playout takes what is certain up its path.

use outplay_core::Game;

use super::Playouts;
use crate::mcts::bounds::Bounds;
use crate::mcts::path::Path;
use crate::mcts::tree::{EdgeId, NodeId};

impl<G: Game> Playouts<'_, G> {
    /// Something is certain about the node at the end of the path: so may it be about those above.
    pub(super) fn narrow(&mut self, bounds: Bounds) {
        let path = std::mem::take(&mut self.scratch.path);
        self.narrow_along(&path, bounds);
        self.scratch.path = path;
    }

    /// The same about the node at the end of another path.
    pub(super) fn narrow_along(&mut self, path: &Path, bounds: Bounds) {
        if self.run.tree.is_graph() {
            let end = path.edges.last().map(|&edge| self.run.tree.link(edge).node);
            return end.into_iter().for_each(|node| self.narrow_graph(node, bounds));
        }
        self.narrow_behind(&path.edges, path.edges.len(), bounds);
    }

    /// The path has come to a node of a tree whose result a search that began below it has found: the edge has to be told, and what is above.
    pub(super) fn tell_edge(&mut self, edge: EdgeId, bounds: Bounds) {
        let (tree, options) = (self.run.tree, &self.run.context.options);
        if !options.solver || tree.is_graph() || tree.link(edge).known.is_decided() {
            return;
        }
        tree.set_known(edge, bounds.known());
        tree.revalue(edge, tree.certain_value(bounds));
        let above = self.scratch.path.edges.len() - 1;
        if let Some(&parent) = above.checked_sub(1).and_then(|above| self.scratch.path.edges.get(above)) {
            let bounds = tree.bounds_by_moves(tree.link(parent).node, bounds, options.proof());
            self.narrow_behind(&self.scratch.path.edges, above, bounds);
        }
    }

    /// Something is certain about the node of a tree behind the last of so many edges of a path.
    fn narrow_behind(&self, path: &[EdgeId], edges: usize, mut bounds: Bounds) {
        let (tree, proof) = (self.run.tree, self.run.context.options.proof());
        for depth in (0..edges).rev() {
            if !self.run.context.options.solver && depth + 1 < path.len() {
                return;
            }
            let (edge, node) = (path[depth], tree.link(path[depth]).node);
            let (before, now) = tree.narrow(node, bounds, proof);
            if !proof.is_progress(before, now) {
                return;
            }
            tree.set_known(edge, now.known());
            if proof.is_complete(now) {
                tree.revalue(edge, tree.certain_value(now));
            }
            let Some(above) = depth.checked_sub(1) else { return };
            bounds = tree.bounds_by_moves(tree.link(path[above]).node, now, proof);
        }
    }

    /// Something is certain about a node of a graph.
    pub(super) fn narrow_graph(&mut self, node: NodeId, bounds: Bounds) {
        let options = &self.run.context.options;
        let (proof, tolerance) = (options.solver.then(|| options.proof()), options.dag_tolerance as f32);
        self.run.tree.narrow_upwards(node, bounds, (proof, tolerance), &mut self.scratch.changed);
    }
}
