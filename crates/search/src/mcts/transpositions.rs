//! Where a position is found again that was reached by other moves.

use std::sync::RwLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use outplay_core::mix;

/// Slots to begin with, if the table may grow.
const FEW: usize = 1 << 12;
const SLOT_BYTES: u64 = size_of::<AtomicU64>() as u64;

/// A hash table from keys to indices, for many threads at once. A slot holds the upper half of a mixed key and an index; who asks says
/// whether the index is really that of the key. Nothing is taken out but all at once.
pub(super) struct Transpositions {
    slots: RwLock<Box<[AtomicU64]>>,
    /// Slots in use.
    used: AtomicU64,
    /// Whether it takes more memory when it fills up.
    grows: bool,
}

/// What came of asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// It was there.
    Old(u32),
    /// It has just been made.
    New(u32),
    /// It could not be made.
    Nothing,
}

impl Transpositions {
    /// An empty table: of at most so many bytes, or one that grows.
    pub fn new(most_bytes: Option<u64>) -> Transpositions {
        let slots = match most_bytes {
            // The largest power of two that fits.
            Some(bytes) => 1 << (bytes / SLOT_BYTES).max(2).ilog2(),
            None => FEW,
        };
        Transpositions {
            slots: RwLock::new(empty(slots)),
            used: AtomicU64::new(0),
            grows: most_bytes.is_none(),
        }
    }

    /// Bytes taken from the system.
    pub fn bytes(&self) -> u64 {
        self.slots.read().map_or(0, |slots| slots.len() as u64 * SLOT_BYTES)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self.used.get_mut() = 0;
        if let Ok(slots) = self.slots.get_mut() {
            slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
        }
    }

    /// The index of a key, or a new one, which `make` makes and which is never 0. In a table that is full and does not grow, a new one
    /// is made and not noted.
    pub fn find_or_make(
        &self,
        key: u64,
        is_it: impl Fn(u32) -> bool,
        mut make: impl FnMut() -> Option<u32>,
    ) -> Found {
        let mut made = None;
        {
            let Ok(slots) = self.slots.read() else { return Found::Nothing };
            let is_full = self.used.load(Relaxed) * 4 > slots.len() as u64 * 3;
            let tag = mix(key) >> 32;
            for place in probe(tag, slots.len()) {
                let mut slot = slots[place].load(Acquire);
                if slot == 0 {
                    let Some(index) = made.or_else(&mut make) else { return Found::Nothing };
                    made = Some(index);
                    if is_full && !self.grows {
                        break;
                    }
                    match slots[place].compare_exchange(0, tag << 32 | u64::from(index), AcqRel, Acquire) {
                        Ok(_) => {
                            self.used.fetch_add(1, Relaxed);
                            break;
                        }
                        // Another thread was quicker.
                        Err(other) => slot = other,
                    }
                }
                if slot >> 32 == tag && is_it(slot as u32) {
                    return Found::Old(slot as u32);
                }
            }
        }
        if self.grows {
            self.grow();
        }
        made.map_or(Found::Nothing, Found::New)
    }

    /// Takes twice the memory if more than half of it is in use.
    fn grow(&self) {
        let half = |slots: &[AtomicU64]| self.used.load(Relaxed) * 2 > slots.len() as u64;
        if !self.slots.read().is_ok_and(|slots| half(&slots)) {
            return;
        }
        let Ok(mut slots) = self.slots.write() else { return };
        // Another thread may have been quicker.
        if half(&slots) {
            let larger = empty(2 * slots.len());
            for slot in slots.iter().map(|slot| slot.load(Relaxed)).filter(|&slot| slot != 0) {
                let mut places = probe(slot >> 32, larger.len());
                if let Some(place) = places.find(|&place| larger[place].load(Relaxed) == 0) {
                    larger[place].store(slot, Relaxed);
                }
            }
            *slots = larger;
        }
    }
}

fn empty(slots: usize) -> Box<[AtomicU64]> {
    (0..slots).map(|_| AtomicU64::new(0)).collect()
}

/// The places to look at for a key with this upper half, in a table whose size is a power of two.
fn probe(tag: u64, slots: usize) -> impl Iterator<Item = usize> {
    // Only the upper half decides, so that the table can grow without the keys.
    (0..slots).map(move |step| (tag as usize + step) & (slots - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_made_once_and_found_again_by_all_threads() {
        for most_bytes in [None, Some(1 << 16)] {
            let table = Transpositions::new(most_bytes);
            let made = AtomicU64::new(0);
            std::thread::scope(|scope| {
                for thread in 0..3 {
                    let (table, made) = (&table, &made);
                    scope.spawn(move || {
                        for step in 1..5_000u32 {
                            let index = if thread == 0 { 5_000 - step } else { step };
                            let found =
                                table.find_or_make(index.into(), |found| found == index, || Some(index));
                            assert!(matches!(found, Found::Old(found) | Found::New(found) if found == index));
                            made.fetch_add(u64::from(found == Found::New(index)), Relaxed);
                        }
                    });
                }
            });
            assert_eq!(made.load(Relaxed), 4_999, "{most_bytes:?}");
        }
    }

    #[test]
    fn a_full_table_stays_as_large_as_it_is() {
        let table = Transpositions::new(Some(1_000));
        for index in 1..1_000 {
            assert_eq!(
                table.find_or_make(index.into(), |found| found == index, || Some(index)),
                Found::New(index)
            );
        }
        assert!(table.bytes() <= 1_000);
        assert_eq!(table.find_or_make(1, |found| found == 1, || None), Found::Old(1));
        assert_eq!(table.find_or_make(999, |found| found == 999, || None), Found::Nothing);
    }
}
