//! Which moves some thread is searching right now: the others look at other moves first.
//!
//! Threads that share a table only find each other's results by chance, as long as all of them go through the same moves in the same
//! order. So a thread that comes to a move that another is busy with puts it off to the end; by then its value mostly stands in the
//! table. The first move of a position is never put off: what it brings decides how much work the others are, and threads that search it
//! together part further down.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use outplay_core::{Game, Move, mix};

use super::ordering::Picked;
use super::pvs::Node;
use super::worker::{Worker, table_key};
use crate::Knowledge;

/// Many more than threads and plies, so that two moves seldom want the same place; if they do, one of them is not known to be searched.
const PLACES: usize = 1 << 12;

/// The moves that are being searched.
pub(super) struct BusyMoves(Box<[AtomicU64]>);

/// A move, in its position, as it stands there.
#[derive(Clone, Copy)]
pub(super) struct BusyKey(u64);

impl BusyKey {
    /// `key` is the position's.
    #[inline]
    fn new(key: u64, m: Move) -> BusyKey {
        // Never 0, which stands for nothing.
        BusyKey(key ^ mix(u64::from(m.bits()) + 1) | 1)
    }
}

impl BusyMoves {
    pub fn new() -> BusyMoves {
        BusyMoves((0..PLACES).map(|_| AtomicU64::default()).collect())
    }

    #[inline]
    fn place(&self, busy_key: BusyKey) -> &AtomicU64 {
        &self.0[(busy_key.0 >> 32) as usize % PLACES]
    }

    #[inline]
    fn contains(&self, busy_key: BusyKey) -> bool {
        self.place(busy_key).load(Relaxed) == busy_key.0
    }

    #[inline]
    fn begin(&self, busy_key: BusyKey) {
        self.place(busy_key).store(busy_key.0, Relaxed);
    }

    #[inline]
    fn end(&self, busy_key: BusyKey) {
        if self.contains(busy_key) {
            self.place(busy_key).store(0, Relaxed);
        }
    }
}

/// A move that is put off.
#[derive(Clone, Copy)]
pub(super) struct Deferred {
    pub picked: Picked,
    /// Its number in the order of moves.
    pub number: usize,
}

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// The busy_key of a move, if threads tell each other about it: not of the first, and not where there is little to do.
    #[inline]
    pub(super) fn busy_key(&self, node: &Node<G>, m: Move, number: usize) -> Option<BusyKey> {
        let is_shared = self.shared.nodes.len() > 1
            && self.options.abdada
            && number > 1
            && node.depth >= self.options.abdada_depth
            && self.stack[node.ply].excluded.is_none();
        is_shared.then(|| BusyKey::new(table_key(node.position), m))
    }

    /// Whether another thread is searching a move.
    #[inline]
    pub(super) fn is_busy(&self, busy_key: Option<BusyKey>) -> bool {
        busy_key.is_some_and(|busy_key| self.shared.busy.contains(busy_key))
    }

    /// Tells the other threads that this one begins to search a move.
    #[inline]
    pub(super) fn begin_move(&self, busy_key: Option<BusyKey>) {
        if let Some(busy_key) = busy_key {
            self.shared.busy.begin(busy_key);
        }
    }

    /// And that it has done so.
    #[inline]
    pub(super) fn end_move(&self, busy_key: Option<BusyKey>) {
        if let Some(busy_key) = busy_key {
            self.shared.busy.end(busy_key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_under_way_from_its_beginning_to_its_end_and_no_other_is() {
        let busy = BusyMoves::new();
        let (busy_key, other) = (BusyKey::new(77, Move::new(5)), BusyKey::new(77, Move::new(6)));
        assert!(!busy.contains(busy_key));
        busy.begin(busy_key);
        assert!(busy.contains(busy_key) && !busy.contains(other));
        busy.end(other);
        assert!(busy.contains(busy_key));
        busy.end(busy_key);
        assert!(!busy.contains(busy_key));
    }
}
