//! One of many searches that one thread drives.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use outplay_core::{Game, Line, Move, Player, Rng, mix};

use super::batch::{Batch, Share};
use super::bounds::Scale;
use super::context::{Run, SearchContext, Signs};
use super::evaluate::{BatchEvaluator, EvaluationError};
use super::graph::Place;
use super::grown;
use super::learning::MoveHistory;
use super::playouts::{Playouts, Scratch, ThreadState};
use super::pool::TreePool;
use super::report;
use super::root_rule::{RootPlan, RootRule};
use super::state::Stage;
use super::tree::{EdgeId, Tree};
use super::view::View;

/// A search of one game without threads inside: it hands out leaves and takes their evaluations, and whoever drives it does the rest. One
/// thread can drive thousands of them, whose leaves are evaluated together.
///
/// Each round, leaves are *gathered* into a batch, after those of other searches; once all of them are evaluated, each search *applies* its own.
/// When [`SearchTree::is_done`], [`SearchTree::best_move`] is to be played, and the search *advances* to the position after it, with what it has
/// learned there.
///
/// ```
/// # use outplay_core::{Game, Line, Move, Outcome, Player, Rng};
/// use std::sync::Arc;
/// use outplay_search::mcts::{Batch, HashRandom, MctsOptions, Scratch, SearchContext, SearchTree, TreePool};
/// # #[derive(Clone, PartialEq, Debug)]
/// # struct Nim(u8);
/// # impl Game for Nim {
/// #     type Rules = ();
/// #     type Moves = Vec<Move>;
/// #     fn start(_: &()) -> Nim { Nim(21) }
/// #     fn to_move(&self) -> Player { Player::BOTH[usize::from(self.0 % 2)] }
/// #     fn legal_moves(&self) -> Vec<Move> { (1..=self.0.min(3) as u16).step_by(2).map(Move::new).collect() }
/// #     fn play(&mut self, m: Move) { self.0 -= m.bits() as u8; }
/// #     fn outcome(&self) -> Option<Outcome> { (self.0 == 0).then(|| Outcome::win(!self.to_move())) }
/// #     fn key(&self) -> u64 { u64::from(self.0) }
/// # }
/// let options = MctsOptions::default();
/// let evaluator = HashRandom { seed: 1 };
/// let context = SearchContext::new(&options, &evaluator);
/// let mut evaluating = context.evaluator().begin();
/// let pool = Arc::new(TreePool::new());
/// let (mut batch, mut scratch, mut rng) = (Batch::default(), Scratch::default(), Rng::new(1));
/// let mut searches: Vec<SearchTree<Nim>> =
///     (0..100).map(|seed| SearchTree::new(&context, &pool, Line::new(Nim::start(&())), seed)).collect();
/// searches.iter_mut().for_each(|search| search.set_budget(64));
/// while searches.iter().any(|search| !search.is_done()) {
///     for search in &mut searches {
///         search.gather(&context, 4, &mut batch, &mut scratch);
///     }
///     context.evaluate(&mut *evaluating, &mut batch, &mut rng).unwrap();
///     for search in &mut searches {
///         search.apply(&context, &mut batch, &mut scratch);
///     }
///     batch.clear();
/// }
/// for search in &mut searches {
///     let m = search.best_move(&context).unwrap();
///     search.advance(m, &mut scratch);
/// }
/// ```
pub struct SearchTree<G: Game> {
    pub(super) tree: Tree,
    pub(super) line: Line<G>,
    /// `None` if the game is over, or there is no room for a root.
    pub(super) root: Option<EdgeId>,
    /// Whether the root may have to be evaluated before all else.
    is_new: bool,
    /// The leaves of this search in the batch that is being evaluated.
    share: Share,
    /// Playouts that may still be begun.
    pub(super) remaining: u64,
    seed: u64,
    pub(super) own: ThreadState,
    signs: Signs,
    move_history: Option<MoveHistory>,
    pub(super) rule: RootRule,
    /// What the rule makes of the root, once it has been evaluated.
    pub(super) plan: Option<RootPlan>,
}

