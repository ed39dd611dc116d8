//! What somebody who watches an alpha-beta search sees: its tree as it is, and the search as it would be without being watched.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{Order, TreeGame, ordered_tree, random_tree};
use outplay_core::{Game, Line, Move, MoveList, Outcome, Player, Rng, mix};
use outplay_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::textbook::{Algorithm, explain};
use outplay_search::trace::{IterationTrace, NodeEnd, SearchedNode, TraceEvent, TraceOptions, Watcher};
use outplay_search::{
    Bound, Bundle, Control, Evaluating, Evaluation, Limits, NoKnowledge, Report, Score, Search, Tactics,
};
use proptest::prelude::*;

/// An opinion on every position that looks like chance; moves promise the more the earlier they come.
#[derive(Clone, Copy)]
struct Whim;

impl<G: Game> Evaluation<G> for Whim {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &G) -> i32 {
        (mix(position.key()) % 401) as i32 - 200
    }
}

impl<G: Game> Tactics<G> for Whim {
    type State = ();

    fn state(&self) {}

    fn visit_quiet(&self, (): &mut (), position: &G, mut visit: impl FnMut(Move, usize, Option<i32>)) {
        let moves = position.legal_moves();
        let score = |m: Move| Some(-10_000_000 * m.index() as i32);
        moves.each().for_each(|m| visit(m, self.move_kind(position, m), score(m)));
    }
}

const EVERYTHING: TraceOptions = TraceOptions { plies: 100, most_nodes: 1_000_000, least_visits: 1 };

/// Searches, watched or not.
fn search(
    options: AlphaBetaOptions,
    game: &TreeGame,
    limits: &Limits,
    watched: Option<TraceOptions>,
) -> (Report, Vec<IterationTrace>) {
    let (mut nobody, signals) = (|_| (), Arc::new(Signals::default()));
    let stop_options = StopOptions::default();
    let mut control = Control::new(game.to_move(), limits, &stop_options, &signals, &mut nobody);
    let mut iterations = Vec::new();
    let mut sink = |event| match event {
        TraceEvent::Iteration(iteration) => iterations.push(*iteration),
        TraceEvent::Snapshot(_) => panic!("alpha-beta grows no tree"),
    };
    control.watcher = watched.map(|options| Watcher { options, sink: &mut sink });
    let knowledge = Bundle { evaluation: Whim, tactics: Whim, oracle: NoKnowledge, policy: NoKnowledge };
    let mut search = AlphaBeta::new(knowledge);
    search.options = options;
    let report = search.search(&Line::new(game.clone()), &mut control);
    drop(control);
    (report, iterations)
}

fn to_depth(depth: usize) -> Limits {
    Limits { depth: Some(depth as u32), ..Limits::default() }
}

/// Nothing selective, no memory, moves in the game's own order, and one iteration.
fn bare(depth: usize) -> AlphaBetaOptions {
    AlphaBetaOptions {
        hash: 1,
        first_depth: depth as i32,
        table: false,
        aspiration: false,
        killers: false,
        counter_moves: false,
        history: false,
        continuation_history: false,
        noisy_history: false,
        mate_distance_pruning: false,
        ..AlphaBetaOptions::plain()
    }
}

/// The moves that lead to a node.
fn path(tree: &[SearchedNode], number: usize) -> Vec<Move> {
    let mut path: Vec<Move> =
        std::iter::successors(Some(&tree[number]), |node| node.parent.map(|parent| &tree[parent as usize]))
            .filter_map(|node| node.m)
            .collect();
    path.reverse();
    path
}

/// One search of a node: window, depth, value.
type Seen = ((Score, Score), i32, Score);

/// The principal-variation search of the textbook, which writes down what it does.
struct Textbook(BTreeMap<Vec<Move>, Vec<Seen>>);

impl Textbook {
    fn value(
        &mut self,
        at: &TreeGame,
        (alpha, beta): (Score, Score),
        depth: i32,
        path: &mut Vec<Move>,
    ) -> Score {
        let place = self.0.entry(path.clone()).or_default().len();
        self.0.get_mut(path).expect("there").push(((alpha, beta), depth, Score::DRAW));
        let value = match at.outcome() {
            Some(Outcome::DRAW) => Score::DRAW,
            Some(outcome) => Score::decided::<TreeGame>(outcome, at.to_move(), path.len()),
            None if depth == 0 => Score::heuristic(Whim.value(at)),
            None => self.best(at, (alpha, beta), depth, path),
        };
        self.0.get_mut(path).expect("there")[place].2 = value;
        value
    }

