//! The transposition table: what was found out about positions, shared by all threads without locks.
//!
//! A position's key leads to one bucket of four entries, which fill a cache line. An entry is two words: what is known, and
//! the key combined with it by exclusive or. A reader that sees the halves of two different entries computes a key that is not
//! its own and takes them for nothing; so no lock is needed, and a torn entry can do no harm.
//!
//! **What is replaced.** The entry of the same position, unless the new value is only a bound and that one was found in this search
//! and is worth more: certain where this one is not or, where neither is, searched more than four plies deeper. Otherwise an empty
//! entry; otherwise the one that is worth least: each search that has begun since an entry was written counts as four plies less of
//! depth. Nothing else is ever lost.

mod entry;

use std::sync::atomic::{AtomicU64, Ordering};

pub use entry::TableEntry;

use crate::Bound;
use entry::{AGES, Packed};

/// The entry of a position gives way to one of it that is shallower by no more than this.
const SHALLOWER_BY: i32 = 4;
/// How many plies of depth an entry loses with each new search.
const PLIES_PER_AGE: i32 = 4;
/// Entries of a bucket.
const WAYS: usize = 4;
/// So many buckets are looked at to tell how full the table is.
const SAMPLED_BUCKETS: usize = 250;

/// One position's entry. Both words are read and written one by one, in any order: that is what the check is for.
#[derive(Default)]
struct Slot {
    /// The key, combined with the data.
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The size in mebibytes of a table for which the system refuses the memory that was asked for.
const SMALL: usize = 16;

/// A table of fixed size.
pub struct Table {
    buckets: Box<[Bucket]>,
    /// The size that was asked for, in mebibytes.
    asked: usize,
    age: u8,
    on_large_pages: bool,
}

impl Table {
    /// An empty table of exactly so many mebibytes, and at least one; a small one if the system refuses so much memory. On large pages, the
    /// processor finds its entries more quickly; where the system has none to give, nothing is different.
    pub fn new(mebibytes: usize, on_large_pages: bool) -> Table {
        let buckets_in = |mebibytes: usize| (mebibytes.max(1) << 20) / size_of::<Bucket>();
        let mut count = buckets_in(mebibytes);
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(count).is_err() {
            count = buckets_in(SMALL);
            buckets.reserve_exact(count);
        }
        if on_large_pages {
            // Before the memory is used for the first time, or the small pages are there already.
            ask_for_large_pages(&mut buckets);
        }
        buckets.resize_with(count, Bucket::default);
        Table { buckets: buckets.into(), asked: mebibytes, age: 0, on_large_pages }
    }

    /// Whether this size in mebibytes and such pages are what it was made for.
    pub fn is_made_for(&self, mebibytes: usize, on_large_pages: bool) -> bool {
        self.asked == mebibytes && self.on_large_pages == on_large_pages
    }

    /// The size in mebibytes.
    pub fn mebibytes(&self) -> usize {
        size_of_val(&*self.buckets) >> 20
    }

    /// A new search begins: what is there stays, and is worth less.
    pub fn begin_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.age = 0;
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == key && data != 0).then(|| Packed(data).unpack())
        })
    }

    /// Notes what was found out about the position with this key. Without a move, the one that is known is kept.
    #[inline]
    pub fn store(&self, key: u64, mut found: TableEntry) {
        let slots = &self.bucket(key).0;
        let mut victim = (&slots[0], i32::MAX);
        for slot in slots {
            let data = slot.data.load(Ordering::Relaxed);
            let old = Packed(data);
            if data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key {
                let is_current = old.age() == self.age;
                let is_much_deeper = i32::from(old.depth()) > i32::from(found.depth) + SHALLOWER_BY;
                let knows_more = match (old.is_certain(), found.is_certain) {
                    (true, false) => true,
                    (_, true) => false,
                    (false, false) => is_much_deeper,
                };
                if is_current && knows_more && found.bound != Some(Bound::Exact) {
                    return;
                }
                found.best = found.best.or(old.best());
                victim.0 = slot;
                break;
            }
            let worth = match data {
                0 => i32::MIN,
                _ => {
                    let searches_ago = i32::from((self.age + AGES - old.age()) % AGES);
                    i32::from(old.depth()) - PLIES_PER_AGE * searches_ago
                }
            };
            if worth < victim.1 {
                victim = (slot, worth);
            }
        }
        let data = Packed::new(&found, self.age).0;
        victim.0.data.store(data, Ordering::Relaxed);
        victim.0.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Has the bucket of a key brought near, because it will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: every x86-64 processor has the instruction, and it only ever reads ahead.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// How many thousandths of the entries were written in this search, estimated from some of them.
    pub fn permille(&self) -> u32 {
        let sample = &self.buckets[..SAMPLED_BUCKETS.min(self.buckets.len())];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let is_current = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && Packed(data).age() == self.age
        };
        (slots.filter(is_current).count() * 1000 / (sample.len() * WAYS)) as u32
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The upper half of a product spreads keys evenly over any number of buckets.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

/// Tells the system that the room of a vector is one table, which will be read all over.
fn ask_for_large_pages<T>(room: &mut Vec<T>) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        const PAGE: usize = 4096;
        let spare = room.spare_capacity_mut();
        let (begin, bytes) = (spare.as_mut_ptr(), size_of_val(spare));
        let to_first_page = begin.addr().wrapping_neg() % PAGE;
        let whole_pages = bytes.saturating_sub(to_first_page) / PAGE * PAGE;
        // SAFETY: the pages lie within memory that this vector owns, and the advice changes none of what it holds.
        unsafe {
            libc::madvise(begin.byte_add(to_first_page.min(bytes)).cast(), whole_pages, libc::MADV_HUGEPAGE);
        }
    }
    // Miri has no system to advise.
    #[cfg(any(not(target_os = "linux"), miri))]
    let _ = room;
}

#[cfg(test)]
mod tests;
