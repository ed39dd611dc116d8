//! Records the top of an iteration's tree, if anybody watches.
//!
//! The search itself knows nothing of it but one question on the way down ([`Worker::below`]), and that each position says why it was
//! left. What a position has counted for itself is what was counted in all less what its children were seen to count.

use std::collections::HashMap;
use std::time::Duration;

use outplay_core::{Game, Move, MoveList};

use super::Techniques;
use super::pvs::Node;
use super::window::{NodeType, NonPv, Window};
use super::worker::Worker;
use crate::trace::{IterationTrace, NodeEnd, NodeVisit, Pruned, SearchedNode, TraceEvent, TraceOptions};
use crate::{Knowledge, Score, Tactics};

/// So many visits of one node are kept.
const MOST_VISITS: usize = 8;

/// Keeps what one iteration has shown.
pub(super) struct Recorder<G> {
    options: TraceOptions,
    tree: Vec<SearchedNode>,
    /// The numbers of nodes by the node above and the move.
    numbers: HashMap<(u32, Option<Move>), u32>,
    /// From the root to the node that is being searched.
    way: Vec<Step<G>>,
    /// Root moves that may still want a place.
    root_moves: usize,
    left_out: u64,
    nodes_before: u64,
    techniques_before: Techniques,
}

/// Whether a node on the way is recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Number(u32),
    /// There was no room.
    LeftOut,
    /// It does not belong to the tree: a position searched to evaluate a move by, or too far from the root.
    Aside,
}

/// A node on the way.
struct Step<G> {
    place: Place,
    visit: NodeVisit,
    nodes_before: u64,
    pruned_before: Pruned,
    /// What the nodes below have pruned.
    pruned_below: Pruned,
    /// The position on the board, where the search looks at its image instead.
    actual: Option<G>,
}

impl<G> Recorder<G> {
    pub fn new(options: TraceOptions) -> Recorder<G> {
        Recorder {
            options,
            tree: Vec::new(),
            numbers: HashMap::new(),
            way: Vec::new(),
            root_moves: 0,
            left_out: 0,
            nodes_before: 0,
            techniques_before: Techniques::default(),
        }
    }

    /// The number of the first ply whose nodes are not looked at.
    pub fn plies(&self) -> usize {
        usize::from(self.options.plies) + 1
    }

    /// Where a node goes: the one that it has, a new one, or none.
    fn place(&mut self, m: Option<Move>, ply: usize) -> Place {
        let parent = match self.way.last().map(|step| step.place) {
            _ if ply > usize::from(self.options.plies) => return Place::Aside,
            Some(Place::Number(parent)) => parent,
            Some(Place::Aside) => return Place::Aside,
            Some(Place::LeftOut) | None => {
                self.left_out += 1;
                return Place::LeftOut;
            }
        };
        if let Some(&number) = self.numbers.get(&(parent, m)) {
            return Place::Number(number);
        }
        // Root moves come first, though they come last.
        let reserved = if ply > 1 { self.root_moves } else { 0 };
        if self.tree.len() + reserved >= self.options.most_nodes as usize {
            self.left_out += 1;
            return Place::LeftOut;
        }
        if ply == 1 {
            self.root_moves = self.root_moves.saturating_sub(1);
        }
        let number = self.add(Some(parent), m, ply);
        self.numbers.insert((parent, m), number);
        Place::Number(number)
    }

    fn add(&mut self, parent: Option<u32>, m: Option<Move>, ply: usize) -> u32 {
        self.tree.push(SearchedNode {
            parent,
            m,
            ply: ply as u16,
            evaluation: None,
            nodes: 0,
            visits: Vec::new(),
            visits_left_out: 0,
        });
        self.tree.len() as u32 - 1
    }

    /// Goes down to a node, after `nodes` nodes.
    fn begin(&mut self, place: Place, visit: NodeVisit, actual: Option<G>, so_far: (u64, &Techniques)) {
        let (nodes_before, pruned_before) = (so_far.0, so_far.1.pruned());
        let pruned_below = Pruned::default();
        self.way.push(Step { place, visit, nodes_before, pruned_before, pruned_below, actual });
    }

