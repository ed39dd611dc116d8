//! The memory of a tree: words in chunks, taken in order and given back all at once.
//!
//! Everything in a tree is made of 64-bit words with indices of 32 bits, so that a link costs four bytes, nothing moves, and a
//! tree can be written to disk as it is. The upper half of an index is the number of a chunk, the lower half a place in it. Memory is taken from the
//! system chunk by chunk, never beyond the limit; forgetting a tree of any size is setting one counter to 0.
//!
//! An arena for one of many small trees has chunks that begin small, from a [pool](super::pool) to which they are given back, and a table of chunks that is
//! made longer between two batches.
//!
//! An arena that is recycled has a bit for each word. When it is full and somebody has marked what is still needed, words are
//! taken from the beginning again, wherever none is marked.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::counters::Padded;
use super::marks::Marks;
use super::pool::{Chunk, TreePool, chunk_bytes, growing_chunk_words, new_chunk};
use super::release::release;

/// Words in the largest chunks: half a mebibyte.
const CHUNK: usize = 1 << 16;
const CHUNK_BYTES: u64 = (CHUNK * size_of::<AtomicU64>()) as u64;
/// As many chunks as indices of 32 bits reach.
const MOST_CHUNKS: usize = (1 << 16) - 1;
/// Words that a thread takes at once, so that threads seldom meet.
const SLAB: u64 = 1 << 11;
/// Ticks in the time in which as many words are taken as there are.
const TICKS: u64 = 16;
/// Chunks that an arena from a pool can have at first; it has room for half as many whenever a batch begins.
const FEW_CHUNKS: usize = 8;

/// Words that many threads read and write.
pub(super) struct Arena {
    chunks: Vec<OnceLock<Chunk>>,
    /// The first word that nobody may take.
    end: u64,
    /// The words that are still needed, as of the last time that nodes were recycled; none in an arena that is not recycled.
    live: Option<Marks>,
    /// Where chunks come from, and how large they are, if they begin small.
    pool: Option<Arc<TreePool>>,
    /// What threads write while others look words up.
    taking: Padded<Taking>,
}

/// How far words were taken.
struct Taking {
    /// The first word that nobody has taken.
    next: AtomicU64,
    /// What `next` was before nodes were recycled.
    reached: AtomicU64,
    /// Words taken since the arena was empty, again and again the same ones.
    taken: AtomicU64,
    /// The most words that could not be had side by side since nodes were recycled.
    refused: AtomicU32,
}

impl Default for Taking {
    /// The first word is never taken, so that index 0 can mean "none".
    fn default() -> Taking {
        let (next, reached, taken) = (AtomicU64::new(1), AtomicU64::new(0), AtomicU64::new(0));
        Taking { next, reached, taken, refused: AtomicU32::new(0) }
    }
}

/// A thread's way to new words.
#[derive(Default)]
pub(super) struct Allocator {
    next: u32,
    end: u32,
}

impl Arena {
    /// An empty arena that never holds more than so many bytes; `None` for as many as indices reach. Whether it is recycled when it is full
    /// makes a difference only if there is a limit.
    pub fn new(limit: Option<u64>, is_recycled: bool) -> Arena {
        let chunks = limit.map_or(MOST_CHUNKS, |bytes| {
            // A bit for each word.
            let of_marks = if is_recycled { bytes / 65 } else { 0 };
            ((bytes - of_marks) / CHUNK_BYTES).clamp(1, MOST_CHUNKS as u64) as usize
        });
        let end = (chunks * CHUNK) as u64;
        let live = (is_recycled && limit.is_some()).then(|| Marks::new(end));
        Arena { chunks: empty_table(chunks), end, live, pool: None, taking: Padded::default() }
    }

    /// An empty arena for one of many small trees.
    pub fn from_pool(pool: Arc<TreePool>) -> Arena {
        let (chunks, end) = (empty_table(FEW_CHUNKS), (FEW_CHUNKS * CHUNK) as u64);
        Arena { chunks, end, live: None, pool: Some(pool), taking: Padded::default() }
    }

    /// An empty arena with memory from the same pool; `None` if this one has none.
    pub fn another(&self) -> Option<Arena> {
        self.pool.clone().map(Arena::from_pool)
    }

    /// Whether both have their memory from one pool.
    pub fn shares_pool(&self, other: &Arena) -> bool {
        self.pool.as_ref().zip(other.pool.as_ref()).is_some_and(|(one, other)| Arc::ptr_eq(one, other))
    }

    /// Makes sure that an arena from a pool can have as many chunks more as a batch may need; whether it can have more now than before.
    pub fn lengthen_table(&mut self) -> bool {
        let used = self.used().div_ceil(CHUNK as u64) as usize;
        let longer = (2 * self.chunks.len()).min(MOST_CHUNKS);
        let is_short = self.pool.is_some() && self.chunks.len() < longer.min(used + FEW_CHUNKS / 2);
        if is_short {
            self.chunks.resize_with(longer, OnceLock::new);
            self.end = (longer * CHUNK) as u64;
        }
        is_short
    }

