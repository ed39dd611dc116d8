//! What must hold of the Monte Carlo tree search when the ways to a position share it.

use std::collections::HashMap;

use crate::common::mcts::{mcts_for, search_line};
use crate::common::{Order, WinGame, ordered_tree};
use outplay_core::{Game, History, Line, Move, Outcome, Player, mix};
use outplay_search::mcts::Mcts;
use outplay_search::{GrownMove, Limits, Meaning, NoKnowledge, Report, Search, StopReason};

fn search<G: Game>(settings: &[(&str, &str)], start: &G, nodes: u64) -> (Report, Mcts<G, NoKnowledge>) {
    let mut search = mcts_for(settings);
    let limits = Limits { nodes: Some(nodes), lines: 1000, ..Limits::default() };
    (search_line(&mut search, &Line::new(start.clone()), &limits), search)
}

/// A game on a graph in layers: from each of a few places in a layer, moves lead to places in the next. All by chance, but always the same.
#[derive(Clone, Debug, PartialEq)]
struct Layers {
    seed: u64,
    layer: u64,
    place: u64,
}

const DEPTH: u64 = 7;
const WIDTH: u64 = 6;

impl Layers {
    fn chance(&self, what: u64) -> u64 {
        mix(self.seed ^ mix(self.key() ^ mix(what)))
    }
}

impl Game for Layers {
    type Rules = ();
    type Moves = Vec<Move>;

    fn start((): &()) -> Layers {
        Layers { seed: 0, layer: 0, place: 0 }
    }

    fn to_move(&self) -> Player {
        Player::BOTH[(self.chance(100) % 2) as usize]
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..2 + (self.chance(101) % 3) as u16).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        let place = self.chance(m.bits().into()) % WIDTH;
        *self = Layers { seed: self.seed, layer: self.layer + 1, place };
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.layer == DEPTH || (self.layer > 1 && self.chance(102).is_multiple_of(8));
        is_over.then(|| Outcome::from_margin((self.chance(103) % 3) as i16 - 1, Player::First))
    }

    fn key(&self) -> u64 {
        self.layer << 32 | self.place
    }
}

/// The result for the first player, and in how many plies if both hurry to win and delay to lose: larger is better for the first.
fn definition(position: &Layers, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(outcome) = position.outcome() {
        return i32::from(outcome.for_player(Player::First)) * 1000;
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let values: Vec<i32> = position
        .legal_moves()
        .into_iter()
        .map(|m| {
            let value = definition(&position.after(m), known);
            value - value.signum()
        })
        .collect();
    let best = if position.to_move() == Player::First { values.iter().max() } else { values.iter().min() };
    let best = *best.expect("a move");
    known.insert(position.key(), best);
    best
}

fn ways_to_choose() -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = Vec::new();
    for selection in ["uct", "puct"] {
        for batch in ["1", "16"] {
            all.push(vec![("dag", "true"), ("selection", selection), ("minibatch_size", batch)]);
        }
    }
    all
}

/// What a move is worth by the rule of the graph, from the visits alone: nobody evaluates a position as anything but even, so all values come from the
/// ends of games. Checks everything below on the way.
fn value_by_rule(position: &Layers, grown: &GrownMove) -> f64 {
    let player = position.to_move();
    let after = grown.m.map_or(position.clone(), |m| position.after(m));
    let first = match after.outcome() {
        Some(outcome) => f64::from(outcome.for_player(Player::First)),
        None => {
            let visits: u64 = 1 + grown.replies.iter().map(|reply| reply.visits).sum::<u64>();
            let of_reply = |reply: &GrownMove| {
                let value = value_by_rule(&after, reply);
                reply.visits as f64 * if after.to_move() == Player::First { value } else { -value }
            };
            grown.replies.iter().map(of_reply).sum::<f64>() / visits as f64
        }
    };
    let value = if player == Player::First { first } else { -first };
    if let Some(statistics) = grown.statistics {
        assert!((statistics.q - value).abs() < 1e-5, "{} is not {value} at {after:?}", statistics.q);
    }
    value
}