    fn best(
        &mut self,
        at: &TreeGame,
        (mut alpha, beta): (Score, Score),
        depth: i32,
        path: &mut Vec<Move>,
    ) -> Score {
        let mut best = -Score::INFINITE;
        let has_room = alpha + 1 < beta;
        for (number, m) in at.legal_moves().into_iter().enumerate() {
            let child = at.after(m);
            path.push(m);
            let mut of_move = |(alpha, beta): (Score, Score)| match child.to_move() == at.to_move() {
                true => self.value(&child, (alpha, beta), depth - 1, path),
                false => -self.value(&child, (-beta, -alpha), depth - 1, path),
            };
            let score = match number {
                0 if has_room => of_move((alpha, beta)),
                _ => {
                    let score = of_move((alpha, alpha + 1));
                    if has_room && score > alpha && score < beta { of_move((alpha, beta)) } else { score }
                }
            };
            path.pop();
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// Numbers, parents and sums fit together.
fn check(iteration: &IterationTrace) {
    let tree = &iteration.tree;
    assert_eq!((tree[0].parent, tree[0].m, tree[0].ply), (None, None, 0));
    let mut below = vec![0; tree.len()];
    for (number, node) in tree.iter().enumerate().skip(1) {
        let parent = node.parent.expect("only the root has none") as usize;
        assert!(parent < number, "parents come first");
        assert_eq!(node.ply, tree[parent].ply + 1);
        assert!(!node.visits.is_empty());
        assert!(tree[..number].iter().all(|other| (other.parent, other.m) != (node.parent, node.m)));
        below[parent] += node.nodes;
        if node.visits_left_out == 0 {
            assert_eq!(node.visits.iter().map(|visit| visit.nodes).sum::<u64>(), node.nodes);
        }
        assert!(node.visits.len() <= 8);
        assert!(node.visits.is_sorted_by_key(|visit| visit.at));
        let visits = node.visits.iter().filter(|visit| visit.ending != NodeEnd::GivenUp).count() as u64;
        assert!(node.nodes >= visits);
    }
    assert_eq!(tree[0].nodes, iteration.nodes);
    for (node, below) in tree.iter().zip(below).skip(1) {
        assert!(node.nodes >= below, "{} below {}", below, node.nodes);
    }
}

proptest! {
    #[test]
    fn without_selective_techniques_the_tree_is_that_of_the_textbook(seed: u64, depth in 1usize..6) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 7, 4, 20));
        if game.outcome().is_some() {
            return Ok(());
        }
        let (report, iterations) = search(bare(depth), &game, &to_depth(depth), Some(EVERYTHING));
        prop_assert_eq!(iterations.len(), 1);
        let iteration = &iterations[0];
        check(iteration);
        prop_assert!(iteration.is_complete && iteration.left_out == 0);
        prop_assert_eq!(iteration.nodes, report.counters.nodes);
        let mut textbook = Textbook(BTreeMap::new());
        textbook.value(&game, (-Score::INFINITE, Score::INFINITE), depth as i32, &mut Vec::new());
        let recorded: BTreeMap<Vec<Move>, Vec<Seen>> = (0..iteration.tree.len())
            .map(|number| {
                let visits = iteration.tree[number].visits.iter();
                let seen = visits.map(|visit| (visit.window, visit.depth, visit.value.expect("a value")));
                (path(&iteration.tree, number), seen.collect())
            })
            .collect();
        prop_assert_eq!(recorded, textbook.0);
        // Where everything is recorded, nothing is lost: each visit is a node.
        for (number, node) in iteration.tree.iter().enumerate().skip(1) {
            let children = iteration.tree.iter().filter(|child| child.parent == Some(number as u32));
            let below: u64 = children.map(|child| child.nodes).sum();
            prop_assert_eq!(node.nodes, below + node.visits.len() as u64);
        }
    }

