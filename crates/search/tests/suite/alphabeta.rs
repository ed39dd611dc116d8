//! The alpha-beta search for use: sound where it is not selective, right where it claims to be, and the same every time.

use std::sync::Arc;

use crate::common::{MOST, Tree, TreeGame, random_tree, value_by_definition};
use outplay_core::{Game, History, Line, Player, Rng, mix};
use outplay_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::textbook::{AtDepth, Walk, negamax};
use outplay_search::{
    Attribute, Bound, Bundle, Control, Evaluating, Evaluation, Knowledge, Limits, Meaning, NoKnowledge,
    OptionSet, Report, Score, Search, StopReason,
};
use proptest::prelude::*;

/// An opinion on every position that looks like chance.
#[derive(Clone, Copy)]
struct Whim;

impl<G: Game> Evaluation<G> for Whim {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &G) -> i32 {
        (mix(position.key()) % 401) as i32 - 200
    }
}

fn searched<G: Game, K: Knowledge<G>>(search: &mut AlphaBeta<G, K>, position: &G, limits: &Limits) -> Report {
    let line = Line::new(position.clone());
    let (mut nobody, signals) = (|_| (), Arc::new(Signals::default()));
    let options = StopOptions::default();
    let mut control = Control::new(position.to_move(), limits, &options, &signals, &mut nobody);
    search.search(&line, &mut control)
}

fn with<G: Game, K: Knowledge<G>>(knowledge: K, options: AlphaBetaOptions) -> AlphaBeta<G, K> {
    let mut search = AlphaBeta::new(knowledge);
    search.options = options;
    search
}

fn to_depth(depth: usize) -> Limits {
    Limits { depth: Some(depth as u32), ..Limits::default() }
}

fn by_negamax<G: Game>(position: &G, depth: usize) -> Meaning {
    let (history, mut nobody) = (History::default(), ());
    let mut horizon = AtDepth { depth, evaluator: &mut Evaluating::new(Bundle::of(Whim)) };
    negamax(&mut Walk::new(&history, &mut horizon, &mut nobody), position).meaning::<G>()
}

proptest! {
    #[test]
    fn without_selective_techniques_the_value_is_that_of_negamax(
        seed: u64, depth in 1usize..6, table: bool, aspiration: bool, killers: bool, history: bool
    ) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 7, 4, 20));
        if game.outcome().is_some() {
            return Ok(());
        }
        let options = AlphaBetaOptions {
            hash: 1, table, aspiration, killers, history, ..AlphaBetaOptions::plain()
        };
        let report = searched(&mut with(Bundle::of(Whim), options), &game, &to_depth(depth));
        prop_assert_eq!(report.lines[0].score, by_negamax(&game, depth));
    }

    #[test]
    fn with_all_techniques_a_game_that_is_solved_has_its_value(seed: u64, depth in 1usize..7) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), depth, 4, 20));
        if game.outcome().is_some() {
            return Ok(());
        }
        let mut search = with(NoKnowledge, AlphaBetaOptions { hash: 1, ..AlphaBetaOptions::default() });
        let report = searched(&mut search, &game, &Limits::default());
        let for_first = i32::from(value_by_definition(&game.tree));
        let for_mover = if game.to_move() == Player::First { for_first } else { -for_first };
        prop_assert_eq!(report.stopped, Some(StopReason::Solved));
        let expected = if for_mover == 0 { Meaning::Opinion(0) } else { Meaning::Margin(for_mover) };
        prop_assert_eq!(report.lines[0].score, expected);
    }

    #[test]
    fn several_lines_have_the_values_of_their_moves(seed: u64) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 5, 5, MOST));
        let Tree::Branch(mover, children) = &*game.tree else { return Ok(()) };
        let sign = if *mover == Player::First { 1 } else { -1 };
        let mut expected: Vec<i32> =
            children.iter().map(|child| sign * i32::from(value_by_definition(child))).collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        let limits = Limits { lines: 3, ..to_depth(5) };
        let mut search = with(NoKnowledge, AlphaBetaOptions { hash: 1, ..AlphaBetaOptions::plain() });
        let report = searched(&mut search, &game, &limits);
        let shown: Vec<i32> = report.lines.iter().map(|line| match line.score {
            Meaning::Margin(margin) => margin,
            _ => 0,
        }).collect();
        prop_assert_eq!(&shown[..], &expected[..shown.len()]);
        prop_assert_eq!(shown.len(), 3.min(children.len()));
    }

    #[test]
    fn two_threads_find_the_same_value(seed: u64) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 6, 4, 20));
        if game.outcome().is_some() {
            return Ok(());
        }
        let options = AlphaBetaOptions { hash: 1, threads: 2, ..AlphaBetaOptions::plain() };
        let report = searched(&mut with(Bundle::of(Whim), options), &game, &Limits::default());
        prop_assert_eq!(report.stopped, Some(StopReason::Solved));
        prop_assert_eq!(report.lines[0].score, by_negamax(&game, 6));
    }
}