#[test]
fn every_value_is_the_mean_of_what_is_below_however_many_ways_lead_there() {
    for seed in 0..30 {
        let start = Layers { seed, ..Layers::start(&()) };
        for mut settings in ways_to_choose() {
            settings.extend([("evaluator", "uniform"), ("solver", "false"), ("dag_tolerance", "0")]);
            let (report, search) = search(&settings, &start, 2_000);
            let grown = Search::<Layers>::grown_tree(&search, 99, 1).expect("a graph");
            value_by_rule(&start, &grown);
            let (playouts, evaluated) = (report.counters.nodes, report.counters.leaves);
            assert_eq!(playouts, 2_000);
            assert!(evaluated <= 1 + DEPTH * WIDTH, "no position is evaluated twice: {evaluated}");
            let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
            assert_eq!(visits, 1_999, "every playout but the first takes one move");
        }
    }
}

#[test]
fn two_threads_in_a_graph_count_every_playout_once() {
    for seed in 0..10 {
        let settings = [("dag", "true"), ("threads", "2"), ("solver", "false"), ("evaluator", "random")];
        let (report, _) = search(&settings, &Layers { seed, ..Layers::start(&()) }, 5_000);
        let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
        assert_eq!((report.counters.nodes, visits), (5_000, 4_999), "seed {seed}");
    }
}

/// Notes what each move says of the position behind it, for the first player.
fn note_values(position: &Layers, grown: &GrownMove, values: &mut HashMap<u64, Vec<f64>>) {
    let after = grown.m.map_or(position.clone(), |m| position.after(m));
    if let Some(statistics) = grown.statistics {
        let q = if position.to_move() == Player::First { statistics.q } else { -statistics.q };
        values.entry(after.key()).or_default().push(q);
    }
    grown.replies.iter().for_each(|reply| note_values(&after, reply, values));
}

#[test]
fn a_tolerance_bounds_how_old_a_value_may_be() {
    let tolerance =
        [("dag", "true"), ("solver", "false"), ("evaluator", "uniform"), ("dag_tolerance", "0.02")];
    let mut widest: f64 = 0.0;
    for seed in 0..20 {
        let start = Layers { seed, ..Layers::start(&()) };
        let (_, search) = search(&tolerance, &start, 3_000);
        let mut values = HashMap::new();
        note_values(&start, &Search::<Layers>::grown_tree(&search, 99, 1).expect("a graph"), &mut values);
        for values in values.values() {
            let (least, most) =
                (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max));
            widest = widest.max(most.expect("one") - least.expect("one"));
        }
    }
    assert!(widest > 0.0 && widest <= 2.0 * 0.02 + 1e-6, "two ways to a position differ by {widest}");
}

/// The same with what is learned about moves elsewhere.
fn ways_with_knowledge() -> impl Iterator<Item = Vec<(&'static str, &'static str)>> {
    let knowledge = [("rave", "true"), ("progressive_widening", "true"), ("history_ordering", "true")];
    ways_to_choose().into_iter().map(move |settings| [&settings[..], &knowledge].concat())
}

#[test]
fn a_graph_is_solved_with_the_value_and_the_distance_of_the_definition() {
    for seed in 0..200 {
        let start = Layers { seed, ..Layers::start(&()) };
        let best = definition(&start, &mut HashMap::new());
        let best = if start.to_move() == Player::First { best } else { -best };
        for mut settings in ways_to_choose().into_iter().chain(ways_with_knowledge()) {
            settings.push(("solver_exact", "true"));
            for threads in ["1", "2"] {
                settings.push(("threads", threads));
                let (report, _) = search(&settings, &start, 1_000_000);
                assert_eq!(report.stopped, Some(StopReason::Solved), "seed {seed}, {settings:?}");
                let expected = match best {
                    1.. => Meaning::WinIn((1000 - best) as u32),
                    0 => Meaning::Opinion(0),
                    _ => Meaning::LossIn((1000 + best) as u32),
                };
                assert_eq!(report.lines[0].score, expected, "seed {seed}, {settings:?}");
                settings.pop();
            }
        }
    }
}

