//! What the generic searches make of the endgame solver.

use std::sync::Arc;

use outplay_core::{Game, Line, MoveList, Rng};
use outplay_othello::endgame::{Limits as SolverLimits, Solver};
use outplay_othello::{Othello, Positional, knowledge};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::mcts::Mcts;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Limits, Meaning, Report, Search, StopReason};

fn search(search: &mut dyn Search<Othello>, position: &Othello, limits: &Limits) -> Report {
    let (options, signals) = (StopOptions::default(), Arc::new(Signals::default()));
    let mut sink = |_| ();
    let mut control = Control::new(position.to_move(), limits, &options, &signals, &mut sink);
    search.search(&Line::new(*position), &mut control)
}

fn random_position(rng: &mut Rng, empty: u32) -> Othello {
    loop {
        let mut position = Othello::start(&());
        while position.empty().count_ones() > empty && position.outcome().is_none() {
            let moves = position.legal_moves();
            position.play(moves.nth(rng.below(moves.count())));
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn exact(position: &Othello) -> i16 {
    Solver::new(1, 0).value(position, &mut SolverLimits::default()).exact().expect("nothing limits it")
}

fn meaning(margin: i16) -> Meaning {
    if margin == 0 { Meaning::Opinion(0) } else { Meaning::Margin(margin.into()) }
}

#[test]
fn near_the_end_both_searches_play_exactly_and_say_so_within_their_nodes() {
    let mut rng = Rng::new(1);
    for empty in [6, 9, 12, 13] {
        let position = random_position(&mut rng, empty);
        let value = exact(&position);
        let limits = Limits { nodes: Some(400_000), ..Limits::default() };
        let mut searches: [Box<dyn Search<Othello>>; 2] =
            [Box::new(AlphaBeta::new(knowledge(Positional))), Box::new(Mcts::new(knowledge(Positional)))];
        searches[1].options_mut().set("evaluator", "static").expect("an option");
        for searching in &mut searches {
            let report = search(searching.as_mut(), &position, &limits);
            assert_eq!(report.stopped, Some(StopReason::Solved), "{position:?}");
            assert_eq!(report.lines[0].score, meaning(value), "{position:?}");
            assert!(report.counters.nodes <= 400_000);
            let end = report.lines[0].moves.iter().fold(position, |position, &m| position.after(m));
            assert_eq!(end.outcome().map(|outcome| outcome.for_player(position.to_move())), Some(value));
        }
    }
}

#[test]
fn several_lines_and_some_moves_have_their_values() {
    let mut rng = Rng::new(2);
    let position = random_position(&mut rng, 11);
    let values = Solver::new(1, 0).move_values(&position, &mut SolverLimits::default());
    let mut best: Vec<i16> = values.iter().map(|(_, bounds)| bounds.exact().expect("solved")).collect();
    best.sort_unstable_by_key(|margin| std::cmp::Reverse(*margin));
    let limits = Limits { nodes: Some(2_000_000), lines: 3, ..Limits::default() };
    let report = search(&mut AlphaBeta::new(knowledge(Positional)), &position, &limits);
    let found: Vec<Meaning> = report.lines.iter().map(|line| line.score).collect();
    assert_eq!(found, best.iter().take(3).map(|&margin| meaning(margin)).collect::<Vec<_>>());
    let (worst, bounds) = values.iter().min_by_key(|(_, bounds)| bounds.least()).expect("a move");
    let limits = Limits { only: vec![*worst], lines: 1, ..limits };
    let report = search(&mut AlphaBeta::new(knowledge(Positional)), &position, &limits);
    assert_eq!(report.best_move(), Some(*worst));
    assert_eq!(report.lines[0].score, meaning(bounds.least()));
}

#[test]
fn far_from_the_end_or_switched_off_or_to_a_depth_the_solver_is_not_asked() {
    let mut rng = Rng::new(3);
    let (near, far) = (random_position(&mut rng, 10), random_position(&mut rng, 30));
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let mut pvs = AlphaBeta::new(knowledge(Positional));
    assert_eq!(search(&mut pvs, &far, &limits).stopped, Some(StopReason::Nodes));
    assert_eq!(search(&mut pvs, &near, &limits).stopped, Some(StopReason::Solved));
    let to_a_depth = Limits { depth: Some(3), ..Limits::default() };
    assert_eq!(search(&mut pvs, &near, &to_a_depth).stopped, Some(StopReason::Depth));
    pvs.options.endgame_solver = false;
    let report = search(&mut pvs, &near, &Limits { nodes: Some(300), ..Limits::default() });
    assert_eq!(report.stopped, Some(StopReason::Nodes));
}

/// What the solver has used in vain counts, and no more is used than was granted.
#[test]
fn a_solver_that_does_not_come_to_an_end_leaves_the_search_its_share() {
    let mut rng = Rng::new(4);
    let mut in_vain = 0;
    for _ in 0..30 {
        let position = random_position(&mut rng, 11);
        let limits = Limits { nodes: Some(19_000), ..Limits::default() };
        let searched = || search(&mut AlphaBeta::new(knowledge(Positional)), &position, &limits);
        let report = searched();
        assert!(report.counters.nodes <= 19_000, "{}", report.counters.nodes);
        assert!(position.is_legal(report.best_move().expect("a move")));
        in_vain += u32::from(report.stopped == Some(StopReason::Nodes));
        let again = searched();
        assert_eq!((again.counters.nodes, again.lines), (report.counters.nodes, report.lines));
    }
    assert!(in_vain > 0);
}
