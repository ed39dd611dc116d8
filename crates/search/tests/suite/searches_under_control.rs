//! The searches as the rest of the program sees them: limits, reports, lines, stop reasons, determinism.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{Order, Tree, TreeGame, ordered_tree, random_tree, value_by_definition};
use outplay_core::{Game, Line, Move, Player, Rng};
use outplay_search::stop::{Signals, StopOptions, TimeManager, Turn};
use outplay_search::textbook::{Algorithm, Deepening, FlatMonteCarlo, TreeSearch, Uct};
use outplay_search::{Clock, Control, Evaluating, Limits, Meaning, NoKnowledge, Report, Search, StopReason};

fn search(search: &mut dyn Search<TreeGame>, tree: &TreeGame, limits: &Limits) -> (Report, Vec<Report>) {
    let mut reports = Vec::new();
    let mut sink = |report| reports.push(report);
    let line = Line::new(tree.clone());
    let signals = Arc::new(Signals::default());
    let mut control = Control::new(tree.to_move(), limits, &no_overhead(), &signals, &mut sink);
    let last = search.search(&line, &mut control);
    (last, reports)
}

fn no_overhead() -> StopOptions {
    StopOptions { move_overhead: 0, ..StopOptions::default() }
}

fn all_searches() -> Vec<(&'static str, Box<dyn Search<TreeGame>>)> {
    let tree = |algorithm, deepening| {
        Box::new(TreeSearch::new(algorithm, deepening, Box::new(Evaluating::new(NoKnowledge))))
    };
    let mut deep = tree(Algorithm::Minimax, Deepening::ToSetDepth);
    Search::<TreeGame>::options_mut(&mut *deep).set("depth", "100").expect("an option");
    vec![
        ("hminimax", deep),
        ("minimax", tree(Algorithm::Minimax, Deepening::Once)),
        ("negamax", tree(Algorithm::Negamax, Deepening::Once)),
        ("alphabeta", tree(Algorithm::AlphaBeta, Deepening::Once)),
        ("deepening", tree(Algorithm::AlphaBeta, Deepening::Iterative)),
        ("flat", Box::new(FlatMonteCarlo::default())),
        ("uct", Box::new(Uct::default())),
    ]
}

#[test]
fn what_is_done_before_a_search_knows_how_much_of_the_time_is_gone() {
    let signals = Arc::new(Signals::default());
    let has_used = |limits: &Limits, part: f64| {
        Control::new(Player::First, limits, &no_overhead(), &signals, &mut |_| {}).has_used(part)
    };
    let short = Limits { move_time: Some(Duration::from_nanos(2)), ..Limits::default() };
    let clock = Clock { remaining: [Duration::from_secs(1_000); 2], ..Clock::default() };
    let long = Limits { clock: Some(clock), ..Limits::default() };
    assert!(has_used(&short, 0.5) && has_used(&long, 0.0) && !has_used(&long, 0.5));
    assert!(!has_used(&Limits { nodes: Some(1), ..Limits::default() }, 0.0));
    let is_out_of_time = |limits: &Limits| {
        Control::new(Player::First, limits, &no_overhead(), &signals, &mut |_| {}).is_out_of_time()
    };
    assert!(is_out_of_time(&short) && !is_out_of_time(&long));
    assert!(!is_out_of_time(&Limits { infinite: true, ..short }));
    signals.stop();
    assert!(has_used(&long, 0.5) && is_out_of_time(&long));
}

fn big_tree() -> TreeGame {
    TreeGame::new(ordered_tree(Order::BestLast, Player::First, 3, 6))
}

#[test]
fn a_node_limit_is_kept_to_the_node_and_gives_the_same_answer_every_time() {
    let tree = big_tree();
    for nodes in [1, 2, 17, 100, 1_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for (name, mut searcher) in all_searches() {
            let (first, _) = search(&mut *searcher, &tree, &limits);
            let (second, _) = search(&mut *searcher, &tree, &limits);
            assert_eq!(first.counters.nodes, nodes, "{name}");
            assert_eq!(first.stopped, Some(StopReason::Nodes), "{name}");
            assert_eq!((first.counters, first.lines), (second.counters, second.lines), "{name}");
        }
    }
}

