//! The last iteration that some thread has finished: the others need not finish theirs.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::root::Root;

/// What the threads of a search know together.
#[derive(Default)]
pub(super) struct Finished {
    depth: AtomicI32,
    // With whether anything at the horizon was seen.
    root: Mutex<(Root, bool)>,
}

impl Finished {
    /// Its depth; 0 before the first.
    #[inline]
    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// An iteration is finished; if it is the first so deep, the others will take it.
    pub fn tell(&self, root: &Root, horizon_seen: bool) {
        let mut last = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        if root.depth > last.0.depth {
            *last = (root.clone(), horizon_seen);
            self.depth.store(root.depth, Ordering::Relaxed);
        }
    }

    /// What was finished, if it is at least so deep.
    pub fn since(&self, depth: i32) -> Option<(Root, bool)> {
        let last = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        (last.0.depth >= depth).then(|| last.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_iteration_is_kept_and_given_to_those_who_are_not_so_far() {
        let finished = Finished::default();
        let root = |depth| Root { depth, ..Root::default() };
        assert!(finished.since(1).is_none());
        finished.tell(&root(3), true);
        finished.tell(&root(2), false);
        assert_eq!(finished.depth(), 3);
        assert!(finished.since(2).is_some_and(|(root, horizon_seen)| root.depth == 3 && horizon_seen));
        assert!(finished.since(4).is_none());
    }
}
