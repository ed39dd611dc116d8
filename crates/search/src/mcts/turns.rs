//! One thread that drives many searches by an evaluator that may be busy with one batch while the next is gathered.

use std::time::{Duration, Instant};

use outplay_core::{Game, Rng};

use super::batch::Batch;
use super::context::SearchContext;
use super::evaluate::EvaluationError;

/// Searches in groups, each of which fills a batch together.
pub trait Groups<G: Game> {
    /// Puts leaves of a group's searches behind those of a batch that is empty. False if the group has nothing to do any more. A batch may stay empty although
    /// there is more to do.
    fn gather(&mut self, context: &SearchContext<G>, group: usize, batch: &mut Batch<G>) -> bool;

    /// Takes the evaluated leaves into the searches of the group.
    fn apply(&mut self, context: &SearchContext<G>, group: usize, batch: &mut Batch<G>);
}

/// What the evaluator was asked, and how long the thread has waited for its answers.
#[derive(Clone, Copy, Default, Debug)]
pub struct TurnCounts {
    /// Leaves that were evaluated.
    pub evaluations: u64,
    /// The batches that they were in.
    pub batches: u64,
    /// Time in which the thread did nothing but wait for the evaluator, or evaluate itself.
    pub waited: Duration,
}

impl TurnCounts {
    /// Adds those of another thread.
    pub fn add(&mut self, other: &TurnCounts) {
        self.evaluations += other.evaluations;
        self.batches += other.batches;
        self.waited += other.waited;
    }
}

impl<G: Game> SearchContext<'_, G> {
    /// Drives groups of searches until no group has anything to do. There are as many groups as the evaluator can have batches under way, two at most: while one
    /// group's batch is evaluated, the other group gathers. `make` is told how many.
    ///
    /// # Errors
    /// If the evaluator fails. Searches may have leaves in a batch then that nobody will evaluate: they are of no more use.
    pub fn take_turns<S: Groups<G>>(
        &self,
        rng: &mut Rng,
        make: impl FnOnce(usize) -> S,
    ) -> Result<(S, TurnCounts), EvaluationError> {
        let mut evaluating = self.evaluator().begin();
        let count = evaluating.most_in_flight().clamp(1, 2);
        let mut groups = make(count);
        let mut counts = TurnCounts::default();
        let mut batches: Vec<(Batch<G>, bool)> = (0..count).map(|_| (Batch::default(), false)).collect();
        loop {
            let mut all_are_done = true;
            for (group, (batch, is_under_way)) in batches.iter_mut().enumerate() {
                if std::mem::take(is_under_way) {
                    let begun = Instant::now();
                    evaluating.collect(batch.leaves())?;
                    counts.waited += begun.elapsed();
                    groups.apply(self, group, batch);
                    batch.clear();
                }
                if !groups.gather(self, group, batch) {
                    continue;
                }
                all_are_done = false;
                counts.evaluations += batch.len() as u64;
                counts.batches += u64::from(!batch.is_empty());
                match batch.is_empty() {
                    false if count > 1 => {
                        evaluating.submit(batch.leaves(), rng)?;
                        *is_under_way = true;
                        continue;
                    }
                    false => {
                        let begun = Instant::now();
                        self.evaluate(&mut *evaluating, batch, rng)?;
                        counts.waited += begun.elapsed();
                    }
                    true => {}
                }
                groups.apply(self, group, batch);
                batch.clear();
            }
            if all_are_done {
                return Ok((groups, counts));
            }
        }
    }
}
