//! What must hold of the Monte Carlo tree search, on trees whose values are known.

use std::sync::Arc;

use crate::common::mcts::{big_tree, mcts, search, search_line};
use crate::common::{Order, Tree, WinGame, ordered_tree, random_tree, value_by_definition};
use outplay_core::{Game, Line, Move, Player, Rng};
use outplay_search::{GrownMove, Limits, Meaning, Search, StopReason};

/// Every evaluator, both ways of choosing, with and without batches.
fn all_settings() -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = Vec::new();
    for evaluator in ["rollouts", "static", "uniform", "random"] {
        for selection in ["uct", "puct"] {
            for batch in ["1", "16"] {
                all.push(vec![("evaluator", evaluator), ("selection", selection), ("minibatch_size", batch)]);
            }
        }
    }
    all
}

#[test]
fn every_playout_is_counted_once_at_the_root_and_once_at_a_move() {
    for mut settings in all_settings() {
        settings.push(("solver", "false"));
        for threads in ["1", "2"] {
            settings.push(("threads", threads));
            let report = search(&settings, &big_tree(), 500);
            assert_eq!(
                (report.counters.nodes, report.stopped),
                (500, Some(StopReason::Nodes)),
                "{settings:?}"
            );
            // The first playout evaluates the root itself; every other one goes through a move.
            let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
            assert_eq!(visits, 499, "{settings:?}");
            settings.pop();
        }
    }
}

/// Checks a move and those that follow it: its sum of values is theirs, seen by the one who makes it. Nobody evaluates a position as anything
/// but even here, so that all values come from the ends of games.
fn check_means(position: &WinGame, grown: &GrownMove) {
    let (by, after) = match grown.m {
        Some(m) => (position.to_move(), position.after(m)),
        None => (position.to_move(), position.clone()),
    };
    let (Meaning::Expected(mean), false) = (grown.score, grown.replies.is_empty()) else { return };
    let sum: f64 =
        grown.replies.iter().map(|reply| reply.visits as f64 * reply.statistics.expect("counts").q).sum();
    let seen = if by == after.to_move() { sum } else { -sum };
    assert!(
        (mean * grown.visits as f64 - seen).abs() < 1e-3,
        "{mean} of {} visits, but {seen}",
        grown.visits
    );
    grown.replies.iter().for_each(|reply| check_means(&after, reply));
}

#[test]
fn the_value_of_every_move_is_the_mean_of_what_was_backed_up() {
    for (order, settings) in [
        (Order::BestLast, [("selection", "uct"), ("minibatch_size", "1")]),
        (Order::BestFirst, [("selection", "puct"), ("minibatch_size", "16")]),
    ] {
        let tree = WinGame::new(ordered_tree(order, Player::First, 3, 6));
        let mut search = mcts(&[&settings[..], &[("evaluator", "uniform"), ("solver", "false")]].concat());
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        search_line(&mut search, &Line::new(tree.clone()), &limits);
        let grown = Search::<WinGame>::grown_tree(&search, 6, 1).expect("a tree");
        assert!(grown.replies.iter().any(|reply| reply.statistics.is_some_and(|known| known.q != 0.0)));
        check_means(&tree, &grown);
    }
}

#[test]
fn one_thread_with_a_seed_gives_the_same_tree() {
    for settings in all_settings() {
        let run = |seed: &'static str| {
            let settings: Vec<_> = settings.iter().copied().chain([("seed", seed)]).collect();
            let report = search(&settings, &big_tree(), 300);
            (report.counters, report.depth, report.lines)
        };
        assert_eq!(run("7"), run("7"), "{settings:?}");
    }
    let rollouts = |seed| search(&[("seed", seed)], &big_tree(), 300).lines;
    assert_ne!(rollouts("1"), rollouts("2"), "another seed plays other games");
}

#[test]
fn small_games_are_solved_with_the_value_of_the_definition() {
    for seed in 0..300 {
        let tree = WinGame::new(random_tree(&mut Rng::new(seed), 6, 4, 1));
        if tree.outcome().is_some() {
            continue;
        }
        for selection in ["uct", "puct"] {
            let report = search(&[("selection", selection)], &tree, 200_000);
            assert_eq!(report.stopped, Some(StopReason::Solved), "seed {seed}");
            let best = i32::from(value_by_definition(&tree.tree));
            let for_mover = if tree.to_move() == Player::First { best } else { -best };
            let found = match report.lines[0].score {
                Meaning::WinIn(_) => 1,
                Meaning::LossIn(_) => -1,
                Meaning::Opinion(0) => 0,
                other => panic!("seed {seed}: {other:?} is not certain"),
            };
            assert_eq!(found, for_mover, "seed {seed}, {selection}");
            // The line ends the game, as far away as it says.
            if let Meaning::WinIn(plies) | Meaning::LossIn(plies) = report.lines[0].score {
                let end = report.lines[0].moves.iter().fold(tree.clone(), |game, &m| game.after(m));
                assert_eq!(
                    (end.outcome().is_some(), report.lines[0].moves.len() as u32),
                    (true, plies),
                    "seed {seed}"
                );
            }
        }
    }
}

