//! How many positions are evaluated at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outplay_net::{Backend, Description, NetError, Outputs, Runner};

/// A backend whose batches are counted.
pub(crate) struct CountedBackend {
    backend: Arc<dyn Backend>,
    batches: AtomicUsize,
}

impl CountedBackend {
    pub fn new(backend: Arc<dyn Backend>) -> CountedBackend {
        CountedBackend { backend, batches: AtomicUsize::new(0) }
    }

    /// How many there were.
    pub fn batches(&self) -> usize {
        self.batches.load(Ordering::Relaxed)
    }
}

impl Backend for CountedBackend {
    fn description(&self) -> &Description {
        self.backend.description()
    }

    fn name(&self) -> String {
        self.backend.name()
    }

    fn batch_size(&self) -> usize {
        self.backend.batch_size()
    }

    fn serving_threads(&self) -> Option<usize> {
        self.backend.serving_threads()
    }

    fn take_notice(&self) -> Option<String> {
        self.backend.take_notice()
    }

    fn begin(&self) -> Box<dyn Runner + '_> {
        Box::new(CountedRunner { runner: self.backend.begin(), batches: &self.batches })
    }
}

struct CountedRunner<'b> {
    runner: Box<dyn Runner + 'b>,
    batches: &'b AtomicUsize,
}

impl Runner for CountedRunner<'_> {
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.runner.run(positions, outputs)
    }

    fn most_in_flight(&self) -> usize {
        self.runner.most_in_flight()
    }

    fn submit(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.runner.submit(positions, outputs)
    }

    fn collect(&mut self, outputs: &mut Outputs) -> Result<(), NetError> {
        self.runner.collect(outputs)
    }
}
