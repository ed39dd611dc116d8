//! Where a position is found again that was reached by other moves.

use std::sync::RwLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use outplay_core::mix;

use super::counters::Padded;
use super::release::release;

/// Slots of a part to begin with.
const FEW: usize = 1 << 6;
/// So many parts, if there are enough slots for them: more than threads, so that they seldom meet.
const MOST_PARTS: usize = 64;
/// A part that may have so many slots is about as full as all the others.
const LEAST_PART: usize = 1 << 12;
const SLOT_BYTES: u64 = size_of::<AtomicU64>() as u64;

/// A hash table from keys to indices, for many threads at once. A slot holds the upper half of a mixed key and an index; who asks says
/// whether the index is really that of the key. It takes more memory as it fills up, until it has as much as it may have.
///
/// Tables of more than a few slots are cut into parts, by the key, with a lock each that is only held alone while the part grows.
pub(super) struct Transpositions {
    parts: Box<[Padded<Part>]>,
}

struct Part {
    slots: RwLock<Box<[AtomicU64]>>,
    /// Slots in use.
    used: AtomicU64,
    /// Slots to begin with.
    few: usize,
    /// As many slots as it may have.
    most: usize,
}

/// What came of asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lookup {
    /// It was there.
    Old(u32),
    /// It has just been made.
    New(u32),
    /// It could not be made.
    Nothing,
}

impl Transpositions {
    /// An empty table that never takes more than so many bytes.
    pub fn new(most_bytes: Option<u64>) -> Transpositions {
        // The largest power of two that fits.
        let most = most_bytes.map_or(usize::MAX, |bytes| 1 << (bytes / SLOT_BYTES).max(2).ilog2());
        let parts = (most / LEAST_PART).clamp(1, MOST_PARTS);
        let new_part = |_| Padded(Part::new(FEW.min(most / parts), most / parts));
        Transpositions { parts: (0..parts).map(new_part).collect() }
    }

    /// An empty table for one of many small graphs, each of which belongs to one thread.
    pub fn small() -> Transpositions {
        Transpositions { parts: Box::new([Padded(Part::new(FEW, usize::MAX))]) }
    }

    /// Bytes taken from the system.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|Padded(part)| part.bytes()).sum()
    }

    /// Forgets everything, and gives most of the memory back: emptying a large table would take longer than letting a small one grow.
    pub fn clear(&mut self) {
        self.parts.iter_mut().for_each(|Padded(part)| part.clear());
    }

    /// Forgets the indices that are not to be kept, in the memory that it has. One thread at a time.
    pub fn retain(&self, keep: impl Fn(u32) -> bool) {
        self.parts.iter().for_each(|Padded(part)| part.retain(&keep));
    }

    /// The index of a key, or a new one, which `make` makes and which is never 0. In a table that is full and may not grow, a new one
    /// is made and not noted.
    pub fn find_or_make(
        &self,
        key: u64,
        is_it: impl Fn(u32) -> bool,
        make: impl FnMut() -> Option<u32>,
    ) -> Lookup {
        let mixed = mix(key);
        // The upper half says where in its part a key stands.
        let Padded(part) = &self.parts[mixed as u32 as usize % self.parts.len()];
        part.find_or_make(mixed >> 32, is_it, make)
    }
}

impl Part {
    fn new(few: usize, most: usize) -> Part {
        Part { slots: RwLock::new(empty(few)), used: AtomicU64::new(0), few, most }
    }

    fn bytes(&self) -> u64 {
        self.slots.read().map_or(0, |slots| slots.len() as u64 * SLOT_BYTES)
    }

    fn clear(&mut self) {
        *self.used.get_mut() = 0;
        let Ok(slots) = self.slots.get_mut() else { return };
        if slots.len() <= self.few {
            return slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
        }
        let old = std::mem::replace(slots, empty(self.few));
        let bytes = size_of_val(&*old) as u64;
        release(old, bytes);
    }