    /// The word at an index that an [`Allocator`] has given out.
    ///
    /// # Panics
    /// If no word with this index was given out.
    #[inline]
    pub fn word(&self, index: u32) -> &AtomicU64 {
        let chunk = self.chunks[index as usize / CHUNK].get().expect("indices come from the allocator");
        &chunk[index as usize % CHUNK]
    }

    /// The words of a block that an [`Allocator`] has given out.
    ///
    /// # Panics
    /// If no such block was given out.
    #[inline]
    pub fn words(&self, index: u32, count: u32) -> &[AtomicU64] {
        let chunk = self.chunks[index as usize / CHUNK].get().expect("indices come from the allocator");
        let begin = index as usize % CHUNK;
        &chunk[begin..begin + count as usize]
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let chunks = self.used().div_ceil(CHUNK as u64) as usize;
        let of_chunks: u64 = (0..chunks).map(|number| 8 * self.chunk_words(number) as u64).sum();
        of_chunks + self.live.as_ref().map_or(0, Marks::bytes)
    }

    /// Words of the chunk with this number.
    fn chunk_words(&self, number: usize) -> usize {
        if self.pool.is_some() { growing_chunk_words(number) } else { CHUNK }
    }

    /// Words taken, unused ones of threads included: up to this index.
    pub fn used(&self) -> u64 {
        let Taking { next, reached, .. } = &self.taking.0;
        next.load(Ordering::Relaxed).max(reached.load(Ordering::Relaxed)).min(self.end)
    }

    /// Whether so many words can be taken at once.
    pub fn has_room(&self, words: u32) -> bool {
        self.free_run(self.taking.0.next.load(Ordering::Relaxed), words.into()).is_some()
    }

    /// The most words that somebody has asked for in vain since this was last asked.
    pub fn take_refused(&self) -> u32 {
        self.taking.0.refused.swap(0, Ordering::Relaxed)
    }

    /// How many words it can hold.
    pub fn capacity(&self) -> u64 {
        self.end
    }

    /// Forgets everything. The memory is kept for what comes next, or goes back to the pool.
    pub fn clear(&mut self) {
        if let Some(pool) = &self.pool {
            self.chunks.iter_mut().filter_map(OnceLock::take).for_each(|chunk| pool.give_back(chunk));
        }
        self.taking = Padded::default();
        if let Some(live) = &self.live {
            live.clear();
        }
    }

    /// The marks of what is needed, if the arena is recycled.
    pub fn live(&self) -> Option<&Marks> {
        self.live.as_ref()
    }

    /// Lets words be taken from the beginning again, wherever none is marked. Nobody may have an [`Allocator`] from before.
    pub fn begin_again(&self) {
        self.taking.0.reached.store(self.used(), Ordering::Relaxed);
        self.taking.0.next.store(1, Ordering::Relaxed);
    }

    /// The time, measured in words that are taken: it ticks sixteen times while as many are taken as there are.
    #[inline]
    pub fn tick(&self) -> u8 {
        (self.taken() / (self.end / TICKS)) as u8
    }

    /// Words taken since the arena was empty: the time that [`Arena::tick`] tells.
    pub fn taken(&self) -> u64 {
        self.taking.0.taken.load(Ordering::Relaxed)
    }

    /// Sets the time.
    pub fn set_taken(&mut self, taken: u64) {
        *self.taking.0.taken.get_mut() = taken;
    }

    /// Whether some words lie among those that are in use, and in one chunk; the first word of all is never in use.
    pub fn holds(&self, index: u32, words: u32) -> bool {
        let (begin, end) = (u64::from(index), u64::from(index) + u64::from(words));
        index > 0 && end <= self.used() && (words == 0 || begin / CHUNK as u64 == (end - 1) / CHUNK as u64)
    }

    /// A word, 0 if nobody has ever come to its part of the memory.
    pub fn word_or_zero(&self, index: u32) -> u64 {
        let chunk = self.chunks[index as usize / CHUNK].get();
        chunk.map_or(0, |chunk| chunk[index as usize % CHUNK].load(Ordering::Relaxed))
    }

    /// Fills an empty arena with words up to an index; false if there is no room.
    pub fn fill<E>(&mut self, end: u64, mut word: impl FnMut() -> Result<u64, E>) -> Result<bool, E> {
        if end > self.end {
            return Ok(false);
        }
        for index in 1..end {
            let chunk = self.chunk(index as usize / CHUNK);
            chunk[index as usize % CHUNK].store(word()?, Ordering::Relaxed);
        }
        *self.taking.0.next.get_mut() = end.max(1);
        Ok(true)
    }

