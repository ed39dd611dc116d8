//! Many searches at once, each with a small tree of its own: how fast the tree, or a network under it, is where leaves of many games fill a batch.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;

use outplay_core::{Game, Line, Rng};
use outplay_net::{Backend, NetError};
use outplay_search::mcts::{
    Batch, EvaluationError, Groups, LeafEvaluator, MctsOptions, Scratch, SearchContext, SearchTree, TreePool,
    TurnCounts,
};

use crate::networks::{NetworkOptions, OpenNetwork, resolve};

/// What is to be searched.
#[derive(Clone, Copy)]
pub struct ManySearches<'o> {
    /// How.
    pub options: &'o MctsOptions,
    /// Games, a share of which each thread has.
    pub games: usize,
    /// Threads.
    pub threads: usize,
    /// Playouts for each move of a game.
    pub playouts_per_move: u64,
    /// Leaves of one game in a batch.
    pub leaves_per_game: u32,
    /// Leaves in a batch, if not as many as the evaluator likes: games that fill one are searched together to their next moves, so that their trees stay in the
    /// processor's cache.
    pub batch: Option<usize>,
    /// As many playouts as are made at least.
    pub playouts: u64,
}

/// Who evaluates the leaves.
#[derive(Clone)]
pub enum LeafSource {
    /// A function of the position that looks like chance, with the seed of the options.
    Random,
    /// A network.
    Network(Arc<dyn Backend>),
}

impl LeafSource {
    /// The network that settings name.
    ///
    /// # Errors
    /// If it is not there, or cannot be run as they say.
    pub fn network(options: &NetworkOptions) -> Result<LeafSource, NetError> {
        let opened =
            OpenNetwork::open(&resolve(&options.network), options.arithmetic, options.device.parse()?)?;
        Ok(LeafSource::Network(opened.backend.clone()))
    }
}

/// What came of them.
#[derive(Clone, Copy, Default, Debug)]
pub struct ManySearched {
    /// Playouts that were made.
    pub playouts: u64,
    /// Moves that were made in the games.
    pub moves: u64,
    /// Bytes of all trees, at the end.
    pub bytes: u64,
    /// What the evaluator was asked, by all threads.
    pub asked: TurnCounts,
}

/// Searches games of one kind.
pub(crate) fn search_many<G: Game>(
    rules: &G::Rules,
    evaluator: &dyn LeafEvaluator<G>,
    task: &ManySearches,
) -> Result<ManySearched, EvaluationError> {
    let start = G::start(rules);
    let (made, threads) = (AtomicU64::new(0), task.threads.clamp(1, task.games.max(1)));
    let work = |thread: usize| {
        let numbers = thread * task.games / threads..(thread + 1) * task.games / threads;
        let context = SearchContext::new(task.options, evaluator);
        let make = |groups| Tables::new(task, &start, &context, numbers, groups, &made);
        let (tables, asked) = context.take_turns(&mut Rng::new(1), make)?;
        Ok(tables.searched(asked))
    };
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        let own = work(0);
        let join = |thread: ScopedJoinHandle<_>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        others.into_iter().map(join).fold(own, |all, one| Ok(all?.and(one?)))
    })
}

impl ManySearched {
    fn and(self, other: ManySearched) -> ManySearched {
        let mut asked = self.asked;
        asked.add(&other.asked);
        ManySearched {
            playouts: self.playouts + other.playouts,
            moves: self.moves + other.moves,
            bytes: self.bytes + other.bytes,
            asked,
        }
    }
}

/// The games of a thread, in groups that take turns with the evaluator.
struct Tables<'t, G: Game> {
    task: &'t ManySearches<'t>,
    start: &'t G,
    groups: Vec<Group<G>>,
    /// How many games fill a batch.
    most_together: usize,
    scratch: Scratch,
    next_game: u64,
    moves: u64,
    playouts: u64,
    /// Playouts of all threads.
    made: &'t AtomicU64,
}

/// Games, those of which that fill a batch are searched together.
struct Group<G: Game> {
    games: Vec<SearchTree<G>>,
    together: Range<usize>,
}

