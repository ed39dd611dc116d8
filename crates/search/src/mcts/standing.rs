//! A service that stands by for all searches of a process.

use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use outplay_core::{Game, Rng};

use super::evaluate::LeafEvaluator;
use super::service::Service;

/// A [`Service`] with threads of its own, which end with it. However many searches share one, their leaves fill its batches together and what it
/// evaluates with is in memory once.
pub struct StandingService<G: Game> {
    service: Arc<Service<'static, G>>,
    threads: Vec<JoinHandle<()>>,
}

impl<G: Game> StandingService<G> {
    /// Starts a service with so many threads.
    pub fn start(
        evaluator: impl LeafEvaluator<G> + 'static,
        threads: usize,
        seed: u64,
    ) -> io::Result<StandingService<G>> {
        let service = Arc::new(Service::new(evaluator));
        let mut standing = StandingService { service, threads: Vec::new() };
        for number in 0..threads.max(1) as u64 {
            let service = standing.service.clone();
            let run = move || service.run(Rng::new(!seed ^ number << 48));
            standing.threads.push(Builder::new().name("evaluation".to_string()).spawn(run)?);
        }
        Ok(standing)
    }

    /// The service, for [`Mcts::share_service`](super::Mcts::share_service).
    pub fn service(&self) -> &Arc<Service<'static, G>> {
        &self.service
    }
}

impl<G: Game> Drop for StandingService<G> {
    fn drop(&mut self) {
        self.service.close();
        for thread in self.threads.drain(..) {
            // Whoever had leaves there was told of a panic.
            let _ = thread.join();
        }
    }
}