#[test]
fn without_transpositions_a_graph_is_a_tree() {
    let start = WinGame::new(ordered_tree(Order::BestLast, Player::First, 3, 6));
    for settings in ways_to_choose() {
        for evaluator in ["rollouts", "random"] {
            for solver in ["true", "false"] {
                let more = [("evaluator", evaluator), ("solver", solver), ("dag_tolerance", "0")];
                let settings = [&settings[..], &more].concat();
                let (graph, _) = search(&settings, &start, 500);
                let (tree, _) = search(&settings[1..], &start, 500);
                assert_eq!(graph.best_move(), tree.best_move(), "{settings:?}");
                if solver == "false" {
                    assert_eq!((graph.counters, graph.lines), (tree.counters, tree.lines), "{settings:?}");
                }
            }
        }
    }
}

/// A game on a few cells, all of whose moves can be taken back: standing on a cell for the second time is a draw, and so is the end of patience.
#[derive(Clone, Debug, PartialEq)]
struct Wander {
    seed: u64,
    cell: u64,
    plies: usize,
}

const PATIENCE: usize = 9;

impl Wander {
    fn chance(&self, what: u64) -> u64 {
        mix(self.seed ^ mix(self.cell ^ mix(what)))
    }
}

impl Game for Wander {
    type Rules = ();
    type Moves = Vec<Move>;
    const REPEATS: bool = true;

    fn start((): &()) -> Wander {
        Wander { seed: 0, cell: 0, plies: 0 }
    }

    fn to_move(&self) -> Player {
        Player::BOTH[self.plies % 2]
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..2 + (self.chance(101) % 2) as u16).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        *self = Wander { seed: self.seed, cell: self.chance(m.bits().into()) % 10, plies: self.plies + 1 };
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.plies > 2 && self.chance(102).is_multiple_of(4) {
            return Some(Outcome::win(Player::BOTH[(self.chance(103) % 2) as usize]));
        }
        (self.plies == PATIENCE).then_some(Outcome::DRAW)
    }

    fn key(&self) -> u64 {
        self.cell << 1 | (self.plies % 2) as u64
    }

    fn reversible_plies(&self) -> usize {
        self.plies
    }

    fn repeated(&self, _: usize) -> Option<Outcome> {
        Some(Outcome::DRAW)
    }
}

/// The result for the first player, with all repetitions on the way.
fn wandering(position: &Wander, history: &mut History) -> i16 {
    if let Some(outcome) = history.outcome(position) {
        return outcome.for_player(Player::First);
    }
    history.push(position);
    let values: Vec<i16> =
        position.legal_moves().into_iter().map(|m| wandering(&position.after(m), history)).collect();
    history.pop::<Wander>();
    let best = if position.to_move() == Player::First { values.iter().max() } else { values.iter().min() };
    *best.expect("a move")
}

#[test]
fn repetitions_count_on_the_ways_that_repeat_and_on_no_others() {
    for seed in 0..500 {
        let start = Wander { seed, ..Wander::start(&()) };
        let best = wandering(&start, &mut History::default());
        for settings in ways_to_choose() {
            let (report, _) = search(&settings, &start, 100_000);
            let result = match report.lines[0].score {
                Meaning::WinIn(_) => 1,
                Meaning::LossIn(_) => -1,
                Meaning::Opinion(0) => 0,
                other => panic!("seed {seed}: {other:?} is not certain"),
            };
            assert_eq!(result, best, "seed {seed}, {settings:?}");
        }
    }
}
