//! How values go up the tree.
//!
//! The leaves of a batch are gathered subtree by subtree, so that most of their paths begin like the one before. What they bring back is
//! summed up where paths part, and goes into the tree once for each edge: the root, which all playouts of all threads go through, is
//! written once a batch. All sums are whole numbers, so that the tree is the same as if each playout had gone up by itself.

use outplay_core::Game;

use super::Playouts;
use crate::mcts::path::Path;
use crate::mcts::state::{Sum, Value};
use crate::mcts::tree::{EdgeId, Tree};

/// Sums on their way up.
#[derive(Default)]
pub(super) struct Backups {
    /// A path from the root, with what has to be added to each of its edges besides what comes from the edges behind it.
    path: Vec<(EdgeId, Sum)>,
}

impl Backups {
    /// Adds what playouts bring back from the end of a path. Edges that are not on it are done with: `apply` is called with each of
    /// them, those behind others first.
    fn add(&mut self, edges: &[EdgeId], sum: &Sum, tree: &Tree, apply: impl FnMut(EdgeId, &Sum)) {
        let common = self.path.iter().zip(edges).take_while(|((one, _), other)| one == *other).count();
        self.unwind(common, apply);
        if !tree.is_alone() {
            // They are written when the next path leaves them.
            edges[common..].iter().for_each(|&edge| tree.ask_for(edge));
            edges[common..].iter().for_each(|&edge| tree.ask_for_sums(edge));
        }
        self.path.extend(edges[common..].iter().map(|&edge| (edge, Sum::default())));
        if let Some((_, last)) = self.path.last_mut() {
            last.add(sum);
        }
    }

    /// Is done with all edges but the first ones.
    fn unwind(&mut self, keep: usize, mut apply: impl FnMut(EdgeId, &Sum)) {
        while self.path.len() > keep {
            let Some((edge, sum)) = self.path.pop() else { return };
            apply(edge, &sum);
            if let Some((_, above)) = self.path.last_mut() {
                above.add(&sum.one_ply_up());
            }
        }
    }
}

impl<G: Game> Playouts<'_, G> {
    /// Brings the value of playouts from the end of a path to the root, at the latest when [`Playouts::finish_backups`] is called.
    pub(super) fn back_up(&mut self, path: &Path, value: Value, playouts: u32) {
        // In a graph it matters who comes first: one thread keeps the order, so that its searches can be repeated.
        if !path.counts_at_root() || self.run.tree.is_graph() && self.run.tree.is_alone() {
            self.finish_backups();
            return self.back_up_now(path, value, playouts);
        }
        self.count_depth(path, playouts);
        let mut backups = std::mem::take(&mut self.scratch.backups);
        let sum = Sum::of(value, playouts);
        backups.add(&path.edges, &sum, self.run.tree, |edge, sum| self.add_to_edge(edge, sum));
        self.scratch.backups = backups;
    }

    /// The same while a batch is gathered: the next playouts of one thread go by what this one has found, those of several threads need not wait
    /// for each other.
    pub(super) fn back_up_early(&mut self, path: &Path, value: Value, playouts: u32) {
        match self.run.tree.is_alone() {
            true => self.back_up_now(path, value, playouts),
            false => self.back_up(path, value, playouts),
        }
    }

    /// Brings all values to the root that are still on their way.
    #[inline]
    pub fn finish_backups(&mut self) {
        if !self.scratch.backups.path.is_empty() {
            self.unwind_backups();
        }
    }

    fn unwind_backups(&mut self) {
        let mut backups = std::mem::take(&mut self.scratch.backups);
        backups.unwind(0, |edge, sum| self.add_to_edge(edge, sum));
        self.scratch.backups = backups;
    }

    /// Brings the value of playouts from the end of a path to the root.
    fn back_up_now(&mut self, path: &Path, value: Value, playouts: u32) {
        let tree = self.run.tree;
        let mut sum = Sum::of(value, playouts);
        for &edge in path.counted().iter().rev() {
            self.add_to_edge(edge, &sum);
            sum = sum.one_ply_up();
        }
        if let Some(above) = path.above_counted() {
            let node = tree.link(above).node;
            match tree.is_graph() {
                true => tree.spread(node, self.tolerance(), &mut self.scratch.changed),
                // The node does not count them, but its edges do, by which its draws and plies are shared out.
                false => tree.add_to_node(node, &sum),
            }
        }
        self.count_depth(path, playouts);
    }

    /// Calls back the playouts that have met others.
    pub(super) fn call_back(&mut self) {
        if self.scratch.collisions.is_empty() {
            return;
        }
        let (tree, scratch) = (self.run.tree, &mut *self.scratch);
        let backups = &mut scratch.backups;
        let call_back = |edge: EdgeId, sum: &Sum| tree.call_back(edge, sum.playouts());
        scratch.collisions.drain(|edges, counts_from, playouts| match counts_from {
            0 => backups.add(edges, &Sum::of(Value::default(), playouts), tree, call_back),
            _ => edges[counts_from..].iter().for_each(|&edge| tree.call_back(edge, playouts)),
        });
        backups.unwind(0, call_back);
    }

    /// So many playouts have come back through an edge. In a graph it takes the value of its node, which they have brought up to date.
    fn add_to_edge(&mut self, edge: EdgeId, sum: &Sum) {
        match self.run.tree.is_graph() {
            false => self.run.tree.back_up(edge, sum),
            true => self.run.tree.count(edge, sum.playouts(), self.tolerance(), &mut self.scratch.changed),
        }
    }

    fn tolerance(&self) -> f32 {
        self.run.context.options.dag_tolerance as f32
    }

    fn count_depth(&mut self, path: &Path, playouts: u32) {
        if path.counts_at_root() {
            let counters = &mut self.own.counters;
            counters.plies += path.depth() * u64::from(playouts);
            counters.deepest = counters.deepest.max(path.depth());
        }
    }
}