#[test]
fn what_is_not_marked_as_selective_leaves_the_value_alone() {
    // Threads tell each other what they have found at other depths.
    const CHANGING: [Attribute; 4] =
        [Attribute::Selective, Attribute::Proving, Attribute::Meaning, Attribute::Threads];
    const DEPTH: usize = 4;
    let games = (0..12).map(|seed| TreeGame::new(random_tree(&mut Rng::new(seed), 7, 4, 20)));
    let games: Vec<_> = games.filter(|game| game.outcome().is_none()).collect();
    assert!(games.len() > 3);
    let plain = AlphaBetaOptions { hash: 1, ..AlphaBetaOptions::plain() };
    for (index, row) in plain.rows().into_iter().enumerate() {
        // A first iteration beyond the depth that is asked for is another search.
        if CHANGING.into_iter().any(|attribute| row.is(attribute)) || row.name == "first_depth" {
            continue;
        }
        for value in row.samples() {
            let mut options = plain;
            options.assign(index, value.clone());
            for game in &games {
                let report = searched(&mut with(Bundle::of(Whim), options), game, &to_depth(DEPTH));
                assert_eq!(report.lines[0].score, by_negamax(game, DEPTH), "{}={value}", row.name);
            }
        }
    }
}

#[test]
fn threads_that_put_moves_off_and_finish_for_each_other_find_the_same_value() {
    let mut abdada = 0;
    for seed in 0..8 {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 9, 8, 20));
        if game.outcome().is_some() {
            continue;
        }
        let options = AlphaBetaOptions { hash: 1, threads: 4, abdada_depth: 1, ..AlphaBetaOptions::plain() };
        let report = searched(&mut with(Bundle::of(Whim), options), &game, &Limits::default());
        assert_eq!(report.stopped, Some(StopReason::Solved));
        assert_eq!(report.lines[0].score, by_negamax(&game, 9), "seed {seed}");
        abdada += report.counters.techniques.map_or(0, |techniques| techniques.moves_deferred);
    }
    let is_parallel = std::thread::available_parallelism().is_ok_and(|threads| threads.get() > 1);
    assert!(abdada > 0 || !is_parallel);
}

#[test]
fn the_same_limit_gives_the_same_search_to_the_node() {
    let game = TreeGame::new(random_tree(&mut Rng::new(7), 12, 5, 20));
    for nodes in [1, 2, 100, 5_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let run = || searched(&mut AlphaBeta::new(Bundle::of(Whim)), &game, &limits);
        let (first, second) = (run(), run());
        assert_eq!(first.counters.nodes, nodes);
        assert_eq!(first.stopped, Some(StopReason::Nodes));
        assert_eq!((first.counters, &first.lines), (second.counters, &second.lines));
        assert!(first.best_move().is_some_and(|m| game.is_legal(m)));
    }
}

#[test]
fn a_cleared_search_is_as_good_as_new() {
    let game = TreeGame::new(random_tree(&mut Rng::new(8), 8, 5, 20));
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let mut search = AlphaBeta::new(Bundle::of(Whim));
    let first = searched(&mut search, &game, &limits);
    Search::<TreeGame>::clear(&mut search);
    let second = searched(&mut search, &game, &limits);
    assert_eq!((first.counters, first.lines), (second.counters, second.lines));
}

#[test]
fn only_the_moves_that_are_asked_for_are_considered() {
    let game = TreeGame::new(random_tree(&mut Rng::new(9), 6, 5, 20));
    for m in game.legal_moves() {
        let limits = Limits { only: vec![m], ..to_depth(4) };
        assert_eq!(searched(&mut AlphaBeta::new(Bundle::of(Whim)), &game, &limits).best_move(), Some(m));
    }
}

#[test]
fn the_value_at_the_root_is_exact_once_an_iteration_is_complete() {
    let game = TreeGame::new(random_tree(&mut Rng::new(7), 12, 5, 20));
    let report = searched(&mut AlphaBeta::new(Bundle::of(Whim)), &game, &to_depth(6));
    assert_eq!(report.lines[0].bound, Bound::Exact);
    assert!(report.counters.techniques.is_some());
}

#[test]
fn a_score_survives_the_table_at_any_distance() {
    use outplay_core::Outcome;
    /// A game that is won or lost.
    #[derive(Clone, PartialEq, Debug)]
    struct WonOrLost;
    impl Game for WonOrLost {
        type Rules = ();
        type Moves = Vec<outplay_core::Move>;
        fn start((): &()) -> WonOrLost {
            WonOrLost
        }
        fn to_move(&self) -> Player {
            Player::First
        }
        fn legal_moves(&self) -> Vec<outplay_core::Move> {
            Vec::new()
        }
        fn play(&mut self, _: outplay_core::Move) {}
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn key(&self) -> u64 {
            0
        }
    }
    for (outcome, ply, met_at) in [(Outcome::win(Player::First), 9, 4), (Outcome::win(Player::Second), 7, 7)]
    {
        // A win nine plies from the root, seen at ply four, is five plies away; met again at ply ten, it is fifteen from the root.
        let from_root = Score::decided::<WonOrLost>(outcome, Player::First, ply);
        let kept = from_root.seen_from_ply::<WonOrLost>(met_at);
        assert_eq!(kept, Score::decided::<WonOrLost>(outcome, Player::First, ply - met_at));
        let again = kept.seen_from_root::<WonOrLost>(10);
        assert_eq!(again, Score::decided::<WonOrLost>(outcome, Player::First, 10 + ply - met_at));
    }
    assert_eq!(Score::heuristic(123).seen_from_ply::<WonOrLost>(5), Score::heuristic(123));
    let margin = Score::decided::<TreeGame>(Outcome::from_margin(12, Player::First), Player::First, 3);
    assert_eq!(margin.seen_from_ply::<TreeGame>(3), margin);
}
