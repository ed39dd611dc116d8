//! How fast a network runs.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use outplay_core::{Planes, Rng};

use crate::backend::{Backend, Outputs};
use crate::network::NetError;

/// Positions a second, of all threads together, each of which runs batches of random positions for so many seconds.
///
/// # Errors
/// If the device fails.
pub fn measure(backend: &dyn Backend, batch: usize, threads: usize, seconds: f64) -> Result<f64, NetError> {
    let start = &Barrier::new(threads);
    std::thread::scope(|scope| {
        let workers =
            (0..threads as u64).map(|seed| scope.spawn(move || rate(backend, batch, seed, start, seconds)));
        let workers: Vec<_> = workers.collect();
        let rates = workers.into_iter().map(|worker| worker.join().expect("a measurement does not panic"));
        rates.sum()
    })
}

/// What one thread runs a second.
fn rate(
    backend: &dyn Backend,
    batch: usize,
    seed: u64,
    start: &Barrier,
    seconds: f64,
) -> Result<f64, NetError> {
    let mut rng = Rng::new(seed);
    let planes = backend.description().planes();
    let positions: Vec<Vec<u64>> = (0..batch).map(|_| random_position(planes, &mut rng)).collect();
    let positions: Vec<&[u64]> = positions.iter().map(Vec::as_slice).collect();
    let (mut runner, mut outputs) = (backend.begin(), Outputs::default());
    // The first time fetches weights and memory.
    let warm = runner.run(&positions, &mut outputs);
    start.wait();
    warm?;
    let (begun, limit) = (Instant::now(), Duration::from_secs_f64(seconds));
    let mut done = 0;
    loop {
        runner.run(&positions, &mut outputs)?;
        done += batch;
        let elapsed = begun.elapsed();
        if elapsed >= limit {
            return Ok(done as f64 / elapsed.as_secs_f64());
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
