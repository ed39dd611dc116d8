//! What a proof-number search remembers, in so many bytes and no more.

use super::Numbers;

/// Positions that a key can be kept among.
const BUCKET: usize = 4;

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// About how many positions were looked at to find that out; 0 for an empty entry.
    work: u32,
}

const EMPTY: Entry = Entry { key: 0, numbers: Numbers { proof: 1, disproof: 1 }, work: 0 };

/// A table of proof and disproof numbers. When it is full, what has cost least is forgotten.
pub struct ProofTable {
    entries: Vec<Entry>,
}

impl ProofTable {
    /// A table of so many mebibytes.
    pub fn new(mebibytes: usize) -> ProofTable {
        let bytes = mebibytes.max(1) << 20;
        let buckets = (bytes / (BUCKET * size_of::<Entry>())).max(1);
        ProofTable { entries: vec![EMPTY; buckets * BUCKET] }
    }

    /// A table with room for so many positions; for tests of what is forgotten.
    pub fn with_room_for(positions: usize) -> ProofTable {
        ProofTable { entries: vec![EMPTY; positions.div_ceil(BUCKET).max(1) * BUCKET] }
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let buckets = (self.entries.len() / BUCKET) as u128;
        let bucket = ((u128::from(key) * buckets) >> 64) as usize;
        bucket * BUCKET..(bucket + 1) * BUCKET
    }

    pub(super) fn get(&self, key: u64) -> Option<Numbers> {
        let bucket = &self.entries[self.bucket(key)];
        bucket.iter().find(|entry| entry.work > 0 && entry.key == key).map(|entry| entry.numbers)
    }

    pub(super) fn put(&mut self, key: u64, numbers: Numbers, work: u64) {
        let range = self.bucket(key);
        let bucket = &mut self.entries[range];
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        if let Some(entry) = bucket.iter_mut().find(|entry| entry.work > 0 && entry.key == key) {
            *entry = Entry { key, numbers, work: entry.work.saturating_add(work) };
            return;
        }
        if let Some(cheapest) = bucket.iter_mut().min_by_key(|entry| entry.work) {
            *cheapest = Entry { key, numbers, work };
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }
}
