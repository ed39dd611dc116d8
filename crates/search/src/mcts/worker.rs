//! One thread's part of the search: gathering leaves, having them judged, backing values up.

mod batch;
mod pipeline;
mod prove;
mod recall;
mod walk;

use std::sync::atomic::Ordering;

use outplay_core::{Game, History, Move, MoveList, Rng};

use super::bounds::{Bounds, Known};
use super::evaluate::{BatchEvaluator, Leaf};
use super::graph::Place;
use super::growth::{Addition, Grower};
use super::learning::Trail;
use super::options::MctsOptions;
use super::prior::Prior;
use super::root::Steering;
use super::select::{Candidate, Choice, Pick};
use super::shared::{Flight, Route, Shared};
use super::state::{MOST_MOVES, Stage, State, Value};
use super::tree::{EdgeId, Link, NodeId};
use super::utility::Outlook;
use crate::CacheUse;
use pipeline::Pipeline;

/// One thread's state.
pub(super) struct Worker<'a, G: Game> {
    shared: &'a Shared<'a, G>,
    grower: Grower,
    rng: Rng,
    history: History,
    leaves: Vec<Leaf<G>>,
    flights: Vec<Flight>,
    /// How many of the leaves belong to the current batch; the rest are there to be used again.
    gathered: usize,
    /// How many of those, the first ones, were judged before and need not be judged again.
    known: usize,
    /// Leaves of the current batch that were judged before and have been backed up already.
    recalled: u32,
    cache_use: CacheUse,
    /// Who judges the leaves, if that is the thread itself.
    judge: Box<dyn BatchEvaluator<G> + 'a>,
    /// The way to those who judge, if it is not.
    pipeline: Option<Box<Pipeline<'a, G>>>,
    route: Route,
    candidates: Vec<Candidate>,
    /// Playouts that met others on their way.
    collisions: Vec<(Route, u32)>,
    collided: u32,
    settled: u32,
    /// Leaves of the batch, and settled playouts, that do not count at the root.
    beside: u32,
    steering: Steering,
    trail: Trail,
    probabilities: Vec<f32>,
    priors: Vec<Prior>,
    /// Room for the moves of a leaf, the others of which are left out.
    chosen: Vec<(Prior, Move)>,
    /// Room for nodes of a graph whose values have changed.
    changed: Vec<NodeId>,
    /// The time that nodes are marked with, if it matters when they were used.
    tick: Option<u8>,
    /// Whether nothing can halt a playout at a node that is ready.
    is_free: bool,
    /// Whether a leaf that is alone in its batch may be judged as soon as it is found.
    judges_at_once: bool,
}

