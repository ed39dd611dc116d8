//! The memory of a tree: words in chunks, taken in order and given back all at once.
//!
//! Everything in a tree is made of 64-bit words with indices of 32 bits, so that a link costs four bytes, nothing moves, and a
//! tree can be written to disk as it is. Memory is taken from the system chunk by chunk, never beyond the limit; forgetting a
//! tree of any size is setting one counter to 0.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words in a chunk: half a mebibyte.
const CHUNK: usize = 1 << 16;
/// As many chunks as indices of 32 bits reach.
const MOST_CHUNKS: usize = 1 << 16;
/// Words that a thread takes at once, so that threads seldom meet.
const SLAB: u32 = 1 << 11;

type Chunk = Box<[AtomicU64; CHUNK]>;

/// Words that many threads read and write.
pub(super) struct Arena {
    chunks: Box<[OnceLock<Chunk>]>,
    /// The first word that nobody has taken.
    next: AtomicU64,
    /// The first word that nobody may take.
    end: u64,
}

/// A thread's way to new words.
#[derive(Default)]
pub(super) struct Allocator {
    next: u32,
    end: u32,
}

impl Arena {
    /// An empty arena that never holds more than so many bytes; `None` for as many as indices reach.
    pub fn new(limit: Option<u64>) -> Arena {
        let chunk_bytes = (CHUNK * size_of::<AtomicU64>()) as u64;
        let chunks =
            limit.map_or(MOST_CHUNKS, |bytes| (bytes / chunk_bytes).clamp(1, MOST_CHUNKS as u64) as usize);
        let chunks: Box<[OnceLock<Chunk>]> = (0..chunks).map(|_| OnceLock::new()).collect();
        let end = (chunks.len() * CHUNK) as u64;
        // The first word is never taken, so that index 0 can mean "none".
        Arena { chunks, next: AtomicU64::new(1), end }
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

    /// Bytes taken from the system.
    pub fn bytes(&self) -> u64 {
        self.used().div_ceil(CHUNK as u64) * (CHUNK * size_of::<AtomicU64>()) as u64
    }

    /// Words taken, unused ones of threads included.
    pub fn used(&self) -> u64 {
        self.next.load(Ordering::Relaxed).min(self.end)
    }

    /// Forgets everything. The memory is kept for what comes next.
    pub fn clear(&mut self) {
        *self.next.get_mut() = 1;
    }

    /// Takes a run of words that lies within one chunk; `None` if there is no room.
    fn take_slab(&self, words: u32) -> Option<(u32, u32)> {
        let words = u64::from(words);
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            // What is left of a chunk is too small for a large block: skip it.
            let within = next % CHUNK as u64;
            let begin = if within + words > CHUNK as u64 { next - within + CHUNK as u64 } else { next };
            if begin + words > self.end {
                return None;
            }
            match self.next.compare_exchange_weak(next, begin + words, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    self.chunks[begin as usize / CHUNK].get_or_init(new_chunk);
                    return Some((begin as u32, (begin + words) as u32));
                }
                Err(other) => next = other,
            }
        }
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
            (self.next, self.end) = arena.take_slab(words.max(SLAB))?;
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
        let arena = Arena::new(Some(8 << 20));
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
        let mut arena = Arena::new(Some(limit));
        for _ in 0..2 {
            let mut allocator = Allocator::default();
            let taken = std::iter::from_fn(|| allocator.take(&arena, 100)).count() as u64;
            assert!(arena.bytes() <= limit && taken * 800 > limit * 9 / 10, "{taken}");
            arena.clear();
            assert!(arena.used() < 2);
        }
    }
}
