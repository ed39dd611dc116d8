//! What is known of positions that were judged a moment ago.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many positions are remembered: 128 KB, so that asking is quick.
const ENTRIES: usize = 1 << 14;
/// The bits of a value. Above it in a word stands what is above it in the key; the bits below lead to the entry.
const VALUE_BITS: u32 = 16;

/// A table of judged positions, which several threads may use at once: an entry is one word, which is never seen half written.
pub(super) struct Judged(Box<[AtomicU64]>);

impl Judged {
    pub fn new() -> Judged {
        Judged((0..ENTRIES).map(|_| AtomicU64::default()).collect())
    }

    /// The value of the position with this key; `judge` finds it where it is not known.
    #[inline(always)]
    pub fn get_or(&self, key: u64, judge: impl FnOnce() -> i32) -> i32 {
        let entry = &self.0[key as usize % ENTRIES];
        let known = entry.load(Relaxed);
        // An entry that was never written belongs to a key of zeros, which no position has.
        if (known ^ key) >> VALUE_BITS == 0 && known != 0 {
            return i32::from(known as i16);
        }
        let value = judge();
        entry.store(key >> VALUE_BITS << VALUE_BITS | u64::from(value as i16 as u16), Relaxed);
        value
    }
}
