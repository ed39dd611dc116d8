//! How much memory searches may hold on to while they wait for their next turn at the cores.
//!
//! What runs is bounded by the number of cores, and what waits for its first turn has no memory yet. In between are analyses that made
//! room for others: each would keep its table, and clients may have many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who holds how much.
pub struct Memory {
    /// Mebibytes by client; who holds nothing has no entry.
    held: Mutex<HashMap<u64, i64>>,
    per_client: i64,
    in_all: i64,
}

/// Memory that is held; given back when this is dropped.
pub struct Hold {
    memory: Arc<Memory>,
    client: u64,
    mebibytes: i64,
}

impl Memory {
    /// So many mebibytes for each client, and for all of them together.
    pub fn new(per_client: i64, in_all: i64) -> Arc<Memory> {
        Arc::new(Memory { held: Mutex::default(), per_client, in_all })
    }

    /// Holds on to some memory, if there is room for it.
    pub fn hold(self: &Arc<Memory>, client: u64, mebibytes: i64) -> Option<Hold> {
        let mut held = self.lock();
        let own = held.get(&client).copied().unwrap_or(0) + mebibytes;
        if own > self.per_client || held.values().sum::<i64>() + mebibytes > self.in_all {
            return None;
        }
        held.insert(client, own);
        Some(Hold { memory: self.clone(), client, mebibytes })
    }

    /// Mebibytes that are held by all clients.
    pub fn held(&self) -> i64 {
        self.lock().values().sum()
    }

    /// Nothing panics while it holds the lock, so what a poisoned one guards is sound.
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, i64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut held = self.memory.lock();
        if let Some(own) = held.get_mut(&self.client) {
            *own -= self.mebibytes;
            if *own <= 0 {
                held.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_and_all_together_hold_so_much_and_no_more() {
        let memory = Memory::new(100, 150);
        let first = memory.hold(1, 60).expect("room");
        assert!(memory.hold(1, 41).is_none(), "more than a client's share");
        let second = memory.hold(1, 40).expect("just its share");
        assert!(memory.hold(2, 51).is_none(), "more than there is");
        let other = memory.hold(2, 50).expect("all that is left");
        drop(first);
        assert!(memory.hold(2, 51).is_none(), "more than a client's share");
        let again = memory.hold(2, 50).expect("what was given back");
        drop((second, other, again));
        assert_eq!(memory.held(), 0);
        assert!(memory.lock().is_empty(), "who holds nothing is forgotten");
    }
}
