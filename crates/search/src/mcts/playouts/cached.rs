//! Leaves that were evaluated before: the cache of positions.

use outplay_core::Game;

use super::Playouts;
use crate::mcts::cache::Cache;
use crate::mcts::evaluate::{Leaf, LeftOut};

impl<G: Game> Playouts<'_, G> {
    /// The leaf that was written joins the batch, unless it was evaluated before: then it is backed up at once or, if results have to keep their
    /// order, with the batch but without being evaluated again.
    pub(super) fn keep_leaf_unless_known(&mut self, cache: &Cache) {
        if !self.recall(cache) {
            self.batch.keep();
        } else if self.run.context.options.out_of_order_eval {
            let number = self.batch.len();
            let new = std::mem::take(&mut self.batch.new);
            self.receive(&new.leaves[number], &new.pending[number]);
            if self.run.tree.is_alone() {
                self.finish_backups();
            }
            self.batch.new = new;
            self.batch.gathered.terminal += 1;
            self.batch.gathered.recalled += 1;
        } else {
            self.batch.keep_as_cached();
        }
    }

    /// Tells the leaf that was written what was said of its position, if that is known.
    fn recall(&mut self, cache: &Cache) -> bool {
        let leaf = self.batch.written();
        let Some(key) = self.run.context.evaluator.cache_key(leaf) else { return false };
        let is_hit = cache.recall(key, leaf);
        let counted = &mut self.own.counters.cache;
        counted.lookups += 1;
        counted.hits += u64::from(is_hit);
        is_hit
    }

    /// What was said of a leaf goes into the cache, if that is all there is to say. Of the root perhaps not all moves were looked at.
    pub(super) fn keep_in_cache(&mut self, leaf: &Leaf<G>) {
        if let Some(cache) = self.run.context.cache
            && !leaf.is_root
            && leaf.certain.is_none()
            && leaf.left_out == LeftOut::Nothing
            && leaf.logits.len() == leaf.moves.len()
            && let Some(key) = self.run.context.evaluator.cache_key(leaf)
        {
            cache.remember(key, leaf);
        }
    }

    /// How many more playouts may be sent for a batch of this size, because leaves that were known have left room in it; `None` if no more.
    pub(super) fn room_in_batch(&self, size: u64) -> Option<u64> {
        let recalled = u64::from(self.batch.gathered.recalled);
        let most = (self.run.context.options.max_out_of_order_evals_factor * size as f64).max(1.0) as u64;
        let room = (size + recalled).saturating_sub(u64::from(self.batch.gathered.counted()));
        let more = room.min(most.saturating_sub(recalled));
        (recalled > 0 && more > 0).then_some(more)
    }
}
