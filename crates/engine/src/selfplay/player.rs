//! Thousands of games at once, a share of them on each thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outplay_core::{Line, MoveList, Rng, Symmetric, mix};
use outplay_search::ExactLabels;
use outplay_search::mcts::{
    Batch, EvaluationError, Groups, LeafEvaluator, Scratch, SearchContext, SearchTree, TreePool,
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
    let work = || {
        let context = SearchContext::new(&options, evaluator);
        let context = match job.options.gumbel_inner {
            true => context.with_improved_policy(job.options.value_scale()),
            false => context,
        };
        let table = Table {
            options: job.options,
            generation: job.generation,
            labeller: labels.map(ExactLabels::begin),
            scratch: Scratch::default(),
        };
        let (start, next, pool) = (&start, &next, Arc::new(TreePool::new()));
        let tables = Tables { start, job, table, pool, next, groups: Vec::new(), deliver };
        let played = context.take_turns(&mut Rng::new(job.seed), |groups| tables.filled(&context, groups));
        played.map(drop)
    };
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

/// The games of a thread, in groups that take turns with the evaluator.
struct Tables<'j, G: Symmetric> {
    start: &'j G,
    job: &'j SelfPlayJob<'j>,
    table: Table<'j, G>,
    pool: Arc<TreePool>,
    /// The place of the next game in the job.
    next: &'j AtomicUsize,
    groups: Vec<Vec<Playing<G>>>,
    deliver: &'j (dyn Fn(GameRecord) + Sync),
}

impl<G: Symmetric> Groups<G> for Tables<'_, G> {
    fn gather(&mut self, context: &SearchContext<G>, group: usize, batch: &mut Batch<G>) -> bool {
        if (self.job.stop)() {
            return false;
        }
        let mut games = std::mem::take(&mut self.groups[group]);
        let mut place = 0;
        while place < games.len() {
            if !games[place].go_on(context, &mut self.table) {
                place += 1;
                continue;
            }
            // The place goes to the next game, or to the last one if there is none.
            let ended = games.swap_remove(place);
            (self.deliver)(ended.record);
            games.extend(self.begin(context));
        }
        for game in &mut games {
            game.search.gather(context, 1, batch, &mut self.table.scratch);
        }
        self.job.evaluations.fetch_add(batch.len(), Ordering::Relaxed);
        self.groups[group] = games;
        !self.groups[group].is_empty()
    }

    fn apply(&mut self, context: &SearchContext<G>, group: usize, batch: &mut Batch<G>) {
        for game in &mut self.groups[group] {
            game.search.apply(context, batch, &mut self.table.scratch);
        }
    }
}

impl<'j, G: Symmetric> Tables<'j, G> {
    /// The same with as many games as are played at once, in so many groups.
    fn filled(mut self, context: &SearchContext<G>, groups: usize) -> Self {
        self.groups.resize_with(groups, Vec::new);
        for place in 0..self.job.options.games_at_once as usize {
            let Some(game) = self.begin(context) else { break };
            self.groups[place % groups].push(game);
        }
        self
    }

    /// Begins the next game of the job, if there is one.
    fn begin(&mut self, context: &SearchContext<G>) -> Option<Playing<G>> {
        let number = *self.job.numbers.get(self.next.fetch_add(1, Ordering::Relaxed))?;
        let seed = mix(self.job.seed ^ mix(number));
        let line = Line::new(self.start.clone());
        let search = SearchTree::new(context, &self.pool, line, seed);
        Some(Playing::new(number, search, Rng::new(mix(!seed)), &mut self.table))
    }
}
