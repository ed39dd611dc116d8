//! Thousands of games at once, a share of them on each thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outplay_core::{Line, Move, MoveList, Outcome, Rng, Symmetric, mix};
use outplay_search::mcts::{
    Batch, EvaluationError, LeafEvaluator, MctsOptions, Scratch, SearchContext, SearchTree, TreePool,
};

use super::options::{SelfPlayOptions, chances};
use super::record::{GameRecord, SHARES, Searched};

/// What is to be played.
pub struct SelfPlayJob<'j> {
    /// How.
    pub options: &'j SelfPlayOptions,
    /// The numbers of the games.
    pub numbers: &'j [u64],
    /// What chance begins with: a game depends on this and its number, and on nothing else.
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
    evaluator: &dyn LeafEvaluator<G>,
    job: &SelfPlayJob,
    deliver: &(dyn Fn(GameRecord) + Sync),
) -> Result<(), EvaluationError> {
    let next = AtomicUsize::new(0);
    let options = job.options.search(G::start(rules).legal_moves().count());
    let start = G::start(rules);
    let work = || Thread::new(&start, evaluator, job, &options, &next).run(deliver);
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
    context: SearchContext<'j, G>,
    pool: Arc<TreePool>,
    /// The place of the next game in the job.
    next: &'j AtomicUsize,
    games: Vec<Playing<G>>,
}

/// A game that is being played.
struct Playing<G: Symmetric> {
    record: GameRecord,
    search: SearchTree<G>,
    in_full: bool,
    rng: Rng,
}

impl<'j, G: Symmetric> Thread<'j, G> {
    fn new(
        start: &'j G,
        evaluator: &'j dyn LeafEvaluator<G>,
        job: &'j SelfPlayJob<'j>,
        options: &MctsOptions,
        next: &'j AtomicUsize,
    ) -> Thread<'j, G> {
        let context = SearchContext::new(options, evaluator);
        Thread { start, job, context, pool: Arc::new(TreePool::new()), next, games: Vec::new() }
    }

    fn run(mut self, deliver: &(dyn Fn(GameRecord) + Sync)) -> Result<(), EvaluationError> {
        let mut evaluating = self.context.evaluator().begin();
        let (mut batch, mut scratch) = (Batch::default(), Scratch::default());
        let mut rng = Rng::new(self.job.seed);
        while self.games.len() < self.job.options.games_at_once as usize {
            let Some(game) = self.begin() else { break };
            self.games.push(game);
        }
        while !self.games.is_empty() && !(self.job.stop)() {
            let mut place = 0;
            while place < self.games.len() {
                match self.games[place].go_on(self.job.options) {
                    None => place += 1,
                    Some(outcome) => {
                        // The place goes to the next game, or to the last one if there is none.
                        let mut ended = self.games.swap_remove(place);
                        ended.record.outcome = outcome;
                        deliver(ended.record);
                        self.games.extend(self.begin());
                    }
                }
            }
            for game in &mut self.games {
                game.search.gather(&self.context, 1, &mut batch, &mut scratch);
            }
            self.job.evaluations.fetch_add(batch.leaves().len(), Ordering::Relaxed);
            self.context.evaluate(&mut *evaluating, &mut batch, &mut rng)?;
            for game in &mut self.games {
                game.search.apply(&self.context, &mut batch, &mut scratch);
            }
            batch.clear();
        }
        Ok(())
    }

    /// Begins the next game of the job, if there is one.
    fn begin(&self) -> Option<Playing<G>> {
        let number = *self.job.numbers.get(self.next.fetch_add(1, Ordering::Relaxed))?;
        let seed = mix(self.job.seed ^ mix(number));
        let line = Line::new(self.start.clone());
        let search = SearchTree::new(&self.context, &self.pool, line, seed);
        let record = GameRecord { number, moves: Vec::new(), searched: Vec::new(), outcome: Outcome::DRAW };
        let mut game = Playing { record, search, in_full: true, rng: Rng::new(mix(!seed)) };
        game.set_budget(self.job.options);
        Some(game)
    }
}

impl<G: Symmetric> Playing<G> {
    fn set_budget(&mut self, options: &SelfPlayOptions) {
        self.in_full = options.full_share >= 1.0 || self.rng.unit() < options.full_share;
        self.search.set_budget(if self.in_full { options.playouts } else { options.quick_playouts }.into());
    }

    /// Plays a move if the search has ended; how the game ended, if it has.
    fn go_on(&mut self, options: &SelfPlayOptions) -> Option<Outcome> {
        if self.search.is_done() { self.play_move(options) } else { None }
    }

    /// Plays a move by what the search found out; how the game ended, if it has.
    fn play_move(&mut self, options: &SelfPlayOptions) -> Option<Outcome> {
        let mut line = self.search.line().clone();
        let (moves, visits): (Vec<Move>, Vec<u32>) = self.search.root_visits().unzip();
        let temperature = options.temperature_at(self.record.moves.len());
        let Some(chosen) = drawn(&chances(&visits, temperature), &mut self.rng) else {
            // Nothing was searched: there is no move, or no memory.
            return Some(line.outcome().unwrap_or(Outcome::DRAW));
        };
        let policy =
            chances(&visits, 1.0).into_iter().map(|chance| (chance * f64::from(SHARES)).round() as u16);
        self.record.searched.push(Searched {
            in_full: self.in_full,
            value: self.search.root_value() as f32,
            policy: moves.iter().copied().zip(policy).filter(|&(_, share)| share > 0).collect(),
        });
        self.record.moves.push(moves[chosen]);
        line.play(moves[chosen]);
        let given_up = (line.moves().len() >= options.longest_game as usize).then_some(Outcome::DRAW);
        let outcome = line.outcome().or(given_up);
        if outcome.is_none() {
            // Each search begins anew, so that there is noise at every root.
            self.search.begin(line);
            self.set_budget(options);
        }
        outcome
    }
}

/// One of several, by their chances; `None` if none has any.
fn drawn(chances: &[f64], rng: &mut Rng) -> Option<usize> {
    let mut lot = rng.unit();
    let drawn = chances.iter().position(|chance| {
        lot -= chance;
        lot < 0.0
    });
    drawn.or_else(|| chances.iter().rposition(|&chance| chance > 0.0))
}