    /// Comes back from it.
    fn end(
        &mut self,
        value: Option<Score>,
        ending: NodeEnd,
        evaluation: Option<i32>,
        so_far: (u64, &Techniques),
    ) {
        let Some(step) = self.way.pop() else { return };
        let pruned = so_far.1.pruned().since(step.pruned_before);
        if let Some(above) = self.way.last_mut() {
            above.pruned_below = above.pruned_below.with(pruned);
        }
        let Place::Number(number) = step.place else { return };
        let node = &mut self.tree[number as usize];
        let nodes = so_far.0 - step.nodes_before;
        let ending = if value.is_some() { ending } else { NodeEnd::GivenUp };
        let visit = NodeVisit { value, ending, nodes, pruned: pruned.since(step.pruned_below), ..step.visit };
        node.nodes += nodes;
        node.evaluation = evaluation.map(Score::heuristic).or(node.evaluation);
        if node.visits.len() == MOST_VISITS {
            node.visits.pop();
            node.visits_left_out += 1;
        }
        node.visits.push(visit);
    }
}

impl Techniques {
    /// What was pruned in all.
    fn pruned(&self) -> Pruned {
        Pruned {
            late: self.late_moves_pruned,
            futile: self.futile_moves,
            candidates: self.candidates_exhausted,
            history: self.history_prunings,
            exchange: self.exchange_prunings,
        }
    }
}

impl Pruned {
    fn combined(self, other: Pruned, combine: impl Fn(u64, u64) -> u64) -> Pruned {
        Pruned {
            late: combine(self.late, other.late),
            futile: combine(self.futile, other.futile),
            candidates: combine(self.candidates, other.candidates),
            history: combine(self.history, other.history),
            exchange: combine(self.exchange, other.exchange),
        }
    }

    fn with(self, other: Pruned) -> Pruned {
        self.combined(other, |mine, theirs| mine + theirs)
    }

    fn since(self, earlier: Pruned) -> Pruned {
        self.combined(earlier, |now, then| now - then)
    }
}

