//! Tests that look inside the search: evaluation by others, and positions that were evaluated before.

mod cache;
mod leaves;
mod pipeline;
mod roots;
mod service;
mod threads;
mod turns;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use outplay_core::{Game, Line, Move, Outcome, Player, Rng, mix};

use super::evaluate::{BatchEvaluator, HashRandom, Leaf, LeafEvaluator};
use super::state::Stage;
use super::tree::{EdgeId, Tree};
use super::{Mcts, Service};
use crate::stop::{Signals, StopOptions};
use crate::{Control, GrownMove, Knowledge, Limits, NoKnowledge, Report, Search};

/// A walk in three directions. The order of steps does not matter, so that most positions are reached in several ways.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Walk {
    steps: [u8; 3],
}

impl Walk {
    const LENGTH: u8 = 24;

    fn start() -> Walk {
        <Walk as Game>::start(&())
    }

    fn length(&self) -> u8 {
        self.steps.iter().sum()
    }

    /// The position with this number, of very many.
    fn numbered(number: usize) -> Walk {
        Walk { steps: [number as u8, (number >> 8) as u8, (number >> 16) as u8] }
    }
}

impl Game for Walk {
    type Rules = ();
    type Moves = Vec<Move>;

    fn start((): &()) -> Walk {
        Walk { steps: [0; 3] }
    }

    fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.length() % 2)]
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..3).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        self.steps[m.index()] += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.length() >= Walk::LENGTH).then(|| Outcome::win(Player::BOTH[(self.key() % 2) as usize]))
    }

    fn key(&self) -> u64 {
        let [a, b, c] = self.steps.map(u64::from);
        mix(1 + a + (b << 16) + (c << 32))
    }
}

/// A leaf as a search would hand it in.
fn leaf(position: Walk) -> Leaf<Walk> {
    let moves = position.legal_moves();
    Leaf { moves, ..Leaf::new(position) }
}

/// What [`Probe`] says of a position.
fn evaluated(position: Walk) -> Leaf<Walk> {
    let mut leaf = [leaf(position)];
    HashRandom { seed: 1 }.begin().evaluate(&mut leaf, &mut Rng::new(0)).expect("it cannot fail");
    let [leaf] = leaf;
    leaf
}

/// An evaluator that says what [`HashRandom`] says, and is watched.
#[derive(Clone)]
struct Probe {
    batch: usize,
    /// Every other batch takes so long: with two threads, others overtake it.
    delay: Duration,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    begun: AtomicU64,
    /// The number of each batch, in the order in which they ended.
    ended: Mutex<Vec<u64>>,
    leaves: AtomicU64,
    at_once: AtomicU64,
    /// The most batches that were with the evaluator at the same time.
    most_at_once: AtomicU64,
}

impl Probe {
    fn new(batch: usize, delay: Duration) -> Probe {
        Probe { batch, delay, seen: Arc::default() }
    }

    fn leaves(&self) -> u64 {
        self.seen.leaves.load(Ordering::Relaxed)
    }

    /// Whether a batch has ended before one that was begun earlier.
    fn saw_overtaking(&self) -> bool {
        self.seen.ended.lock().expect("nobody has panicked").windows(2).any(|pair| pair[0] > pair[1])
    }
}

impl LeafEvaluator<Walk> for Probe {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        self.batch
    }

    fn cache_key(&self, leaf: &Leaf<Walk>) -> Option<u64> {
        Some(leaf.position.key())
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Walk> + '_> {
        Box::new(|leaves: &mut [Leaf<Walk>], rng: &mut Rng| {
            assert!(!leaves.is_empty() && leaves.len() <= self.batch, "{} leaves", leaves.len());
            let number = self.seen.begun.fetch_add(1, Ordering::Relaxed);
            let at_once = 1 + self.seen.at_once.fetch_add(1, Ordering::Relaxed);
            self.seen.most_at_once.fetch_max(at_once, Ordering::Relaxed);
            if number.is_multiple_of(2) {
                std::thread::sleep(self.delay);
            }
            HashRandom { seed: 1 }.begin().evaluate(leaves, rng)?;
            self.seen.leaves.fetch_add(leaves.len() as u64, Ordering::Relaxed);
            self.seen.at_once.fetch_sub(1, Ordering::Relaxed);
            self.seen.ended.lock().expect("nobody has panicked").push(number);
            Ok(())
        })
    }
}

fn mcts<K: Knowledge<Walk>>(knowledge: K, settings: &[(&str, &str)]) -> Mcts<Walk, K> {
    let mut search = Mcts::new(knowledge);
    for (name, value) in [("solver", "false")].iter().chain(settings) {
        search.options_mut().set(name, value).expect("an option");
    }
    search
}

/// A search whose leaves are evaluated by a service.
fn shared_mcts(service: &Arc<Service<'static, Walk>>, settings: &[(&str, &str)]) -> Mcts<Walk, NoKnowledge> {
    let mut search = mcts(NoKnowledge, settings);
    search.share_service(Some(service.clone()));
    search
}

fn search_with<K: Knowledge<Walk>>(
    search: &mut Mcts<Walk, K>,
    limits: &Limits,
    signals: &Arc<Signals>,
) -> Report {
    // Every playout is made, whether or not it can still matter.
    let options = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
    let mut sink = |_| ();
    let mut control = Control::new(Player::First, limits, &options, signals, &mut sink);
    search.search(&Line::new(Walk::start()), &mut control)
}

fn search_nodes<K: Knowledge<Walk>>(search: &mut Mcts<Walk, K>, nodes: u64) -> Report {
    let limits = Limits { nodes: Some(nodes), lines: 1000, ..Limits::default() };
    search_with(search, &limits, &Arc::default())
}

fn whole_tree<K: Knowledge<Walk>>(search: &Mcts<Walk, K>) -> GrownMove {
    search.grown_tree(usize::MAX, 1).expect("a tree")
}

/// What there is in a tree.
#[derive(Default, Debug, PartialEq)]
struct Census {
    /// Positions that were evaluated.
    evaluated: u64,
    /// Positions that wait to be evaluated.
    pending: u64,
    /// Visits in flight, over all edges.
    in_flight: u64,
}

fn census<K: Knowledge<Walk>>(search: &Mcts<Walk, K>) -> Census {
    let root = search.grown.as_ref().expect("a tree").last;
    census_below(&search.tree, root)
}

fn census_below(tree: &Tree, root: EdgeId) -> Census {
    let (mut census, mut seen, mut rest) = (Census::default(), HashSet::new(), vec![root]);
    while let Some(edge) = rest.pop() {
        census.in_flight += u64::from(tree.stats(edge).in_flight);
        let node = tree.link(edge).node;
        let state = tree.state(node);
        if !seen.insert(format!("{node:?}")) {
            continue;
        }
        match state.stage() {
            Stage::Ready => census.evaluated += 1,
            Stage::Pending => census.pending += 1,
            _ => {}
        }
        tree.for_each_edge(node, state.edges(), |edge| rest.push(edge.id));
    }
    census
}
