//! Leaves that were judged before: the worker's side of the position cache.

use std::sync::atomic::Ordering;

use outplay_core::Game;

use super::Worker;
use crate::CacheUse;
use crate::mcts::cache::Cache;
use crate::mcts::evaluate::{Leaf, LeftOut};
use crate::mcts::shared::Flight;

impl<G: Game> Worker<'_, G> {
    /// The leaf after the batch joins it, unless it was judged before: then it is backed up at once or, if results have to keep their order,
    /// with the batch but without being judged again.
    pub(super) fn add_leaf_through(&mut self, cache: &Cache) {
        if !self.recall(cache) {
            self.gathered += 1;
        } else if self.shared.options.out_of_order_eval {
            let (leaves, flights) = (std::mem::take(&mut self.leaves), std::mem::take(&mut self.flights));
            self.receive(&leaves[self.gathered], &flights[self.gathered]);
            (self.leaves, self.flights) = (leaves, flights);
            self.settled += 1;
            self.recalled += 1;
        } else {
            self.leaves.swap(self.known, self.gathered);
            self.flights.swap(self.known, self.gathered);
            self.known += 1;
            self.gathered += 1;
        }
    }

    /// Tells the leaf after the batch what was said of its position, if that is known.
    fn recall(&mut self, cache: &Cache) -> bool {
        let leaf = &mut self.leaves[self.gathered];
        let Some(key) = self.shared.evaluator.cache_key(&leaf.position) else { return false };
        let is_hit = cache.recall(key, leaf);
        self.cache_use.lookups += 1;
        self.cache_use.hits += u64::from(is_hit);
        is_hit
    }

    /// A leaf that has just been judged goes into the tree, and its judgement into the cache, if that is all there is to say. Of the root perhaps
    /// not all moves were looked at.
    pub(super) fn receive_judged(&mut self, leaf: &Leaf<G>, flight: &Flight) {
        if let Some(cache) = self.shared.cache
            && !leaf.is_root
            && leaf.certain.is_none()
            && leaf.left_out == LeftOut::Nothing
            && leaf.logits.len() == leaf.moves.len()
            && let Some(key) = self.shared.evaluator.cache_key(&leaf.position)
        {
            cache.remember(key, leaf);
        }
        self.receive(leaf, flight);
    }

    /// How many more playouts may be sent for a batch of this size, because leaves that were known have left room in it; `None` if no more.
    pub(super) fn room_in_batch(&self, size: u64) -> Option<u64> {
        let most = (self.shared.options.max_out_of_order_evals_factor * size as f64).max(1.0) as u64;
        let room = (size + u64::from(self.recalled)).saturating_sub(u64::from(self.ended()));
        let more = room.min(most.saturating_sub(u64::from(self.recalled)));
        (self.recalled > 0 && more > 0).then_some(more)
    }

    /// Adds what was counted since the last time to what all threads have counted.
    pub(super) fn count_cache_use(&mut self) {
        let CacheUse { lookups, hits } = std::mem::take(&mut self.cache_use);
        self.shared.cache_lookups.fetch_add(lookups, Ordering::Relaxed);
        self.shared.cache_hits.fetch_add(hits, Ordering::Relaxed);
    }
}
