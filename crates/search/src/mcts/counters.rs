//! What a search counts: each thread for itself, summed up when somebody asks.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::CacheUse;

/// What one thread has counted, or all of them.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ThreadCounters {
    /// Playouts that have ended.
    pub playouts: u64,
    /// Leaves that were evaluated for them.
    pub evaluated: u64,
    /// The sum of their depths.
    pub plies: u64,
    /// The largest of their depths.
    pub deepest: u64,
    pub cache: CacheUse,
}

/// Something that threads write often, on cache lines of its own: so nobody waits who only wants its neighbours. Processors fetch lines in pairs.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Padded<T>(pub T);

/// The counters of all threads. Each thread writes its own; whoever reads them gets numbers that may be some playouts apart.
pub(super) struct SharedCounters {
    threads: Box<[Padded<[AtomicU64; 6]>]>,
}

impl SharedCounters {
    pub fn new(threads: usize) -> SharedCounters {
        SharedCounters { threads: (0..threads).map(|_| Padded::default()).collect() }
    }

    /// Lets others see what a thread has counted so far.
    pub fn publish(&self, thread: usize, counters: &ThreadCounters) {
        let ThreadCounters { playouts, evaluated, plies, deepest, cache } = *counters;
        let words = [playouts, evaluated, plies, deepest, cache.lookups, cache.hits];
        self.threads[thread].0.iter().zip(words).for_each(|(shared, word)| shared.store(word, Relaxed));
    }

    /// Playouts of all threads.
    pub fn playouts(&self) -> u64 {
        self.threads.iter().map(|Padded(words)| words[0].load(Relaxed)).sum()
    }

    /// What all threads have counted.
    pub fn sum(&self) -> ThreadCounters {
        self.threads.iter().fold(ThreadCounters::default(), |sum, Padded(words)| {
            let [playouts, evaluated, plies, deepest, lookups, hits] =
                std::array::from_fn(|number| words[number].load(Relaxed));
            ThreadCounters {
                playouts: sum.playouts + playouts,
                evaluated: sum.evaluated + evaluated,
                plies: sum.plies + plies,
                deepest: sum.deepest.max(deepest),
                cache: CacheUse { lookups: sum.cache.lookups + lookups, hits: sum.cache.hits + hits },
            }
        })
    }
}
