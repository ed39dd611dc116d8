//! How a playout takes what is certain up its way.

use outplay_core::Game;

use super::Worker;
use crate::mcts::bounds::Bounds;
use crate::mcts::shared::Route;
use crate::mcts::state::Value;
use crate::mcts::tree::{EdgeId, NodeId};

impl<G: Game> Worker<'_, G> {
    /// Something is certain about the node at the end of the path: so may it be about those above.
    pub(super) fn narrow(&mut self, bounds: Bounds) {
        let route = std::mem::take(&mut self.route);
        self.narrow_along(&route, bounds);
        self.route = route;
    }

    /// The same about the node at the end of a route that a playout has gone.
    pub(super) fn narrow_along(&mut self, route: &Route, bounds: Bounds) {
        if self.shared.tree.is_graph() {
            let end = route.path.last().map(|&edge| self.shared.tree.link(edge).node);
            return end.into_iter().for_each(|node| self.narrow_graph(node, bounds));
        }
        self.narrow_behind(&route.path, route.path.len(), bounds);
    }

    /// The path has come to a node of a tree whose result a search that began below it has found: the edge has to be told, and what is above.
    pub(super) fn tell_way(&mut self, edge: EdgeId, bounds: Bounds) {
        let (tree, options) = (self.shared.tree, self.shared.options);
        if !options.solver || tree.is_graph() || tree.link(edge).known.is_decided() {
            return;
        }
        tree.set_known(edge, bounds.known());
        tree.revalue(edge, Value::certain(bounds));
        let above = self.route.path.len() - 1;
        if let Some(&way) = above.checked_sub(1).and_then(|above| self.route.path.get(above)) {
            let bounds = tree.bounds_by_moves(tree.link(way).node, bounds, options.proof());
            self.narrow_behind(&self.route.path, above, bounds);
        }
    }

    /// Something is certain about the node of a tree behind the last of so many edges of a path.
    fn narrow_behind(&self, path: &[EdgeId], edges: usize, mut bounds: Bounds) {
        let (tree, proof) = (self.shared.tree, self.shared.options.proof());
        for depth in (0..edges).rev() {
            if !self.shared.options.solver && depth + 1 < path.len() {
                return;
            }
            let (edge, node) = (path[depth], tree.link(path[depth]).node);
            let (before, now) = tree.narrow(node, bounds, proof);
            if !proof.is_progress(before, now) {
                return;
            }
            tree.set_known(edge, now.known());
            if proof.is_complete(now) {
                tree.revalue(edge, Value::certain(now));
            }
            let Some(above) = depth.checked_sub(1) else { return };
            bounds = tree.bounds_by_moves(tree.link(path[above]).node, now, proof);
        }
    }

    /// Something is certain about a node of a graph.
    pub(super) fn narrow_graph(&mut self, node: NodeId, bounds: Bounds) {
        let options = self.shared.options;
        let (proof, tolerance) = (options.solver.then(|| options.proof()), options.dag_tolerance as f32);
        self.shared.tree.narrow_upwards(node, bounds, (proof, tolerance), &mut self.changed);
    }
}