impl<G: Game> SearchTree<G> {
    /// A search from the end of a line of play, with memory from a pool. Searches with the same seed and line make the same playouts, whichever
    /// others are driven beside them. It is always to be used with contexts of the same settings.
    pub fn new(context: &SearchContext<G>, pool: &Arc<TreePool>, line: Line<G>, seed: u64) -> SearchTree<G> {
        let options = &context.options;
        let mut tree = Tree::from_pool(options, Scale::of::<G>(), pool.clone());
        tree.prepare(true, context.evaluator.tells_moves_left());
        let mut own = ThreadState::new(options, &line, 0);
        own.rng = Rng::new(mix(seed));
        let mut search = SearchTree {
            tree,
            line,
            root: None,
            is_new: true,
            share: Share::default(),
            remaining: 0,
            seed: mix(seed),
            own,
            signs: Signs::default(),
            move_history: options.history_ordering.then(MoveHistory::new),
            rule: RootRule::Usual,
            plan: None,
        };
        search.plant();
        search
    }

    /// Begins a search of another game in place of this one, of which nothing is kept but its memory. Nothing of it may be in a batch.
    pub fn begin(&mut self, line: Line<G>) {
        self.line = line;
        self.forget();
        self.own.history.truncate::<G>(0);
        let past = &self.line.positions()[..self.line.moves().len()];
        past.iter().for_each(|position| self.own.history.push(position));
        self.plant();
    }