#[test]
fn what_was_learned_is_there_when_the_game_has_moved_on_and_when_it_goes_back() {
    let tree = big_tree();
    let mut search = mcts(&[("solver", "false")]);
    let limits = Limits { nodes: Some(400), lines: 3, ..Limits::default() };
    let mut line = Line::new(tree);
    let first = search_line(&mut search, &line, &limits);
    let (m, visits) = (first.lines[0].moves[0], first.lines[0].visits.expect("visits"));
    line.play(m);
    let second = search_line(&mut search, &line, &limits);
    let all: u64 = second.lines.iter().filter_map(|line| line.visits).sum();
    assert_eq!(all, visits - 1 + 400, "the old visits and the new ones");
    line.undo();
    let third = search_line(&mut search, &line, &limits);
    let all: u64 = third.lines.iter().filter_map(|line| line.visits).sum();
    assert_eq!(all, 399 + 400, "what was learned below does not count above");

    // A new game, other settings and other moves begin anew.
    Search::<WinGame>::clear(&mut search);
    let anew = search_line(&mut search, &line, &limits);
    assert_eq!(anew.lines.iter().filter_map(|line| line.visits).sum::<u64>(), 399);
    let only = Limits { only: vec![Move::new(1)], ..limits.clone() };
    let one = search_line(&mut search, &line, &only);
    assert_eq!((one.lines.len(), one.best_move()), (1, Some(Move::new(1))));
}

#[test]
fn memory_is_never_more_than_was_allowed() {
    let tree = WinGame::new(random_tree(&mut Rng::new(5), 16, 6, 1));
    let mut search = mcts(&[("ram_limit_mb", "1"), ("evaluator", "uniform"), ("solver", "false")]);
    search.clear();
    let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
    let report = search_line(&mut search, &Line::new(tree), &limits);
    assert_eq!(report.stopped, Some(StopReason::Memory));
    assert!(search.bytes() <= 1 << 20 && report.counters.nodes > 1_000, "{}", report.counters.nodes);
    assert!(report.best_move().is_some());
}

#[test]
fn the_root_has_noise_and_constants_of_its_own_and_moves_may_be_drawn_by_lot() {
    let tree = big_tree();
    let plain = [("evaluator", "uniform"), ("solver", "false")];
    let visits = |more: &[(&'static str, &'static str)]| {
        let report = search(&[&plain[..], more].concat(), &tree, 200);
        let mut lines: Vec<(u16, u64)> =
            report.lines.iter().map(|line| (line.moves[0].bits(), line.visits.unwrap_or(0))).collect();
        lines.sort_unstable();
        lines
    };
    let even = visits(&[]);
    assert_ne!(even, visits(&[("noise_epsilon", "0.5")]), "noise sends playouts elsewhere");
    let own = ("root_has_own_cpuct_params", "true");
    assert_eq!(even, visits(&[own]), "the same constants by default");
    // Without exploration at the root and with a low opinion of what is new, all playouts follow the first move.
    let stubborn = [
        own,
        ("cpuct_at_root", "0"),
        ("cpuct_factor_at_root", "0"),
        ("fpu_strategy_at_root", "absolute"),
        ("fpu_value_at_root", "-2"),
    ];
    assert_eq!(visits(&stubborn).iter().filter(|(_, visits)| *visits > 0).count(), 1);

    let played = |seed: &str| {
        let settings = [&plain[..], &[("temperature", "1"), ("seed", seed)]].concat();
        search(&settings, &tree, 60).best_move()
    };
    let seeds: Vec<String> = (0..20).map(|seed| seed.to_string()).collect();
    let moves: Vec<Option<Move>> = seeds.iter().map(|seed| played(seed)).collect();
    assert!(moves.iter().any(|m| *m != moves[0]), "one move or another");
    assert_eq!(played("3"), played("3"));
}

