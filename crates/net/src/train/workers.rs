//! Work for several threads, divided so that results do not depend on how many there are.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// How many threads share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers(NonZero<usize>);

impl Workers {
    /// So many threads, one at least.
    pub fn new(threads: usize) -> Workers {
        Workers(NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN))
    }

    /// Does all pieces of work, each by one thread, in any order; the results, in the order of the pieces. Each thread has a state that `begin` makes,
    /// memory to work in for example.
    pub(super) fn map<T: Send, S, R: Send>(
        self,
        pieces: Vec<T>,
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, T) -> R + Sync,
    ) -> Vec<R> {
        let threads = self.0.get().min(pieces.len());
        if threads < 2 {
            let mut state = begin();
            return pieces.into_iter().map(|piece| work(&mut state, piece)).collect();
        }
        let results = Mutex::new(Vec::new());
        results.lock().unwrap_or_else(PoisonError::into_inner).resize_with(pieces.len(), || None);
        let waiting = Mutex::new(pieces.into_iter().enumerate());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let run = || {
            let mut state = begin();
            while let Some((number, piece)) = next() {
                let result = work(&mut state, piece);
                results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(run);
            }
            run();
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
    }
}
