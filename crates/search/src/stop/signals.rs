//! What is said to a search while it runs: stop, and "the opponent played the move you ponder on".

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Shared between a running search and whoever started it.
///
/// `stop` is read on hot paths, relaxed: nothing is published through it, and a few nodes more do no harm. What
/// has to be waited for stands behind the mutex.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: Mutex<Pondering>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
enum Pondering {
    #[default]
    No,
    Yes,
    HitAt(Instant),
}

impl Signals {
    /// Signals for a search that ponders, or one that does not.
    pub fn new(pondering: bool) -> Signals {
        let pondering = Mutex::new(if pondering { Pondering::Yes } else { Pondering::No });
        Signals { pondering, ..Signals::default() }
    }

    /// Tells the search to stop as soon as it can.
    pub fn stop(&self) {
        let _state = self.pondering.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search was told to stop.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The expected move was played: from now on, the search runs on its own time.
    pub fn ponder_hit(&self) {
        let mut state = self.pondering.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, Pondering::Yes) {
            *state = Pondering::HitAt(Instant::now());
        }
        self.changed.notify_all();
    }

    /// When the search's own time began, given when the search did; `None` while it still ponders.
    pub fn own_time_since(&self, begun: Instant) -> Option<Instant> {
        match *self.pondering.lock().unwrap_or_else(PoisonError::into_inner) {
            Pondering::No => Some(begun),
            Pondering::Yes => None,
            Pondering::HitAt(hit) => Some(hit),
        }
    }

    /// Whether the search may answer: an endless search once it is told to stop, one that ponders also once the expected
    /// move was played.
    pub fn answer_is_due(&self, endless: bool) -> bool {
        self.is_due(endless, *self.pondering.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the search may answer.
    pub fn wait_until_answer_is_due(&self, endless: bool) {
        let mut state = self.pondering.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_due(endless, *state) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn is_due(&self, endless: bool, state: Pondering) -> bool {
        self.stopped() || !(endless || matches!(state, Pondering::Yes))
    }
}
