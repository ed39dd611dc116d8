//! A search that somebody may want to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use outplay_engine::SearchHandle;
use tokio::sync::Notify;

/// Ends a search wherever it is: in the line, about to begin, or running.
#[derive(Default)]
pub struct Cancel {
    is_cancelled: AtomicBool,
    told: Notify,
    handle: Mutex<Option<SearchHandle>>,
}

impl Cancel {
    /// A search that is to be ended later, perhaps.
    pub fn new() -> Arc<Cancel> {
        Arc::new(Cancel::default())
    }

    /// Ends it.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::SeqCst);
        self.told.notify_one();
        self.stop_running();
    }

    /// Whether it is to end.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }

    /// Ends the present run only.
    pub fn stop_running(&self) {
        if let Some(handle) = &*self.handle.lock().unwrap_or_else(PoisonError::into_inner) {
            handle.stop();
        }
    }

    /// Waits until it is to end. One task may wait.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            self.told.notified().await;
        }
    }

    /// The search has begun; it ends at once if it was to end before it began.
    pub fn attach(&self, handle: SearchHandle) {
        *self.handle.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle);
        if self.is_cancelled() {
            self.stop_running();
        }
    }

    /// The search has ended.
    pub fn detach(&self) {
        *self.handle.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Cancels a search when whoever wanted it is gone.
pub struct CancelOnDrop(pub Arc<Cancel>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
