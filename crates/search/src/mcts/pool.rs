//! Memory that many trees take turns with.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

/// Words that a tree gets and gives back together.
pub(super) type Chunk = Box<[AtomicU64]>;

/// The smallest chunk has 2 to the power of this many words, 16 kibibytes: as much as a tree of some dozens of playouts needs.
const SMALLEST: u32 = 11;
/// The largest one, 512 kibibytes: as many as an index tells apart.
const LARGEST: u32 = 16;

/// Memory for any number of small trees ([`SearchTree`](super::SearchTree)). What one of them has forgotten another one gets, so that
/// the system is asked for memory only where there are more trees, or larger ones, than ever before.
#[derive(Default)]
pub struct TreePool {
    // [size, from the smallest on]
    free: [Mutex<Vec<Chunk>>; (LARGEST - SMALLEST + 1) as usize],
}

impl TreePool {
    /// A pool without memory.
    pub fn new() -> TreePool {
        TreePool::default()
    }

    /// Bytes that no tree uses at present.
    pub fn free_bytes(&self) -> u64 {
        let of_size =
            |free: &Mutex<Vec<Chunk>>| free.lock().map_or(0, |free| free.iter().map(chunk_bytes).sum());
        self.free.iter().map(of_size).sum()
    }

    /// A chunk of so many words, with whatever is in them.
    pub(super) fn take(&self, words: usize) -> Chunk {
        let known = self.free(words).lock().unwrap_or_else(PoisonError::into_inner).pop();
        known.unwrap_or_else(|| new_chunk(words))
    }

    /// Takes a chunk back.
    pub(super) fn give_back(&self, chunk: Chunk) {
        self.free(chunk.len()).lock().unwrap_or_else(PoisonError::into_inner).push(chunk);
    }

    fn free(&self, words: usize) -> &Mutex<Vec<Chunk>> {
        &self.free[(words.ilog2() - SMALLEST) as usize]
    }
}

/// How many words the chunk with this number has in a tree that begins small: each has twice as many as the one before.
pub(super) fn growing_chunk_words(number: usize) -> usize {
    1 << (SMALLEST as usize + number).min(LARGEST as usize)
}

/// A chunk of so many words.
pub(super) fn new_chunk(words: usize) -> Chunk {
    (0..words).map(|_| AtomicU64::new(0)).collect()
}

/// The bytes of a chunk.
pub(super) fn chunk_bytes(chunk: &Chunk) -> u64 {
    size_of_val(&**chunk) as u64
}