impl<'a, G: Game> Worker<'a, G> {
    pub fn new(shared: &'a Shared<'a, G>, number: u64) -> Worker<'a, G> {
        Worker {
            shared,
            grower: Grower::default(),
            rng: Rng::new(shared.options.seed as u64 ^ number << 48),
            history: shared.line.history().clone(),
            leaves: Vec::new(),
            flights: Vec::new(),
            gathered: 0,
            known: 0,
            recalled: 0,
            cache_use: CacheUse::default(),
            judge: shared.evaluator.begin(),
            pipeline: Pipeline::new(shared).map(Box::new),
            route: Route::default(),
            candidates: Vec::new(),
            collisions: Vec::new(),
            collided: 0,
            settled: 0,
            beside: 0,
            steering: Steering::new(shared.steered_lines, shared.options.multipv_share),
            trail: Trail::default(),
            probabilities: Vec::new(),
            priors: Vec::new(),
            chosen: Vec::new(),
            changed: Vec::new(),
            tick: None,
            is_free: !(shared.tree.is_graph()
                || shared.options.ram_limit_recycles
                || G::REPEATS && shared.options.two_fold_draws),
            judges_at_once: shared.leaves_at_once == 1 && shared.service.is_none() && shared.cache.is_none(),
        }
    }

    /// Waits while another thread makes room.
    pub fn wait(&mut self) {
        self.let_go();
        self.shared.wait();
    }

    /// Makes room in a tree that is full; false if that cannot be done.
    pub fn make_room(&mut self) -> bool {
        if !self.shared.options.ram_limit_recycles {
            return false;
        }
        self.let_go();
        self.shared.make_room()
    }

    /// Lets go of the tree: no playout is on its way, and no memory is held.
    fn let_go(&mut self) {
        self.take_back();
        self.grower = Grower::default();
    }

    /// Playouts of the batch that have found something and count at the root.
    fn ended(&self) -> u32 {
        (self.gathered as u32 + self.settled).saturating_sub(self.beside)
    }

    /// Takes up to `wanted` playouts from those that are left; `None` if none is.
    fn reserve(&self, wanted: u64) -> Option<u32> {
        let taken = self.shared.tree.take(&self.shared.remaining, wanted);
        (taken > 0).then_some(taken as u32)
    }

    /// Sends playouts down the tree until `budget` leaves are found, or too many playouts have met others.
    fn gather(&mut self, budget: u32) {
        let visits = self.shared.tree.stats(self.shared.root).visits;
        let to_come = self.shared.to_come.load(Ordering::Relaxed);
        let most_collisions = self.shared.options.collisions_allowed(visits.into(), to_come);
        let position = self.shared.line.position();
        loop {
            let before = self.collided;
            let rest = budget - self.ended().min(budget);
            let may_collide = most_collisions.saturating_sub(self.collided);
            if rest == 0 || may_collide == 0 {
                break;
            }
            self.shared.tree.send(self.shared.root, rest);
            let node = self.shared.tree.link(self.shared.root).node;
            self.enter(self.shared.root, (node, self.shared.tree.state(node)), position.clone(), rest);
            // Nothing new can be found: the rest is in flight, or there is no room.
            if self.ended() == 0 && self.collided > before {
                break;
            }
            if self.shared.full.load(Ordering::Relaxed) {
                break;
            }
        }
        for (route, playouts) in self.collisions.drain(..) {
            route.counted().iter().for_each(|&edge| self.shared.tree.call_back(edge, playouts));
        }
    }

    /// Brings `budget` playouts along an edge from `parent`, through which they have been sent, to leaves below it.
    fn follow(&mut self, edge: EdgeId, parent: &G, budget: u32) {
        let link = self.shared.tree.link(edge);
        // Asked for before the position is computed, because it has to come from far away.
        let state = self.shared.tree.state(link.node);
        self.enter(edge, (link.node, state), parent.after(link.m), budget);
    }

    /// Brings `budget` playouts from the node behind an edge to leaves below it.
    fn enter(&mut self, edge: EdgeId, (node, state): (NodeId, State), position: G, budget: u32) {
        self.route.path.push(edge);
        match self.halt(edge, (node, state), &position, budget) {
            0 => {}
            1 if !(self.is_at_root() && self.shared.has_root_rules()) => {
                self.walk(edge, (node, state), position)
            }
            going_on => self.choose(edge, node, state, &position, going_on),
        }
        self.route.path.pop();
    }

    /// Ends those of the playouts at the end of the path that go no further; returns how many go on, to the moves of a node that is ready.
    #[inline]
    fn halt(&mut self, edge: EdgeId, (node, state): (NodeId, State), position: &G, budget: u32) -> u32 {
        match state.stage() {
            Stage::Ready if self.is_free => budget,
            _ => self.halt_here(edge, (node, state), position, budget),
        }
    }

    /// The same at a node where something may halt them.
    fn halt_here(
        &mut self,
        edge: EdgeId,
        (node, state): (NodeId, State),
        position: &G,
        mut budget: u32,
    ) -> u32 {
        let is_judged = matches!(state.stage(), Stage::Ready | Stage::Forgotten);
        if is_judged && self.shared.tree.is_graph() && self.route.path.len() > 1 {
            // What others have found here is as good as what these would find. At the root every playout goes on.
            let known = self.shared.tree.unseen_visits(edge, node).min(budget);
            if known > 0 {
                self.settle(Value::new(self.shared.tree.node_value(node), 0.0, 0.0), known);
                budget -= known;
            }
        }
        if let Some(tick) = self.tick.filter(|&tick| budget > 0 && tick != state.last_used()) {
            self.shared.tree.touch(node, tick);
        }
        match state.stage() {
            _ if budget == 0 => {}
            Stage::Settled => {
                self.settle(Value::certain(state.bounds()), budget);
                self.tell_way(edge, state.bounds());
            }
            _ if self.is_two_fold(position) => self.settle(Value::DRAW, budget),
            Stage::Pending => self.collide(budget),
            Stage::Forgotten => {
                let is_first = self.shared.tree.claim(node);
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
        match self.route.path.len() {
            1 => &self.shared.root_options,
            _ => self.shared.options,
        }
    }

    fn is_at_root(&self) -> bool {
        self.route.path.len() == 1
    }

    /// Whether a position counts as drawn because it has stood on the board since the root.
    fn is_two_fold(&self, position: &G) -> bool {
        self.shared.options.two_fold_draws
            && self.history.last_seen(position).is_some_and(|seen| seen >= self.shared.line.history().len())
    }

    /// Shares playouts among the moves of a node.
    fn choose(&mut self, edge: EdgeId, node: NodeId, state: State, position: &G, budget: u32) {
        let tree = self.shared.tree;
        let begin = self.candidates.len();
        let options = self.options();
        let outlook = Outlook::new(tree, &self.shared.utility, edge, node);
        let choice = Choice::new(tree, options, (node, state), outlook, &mut self.candidates);
        let is_steered = self.is_at_root() && self.shared.steered_lines > 1;
        let may_try_new = !self.is_at_root() || self.shared.keep_hopeful(&mut self.candidates[begin..]);
        self.history.push(position);
        let mut left = budget;
        while left > 0 {
            let state = tree.state(node);
            let next = choice.next_new(tree, node, state).filter(|_| may_try_new || !state.is_sorted());
            let candidates = &self.candidates[begin..];
            let pick = match is_steered {
                true => choice.pick_beside(candidates, next, self.steering.next_omission()),
                false => choice.pick(candidates, next, left),
            };
            let Some(pick) = pick else { break };
            match pick {
                Pick::Send(number, playouts) => {
                    let candidate = &mut self.candidates[begin + number];
                    choice.send(candidate, playouts);
                    tree.send(candidate.edge, playouts);
                    left -= playouts;
                    let link = candidate.link;
                    if self.may_be_closed(&link) && !choice.is_open(tree, &link) {
                        self.look_beside(&choice, begin, node, position);
                    }
                }
                Pick::TryNew(new) => match self.try_new((node, new.number), position) {
                    Some((edge, link)) => {
                        self.candidates.push(choice.new_candidate(edge, link, new));
                        left -= 1;
                    }
                    // Another thread is at it, or there is no room.
                    None => break,
                },
            }
        }
        self.collide(left);
        for number in begin..self.candidates.len() {
            let Candidate { edge, sent, is_new, .. } = self.candidates[number];
            match is_new {
                // The first playout has brought it here, the others find nothing more.
                true if sent > 1 => {
                    self.route.path.push(edge);
                    self.collide(sent - 1);
                    self.route.path.pop();
                }
                false if sent > 0 => self.follow(edge, position, sent),
                _ => {}
            }
        }
        self.candidates.truncate(begin);
        self.history.pop::<G>();
    }

    /// Sends a playout to a move that was never tried, by its number; the new edge, `None` if there is none.
    fn try_new(&mut self, (node, number): (NodeId, u32), position: &G) -> Option<(EdgeId, Link)> {
        match self.add_edge((node, number), position) {
            (Addition::Added(edge, link), after) => {
                self.shared.tree.send(edge, 1);
                self.route.path.push(edge);
                self.arrive(link.node, after.unwrap_or_else(|| position.after(link.m)));
                self.route.path.pop();
                Some((edge, link))
            }
            (Addition::Met(edge, link), after) => {
                let tree = self.shared.tree;
                tree.send(edge, 1);
                let state = tree.state(link.node);
                let proof = self.shared.options.proof();
                if self.shared.options.solver && proof.is_progress(Bounds::UNKNOWN, state.bounds()) {
                    self.narrow_graph(node, tree.bounds_by_moves(node, state.bounds(), proof));
                }
                let after = after.unwrap_or_else(|| position.after(link.m));
                self.enter(edge, (link.node, state), after, 1);
                Some((edge, link))
            }
            (Addition::Full, _) => {
                self.shared.full.store(true, Ordering::Relaxed);
                None
            }
            (Addition::Busy | Addition::NoneLeft, _) => None,
        }
    }

    /// Whether it is worth asking if a move can teach nothing about what is certain.
    fn may_be_closed(&self, link: &Link) -> bool {
        let options = self.shared.options;
        options.solver && (link.known != Known::NOTHING || options.solver_distance)
    }

    /// A playout has gone to a move that can teach nothing about what is certain. Another one follows the best move that can: what it
    /// finds counts below, where it may become a proof, but not for this position; in a graph, where a node's visits are those of its edges, it counts
    /// for this position too, but not above.
    fn look_beside(&mut self, choice: &Choice, begin: usize, node: NodeId, position: &G) {
        let tree = self.shared.tree;
        let candidates = self.candidates[begin..].iter().filter(|candidate| !candidate.is_new);
        let open = candidates.filter(|candidate| choice.is_open(tree, &candidate.link));
        let best = open.max_by(|a, b| a.score().total_cmp(&b.score())).map(|best| best.edge);
        let before = std::mem::replace(&mut self.route.counts_from, self.route.path.len());
        let found = self.gathered as u32 + self.settled - self.beside;
        match best {
            Some(edge) => {
                tree.send(edge, 1);
                self.follow(edge, position, 1);
            }
            None if tree.state(node).has_new() => drop(self.try_new((node, 0), position)),
            // Nothing is open, but that has not been noticed: several threads were at it.
            None => self.narrow(tree.bounds_by_all_moves(node, self.shared.options.proof())),
        }
        self.beside += self.gathered as u32 + self.settled - self.beside - found;
        self.route.counts_from = before;
    }

    /// Tries a move of a node, by its number; with the position after it, if there was one.
    fn add_edge(&mut self, new: (NodeId, u32), position: &G) -> (Addition, Option<G>) {
        let (shared, at_root) = (self.shared, self.route.path.len() == 1);
        let (rng, history, mut after) = (&mut self.rng, &self.history, None);
        let is_graph = shared.tree.is_graph();
        let added = shared.tree.add_edge(
            new,
            &mut self.grower,
            |moves| match at_root {
                true => moves.extend(shared.root_moves.iter().map(|&m| (Prior::ONE, m))),
                false => {
                    moves.extend(position.legal_moves().each().take(MOST_MOVES).map(|m| (Prior::ONE, m)))
                }
            },
            |moves| {
                if !shared.wants_moves {
                    rng.shuffle(moves);
                }
                if let Some(known) = &shared.move_history {
                    known.put_best_first(position.to_move(), moves);
                }
            },
            |m| Place::of(after.insert(position.after(m)), history, is_graph),
        );
        (added, after)
    }

    /// A playout has come to a new node.
    fn arrive(&mut self, node: NodeId, position: G) {
        match self.history.outcome(&position) {
            Some(outcome) => {
                let bounds = Bounds::end(outcome);
                self.settle(Value::certain(bounds), 1);
                self.narrow(bounds);
            }
            None => self.add_leaf(node, position),
        }
    }

    /// Playouts have met others and go home without a value, once the batch is gathered.
    fn collide(&mut self, playouts: u32) {
        if playouts > 0 {
            self.collided += playouts;
            self.collisions.push((self.route.clone(), playouts));
        }
    }

    /// Playouts have found something whose value is certain.
    fn settle(&mut self, value: Value, playouts: u32) {
        if playouts > 0 {
            self.settled += playouts;
            back_up(self.shared, &self.route, value, playouts, &mut self.changed);
            self.trail.learn(self.shared, &self.route, &[], (value, playouts));
        }
    }
}

/// Brings a value from the end of a path to the root.
fn back_up<G: Game>(
    shared: &Shared<G>,
    route: &Route,
    value: Value,
    playouts: u32,
    changed: &mut Vec<NodeId>,
) {
    if shared.tree.is_graph() {
        // Every edge takes the value of its node, which the playouts have brought up to date.
        let tolerance = shared.options.dag_tolerance as f32;
        route.counted().iter().rev().for_each(|&edge| shared.tree.count(edge, playouts, tolerance, changed));
        if let Some(&above) = route.counts_from.checked_sub(1).and_then(|above| route.path.get(above)) {
            shared.tree.spread(shared.tree.link(above).node, tolerance, changed);
        }
    } else {
        for (plies, &edge) in route.counted().iter().rev().enumerate() {
            shared.tree.back_up(edge, value, playouts, plies as u32);
        }
        if let Some(&above) = route.counts_from.checked_sub(1).and_then(|above| route.path.get(above)) {
            // The node above does not count them, but its edges do, by which its draws and plies are shared out.
            let node = shared.tree.link(above).node;
            shared.tree.add_to_node(node, value, playouts, route.counted().len() as u32);
        }
    }
    let depth = route.path.len() as u64 - 1;
    if !route.counts_at_root() {
        return;
    }
    shared.tree.add(&shared.plies, depth * u64::from(playouts));
    if depth > shared.deepest.load(Ordering::Relaxed) {
        shared.deepest.fetch_max(depth, Ordering::Relaxed);
    }
}