    fn retain(&self, keep: impl Fn(u32) -> bool) {
        let Ok(slots) = self.slots.write() else { return };
        for slot in slots.iter().filter(|slot| !keep(slot.load(Relaxed) as u32)) {
            slot.store(0, Relaxed);
        }
        // Where nothing is missing, everything is in its place.
        let Some(gap) = slots.iter().position(|slot| slot.load(Relaxed) == 0) else { return };
        let mut used = 0;
        // No search goes past a gap that was there before, so that nothing moves further back.
        for step in 1..slots.len() {
            let slot = slots[(gap + step) & (slots.len() - 1)].swap(0, Relaxed);
            if slot != 0 {
                put(slot, &slots);
                used += 1;
            }
        }
        self.used.store(used, Relaxed);
    }

    fn find_or_make(
        &self,
        tag: u64,
        is_it: impl Fn(u32) -> bool,
        mut make: impl FnMut() -> Option<u32>,
    ) -> Lookup {
        let (mut made, is_small);
        {
            let Ok(slots) = self.slots.read() else { return Lookup::Nothing };
            let used = self.used.load(Relaxed);
            let is_full = used * 4 > slots.len() as u64 * 3;
            (made, is_small) = (None, self.is_small(used + 1, slots.len()));
            for place in probe(tag, slots.len()) {
                let mut slot = slots[place].load(Acquire);
                if slot == 0 {
                    let Some(index) = made.or_else(&mut make) else { return Lookup::Nothing };
                    made = Some(index);
                    if is_full && slots.len() >= self.most {
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
                    return Lookup::Old(slot as u32);
                }
            }
        }
        if is_small {
            self.grow();
        }
        made.map_or(Lookup::Nothing, Lookup::New)
    }

    /// Whether a table of so many slots should have more: more than half of them are in use.
    fn is_small(&self, used: u64, slots: usize) -> bool {
        slots < self.most && used * 2 > slots as u64
    }

    /// Takes twice the memory, unless another thread was quicker.
    fn grow(&self) {
        let Ok(mut slots) = self.slots.write() else { return };
        if self.is_small(self.used.load(Relaxed), slots.len()) {
            let larger = empty(2 * slots.len());
            let old = slots.iter().map(|slot| slot.load(Relaxed));
            old.filter(|&slot| slot != 0).for_each(|slot| put(slot, &larger));
            *slots = larger;
        }
    }
}

/// Puts a slot into the first place that is free for it. One thread at a time.
fn put(slot: u64, slots: &[AtomicU64]) {
    let mut places = probe(slot >> 32, slots.len());
    if let Some(place) = places.find(|&place| slots[place].load(Relaxed) == 0) {
        slots[place].store(slot, Relaxed);
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
                            assert!(
                                matches!(found, Lookup::Old(found) | Lookup::New(found) if found == index)
                            );
                            made.fetch_add(u64::from(found == Lookup::New(index)), Relaxed);
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
                Lookup::New(index)
            );
        }
        assert!(table.bytes() <= 1_000);
        assert_eq!(table.find_or_make(1, |found| found == 1, || None), Lookup::Old(1));
        assert_eq!(table.find_or_make(999, |found| found == 999, || None), Lookup::Nothing);
    }

    #[test]
    fn what_is_kept_is_found_again_and_nothing_else() {
        // Nearly full, so that there are long runs to be put in order.
        for (slots, keys) in [(64, 48), (4096, 3000), (8, 6)] {
            let table = Transpositions::new(Some(slots * SLOT_BYTES));
            for index in 1..=keys {
                table.find_or_make(index.into(), |found| found == index, || Some(index));
            }
            table.retain(|index| index % 3 != 0);
            for index in 1..=keys {
                let expected = if index % 3 == 0 { Lookup::Nothing } else { Lookup::Old(index) };
                assert_eq!(table.find_or_make(index.into(), |found| found == index, || None), expected);
            }
            let used = table.parts.iter().map(|Padded(part)| part.used.load(Relaxed));
            assert_eq!(used.sum::<u64>(), u64::from(keys - keys / 3));
        }
    }
}
