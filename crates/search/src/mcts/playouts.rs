//! Playouts in a tree: gathering leaves, and applying what their evaluation says.
//!
//! This is all of the search but for its clock and its threads. *Gather* sends playouts down the tree, at each position to the moves
//! that look best, until they have found leaves to be evaluated; *apply* takes the evaluated leaves into the tree and backs their
//! values up. Who evaluates them, on which thread and together with whose leaves, is left to drivers: the threads of one search
//! ([`threads`](super::threads)), or one thread that drives any number of searches ([`SearchTree`](super::SearchTree)).

mod apply;
mod backup;
mod by_rule;
mod cached;
mod prove;
mod single;

use std::sync::atomic::Ordering;

use outplay_core::{Game, History, Line, Move, Rng};

use super::batch::{Batch, Gathered};
use super::bounds::{Bounds, Known, Proof};
use super::context::Run;
use super::counters::ThreadCounters;
use super::evaluate::BatchEvaluator;
use super::graph::Place;
use super::growth::{Addition, Grower};
use super::learning::MovesMade;
use super::options::MctsOptions;
use super::path::{Collisions, Path};
use super::prior::Prior;
use super::root::Steering;
use super::select::{Candidate, Choice, Pick};
use super::state::{Stage, State, Value};
use super::tree::{EdgeId, Link, NodeId, Tree};
use super::utility::Outlook;
use backup::Backups;

/// What a thread has of its own in one search of one tree.
pub(super) struct ThreadState {
    pub grower: Grower,
    pub rng: Rng,
    /// The positions of the game so far; those on the path of a playout come on top.
    pub history: History,
    pub steering: Steering,
    pub counters: ThreadCounters,
    pub root: RootEvaluation,
}

/// What the evaluator has said of the root, without noise.
#[derive(Default)]
pub(super) struct RootEvaluation {
    /// How likely each legal move is thought to be good; empty if it does not say.
    pub policy: Vec<(Move, f32)>,
    /// Wins minus losses, for the player to move.
    pub value: f64,
}

impl ThreadState {
    /// For the thread with this number in a search from the end of a line.
    pub fn new<G: Game>(options: &MctsOptions, line: &Line<G>, number: u64) -> ThreadState {
        ThreadState {
            grower: Grower::default(),
            rng: Rng::new(options.seed ^ number << 48),
            history: line.history().clone(),
            steering: Steering::default(),
            counters: ThreadCounters::default(),
            root: RootEvaluation::default(),
        }
    }
}

/// Memory that a thread needs for its playouts, in whichever tree. It holds nothing in between.
#[derive(Default)]
pub struct Scratch {
    path: Path,
    candidates: Vec<Candidate>,
    /// Playouts that met others on their way.
    collisions: Collisions,
    backups: Backups,
    made: MovesMade,
    probabilities: Vec<f32>,
    priors: Vec<Prior>,
    /// The moves of a leaf, the others of which are left out.
    chosen: Vec<(Prior, Move)>,
    /// Nodes of a graph whose values have changed.
    changed: Vec<NodeId>,
    /// A tree that is empty.
    other_tree: Option<Tree>,
}

impl Scratch {
    /// An empty tree with memory from the same pool, for what is kept of a tree.
    pub(super) fn other_tree(&mut self, tree: &Tree) -> Option<&mut Tree> {
        if !self.other_tree.as_ref().is_some_and(|other| other.is_like(tree)) {
            self.other_tree = tree.another();
        }
        self.other_tree.as_mut()
    }
}

/// One thread's playouts in one tree.
pub(super) struct Playouts<'a, G: Game> {
    run: &'a Run<'a, G>,
    own: &'a mut ThreadState,
    scratch: &'a mut Scratch,
    batch: &'a mut Batch<G>,
    /// Who evaluates leaves as soon as they are found, if somebody does.
    evaluator: Option<&'a mut dyn BatchEvaluator<G>>,
    /// The time that nodes are marked with, if it matters when they were used.
    tick: Option<u8>,
}

