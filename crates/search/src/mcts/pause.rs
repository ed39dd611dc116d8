//! A moment in which only one thread touches the tree.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use outplay_core::Game;

use super::threads::Shared;

/// Where threads wait while one of them recycles nodes.
#[derive(Default)]
pub(super) struct Pause {
    /// How many threads are waiting.
    waiting: Mutex<usize>,
    changed: Condvar,
}

/// The end of a search is not announced here: who waits looks for it now and then.
const LOOK_EVERY: Duration = Duration::from_millis(1);

impl<G: Game> Shared<'_, G> {
    /// Whether all threads are to wait until there is room.
    pub fn wants_pause(&self) -> bool {
        self.run.context.options.ram_limit_recycles && self.run.signs.full.load(Relaxed)
    }

    /// Waits, between batches and without an allocator, until there is room or the search ends.
    pub fn wait(&self) {
        let Ok(mut waiting) = self.pause.waiting.lock() else { return };
        *waiting += 1;
        self.pause.changed.notify_all();
        while self.run.signs.full.load(Relaxed) && !self.stop.load(Relaxed) {
            match self.pause.changed.wait_timeout(waiting, LOOK_EVERY) {
                Ok((held, _)) => waiting = held,
                Err(_) => return,
            }
        }
        *waiting -= 1;
    }

    /// Recycles nodes as soon as all other threads wait; false if that cannot be done. For one thread, between batches and without an allocator.
    pub fn recycle(&self) -> bool {
        let others = self.run.context.options.threads - 1;
        let Ok(mut waiting) = self.pause.waiting.lock() else { return false };
        while *waiting < others {
            if self.stop.load(Relaxed) {
                // Another thread has ended.
                return false;
            }
            match self.pause.changed.wait_timeout(waiting, LOOK_EVERY) {
                Ok((held, _)) => waiting = held,
                Err(_) => return false,
            }
        }
        // Nobody stops waiting before the lock is given back.
        let has_room = self.run.tree.recycle(&self.roots);
        self.run.signs.full.store(false, Relaxed);
        self.pause.changed.notify_all();
        has_room
    }
}
