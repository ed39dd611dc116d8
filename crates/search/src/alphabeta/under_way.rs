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
use crate::Evaluator;

/// Many more than threads and plies, so that two moves seldom want the same place; if they do, one of them is not known to be searched.
const PLACES: usize = 1 << 12;

/// The moves that are being searched.
pub(super) struct UnderWay(Box<[AtomicU64]>);

/// A move, in its position, as it stands there.
#[derive(Clone, Copy)]
pub(super) struct Mark(u64);

impl Mark {
    /// `key` is the position's.
    #[inline]
    fn new(key: u64, m: Move) -> Mark {
        // Never 0, which stands for nothing.
        Mark(key ^ mix(u64::from(m.bits()) + 1) | 1)
    }
}

impl UnderWay {
    pub fn new() -> UnderWay {
        UnderWay((0..PLACES).map(|_| AtomicU64::default()).collect())
    }

    #[inline]
    fn place(&self, mark: Mark) -> &AtomicU64 {
        &self.0[(mark.0 >> 32) as usize % PLACES]
    }

    #[inline]
    fn contains(&self, mark: Mark) -> bool {
        self.place(mark).load(Relaxed) == mark.0
    }

    #[inline]
    fn begin(&self, mark: Mark) {
        self.place(mark).store(mark.0, Relaxed);
    }

    #[inline]
    fn end(&self, mark: Mark) {
        if self.contains(mark) {
            self.place(mark).store(0, Relaxed);
        }
    }
}

/// A move that is put off.
#[derive(Clone, Copy)]
pub(super) struct PutOff {
    pub picked: Picked,
    /// Its number in the order of moves.
    pub number: usize,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, '_, G, E> {
    /// The mark of a move, if threads tell each other about it: not of the first, and not where there is little to do.
    #[inline]
    pub(super) fn mark(&self, node: &Node<G>, m: Move, number: usize) -> Option<Mark> {
        let is_shared = self.shared.nodes.len() > 1
            && self.options.put_off
            && number > 1
            && node.depth >= self.options.put_off_depth
            && self.frames[node.ply].excluded.is_none();
        is_shared.then(|| Mark::new(table_key(node.position), m))
    }

    /// Whether another thread is searching a move.
    #[inline]
    pub(super) fn is_under_way(&self, mark: Option<Mark>) -> bool {
        mark.is_some_and(|mark| self.shared.under_way.contains(mark))
    }

    /// Tells the other threads that this one begins to search a move.
    #[inline]
    pub(super) fn begin_move(&self, mark: Option<Mark>) {
        if let Some(mark) = mark {
            self.shared.under_way.begin(mark);
        }
    }

    /// And that it has done so.
    #[inline]
    pub(super) fn end_move(&self, mark: Option<Mark>) {
        if let Some(mark) = mark {
            self.shared.under_way.end(mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_under_way_from_its_beginning_to_its_end_and_no_other_is() {
        let under_way = UnderWay::new();
        let (mark, other) = (Mark::new(77, Move::new(5)), Mark::new(77, Move::new(6)));
        assert!(!under_way.contains(mark));
        under_way.begin(mark);
        assert!(under_way.contains(mark) && !under_way.contains(other));
        under_way.end(other);
        assert!(under_way.contains(mark));
        under_way.end(mark);
        assert!(!under_way.contains(mark));
    }
}