/// The same tree, in which a win is worth more the sooner it comes.
fn with_distances(tree: &Tree, depth: i16) -> Tree {
    match tree {
        Tree::Leaf(value) => Tree::Leaf(value.signum() * (100 - depth)),
        Tree::Branch(mover, children) => {
            let children = children.iter().map(|child| Arc::new(with_distances(child, depth + 1)));
            Tree::Branch(*mover, children.collect())
        }
    }
}

#[test]
fn small_games_are_solved_with_the_distance_of_the_definition() {
    for seed in 0..300 {
        let tree = WinGame::new(random_tree(&mut Rng::new(seed), 6, 4, 1));
        if tree.outcome().is_some() {
            continue;
        }
        let best = i32::from(value_by_definition(&with_distances(&tree.tree, 0)));
        let for_mover = if tree.to_move() == Player::First { best } else { -best };
        let expected = match for_mover {
            1.. => Meaning::WinIn((100 - for_mover) as u32),
            0 => Meaning::Opinion(0),
            _ => Meaning::LossIn((100 + for_mover) as u32),
        };
        for settings in [
            [("selection", "uct"), ("minibatch_size", "1")],
            [("selection", "puct"), ("minibatch_size", "1")],
            [("selection", "puct"), ("minibatch_size", "16")],
        ] {
            let report = search(&[&settings[..], &[("solver_exact", "true")]].concat(), &tree, 200_000);
            assert_eq!(
                (report.stopped, report.lines[0].score),
                (Some(StopReason::Solved), expected),
                "seed {seed}"
            );
            if best != 0 {
                assert_eq!(report.lines[0].moves.len() as i32, 100 - best.abs(), "seed {seed}");
            }
        }
    }
}

#[test]
fn leaves_that_are_found_beside_a_batch_are_evaluated_too() {
    let mut beside = 0;
    for seed in 0..40 {
        let tree = WinGame::new(random_tree(&mut Rng::new(seed), 8, 5, 1));
        if tree.outcome().is_some() {
            continue;
        }
        for size in ["1", "4"] {
            let settings = [
                ("evaluator", "random"),
                ("solver_exact", "true"),
                ("evaluation_threads", "1"),
                ("batches_in_flight", "1"),
                ("minibatch_size", size),
            ];
            let report = search(&settings, &tree, 5_000);
            let evaluated = report.counters.batches.expect("a service").leaves;
            assert_eq!(report.counters.leaves, evaluated, "seed {seed}, batches of {size}");
            beside += u64::from(evaluated > report.counters.nodes);
        }
    }
    assert!(beside > 0, "no playout looked beside");
}

#[test]
fn what_is_certain_stays_so_when_the_game_goes_on_and_when_it_goes_back() {
    let (mut went_on, mut went_back) = (0, 0);
    for seed in 0..60 {
        let tree = WinGame::new(random_tree(&mut Rng::new(seed), 7, 4, 1));
        if tree.outcome().is_some() {
            continue;
        }
        // Solved from the start, then after the best move: at once.
        let mut solver = mcts(&[]);
        let limits = Limits { nodes: Some(500_000), ..Limits::default() };
        let mut line = Line::new(tree.clone());
        let first = search_line(&mut solver, &line, &limits);
        line.play(first.best_move().expect("a move"));
        if line.position().outcome().is_none() {
            let second = search_line(&mut solver, &line, &limits);
            let is_known =
                second.counters.nodes == 0 && second.best_move() == first.lines[0].moves.get(1).copied();
            assert!(is_known || first.lines[0].moves.len() == 1, "seed {seed}: {second:?}");
            went_on += 1;
        }
        // A little from the start, solved after each move in turn, and then from the start again: nearly nothing is left to do.
        let mut solver = mcts(&[]);
        let few = Limits { nodes: Some(30), ..Limits::default() };
        let mut line = Line::new(tree.clone());
        if search_line(&mut solver, &line, &few).stopped == Some(StopReason::Solved) {
            continue;
        }
        let mut all = true;
        for m in tree.legal_moves() {
            line.play(m);
            if line.position().outcome().is_none() {
                all &= search_line(&mut solver, &line, &limits).stopped == Some(StopReason::Solved);
            }
            line.undo();
        }
        let again = search_line(&mut solver, &line, &limits);
        let moves = tree.legal_moves().len() as u64;
        assert!(all && again.counters.nodes <= 20 * moves, "seed {seed}: {} playouts", again.counters.nodes);
        went_back += 1;
    }
    assert!(went_on > 20 && went_back > 5, "{went_on} went on, {went_back} went back");
}