    /// Takes a run of words that lies within one chunk; `None` if there is no room.
    fn take_slab(&self, words: u32) -> Option<(u32, u32)> {
        let taking = &self.taking.0;
        let mut next = taking.next.load(Ordering::Relaxed);
        loop {
            let Some((begin, end)) = self.free_run(next, words.into()) else {
                taking.refused.fetch_max(words, Ordering::Relaxed);
                return None;
            };
            match taking.next.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    taking.taken.fetch_add(end - begin, Ordering::Relaxed);
                    self.chunk(begin as usize / CHUNK);
                    self.make_ahead(begin as usize);
                    return Some((begin as u32, end as u32));
                }
                Err(other) => next = other,
            }
        }
    }

    /// Whoever takes the first words of a chunk also makes the next one: so no thread waits until another has been given memory by the system,
    /// which takes as long as dozens of playouts.
    fn make_ahead(&self, begin: usize) {
        let next = begin / CHUNK + 1;
        if self.pool.is_none() && begin.is_multiple_of(CHUNK) && next < self.chunks.len() {
            self.chunk(next);
        }
    }

    /// The chunk with this number, which is made if nobody has come to it before.
    fn chunk(&self, number: usize) -> &Chunk {
        self.chunks[number].get_or_init(|| match &self.pool {
            Some(pool) => pool.take(self.chunk_words(number)),
            None => new_chunk(CHUNK),
        })
    }

    /// The first run of at least so many words that are free, from an index on: within one chunk, and no more than threads take at once.
    fn free_run(&self, mut from: u64, words: u64) -> Option<(u64, u64)> {
        while from < self.end {
            let begin = self.live.as_ref().map_or(from, |live| live.find(false, from, self.end));
            let chunk = begin as usize / CHUNK;
            let end_of_chunk = (chunk * CHUNK + self.chunk_words(chunk)) as u64;
            let most = end_of_chunk.min(self.end).min(begin + words.max(SLAB));
            let end = self.live.as_ref().map_or(most, |live| live.find(true, begin, most));
            if end >= begin + words {
                return Some((begin, end));
            }
            // A chunk that is small ends before its indices do.
            from = if end >= end_of_chunk { ((chunk + 1) * CHUNK) as u64 } else { end.max(begin + 1) };
        }
        None
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        if self.pool.is_some() {
            return self.clear();
        }
        let chunks = std::mem::take(&mut self.chunks);
        let bytes = chunks.iter().filter_map(OnceLock::get).map(chunk_bytes).sum();
        release(chunks, bytes);
    }
}

fn empty_table(chunks: usize) -> Vec<OnceLock<Chunk>> {
    (0..chunks).map(|_| OnceLock::new()).collect()
}

impl Allocator {
    /// A new block of words, whose contents are not specified; `None` if the arena is full.
    #[inline]
    pub fn take(&mut self, arena: &Arena, words: u32) -> Option<u32> {
        if self.end - self.next < words {
            let (begin, end) = arena.take_slab(words)?;
            // A large block need not cost the rest of what there is for small ones.
            if end - begin - words < self.end - self.next {
                return Some(begin);
            }
            (self.next, self.end) = (begin, end);
        }
        let index = self.next;
        self.next += words;
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_overlap_on_any_number_of_threads() {
        let arena = Arena::new(Some(8 << 20), false);
        let count = if cfg!(miri) { 150 } else { 2000 };
        std::thread::scope(|scope| {
            for thread in 1..=3u64 {
                let arena = &arena;
                scope.spawn(move || {
                    let mut allocator = Allocator::default();
                    let blocks: Vec<(u32, u32)> = (0..count)
                        .map_while(|number| {
                            let words = 1 + number * 7 % 50;
                            Some((allocator.take(arena, words)?, words))
                        })
                        .collect();
                    for &(begin, words) in &blocks {
                        (begin..begin + words).for_each(|i| {
                            arena.word(i).store(thread << 32 | u64::from(begin), Ordering::Relaxed)
                        });
                    }
                    for &(begin, words) in &blocks {
                        for i in begin..begin + words {
                            assert_eq!(
                                arena.word(i).load(Ordering::Relaxed),
                                thread << 32 | u64::from(begin)
                            );
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn the_limit_is_kept_and_room_is_used_again() {
        let limit = 3 << 20;
        let mut arena = Arena::new(Some(limit), false);
        for _ in 0..2 {
            let mut allocator = Allocator::default();
            let taken = std::iter::from_fn(|| allocator.take(&arena, 100)).count() as u64;
            assert!(arena.bytes() <= limit && taken * 800 > limit * 9 / 10, "{taken}");
            arena.clear();
            assert!(arena.used() < 2);
        }
    }

    #[test]
    fn what_is_marked_is_not_given_out_again_and_the_rest_is() {
        let limit = 4 << 20;
        let arena = Arena::new(Some(limit), true);
        let fill = |words: u32| {
            let mut allocator = Allocator::default();
            std::iter::from_fn(|| allocator.take(&arena, words)).collect::<Vec<u32>>()
        };
        let first = fill(10);
        assert!(arena.bytes() <= limit && first.len() as u64 * 80 > limit * 3 / 4);
        let live = arena.live().expect("marks");
        first.iter().step_by(2).for_each(|&index| assert!(live.mark(index, 10)));
        arena.begin_again();
        let second = fill(10);
        assert!(second.iter().all(|&index| live.mark(index, 10)), "a word was given out twice");
        assert!(second.len() * 2 > first.len() * 9 / 10, "{} after {}", second.len(), first.len());
        assert!(arena.bytes() <= limit);
        assert!(fill(10).is_empty());
    }
}