impl<'t, G: Game> Tables<'t, G> {
    fn new(
        task: &'t ManySearches<'t>,
        start: &'t G,
        context: &SearchContext<G>,
        numbers: Range<usize>,
        groups: usize,
        made: &'t AtomicU64,
    ) -> Tables<'t, G> {
        let pool = Arc::new(TreePool::new());
        let new =
            |number: usize| SearchTree::new(context, &pool, opening(start, number as u64), number as u64);
        let games = |group: usize| numbers.clone().skip(group).step_by(groups).map(new).collect();
        let groups = (0..groups).map(|group| Group { games: games(group), together: 0..0 }).collect();
        let next_game = (task.games + numbers.start) as u64;
        let scratch = Scratch::default();
        let liked = context.evaluator().batch_size();
        let most_together = (task.batch.unwrap_or(liked) / task.leaves_per_game.max(1) as usize).max(1);
        Tables { task, start, groups, most_together, scratch, next_game, moves: 0, playouts: 0, made }
    }

    fn searched(self, asked: TurnCounts) -> ManySearched {
        let bytes = self.groups.iter().flat_map(|group| &group.games).map(SearchTree::bytes).sum();
        ManySearched { playouts: self.playouts, moves: self.moves, bytes, asked }
    }

    /// Makes the move that was found, if there was a search, and begins another game where one has ended.
    fn play(&mut self, context: &SearchContext<G>, game: &mut SearchTree<G>) {
        if let Some(m) = game.best_move(context) {
            game.advance(m, &mut self.scratch);
            self.moves += 1;
        }
        if game.line().outcome().is_some() {
            game.begin(opening(self.start, self.next_game));
            self.next_game += 1;
        }
    }

    /// Has searches go on that have ended: each for itself if all games of the group are searched together, otherwise once all have ended; then it is the turn of the next ones.
    fn go_on(&mut self, context: &SearchContext<G>, Group { games, together }: &mut Group<G>) {
        let (budget, most) = (self.task.playouts_per_move, self.most_together);
        if most >= games.len() {
            *together = 0..games.len();
            for game in games.iter_mut().filter(|game| game.is_done()) {
                self.play(context, game);
                game.set_budget(budget);
            }
        } else if games[together.clone()].iter().all(SearchTree::is_done) {
            games[together.clone()].iter_mut().for_each(|game| self.play(context, game));
            let begin = together.end % games.len();
            *together = begin..(begin + most).min(games.len());
            games[together.clone()].iter_mut().for_each(|game| game.set_budget(budget));
        }
    }
}

impl<G: Game> Groups<G> for Tables<'_, G> {
    fn gather(&mut self, context: &SearchContext<G>, group: usize, batch: &mut Batch<G>) -> bool {
        if self.groups[group].games.is_empty() || self.made.load(Ordering::Relaxed) >= self.task.playouts {
            return false;
        }
        let mut of_group =
            std::mem::replace(&mut self.groups[group], Group { games: Vec::new(), together: 0..0 });
        self.go_on(context, &mut of_group);
        let mut made = 0;
        for game in &mut of_group.games[of_group.together.clone()] {
            let before = game.playouts();
            game.gather(context, self.task.leaves_per_game, batch, &mut self.scratch);
            made += game.playouts() - before;
        }
        self.groups[group] = of_group;
        self.playouts += made;
        self.made.fetch_add(made, Ordering::Relaxed);
        true
    }

    fn apply(&mut self, context: &SearchContext<G>, group: usize, batch: &mut Batch<G>) {
        let Group { games, together } = &mut self.groups[group];
        games[together.clone()].iter_mut().for_each(|game| game.apply(context, batch, &mut self.scratch));
    }
}

/// A few moves by lot, so that games differ.
fn opening<G: Game>(start: &G, number: u64) -> Line<G> {
    let (mut rng, mut line) = (Rng::new(number), Line::new(start.clone()));
    for _ in 0..4 {
        let moves = line.legal_moves();
        if line.outcome().is_none() && !moves.is_empty() {
            line.play(moves[rng.below(moves.len())]);
        }
    }
    line
}
