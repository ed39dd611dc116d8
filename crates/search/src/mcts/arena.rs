//! The memory of a tree: words in chunks, taken in order and given back all at once.
//!
//! Everything in a tree is made of 64-bit words with indices of 32 bits, so that a link costs four bytes, nothing moves, and a
//! tree can be written to disk as it is. Memory is taken from the system chunk by chunk, never beyond the limit; forgetting a
//! tree of any size is setting one counter to 0.
//!
//! An arena that is used again has a bit for each word. When it is full and somebody has marked what is still needed, words are
//! taken from the beginning again, wherever none is marked.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::marks::Marks;
use super::release::release;

/// Words in a chunk: half a mebibyte.
const CHUNK: usize = 1 << 16;
const CHUNK_BYTES: u64 = (CHUNK * size_of::<AtomicU64>()) as u64;
/// As many chunks as indices of 32 bits reach.
const MOST_CHUNKS: usize = (1 << 16) - 1;
/// Words that a thread takes at once, so that threads seldom meet.
const SLAB: u64 = 1 << 11;
/// Ticks in the time in which as many words are taken as there are.
const TICKS: u64 = 16;

type Chunk = Box<[AtomicU64; CHUNK]>;

/// Words that many threads read and write.
pub(super) struct Arena {
    chunks: Box<[OnceLock<Chunk>]>,
    /// The first word that nobody has taken.
    next: AtomicU64,
    /// The first word that nobody may take.
    end: u64,
    /// The words that are still needed, as of the last time that room was made; none in an arena that is not used again.
    live: Option<Marks>,
    /// What `next` was before room was made.
    reached: AtomicU64,
    /// Words taken since the arena was empty, again and again the same ones.
    taken: AtomicU64,
    /// The most words that could not be had side by side since room was made.
    refused: AtomicU32,
}

/// A thread's way to new words.
#[derive(Default)]
pub(super) struct Allocator {
    next: u32,
    end: u32,
}

impl Arena {
    /// An empty arena that never holds more than so many bytes; `None` for as many as indices reach. Whether room is made in it when it is full
    /// makes a difference only if there is a limit.
    pub fn new(limit: Option<u64>, is_used_again: bool) -> Arena {
        let chunks = limit.map_or(MOST_CHUNKS, |bytes| {
            // A bit for each word.
            let of_marks = if is_used_again { bytes / 65 } else { 0 };
            ((bytes - of_marks) / CHUNK_BYTES).clamp(1, MOST_CHUNKS as u64) as usize
        });
        let chunks: Box<[OnceLock<Chunk>]> = (0..chunks).map(|_| OnceLock::new()).collect();
        let end = (chunks.len() * CHUNK) as u64;
        let live = (is_used_again && limit.is_some()).then(|| Marks::new(end));
        // The first word is never taken, so that index 0 can mean "none".
        let (next, reached, taken) = (AtomicU64::new(1), AtomicU64::new(0), AtomicU64::new(0));
        Arena { chunks, next, end, live, reached, taken, refused: AtomicU32::new(0) }
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
        self.used().div_ceil(CHUNK as u64) * CHUNK_BYTES + self.live.as_ref().map_or(0, Marks::bytes)
    }

    /// Words taken, unused ones of threads included: up to this index.
    pub fn used(&self) -> u64 {
        self.next.load(Ordering::Relaxed).max(self.reached.load(Ordering::Relaxed)).min(self.end)
    }

    /// Whether so many words can be taken at once.
    pub fn has_room(&self, words: u32) -> bool {
        self.free_run(self.next.load(Ordering::Relaxed), words.into()).is_some()
    }

    /// The most words that somebody has asked for in vain since this was last asked.
    pub fn take_refused(&self) -> u32 {
        self.refused.swap(0, Ordering::Relaxed)
    }

    /// How many words it can hold.
    pub fn capacity(&self) -> u64 {
        self.end
    }

    /// Forgets everything. The memory is kept for what comes next.
    pub fn clear(&mut self) {
        *self.next.get_mut() = 1;
        *self.reached.get_mut() = 0;
        *self.taken.get_mut() = 0;
        *self.refused.get_mut() = 0;
        if let Some(live) = &self.live {
            live.clear();
        }
    }

    /// The marks of what is needed, if the arena is used again.
    pub fn live(&self) -> Option<&Marks> {
        self.live.as_ref()
    }

    /// Lets words be taken from the beginning again, wherever none is marked. Nobody may have an [`Allocator`] from before.
    pub fn begin_again(&self) {
        self.reached.store(self.used(), Ordering::Relaxed);
        self.next.store(1, Ordering::Relaxed);
    }

    /// The time, measured in words that are taken: it ticks sixteen times while as many are taken as there are.
    #[inline]
    pub fn tick(&self) -> u8 {
        (self.taken.load(Ordering::Relaxed) / (self.end / TICKS)) as u8
    }

    /// Words taken since the arena was empty: the time that [`Arena::tick`] tells.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Sets the time.
    pub fn set_taken(&mut self, taken: u64) {
        *self.taken.get_mut() = taken;
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
            let chunk = self.chunks[index as usize / CHUNK].get_or_init(new_chunk);
            chunk[index as usize % CHUNK].store(word()?, Ordering::Relaxed);
        }
        *self.next.get_mut() = end.max(1);
        Ok(true)
    }

    /// Takes a run of words that lies within one chunk; `None` if there is no room.
    fn take_slab(&self, words: u32) -> Option<(u32, u32)> {
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            let Some((begin, end)) = self.free_run(next, words.into()) else {
                self.refused.fetch_max(words, Ordering::Relaxed);
                return None;
            };
            match self.next.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    self.taken.fetch_add(end - begin, Ordering::Relaxed);
                    self.chunks[begin as usize / CHUNK].get_or_init(new_chunk);
                    return Some((begin as u32, end as u32));
                }
                Err(other) => next = other,
            }
        }
    }

    /// The first run of at least so many words that are free, from an index on: within one chunk, and no more than threads take at once.
    fn free_run(&self, mut from: u64, words: u64) -> Option<(u64, u64)> {
        while from < self.end {
            let begin = self.live.as_ref().map_or(from, |live| live.find(false, from, self.end));
            let end_of_chunk = (begin / CHUNK as u64 + 1) * CHUNK as u64;
            let most = end_of_chunk.min(self.end).min(begin + words.max(SLAB));
            let end = self.live.as_ref().map_or(most, |live| live.find(true, begin, most));
            if end >= begin + words {
                return Some((begin, end));
            }
            from = end.max(begin + 1);
        }
        None
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let chunks = std::mem::take(&mut self.chunks);
        let bytes = chunks.iter().filter(|chunk| chunk.get().is_some()).count() as u64 * CHUNK_BYTES;
        release(chunks, bytes);
    }
}

fn new_chunk() -> Chunk {
    let words: Box<[AtomicU64]> = (0..CHUNK).map(|_| AtomicU64::new(0)).collect();
    words.try_into().unwrap_or_else(|_| unreachable!("a chunk has the length of a chunk"))
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
        std::thread::scope(|scope| {
            for thread in 1..=3u64 {
                let arena = &arena;
                scope.spawn(move || {
                    let mut allocator = Allocator::default();
                    let blocks: Vec<(u32, u32)> = (0..2000)
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