impl<'a, G: Game> Playouts<'a, G> {
    pub fn new(
        run: &'a Run<'a, G>,
        own: &'a mut ThreadState,
        scratch: &'a mut Scratch,
        batch: &'a mut Batch<G>,
    ) -> Playouts<'a, G> {
        let recycles = run.context.options.ram_limit_recycles;
        let tick = recycles.then(|| run.tree.arena.tick());
        Playouts { run, own, scratch, batch, evaluator: None, tick }
    }

    /// Has leaves evaluated as soon as they are found.
    pub fn at_once(self, evaluator: &'a mut dyn BatchEvaluator<G>) -> Playouts<'a, G> {
        Playouts { evaluator: Some(evaluator), ..self }
    }

    /// Whether nothing is left to be learned: the root is solved.
    pub fn is_solved(&self) -> bool {
        let root = self.run.tree.link(self.run.root).node;
        self.run.tree.state(root).stage() == Stage::Settled
    }

    /// What the latest gathering has found.
    pub fn gathered(&self) -> Gathered {
        self.batch.gathered
    }

    /// Puts the root into the batch, if it was never evaluated or its moves were given up: before all other playouts. Whether it did.
    pub fn gather_root(&mut self) -> bool {
        let (tree, root) = (self.run.tree, self.run.root);
        let node = tree.link(root).node;
        if tree.state(node).stage() != Stage::Pending && !tree.claim(node) {
            return false;
        }
        self.batch.gathered = Gathered::default();
        tree.send(root, 1);
        self.scratch.path.edges.push(root);
        self.add_leaf(node, self.run.line.position().clone());
        self.scratch.path.edges.pop();
        true
    }

    /// Gathers about `size` leaves behind those of the batch. Playouts are taken from `reserve`, which says how many of those that are asked for
    /// may be made; returns how many of them were not, `None` if none may be made or nothing is left to be learned.
    pub fn gather(&mut self, size: u64, mut reserve: impl FnMut(u64) -> u32) -> Option<u32> {
        if self.is_solved() {
            return None;
        }
        let mut budget = Some(reserve(size)).filter(|&budget| budget > 0)?;
        self.batch.gathered = Gathered::default();
        self.send(budget);
        // Leaves that were known leave room in the batch for others.
        while let Some(more) = self.room_in_batch(size).map(&mut reserve).filter(|&more| more > 0) {
            budget += more;
            let before = self.batch.gathered;
            self.send(budget);
            if self.batch.gathered.counted() == before.counted()
                || self.batch.gathered.collided > before.collided
            {
                break;
            }
        }
        Some(budget.saturating_sub(self.batch.gathered.counted()))
    }

    /// Sends playouts down the tree until `budget` leaves are found, or too many playouts have met others.
    fn send(&mut self, budget: u32) {
        let Run { context, tree, root, .. } = *self.run;
        let visits = tree.stats(root).visits;
        let to_come = self.run.signs.to_come.load(Ordering::Relaxed);
        let most_collisions = context.options.collisions_allowed(visits.into(), to_come);
        loop {
            let before = self.batch.gathered;
            let rest = budget - before.counted().min(budget);
            if rest == 0 || before.collided >= most_collisions {
                break;
            }
            tree.send(root, rest);
            let node = tree.link(root).node;
            self.enter(root, (node, tree.state(node)), self.run.line.position().clone(), rest);
            self.finish_backups();
            // Nothing new can be found: the rest is in flight, or there is no room.
            let found = self.batch.gathered;
            if found.counted() == 0 && found.collided > before.collided {
                break;
            }
            if self.run.signs.full.load(Ordering::Relaxed) {
                break;
            }
        }
        self.call_back();
    }

    /// Brings `budget` playouts along an edge from `parent`, through which they have been sent, to leaves below it.
    fn follow(&mut self, edge: EdgeId, parent: &G, budget: u32) {
        let link = self.run.tree.link(edge);
        // Asked for before the position is computed, because it has to come from far away.
        let state = self.run.tree.state(link.node);
        self.enter(edge, (link.node, state), parent.after(link.m), budget);
    }

    /// Brings `budget` playouts from the node behind an edge to leaves below it.
    fn enter(&mut self, edge: EdgeId, (node, state): (NodeId, State), position: G, budget: u32) {
        self.scratch.path.edges.push(edge);
        match self.halt(edge, (node, state), &position, budget) {
            0 => {}
            1 if !(self.is_at_root() && self.run.has_root_rules()) => {
                self.go_on_alone(edge, (node, state), position)
            }
            going_on => match self.run.root_plan.filter(|_| self.is_at_root()) {
                Some(plan) => self.choose_by_rule(plan, edge, node, &position, going_on),
                None => self.choose(edge, node, state, &position, going_on),
            },
        }
        self.scratch.path.edges.pop();
    }

    /// Ends those of the playouts at the end of the path that go no further; returns how many go on, to the moves of a node that is ready.
    #[inline]
    fn halt(&mut self, edge: EdgeId, (node, state): (NodeId, State), position: &G, budget: u32) -> u32 {
        match self.goes_on(state) {
            true => budget,
            false => self.halt_here(edge, (node, state), position, budget),
        }
    }

    /// Whether nothing halts a playout at a node in this state.
    #[inline]
    fn goes_on(&self, state: State) -> bool {
        state.stage() == Stage::Ready && self.run.context.is_free
    }

    /// The same at a node where something may halt them.
    fn halt_here(
        &mut self,
        edge: EdgeId,
        (node, state): (NodeId, State),
        position: &G,
        mut budget: u32,
    ) -> u32 {
        let is_evaluated = matches!(state.stage(), Stage::Ready | Stage::Forgotten);
        if is_evaluated && self.run.tree.is_graph() && self.scratch.path.edges.len() > 1 {
            // What others have found here is as good as what these would find. At the root every playout goes on.
            let known = self.run.tree.unseen_visits(edge, node).min(budget);
            if known > 0 {
                self.end_here(Value::new(self.run.tree.node_value(node), 0.0, 0.0), known);
                budget -= known;
            }
        }
        if let Some(tick) = self.tick.filter(|&tick| budget > 0 && tick != state.last_used()) {
            self.run.tree.touch(node, tick);
        }
        match state.stage() {
            _ if budget == 0 => {}
            Stage::Settled => {
                self.end_here(self.run.tree.certain_value(state.bounds()), budget);
                self.tell_edge(edge, state.bounds());
            }
            _ if self.is_two_fold(position) => self.end_here(Value::DRAW, budget),
            Stage::Pending => self.collide(budget),
            Stage::Forgotten => {
                let is_first = self.run.tree.claim(node);
                if is_first {
                    self.add_leaf(node, position.clone());
                }
                self.collide(budget - u32::from(is_first));
            }
            Stage::Ready => return budget,
        }
        0
    }

    /// The settings at the node that the path has come to.
    fn options(&self) -> &'a MctsOptions {
        match self.scratch.path.edges.len() {
            1 => &self.run.context.root_options,
            _ => &self.run.context.options,
        }
    }

    fn is_at_root(&self) -> bool {
        self.scratch.path.edges.len() == 1
    }

    /// Whether a position counts as drawn because it has stood on the board since the root.
    fn is_two_fold(&self, position: &G) -> bool {
        self.run.context.options.two_fold_draws
            && self.own.history.last_seen(position).is_some_and(|seen| seen >= self.run.line.history().len())
    }

    /// Shares playouts among the moves of a node.
    fn choose(&mut self, edge: EdgeId, node: NodeId, state: State, position: &G, budget: u32) {
        let tree = self.run.tree;
        if self.run.context.improved.is_some() {
            return (0..budget)
                .for_each(|_| self.go_on_alone(edge, (node, tree.state(node)), position.clone()));
        }
        let begin = self.scratch.candidates.len();
        let options = self.options();
        let outlook = Outlook::new(tree, &self.run.context.utility, edge, node);
        let choice = Choice::new(tree, options, (node, state), outlook, &mut self.scratch.candidates);
        let is_steered = self.is_at_root() && self.run.context.steered_lines > 1;
        let may_try_new = !self.is_at_root() || self.run.keep_hopeful(&mut self.scratch.candidates[begin..]);
        self.own.history.push(position);
        let mut left = budget;
        while left > 0 {
            let state = tree.state(node);
            let next = choice.next_new(tree, node, state).filter(|_| may_try_new || !state.is_sorted());
            let candidates = &self.scratch.candidates[begin..];
            let pick = match is_steered {
                true => choice.pick_beside(candidates, next, self.own.steering.next_omission()),
                false => choice.pick(candidates, next, left),
            };
            let Some(pick) = pick else { break };
            match pick {
                Pick::Send(number, playouts) => {
                    let candidate = &mut self.scratch.candidates[begin + number];
                    choice.send(candidate, playouts);
                    left -= playouts;
                    let link = candidate.link;
                    if self.may_be_closed(&link) && !choice.is_open(tree, &link) {
                        self.look_beside(&choice, begin, node, position);
                    }
                }
                Pick::TryNew(new) => match self.try_new((node, new.number), position) {
                    Some((edge, link)) => {
                        self.scratch.candidates.push(choice.new_candidate(edge, link, new));
                        left -= 1;
                    }
                    // Another thread is at it, or there is no room.
                    None => break,
                },
            }
        }
        self.collide(left);
        if !tree.is_alone() {
            let followed = self.scratch.candidates[begin..].iter().filter(|one| one.sent > 0);
            followed.for_each(|candidate| tree.ask_for(candidate.edge));
        }
        for number in begin..self.scratch.candidates.len() {
            let Candidate { edge, sent, is_new, .. } = self.scratch.candidates[number];
            match is_new {
                // The first playout has brought it here, the others find nothing more.
                true if sent > 1 => {
                    tree.send(edge, sent - 1);
                    self.scratch.path.edges.push(edge);
                    self.collide(sent - 1);
                    self.scratch.path.edges.pop();
                }
                false if sent > 0 => {
                    tree.send(edge, sent);
                    self.follow(edge, position, sent);
                }
                _ => {}
            }
        }
        self.scratch.candidates.truncate(begin);
        self.own.history.pop::<G>();
    }

    /// Sends a playout to a move that was never tried, by its number; the new edge, `None` if there is none.
    fn try_new(&mut self, (node, number): (NodeId, u32), position: &G) -> Option<(EdgeId, Link)> {
        match self.add_edge((node, number), position) {
            (Addition::Added(edge, link), after) => {
                self.run.tree.send(edge, 1);
                self.scratch.path.edges.push(edge);
                self.arrive(link.node, after.unwrap_or_else(|| position.after(link.m)));
                self.scratch.path.edges.pop();
                Some((edge, link))
            }
            (Addition::Met(edge, link), after) => {
                let tree = self.run.tree;
                tree.send(edge, 1);
                let state = tree.state(link.node);
                let proof = self.run.context.options.proof();
                if self.run.context.options.solver && proof.is_progress(Bounds::UNKNOWN, state.bounds()) {
                    self.narrow_graph(node, tree.bounds_by_moves(node, state.bounds(), proof));
                }
                let after = after.unwrap_or_else(|| position.after(link.m));
                self.enter(edge, (link.node, state), after, 1);
                Some((edge, link))
            }
            (Addition::Full, _) => {
                self.run.signs.full.store(true, Ordering::Relaxed);
                None
            }
            (Addition::Busy | Addition::NoneLeft, _) => None,
        }
    }

    /// Whether it is worth asking if a move can teach nothing about what is certain.
    fn may_be_closed(&self, link: &Link) -> bool {
        let options = &self.run.context.options;
        options.solver && (link.known != Known::NOTHING || options.proof() == Proof::Exact)
    }

    /// A playout has gone to a move that can teach nothing about what is certain. Another one follows the best move that can: what it
    /// finds counts below, where it may become a proof, but not for this position; in a graph, where a node's visits are those of its edges, it counts
    /// for this position too, but not above.
    fn look_beside(&mut self, choice: &Choice, begin: usize, node: NodeId, position: &G) {
        let tree = self.run.tree;
        let candidates = self.scratch.candidates[begin..].iter().filter(|candidate| !candidate.is_new);
        let open = candidates.filter(|candidate| choice.is_open(tree, &candidate.link));
        let best = open.max_by(|a, b| a.score().total_cmp(&b.score())).map(|best| best.edge);
        let before = std::mem::replace(&mut self.scratch.path.counts_from, self.scratch.path.edges.len());
        let found = self.batch.gathered.counted();
        match best {
            Some(edge) => {
                tree.send(edge, 1);
                self.follow(edge, position, 1);
            }
            None if tree.state(node).has_new() => drop(self.try_new((node, 0), position)),
            // Nothing is open, but that has not been noticed: several threads were at it.
            None => self.narrow(tree.bounds_by_all_moves(node, self.run.context.options.proof())),
        }
        self.batch.gathered.uncounted += self.batch.gathered.counted() - found;
        self.scratch.path.counts_from = before;
    }

    /// Tries a move of a node, by its number; with the position after it, if there was one.
    fn add_edge(&mut self, new: (NodeId, u32), position: &G) -> (Addition, Option<G>) {
        let (run, is_root) = (self.run, self.is_at_root());
        let ThreadState { grower, rng, history, .. } = &mut *self.own;
        let mut after = None;
        let is_graph = run.tree.is_graph();
        let added = run.tree.add_edge(
            new,
            grower,
            |moves| run.for_each_move(position, is_root, |m| moves.push((Prior::ONE, m))),
            |moves| {
                if !run.context.wants_moves {
                    rng.shuffle(moves);
                }
                if let Some(known) = run.move_history {
                    known.put_best_first(position.to_move(), moves);
                }
            },
            |m| Place::of(after.insert(position.after(m)), history, is_graph),
        );
        (added, after)
    }

    /// A playout has come to a new node.
    fn arrive(&mut self, node: NodeId, position: G) {
        match self.own.history.outcome(&position) {
            Some(outcome) => {
                let bounds = Bounds::end::<G>(outcome);
                self.end_here(self.run.tree.certain_value(bounds), 1);
                self.narrow(bounds);
            }
            None => self.add_leaf(node, position),
        }
    }

    /// Playouts have met others and go home without a value, once the batch is gathered.
    fn collide(&mut self, playouts: u32) {
        if playouts > 0 {
            self.batch.gathered.collided += playouts;
            self.scratch.collisions.push(&self.scratch.path, playouts);
        }
    }

    /// Playouts have found something that needs no evaluation.
    fn end_here(&mut self, value: Value, playouts: u32) {
        if playouts > 0 {
            self.batch.gathered.terminal += playouts;
            let path = std::mem::take(&mut self.scratch.path);
            self.back_up_early(&path, value, playouts);
            self.scratch.made.learn(self.run, &path, &[], (value, playouts));
            self.scratch.path = path;
        }
    }
}
