//! Thousands of games at once, a share of them on each thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outplay_core::{Line, MoveList, Rng, Symmetric, mix};
use outplay_search::ExactLabels;
use outplay_search::mcts::{
    Batch, EvaluationError, LeafEvaluator, MctsOptions, Scratch, SearchContext, SearchTree, TreePool,
};

use super::options::SelfPlayOptions;
use super::playing::{Playing, Table};
use super::record::GameRecord;

/// What is to be played.
pub struct SelfPlayJob<'j> {
    /// How.
    pub options: &'j SelfPlayOptions,
    /// The generation of the network that plays.
    pub generation: u32,
    /// The numbers of the games.
    pub numbers: &'j [u64],
    /// What chance begins with: a game depends on this, its number, the options and the network with its generation, and on nothing else.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Asked now and then: ends all games once it is true; those that are not finished are lost.
    pub stop: &'j (dyn Fn() -> bool + Sync),
    /// Counts evaluations while it runs.
    pub evaluations: &'j AtomicUsize,
}

/// Plays games and delivers each as soon as it is finished, on the threads that play.
///
/// # Errors
/// If the evaluator fails; what was delivered until then counts.
pub(super) fn play<G: Symmetric>(
    rules: &G::Rules,
    (evaluator, labels): (&dyn LeafEvaluator<G>, Option<&dyn ExactLabels<G>>),
    job: &SelfPlayJob,
    deliver: &(dyn Fn(GameRecord) + Sync),
) -> Result<(), EvaluationError> {
    let labels = labels.filter(|_| job.options.exact_labels);
    let next = AtomicUsize::new(0);
    let options = job.options.search(G::start(rules).legal_moves().count());
    let start = G::start(rules);
    let work = || Thread::new(&start, (evaluator, labels), job, &options, &next).run(deliver);
    let threads = job.threads.clamp(1, job.numbers.len().max(1));
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let join = |thread: std::thread::ScopedJoinHandle<_>| {
            thread
                .join()
                .unwrap_or_else(|_| Err(EvaluationError("a thread of self-play has panicked".to_string())))
        };
        others.into_iter().map(join).fold(own, Result::and)
    })
}

/// A thread and its games.
struct Thread<'j, G: Symmetric> {
    start: &'j G,
    job: &'j SelfPlayJob<'j>,
    table: Table<'j, G>,
    pool: Arc<TreePool>,
    /// The place of the next game in the job.
    next: &'j AtomicUsize,
    games: Vec<Playing<G>>,
}

impl<'j, G: Symmetric> Thread<'j, G> {
    fn new(
        start: &'j G,
        (evaluator, labels): (&'j dyn LeafEvaluator<G>, Option<&'j dyn ExactLabels<G>>),
        job: &'j SelfPlayJob<'j>,
        options: &MctsOptions,
        next: &'j AtomicUsize,
    ) -> Thread<'j, G> {
        let context = SearchContext::new(options, evaluator);
        let scale = job.options.value_scale();
        let table = Table {
            options: job.options,
            generation: job.generation,
            context: if job.options.gumbel_inner { context.with_improved_policy(scale) } else { context },
            labeller: labels.map(ExactLabels::begin),
            scratch: Scratch::default(),
        };
        Thread { start, job, table, pool: Arc::new(TreePool::new()), next, games: Vec::new() }
    }

    fn run(mut self, deliver: &(dyn Fn(GameRecord) + Sync)) -> Result<(), EvaluationError> {
        let mut evaluating = self.table.context.evaluator().begin();
        let mut batch = Batch::default();
        let mut rng = Rng::new(self.job.seed);
        while self.games.len() < self.job.options.games_at_once as usize {
            let Some(game) = self.begin() else { break };
            self.games.push(game);
        }
        while !self.games.is_empty() && !(self.job.stop)() {
            let mut place = 0;
            while place < self.games.len() {
                if !self.games[place].go_on(&mut self.table) {
                    place += 1;
                    continue;
                }
                // The place goes to the next game, or to the last one if there is none.
                let ended = self.games.swap_remove(place);
                deliver(ended.record);
                if let Some(game) = self.begin() {
                    self.games.push(game);
                }
            }
            let Table { context, scratch, .. } = &mut self.table;
            for game in &mut self.games {
                game.search.gather(context, 1, &mut batch, scratch);
            }
            self.job.evaluations.fetch_add(batch.leaves().len(), Ordering::Relaxed);
            context.evaluate(&mut *evaluating, &mut batch, &mut rng)?;
            for game in &mut self.games {
                game.search.apply(context, &mut batch, scratch);
            }
            batch.clear();
        }
        Ok(())
    }

    /// Begins the next game of the job, if there is one.
    fn begin(&mut self) -> Option<Playing<G>> {
        let number = *self.job.numbers.get(self.next.fetch_add(1, Ordering::Relaxed))?;
        let seed = mix(self.job.seed ^ mix(number));
        let line = Line::new(self.start.clone());
        let search = SearchTree::new(&self.table.context, &self.pool, line, seed);
        Some(Playing::new(number, search, Rng::new(mix(!seed)), &mut self.table))
    }
}
