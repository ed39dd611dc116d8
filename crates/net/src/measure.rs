//! How fast a network runs.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use outplay_core::{Planes, Rng};

use crate::backend::{Backend, Outputs};
use crate::network::NetError;

/// How a network is kept busy while it is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Positions of a batch.
    pub batch: usize,
    /// Threads that run it, each for itself.
    pub threads: usize,
    /// Batches that each thread has under way, as far as the backend knows more than one.
    pub in_flight: usize,
    /// For how long.
    pub seconds: f64,
}

impl Load {
    /// Batches of this size on so many threads, one batch at a time.
    pub fn new(batch: usize, threads: usize, seconds: f64) -> Load {
        Load { batch, threads, in_flight: 1, seconds }
    }
}

/// Positions a second, of all threads together, each of which runs batches of random positions.
///
/// # Errors
/// If the device fails.
pub fn measure(backend: &dyn Backend, load: &Load) -> Result<f64, NetError> {
    let start = &Barrier::new(load.threads);
    std::thread::scope(|scope| {
        let workers =
            (0..load.threads as u64).map(|seed| scope.spawn(move || rate(backend, load, seed, start)));
        let workers: Vec<_> = workers.collect();
        let rates = workers.into_iter().map(|worker| worker.join().expect("a measurement does not panic"));
        rates.sum()
    })
}

/// What one thread runs a second.
fn rate(backend: &dyn Backend, load: &Load, seed: u64, start: &Barrier) -> Result<f64, NetError> {
    let &Load { batch, in_flight, seconds, .. } = load;
    let mut rng = Rng::new(seed);
    let planes = backend.description().planes();
    let positions: Vec<Vec<u64>> = (0..batch).map(|_| random_position(planes, &mut rng)).collect();
    let positions: Vec<&[u64]> = positions.iter().map(Vec::as_slice).collect();
    let mut runner = backend.begin();
    let mut outputs = vec![Outputs::default(); in_flight.clamp(1, runner.most_in_flight())];
    // The first time fetches weights and memory; all but one of the batches stay under way.
    let mut warm = || {
        for outputs in &mut outputs {
            runner.run(&positions, outputs)?;
        }
        let others = outputs.len() - 1;
        outputs[..others].iter_mut().try_for_each(|outputs| runner.submit(&positions, outputs))
    };
    let warmed = warm();
    start.wait();
    warmed?;
    let (begun, limit) = (Instant::now(), Duration::from_secs_f64(seconds));
    let mut batches = 0;
    loop {
        // The batch that has waited longest is the next but one that is submitted.
        let last = (batches + outputs.len() - 1) % outputs.len();
        runner.submit(&positions, &mut outputs[last])?;
        let first = batches % outputs.len();
        runner.collect(&mut outputs[first])?;
        batches += 1;
        let elapsed = begun.elapsed();
        if elapsed >= limit {
            return Ok((batches * batch) as f64 / elapsed.as_secs_f64());
        }
    }
}

/// A position of chance: a quarter of the bits, constants between 0 and 1.
pub fn random_position(planes: Planes, rng: &mut Rng) -> Vec<u64> {
    let cells = planes.cells();
    let of_plane = planes.words_of_plane();
    let mut words: Vec<u64> = (0..planes.bits * of_plane)
        .map(|i| {
            let left = (cells - i % of_plane * 64).min(64);
            rng.next_u64() & rng.next_u64() & u64::MAX >> (64 - left)
        })
        .collect();
    words.extend(
        (0..planes.constants).map(|_| Planes::constant((rng.next_u64() >> 40) as f32 / (1 << 24) as f32)),
    );
    words
}