/// A visit that is about to begin.
fn visit(
    at: Duration,
    place: u32,
    (depth, extension): (i32, i32),
    full_depth: i32,
    window: Window,
) -> NodeVisit {
    NodeVisit {
        at,
        place,
        depth,
        reduction: full_depth + extension - depth,
        extension,
        window: (window.alpha, window.beta),
        value: None,
        ending: NodeEnd::GivenUp,
        nodes: 0,
        pruned: Pruned::default(),
    }
}

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// The same as [`Worker::below`], recorded.
    #[cold]
    #[inline(never)]
    pub(super) fn watch_below<N: NodeType>(
        &mut self,
        node: &Node<G>,
        child: &G,
        window: Window,
        depth: i32,
        cut_node: bool,
    ) -> Score {
        let (ply, entry) = (node.ply + 1, self.stack[node.ply]);
        let goes_on = child.to_move() == node.position.to_move();
        let (played, actual) = match ply < self.watched_plies {
            true => self.actual_move::<N>(entry.m, child),
            false => (entry.m, None),
        };
        let at = self.elapsed();
        let seen = if goes_on { window } else { window.turned() };
        let (number, extension) = if entry.m.is_some() { entry.place } else { (0, 0) };
        // Nothing reads this before it is written but who asks below whether it was.
        self.stack[ply].evaluation = None;
        if let Some(recorder) = &mut self.recorder {
            let place = recorder.place(played, ply);
            let depths = (depth, extension.into());
            let visit = visit(at, number.into(), depths, node.depth - 1, seen);
            recorder.begin(place, visit, actual, (self.counters.nodes, &self.techniques));
            if entry.m.is_none() {
                // What follows a pass cannot be played on a board: it is counted, not shown.
                let barrier = NodeVisit { place: 0, ..visit };
                recorder.begin(Place::Aside, barrier, None, (self.counters.nodes, &self.techniques));
            }
        }
        let score = self.unwatched_below::<N>(node, child, window, depth, cut_node);
        let value = (!self.aborted).then_some(if goes_on { score } else { -score });
        let (ending, evaluation) = (self.ending, self.stack[ply].evaluation);
        if let Some(recorder) = &mut self.recorder {
            let so_far = (self.counters.nodes, &self.techniques);
            if entry.m.is_none() {
                recorder.end(value, ending, None, so_far);
            }
            recorder.end(value, ending, evaluation, so_far);
        }
        score
    }

    /// Searches a position to evaluate something by that belongs to another search of it: that is not shown.
    pub(super) fn pvs_aside(
        &mut self,
        position: &G,
        window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        let is_watched = ply < self.watched_plies;
        if is_watched && let Some(recorder) = &mut self.recorder {
            let visit = visit(Duration::ZERO, 0, (depth, 0), depth, window);
            recorder.begin(Place::Aside, visit, None, (self.counters.nodes, &self.techniques));
        }
        let score = self.pvs::<NonPv>(position, window, depth, ply, cut_node);
        if is_watched && let Some(recorder) = &mut self.recorder {
            recorder.end(None, self.ending, None, (self.counters.nodes, &self.techniques));
        }
        score
    }

    /// Which move on the board the search's move stands for; with the position on the board that it leads to, if the search will look at an
    /// image of it.
    fn actual_move<N: NodeType>(&self, m: Option<Move>, child: &G) -> (Option<Move>, Option<G>) {
        let image = |position: &G| self.tactics.canonical(position).unwrap_or_else(|| position.clone());
        let parent = self.recorder.as_ref().and_then(|recorder| recorder.way.last()?.actual.as_ref());
        let (m, actual) = match parent.filter(|_| m.is_some()) {
            None => (m, child.clone()),
            Some(parent) => {
                let wanted = image(child);
                let found = parent.legal_moves().each().find(|&m| image(&parent.after(m)) == wanted);
                (found.or(m), found.map_or_else(|| child.clone(), |m| parent.after(m)))
            }
        };
        let will_fold = !N::PV && !G::REPEATS && self.tactics.canonical(child).is_some();
        let differs = will_fold || actual != *child;
        (m, differs.then_some(actual))
    }

    /// An iteration begins, over so many root moves.
    pub(super) fn watch_iteration(&mut self, root_moves: usize) {
        let Some(recorder) = &mut self.recorder else { return };
        recorder.tree.clear();
        recorder.numbers.clear();
        recorder.way.clear();
        recorder.root_moves = root_moves;
        (recorder.nodes_before, recorder.techniques_before) = (self.counters.nodes, self.techniques);
        recorder.left_out = 0;
        recorder.add(None, None, 0);
    }

    /// A pass over the root moves begins.
    pub(super) fn watch_root(&mut self, window: Window, depth: i32) {
        let at = self.elapsed();
        let Some(recorder) = &mut self.recorder else { return };
        let visit = visit(at, 0, (depth, 0), depth, window);
        recorder.begin(Place::Number(0), visit, None, (self.counters.nodes, &self.techniques));
    }

    /// It ends with this value.
    pub(super) fn watched_root(&mut self, value: Score) {
        let value = (!self.aborted).then_some(value);
        let evaluation = self.stack[0].evaluation;
        let Some(recorder) = &mut self.recorder else { return };
        recorder.end(value, NodeEnd::Searched, evaluation, (self.counters.nodes, &self.techniques));
    }

    /// An iteration ends: whoever watches gets what was recorded.
    pub(super) fn watched_iteration(&mut self) {
        let time = self.elapsed();
        let Some(recorder) = &mut self.recorder else { return };
        let iteration = IterationTrace {
            depth: self.root_depth as u32,
            is_complete: !self.aborted,
            time,
            nodes: self.counters.nodes - recorder.nodes_before,
            techniques: self.techniques.since(&recorder.techniques_before),
            left_out: recorder.left_out,
            tree: std::mem::take(&mut recorder.tree),
        };
        if let Some(watcher) = self.control.as_mut().and_then(|control| control.watcher.as_mut()) {
            (watcher.sink)(TraceEvent::Iteration(Box::new(iteration)));
        }
    }

    fn elapsed(&self) -> Duration {
        self.control.as_ref().map_or(Duration::ZERO, |control| control.elapsed())
    }
}