#[test]
fn exact_searches_say_solved_and_show_as_many_exact_lines_as_asked() {
    for seed in 0..50 {
        let tree = TreeGame::new(random_tree(&mut Rng::new(seed), 5, 5, 50));
        let Tree::Branch(mover, children) = &*tree.tree else { continue };
        let mut expected: Vec<i32> = (children.iter())
            .map(|child| i32::from(value_by_definition(child)) * if *mover == Player::First { 1 } else { -1 })
            .collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        let limits = Limits { lines: 3, ..Limits::default() };
        for (name, mut searcher) in all_searches().into_iter().skip(1).take(4) {
            let (report, _) = search(&mut *searcher, &tree, &limits);
            assert_eq!(report.stopped, Some(StopReason::Solved), "{name}");
            let shown: Vec<i32> = (report.lines.iter())
                .map(|line| match line.score {
                    Meaning::Margin(margin) => margin,
                    Meaning::Opinion(0) => 0,
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(shown, expected[..expected.len().min(3)], "{name}, seed {seed}");
        }
    }
}

#[test]
fn each_iteration_reports_once_and_a_depth_limit_ends_them() {
    let tree = TreeGame::new(ordered_tree(Order::BestFirst, Player::First, 2, 10));
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let mut searcher =
        TreeSearch::new(Algorithm::AlphaBeta, Deepening::Iterative, Box::new(Evaluating::new(NoKnowledge)));
    let (last, reports) = search(&mut searcher, &tree, &limits);
    assert_eq!(reports.iter().map(|report| report.depth).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((last.depth, last.stopped), (4, Some(StopReason::Depth)));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let tree = big_tree();
    let only = vec![Move::new(1)];
    for (name, mut searcher) in all_searches() {
        let limits = Limits { nodes: Some(500), only: only.clone(), ..Limits::default() };
        let (report, _) = search(&mut *searcher, &tree, &limits);
        assert_eq!(report.best_move(), Some(only[0]), "{name}");
    }
}

#[test]
fn a_finished_game_has_no_best_move() {
    for (name, mut searcher) in all_searches() {
        let (report, _) = search(&mut *searcher, &TreeGame::new(Tree::Leaf(3)), &Limits::default());
        assert_eq!((report.best_move(), report.stopped), (None, Some(StopReason::GameOver)), "{name}");
    }
}

/// A tree without end, in which nothing is ever decided.
#[derive(Clone, Debug, PartialEq)]
struct Endless(u64);

impl Game for Endless {
    type Rules = ();
    type Moves = Vec<Move>;

    fn start((): &()) -> Endless {
        Endless(0)
    }

    fn to_move(&self) -> Player {
        Player::BOTH[(self.0 % 2) as usize]
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..3).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        self.0 = outplay_core::mix(self.0 + m.index() as u64);
    }

    fn outcome(&self) -> Option<outplay_core::Outcome> {
        // Now and then a random game has to end.
        (self.0 % 64 == 63).then_some(outplay_core::Outcome::DRAW)
    }

    fn key(&self) -> u64 {
        self.0
    }
}

fn endless_searches() -> Vec<(&'static str, Box<dyn Search<Endless>>)> {
    let tree = |algorithm, deepening| {
        Box::new(TreeSearch::new(algorithm, deepening, Box::new(Evaluating::new(NoKnowledge))))
    };
    vec![
        ("minimax", tree(Algorithm::Minimax, Deepening::ToSetDepth)),
        ("alphabeta", tree(Algorithm::AlphaBeta, Deepening::ToSetDepth)),
        ("deepening", tree(Algorithm::AlphaBeta, Deepening::Iterative)),
        ("flat", Box::new(FlatMonteCarlo::default())),
        ("uct", Box::new(Uct::default())),
    ]
}

/// How long a search takes under these limits, stopped from outside after `stop_after` if that is given.
fn endless(
    search: &mut dyn Search<Endless>,
    limits: &Limits,
    stop_after: Option<Duration>,
) -> (Report, Duration) {
    let start = Endless(0);
    let line = Line::new(start.clone());
    let signals = Arc::new(Signals::default());
    let mut sink = |_| {};
    let begun = Instant::now();
    let report = std::thread::scope(|scope| {
        if let Some(time) = stop_after {
            let signals = &signals;
            scope.spawn(move || {
                std::thread::sleep(time);
                signals.stop();
            });
        }
        let mut control = Control::new(start.to_move(), limits, &no_overhead(), &signals, &mut sink);
        search.search(&line, &mut control)
    });
    (report, begun.elapsed())
}

#[test]
fn every_search_obeys_the_stop_signal_and_the_clock() {
    const TIME: Duration = Duration::from_millis(60);
    for (name, mut searcher) in endless_searches() {
        if name == "minimax" || name == "alphabeta" {
            searcher.options_mut().set("depth", "100").expect("an option");
        }
        if name == "flat" {
            searcher.options_mut().set("playouts", "1000000000").expect("an option");
        }
        let forever = Limits { infinite: true, ..Limits::default() };
        let (report, time) = endless(&mut *searcher, &forever, Some(TIME));
        assert_eq!(report.stopped, Some(StopReason::Stopped), "{name}");
        assert!(time >= TIME && time < TIME * 50, "{name}: {time:?}");

        let by_move_time = Limits { move_time: Some(TIME), ..Limits::default() };
        let (report, time) = endless(&mut *searcher, &by_move_time, None);
        assert_eq!(report.stopped, Some(StopReason::Time), "{name}");
        assert!(time >= TIME && time < TIME * 50, "{name}: {time:?}");
    }
}

#[test]
fn a_search_takes_its_share_of_the_clock_and_not_all_it_might() {
    let remaining = [Duration::from_secs(6); 2];
    let clock = Clock { remaining, increment: [Duration::ZERO; 2], moves_to_go: None };
    let turn = Turn { mover: Player::First, ply: 0 };
    let budget = TimeManager::default().budget(&clock, turn, &no_overhead());
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let (report, time) = endless(&mut Uct::default(), &limits, None);
    assert_eq!(report.stopped, Some(StopReason::Time));
    assert!(time >= budget.share(0) && time < budget.most, "{time:?} of {budget:?}");
}

#[test]
fn even_without_time_the_first_iteration_is_finished() {
    let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
    let mut searcher =
        TreeSearch::new(Algorithm::AlphaBeta, Deepening::Iterative, Box::new(Evaluating::new(NoKnowledge)));
    let (report, _) = endless(&mut searcher, &limits, None);
    assert_eq!((report.depth, report.stopped), (1, Some(StopReason::Time)));
}

#[test]
fn a_depth_limit_ends_a_search_that_goes_in_steps() {
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let (report, _) = endless(&mut Uct::default(), &limits, None);
    assert_eq!(report.stopped, Some(StopReason::Depth));
}

#[test]
fn the_monte_carlo_searches_find_a_win_in_one_and_count_every_game() {
    // Three moves: a sure loss, a sure win, and a gamble that the opponent decides.
    use std::sync::Arc as Rc;
    let leaf = |value| Rc::new(Tree::Leaf(value));
    let gamble = Rc::new(Tree::Branch(Player::Second, vec![leaf(1), leaf(1), leaf(-1)]));
    let tree = TreeGame::new(Tree::Branch(Player::First, vec![leaf(-1), gamble.clone(), leaf(1)]));
    let limits = Limits { nodes: Some(300), lines: 3, ..Limits::default() };
    for (name, mut searcher) in all_searches().into_iter().skip(5) {
        let (report, _) = search(&mut *searcher, &tree, &limits);
        assert_eq!(report.best_move(), Some(Move::new(2)), "{name}");
        assert_eq!(report.lines[0].score, Meaning::Expected(1.0), "{name}");
        assert_eq!(report.lines.iter().filter_map(|line| line.visits).sum::<u64>(), 300, "{name}");
    }
    // Where every move is a gamble, UCT learns that the opponent will not gamble: random games do not.
    let even = Rc::new(Tree::Branch(Player::Second, vec![leaf(0), leaf(0), leaf(0)]));
    let tree = TreeGame::new(Tree::Branch(Player::First, vec![gamble, even]));
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let (by_flat, _) = search(&mut FlatMonteCarlo::default(), &tree, &limits);
    let (by_uct, _) = search(&mut Uct::default(), &tree, &limits);
    assert_eq!((by_flat.best_move(), by_uct.best_move()), (Some(Move::new(0)), Some(Move::new(1))));
    assert_eq!(tree.legal_count(), 2);
}
