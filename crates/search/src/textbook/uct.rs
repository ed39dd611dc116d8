//! UCT: a tree grown by simulations, each led by the upper confidence bound.
//!
//! One simulation goes down the tree by the *tree policy*, adds the moves of the position it reaches, finishes the
//! game from a new one by the *default policy* and writes the result into every node on its way.

mod recording;

use outplay_core::{Game, History, Line, Move, MoveList, Outcome, Player, Rng};

use super::{NotRecorded, Recording, playout};
use crate::stop::{Completed, Granularity};
use crate::{
    Bound, Control, Counters, Limits, MEBIBYTE, MOST_SEED, Meaning, OptionSet, PrincipalVariation, Report,
    Search, StopReason, options,
};

options! {
    /// Settings of [`Uct`].
    pub struct UctOptions {
        /// How much a rarely tried move is preferred: the constant of the UCB formula.
        pub exploration: f64 = 1.0, in 0.0..=100.0, alias "c", ablate [0.0, 0.5, 2.0],
        /// Where the random numbers start: the same seed gives the same tree.
        pub seed: u64 = 1, in 0..=MOST_SEED, is [Seed],
        /// How many million nodes the tree may have; when it is full, only its statistics grow.
        pub tree_size: usize = 32, in 1..=1_000, is [Memory { bytes: 16 * MEBIBYTE }],
    }
}

/// As many as the counters of a node can hold: hours of them.
const MOST_SIMULATIONS: u64 = 1 << 30;

/// The upper confidence bound of a child (Kocsis and Szepesvári 2006): its mean value for the player who chooses,
/// plus what is still uncertain about it.
#[inline]
fn ucb(mean: f64, visits: f64, ln_parent_visits: f64, exploration: f64) -> f64 {
    mean + exploration * (ln_parent_visits / visits).sqrt()
}

/// A move in the tree and what came of it.
#[derive(Clone, Copy)]
struct Node {
    m: Move,
    children: u16,
    first_child: u32,
    visits: u32,
    /// The sum of the results as the first player sees them: +1 for a win, -1 for a loss.
    total: i32,
}

const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    fn new(m: Move) -> Node {
        Node { m, children: 0, first_child: 0, visits: 0, total: 0 }
    }

    fn mean(&self, player: Player) -> f64 {
        let total = if player == Player::First { self.total } else { -self.total };
        f64::from(total) / f64::from(self.visits.max(1))
    }
}

/// The textbook's UCT, with random games as its default policy.
#[derive(Default)]
pub struct Uct {
    options: UctOptions,
}

impl<G: Game> Search<G> for Uct {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        control.granularity = Granularity::Steps;
        let mut tree = Tree::new(line, control.limits, self.options);
        if tree.nodes.len() == 1 {
            control.finish(StopReason::GameOver);
        }
        let mut next_report = 256;
        while !control.should_stop(tree.simulations) {
            tree.simulate();
            if tree.simulations >= next_report {
                next_report *= 2;
                let report = tree.report(control);
                let value = report.lines.first().map_or(Meaning::Expected(0.0), |line| line.score);
                let stage =
                    Completed { depth: report.depth, wins_seen: 0, value, exact: false, patience: 1.0 };
                if tree.simulations == MOST_SIMULATIONS {
                    control.finish(StopReason::Playouts);
                } else if !control.should_stop_after(tree.simulations, stage) {
                    control.report(report);
                }
            }
        }
        tree.report(control)
    }

    fn record(&self, line: &Line<G>, simulations: u64, most_rows: usize) -> Result<Recording, NotRecorded> {
        recording::record(line, simulations, most_rows, self.options)
    }

    fn options(&self) -> &dyn OptionSet {
        &self.options
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.options
    }
}

struct Tree<'a, G: Game> {
    line: &'a Line<G>,
    /// The positions before the one that the current simulation stands at.
    history: History,
    options: UctOptions,
    rng: Rng,
    nodes: Vec<Node>,
    /// The nodes of the current simulation, the root first.
    path: Vec<usize>,
    simulations: u64,
    plies: u64,
    deepest: usize,
}