    #[test]
    fn being_watched_changes_nothing(
        seed: u64, depth in 1usize..8, plies in 0u16..6, most_nodes in 1u32..60, razoring: bool
    ) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 9, 5, 20));
        if game.outcome().is_some() {
            return Ok(());
        }
        let options = AlphaBetaOptions {
            hash: 1, razoring, singular_depth: 4, history_pruning: true, ..AlphaBetaOptions::default()
        };
        let what = TraceOptions { plies, most_nodes, least_visits: 1 };
        let (alone, _) = search(options, &game, &to_depth(depth), None);
        let (watched, iterations) = search(options, &game, &to_depth(depth), Some(what));
        prop_assert_eq!(&alone.lines, &watched.lines);
        prop_assert_eq!(alone.counters, watched.counters);
        prop_assert_eq!(alone.stopped, watched.stopped);
        prop_assert_eq!(alone.selective_depth, watched.selective_depth);
        for iteration in &iterations {
            check(iteration);
            prop_assert!(iteration.tree.len() <= most_nodes as usize);
            prop_assert!(iteration.tree.iter().all(|node| node.ply <= plies));
        }
        prop_assert_eq!(iterations.iter().map(|iteration| iteration.nodes).sum::<u64>(), watched.counters.nodes);
        let techniques = watched.counters.techniques.expect("alpha-beta has some");
        let prunings: u64 = iterations.iter().map(|iteration| iteration.techniques.late_moves_pruned).sum();
        prop_assert_eq!(prunings, techniques.late_moves_pruned);
    }

    #[test]
    fn a_search_that_is_stopped_shows_what_it_has_of_its_last_iteration(seed: u64, nodes in 1u64..300) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 9, 5, 20));
        if game.outcome().is_some() {
            return Ok(());
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let options = AlphaBetaOptions { hash: 1, ..AlphaBetaOptions::default() };
        let (report, iterations) = search(options, &game, &limits, Some(EVERYTHING));
        iterations.iter().for_each(check);
        prop_assert_eq!(iterations.iter().map(|iteration| iteration.nodes).sum::<u64>(), report.counters.nodes);
        prop_assert!(iterations.iter().rev().skip(1).all(|iteration| iteration.is_complete));
    }
}

#[test]
fn with_the_best_move_first_it_is_the_tree_of_textbook_alpha_beta() {
    for (branching, depth) in [(2, 5), (3, 4), (4, 4), (5, 3)] {
        let game = TreeGame::new(ordered_tree(Order::BestFirst, Player::First, branching, depth));
        let line = Line::new(game.clone());
        let (textbook, counters) =
            explain(&line, Algorithm::AlphaBeta, depth, &mut Evaluating::new(Bundle::of(Whim)), 1_000_000)
                .expect("a small tree");
        let (_, iterations) = search(bare(depth), &game, &to_depth(depth), Some(EVERYTHING));
        let tree = &iterations[0].tree;
        // The textbook counts its root.
        assert_eq!(iterations[0].nodes + 1, counters.nodes);
        let number_of = |moves: &[Move]| (0..tree.len()).find(|&number| path(tree, number) == moves);
        let mut cutoffs = 0;
        for (number, node) in textbook.nodes().iter().enumerate() {
            let above =
                std::iter::successors(Some(node), |node| node.parent.map(|parent| &textbook.nodes()[parent]));
            let mut moves: Vec<Move> = above.filter_map(|node| node.played).collect();
            moves.reverse();
            let found = &tree[number_of(&moves).unwrap_or_else(|| panic!("node {number} at {moves:?}"))];
            assert_eq!(found.visits.len(), 1, "nothing is searched again");
            let visit = &found.visits[0];
            assert_eq!(visit.bound() == Bound::AtLeast, !node.pruned.is_empty(), "at {moves:?}");
            cutoffs += usize::from(!node.pruned.is_empty());
            if visit.bound() == Bound::Exact && node.leaf.is_none() {
                let (mover, viewer) = (line_player(&game, &moves), viewer(&game, &moves));
                assert_eq!(visit.value.map(|value| value.seen_by(mover, viewer)), Some(node.value));
                assert_eq!(Some(visit.window), node.window, "on the best line both windows are open");
            }
        }
        assert_eq!(textbook.nodes().len(), tree.len());
        assert!(cutoffs > 0);
    }
}

/// Who moves after these moves.
fn line_player(game: &TreeGame, moves: &[Move]) -> Player {
    moves.iter().fold(game.clone(), |position, &m| position.after(m)).to_move()
}

/// Who made the last of these moves; without any, who moves.
fn viewer(game: &TreeGame, moves: &[Move]) -> Player {
    line_player(game, &moves[..moves.len().saturating_sub(1)])
}

#[test]
fn root_moves_have_a_place_even_if_they_come_late() {
    let game = TreeGame::new(ordered_tree(Order::BestLast, Player::First, 5, 4));
    let what = TraceOptions { plies: 4, most_nodes: 12, least_visits: 1 };
    let (_, iterations) = search(bare(4), &game, &to_depth(4), Some(what));
    let at = |ply| iterations[0].tree.iter().filter(|node| node.ply == ply).count();
    assert_eq!((at(1), iterations[0].tree.len()), (5, 12));
    assert!(iterations[0].left_out > 0);
}