    /// Gives the memory of the tree back to the pool. The search has no root then until it [begins](SearchTree::begin) again.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.own.grower.let_go();
        (self.root, self.remaining, self.share, self.plan) = (None, 0, Share::default(), None);
        self.own.root.policy.clear();
        self.signs = Signs::default();
    }

    /// Begins with an empty tree at the end of the line.
    fn plant(&mut self) {
        if self.line.position().can_play_on() {
            let place = Place::of(self.line.position(), self.line.history(), self.tree.is_graph());
            self.root = self.tree.new_root(place, &mut self.own.grower);
        }
        self.is_new = true;
    }

    /// Says how many playouts are to be made from here on.
    pub fn set_budget(&mut self, playouts: u64) {
        self.remaining = playouts;
        self.signs.to_come.store(playouts, Relaxed);
    }

    /// The game so far; the search is at its end.
    pub fn line(&self) -> &Line<G> {
        &self.line
    }

    /// Whether nothing is left to be done: all playouts have been made, the position is solved, or there is nothing to search.
    pub fn is_done(&self) -> bool {
        self.share.is_empty() && (self.remaining == 0 || self.is_solved() || self.signs.full.load(Relaxed))
    }

    /// Whether the result of the position is certain, or the game is over.
    pub fn is_solved(&self) -> bool {
        let stage = |root| self.tree.state(self.tree.link(root).node).stage();
        self.root.is_none_or(|root| stage(root) == Stage::Settled)
    }

    /// Playouts that have ended since the search was made, those of earlier games included.
    pub fn playouts(&self) -> u64 {
        self.own.counters.playouts
    }

    /// Puts up to about so many leaves behind those of the batch; how many. The fewer playouts may meet others (`max_collision_visits`), the
    /// sooner it is content with less, which a small tree often has to offer. While some of an earlier batch are not applied, none.
    pub fn gather(
        &mut self,
        context: &SearchContext<G>,
        leaves: u32,
        batch: &mut Batch<G>,
        scratch: &mut Scratch,
    ) -> usize {
        if self.is_done() || !self.share.is_empty() {
            return 0;
        }
        self.plan_root();
        let before = batch.whole();
        let (is_new, mut remaining) = (std::mem::take(&mut self.is_new), self.remaining);
        let ended = self.with_playouts(context, batch, scratch, |playouts| {
            if is_new && playouts.gather_root() {
                remaining -= 1;
                return 1;
            }
            let reserve = |wanted: u64| {
                let taken = wanted.min(remaining);
                remaining -= taken;
                taken as u32
            };
            let unused = playouts.gather(leaves.into(), reserve);
            remaining += u64::from(unused.unwrap_or(0));
            playouts.gathered().counted()
        });
        self.remaining = remaining;
        self.own.counters.playouts += u64::from(ended);
        self.share = batch.since(&before);
        self.share.new.len()
    }

    /// Takes what was said of its leaves into the tree, once the batch that they are in has been evaluated.
    pub fn apply(&mut self, context: &SearchContext<G>, batch: &mut Batch<G>, scratch: &mut Scratch) {
        let share = std::mem::take(&mut self.share);
        if !share.is_empty() {
            self.with_playouts(context, batch, scratch, |playouts| playouts.apply(&share));
        }
    }

    /// Takes its leaves back from a batch that could not be evaluated: the tree is what it was before, and the search can go on or end with the best
    /// move so far.
    pub fn discard(&mut self, context: &SearchContext<G>, batch: &mut Batch<G>, scratch: &mut Scratch) {
        let share = std::mem::take(&mut self.share);
        let lost = self.with_playouts(context, batch, scratch, |playouts| playouts.discard_all(&share));
        self.is_new = true;
        self.remaining += u64::from(lost);
        self.own.counters.playouts -= u64::from(lost);
    }

    /// The tried moves with their visits, in the order in which they were first tried.
    pub fn root_visits(&self) -> impl Iterator<Item = (Move, u32)> {
        let mut visits = Vec::new();
        if let Some(root) = self.root {
            let node = self.tree.link(root).node;
            self.tree.for_each_edge(node, self.tree.state(node).edges(), |edge| {
                visits.push((edge.link().m, edge.stats().visits));
            });
        }
        visits.into_iter()
    }

    /// What the position is worth for the player to move, as far as is known: wins minus losses.
    pub fn root_value(&self) -> f64 {
        let value = self.root.map_or(0.0, |root| self.tree.means(root).wl);
        if self.line.position().to_move() == Player::First { value } else { -value }
    }

    /// The move to be played: the best one, or one drawn by lot, as the settings say. `None` if none was tried.
    pub fn best_move(&self, context: &SearchContext<G>) -> Option<Move> {
        let view = View::new(&self.tree, &context.options, context.rescale);
        let (best, drawn) = report::final_move(&view, self.root?, &self.line, self.seed);
        Some(self.tree.link(drawn.or(best)?).m)
    }

    /// Makes a legal move, and goes on from there with what is known of it; all else is forgotten, but for that of a graph, which is kept until
    /// [`SearchTree::forget`]. The budget is used up then. Nothing of the search may be in a batch.
    pub fn advance(&mut self, m: Move, scratch: &mut Scratch) {
        let known = self.root.and_then(|root| grown::edge_after(&self.tree, root, m));
        self.own.history.push(self.line.position());
        self.line.play(m);
        (self.remaining, self.is_new, self.plan) = (0, true, None);
        self.root = known.and_then(|edge| match self.tree.is_graph() {
            true => self.tree.second_edge(edge, &mut self.own.grower),
            false => self.keep_below(edge, scratch),
        });
        if self.root.is_none() {
            self.forget();
            self.plant();
        }
        self.own.root.policy.clear();
        self.own.root.value = self.root_value();
    }

    /// Forgets everything but what is behind an edge; the edge of the root then.
    fn keep_below(&mut self, edge: EdgeId, scratch: &mut Scratch) -> Option<EdgeId> {
        let other = scratch.other_tree(&self.tree)?;
        self.own.grower.let_go();
        let root = self.tree.copy_below(edge, other, &mut self.own.grower);
        std::mem::swap(&mut self.tree, other);
        other.clear();
        root
    }

    /// Bytes that the tree takes from the pool.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes()
    }

    fn with_playouts<R>(
        &mut self,
        context: &SearchContext<G>,
        batch: &mut Batch<G>,
        scratch: &mut Scratch,
        work: impl FnOnce(&mut Playouts<G>) -> R,
    ) -> R
    where
        R: Default,
    {
        let Some(root) = self.root else { return R::default() };
        let run = Run {
            context,
            tree: &self.tree,
            line: &self.line,
            root,
            root_moves: None,
            root_plan: self.plan.as_ref(),
            move_history: self.move_history.as_ref(),
            signs: &self.signs,
        };
        let result = work(&mut Playouts::new(&run, &mut self.own, scratch, batch));
        if self.tree.arena.lengthen_table() {
            self.signs.full.store(false, Relaxed);
        }
        result
    }
}

impl<G: Game> SearchContext<'_, G> {
    /// Evaluates the leaves of a batch, as many at a time as the evaluator likes. `evaluator` is what a thread has [begun](super::LeafEvaluator::begin) with. After
    /// an error searches have to [discard](SearchTree::discard) their leaves.
    pub fn evaluate(
        &self,
        evaluator: &mut dyn BatchEvaluator<G>,
        batch: &mut Batch<G>,
        rng: &mut Rng,
    ) -> Result<(), EvaluationError> {
        let size = self.options.leaves_at_once(self.evaluator.batch_size()) as usize;
        batch.leaves().chunks_mut(size).try_for_each(|leaves| evaluator.evaluate(leaves, rng))
    }
}