impl<'a, G: Game> Tree<'a, G> {
    fn new(line: &'a Line<G>, limits: &Limits, options: UctOptions) -> Tree<'a, G> {
        let rng = Rng::new(options.seed);
        // The root stands for no move; no one reads its.
        let nodes = vec![Node::new(Move::new(0))];
        let (history, path) = (line.history().clone(), Vec::new());
        let mut tree =
            Tree { line, history, options, rng, nodes, path, simulations: 0, plies: 0, deepest: 0 };
        tree.add_children(0, super::root::root_moves(line, limits));
        tree
    }

    fn simulate(&mut self) {
        let (position, ended) = self.tree_policy();
        self.play_out(position, ended);
    }

    /// Finishes the game if it has not ended yet, and writes the result into the nodes of the path.
    fn play_out(&mut self, position: G, ended: Option<Outcome>) -> Outcome {
        let outcome = ended.unwrap_or_else(|| playout(position, &mut self.rng));
        self.backup(outcome);
        outcome
    }

    /// Goes down to a position that is new or finished, and makes room for what may follow.
    fn tree_policy(&mut self) -> (G, Option<Outcome>) {
        let mut position = self.line.position().clone();
        let mut node = 0;
        self.path.clear();
        self.path.push(node);
        loop {
            if node != 0
                && let Some(outcome) = self.history.outcome(&position)
            {
                return (position, Some(outcome));
            }
            if self.nodes[node].children == 0 {
                if self.nodes[node].visits == 0 || self.is_full() {
                    return (position, None);
                }
                self.add_children(node, position.legal_moves().each());
            }
            node = self.select_child(node, position.to_move());
            self.history.push(&position);
            position.play(self.nodes[node].m);
            self.path.push(node);
        }
    }

    /// The child with the highest bound; those never tried come first.
    fn select_child(&self, parent: usize, player: Player) -> usize {
        let children = self.children(parent);
        let ln_visits = self.ln_visits(parent);
        let (mut best, mut best_bound) = (children.start, f64::NEG_INFINITY);
        for child in children {
            let Some(bound) = self.bound(&self.nodes[child], player, ln_visits) else { return child };
            if bound > best_bound {
                (best, best_bound) = (child, bound);
            }
        }
        best
    }

    fn ln_visits(&self, node: usize) -> f64 {
        f64::from(self.nodes[node].visits.max(1)).ln()
    }

    /// The bound of a child for the player who chooses; `None` if it was never tried.
    #[inline]
    fn bound(&self, child: &Node, player: Player, ln_parent_visits: f64) -> Option<f64> {
        let visits = f64::from(child.visits);
        (child.visits > 0)
            .then(|| ucb(child.mean(player), visits, ln_parent_visits, self.options.exploration))
    }

    /// Adds a node for each move, in random order so that the order of generation favours none.
    fn add_children(&mut self, parent: usize, moves: impl IntoIterator<Item = Move>) {
        let first = self.nodes.len();
        self.nodes.extend(moves.into_iter().map(Node::new));
        self.rng.shuffle(&mut self.nodes[first..]);
        let count = (self.nodes.len() - first) as u16;
        self.nodes[parent].first_child = first as u32;
        self.nodes[parent].children = count;
    }

    fn is_full(&self) -> bool {
        self.nodes.len() >= self.options.tree_size * 1_000_000
    }

    fn backup(&mut self, outcome: Outcome) {
        let reward = i32::from(outcome.for_player(Player::First).signum());
        for &node in &self.path {
            self.nodes[node].visits += 1;
            self.nodes[node].total += reward;
        }
        for _ in 1..self.path.len() {
            self.history.pop::<G>();
        }
        self.simulations += 1;
        self.plies += self.path.len() as u64 - 1;
        self.deepest = self.deepest.max(self.path.len() - 1);
    }

    fn children(&self, parent: usize) -> std::ops::Range<usize> {
        let Node { first_child, children, .. } = self.nodes[parent];
        first_child as usize..first_child as usize + children as usize
    }

    /// The most visited child of each node, from `node` on.
    fn main_line(&self, mut node: usize) -> Vec<Move> {
        let mut moves = vec![self.nodes[node].m];
        while let Some(next) =
            self.children(node).filter(|&c| self.nodes[c].visits > 0).max_by_key(|&c| self.nodes[c].visits)
        {
            moves.push(self.nodes[next].m);
            node = next;
        }
        moves
    }

    /// The lines of so many root moves, the most visited first.
    fn lines(&self, most: usize) -> Vec<PrincipalVariation> {
        let player = self.line.position().to_move();
        let mut ranked: Vec<usize> = self.children(0).collect();
        ranked.sort_by_key(|&child| std::cmp::Reverse(self.nodes[child].visits));
        let lines = ranked.iter().take(most).map(|&child| PrincipalVariation {
            score: Meaning::Expected(self.nodes[child].mean(player)),
            bound: Bound::Exact,
            visits: Some(u64::from(self.nodes[child].visits)),
            nodes: None,
            statistics: None,
            moves: self.main_line(child),
        });
        lines.collect()
    }

    fn report(&self, control: &Control) -> Report {
        Report {
            depth: (self.plies as f64 / self.simulations.max(1) as f64).round() as u32,
            selective_depth: self.deepest as u32,
            time: control.elapsed(),
            counters: Counters { nodes: self.simulations, leaves: self.simulations, ..Counters::default() },
            lines: self.lines(control.limits.lines.max(1)),
            current: None,
            table_permille: None,
            stopped: control.reason(),
            failure: None,
            notice: None,
        }
    }
}
