//! RAVE, progressive bias, progressive widening and moves ordered by history: what they may change, and what not.

use std::sync::Arc;

use crate::common::mcts::{big_tree, mcts, search, search_line};
use crate::common::{Order, Tree, WinGame, ordered_tree, random_tree, value_by_definition};
use outplay_core::{Game, Line, Move, Player, Rng};
use outplay_search::{GrownMove, Limits, Meaning, Search, StopReason};

type Settings = &'static [(&'static str, &'static str)];

const RAVE: Settings = &[("rave", "true"), ("rave_equivalence", "50")];
const BIAS: Settings = &[("progressive_bias", "2")];
const WIDENING: Settings =
    &[("progressive_widening", "true"), ("widening_factor", "1"), ("widening_power", "0.3")];
const HISTORY: Settings = &[("history_ordering", "true")];

/// Each switch alone, and all of them together, with every evaluator whose tree can differ, both ways of choosing, with and without batches.
fn all_settings() -> Vec<Vec<(&'static str, &'static str)>> {
    let together = [RAVE, BIAS, WIDENING, HISTORY].concat();
    let mut all = Vec::new();
    for switches in [RAVE, BIAS, WIDENING, HISTORY, &together] {
        for evaluator in ["rollouts", "random"] {
            for selection in ["uct", "puct"] {
                for batch in ["1", "16"] {
                    let fixed =
                        [("evaluator", evaluator), ("selection", selection), ("minibatch_size", batch)];
                    all.push([switches, &fixed].concat());
                }
            }
        }
    }
    all
}

#[test]
fn every_playout_is_counted_once_at_the_root_and_once_at_a_move() {
    for settings in all_settings() {
        for threads in ["1", "2"] {
            let settings = [&settings[..], &[("solver", "false"), ("threads", threads)]].concat();
            let report = search(&settings, &big_tree(), 300);
            assert_eq!(report.counters.nodes, 300, "{settings:?}");
            let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
            assert_eq!(visits, 299, "{settings:?}");
        }
    }
}

#[test]
fn one_thread_with_a_seed_gives_the_same_tree() {
    for settings in all_settings() {
        let run = || {
            let report = search(&settings, &big_tree(), 300);
            (report.counters, report.depth, report.lines)
        };
        assert_eq!(run(), run(), "{settings:?}");
    }
}

#[test]
fn small_games_are_solved_with_the_value_of_the_definition() {
    for seed in 0..40 {
        let tree = WinGame::new(random_tree(&mut Rng::new(seed), 6, 4, 1));
        if tree.outcome().is_some() {
            continue;
        }
        let best = value_by_definition(&tree.tree);
        let expected = if tree.to_move() == Player::First { best } else { -best };
        for settings in all_settings() {
            let report = search(&settings, &tree, 200_000);
            assert_eq!(report.stopped, Some(StopReason::Solved), "seed {seed}, {settings:?}");
            let found = match report.lines[0].score {
                Meaning::WinIn(_) => 1,
                Meaning::LossIn(_) => -1,
                Meaning::Opinion(0) => 0,
                other => panic!("seed {seed}, {settings:?}: {other:?} is not certain"),
            };
            assert_eq!(found, expected, "seed {seed}, {settings:?}");
        }
    }
}

/// The tree that a search without a solver grows.
fn grown(settings: &[(&str, &str)], tree: &WinGame, nodes: u64) -> GrownMove {
    let mut search = mcts(&[settings, &[("solver", "false")]].concat());
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    search_line(&mut search, &Line::new(tree.clone()), &limits);
    Search::<WinGame>::grown_tree(&search, 20, 1).expect("a tree")
}

#[test]
fn without_weight_the_tree_is_the_one_without_the_switch() {
    for without_weight in [
        &[("rave", "true"), ("rave_equivalence", "0")][..],
        &[("progressive_widening", "true"), ("widening_factor", "1000")],
    ] {
        for evaluator in ["rollouts", "random"] {
            for (selection, batch) in [("uct", "1"), ("puct", "1"), ("puct", "16")] {
                let plain = [("evaluator", evaluator), ("selection", selection), ("minibatch_size", batch)];
                let with_switch = [&plain[..], without_weight].concat();
                let (with, without) =
                    (grown(&with_switch, &big_tree(), 2_000), grown(&plain, &big_tree(), 2_000));
                assert_eq!(with, without, "{with_switch:?}");
            }
        }
    }
}

#[test]
fn each_switch_changes_the_tree() {
    let tree = WinGame::new(ordered_tree(Order::BestFirst, Player::Second, 3, 6));
    let evaluator = [("evaluator", "random")];
    for (switch, selection) in
        [(RAVE, "uct"), (RAVE, "puct"), (BIAS, "uct"), (BIAS, "puct"), (WIDENING, "uct"), (WIDENING, "puct")]
    {
        let plain = [&evaluator[..], &[("selection", selection)]].concat();
        let changed = [&plain[..], switch].concat();
        assert_ne!(grown(&plain, &tree, 500), grown(&changed, &tree, 500), "{switch:?} {selection}");
    }
}

/// Shows a node and all below it.
fn visit(grown: &GrownMove, see: &mut impl FnMut(&GrownMove)) {
    see(grown);
    grown.replies.iter().for_each(|reply| visit(reply, see));
}

#[test]
fn widening_considers_as_many_moves_as_the_visits_allow_and_more_with_more_visits() {
    let wide = WinGame::new(Tree::Branch(Player::First, (0..40).map(|_| big_tree().tree).collect()));
    for evaluator in ["rollouts", "random"] {
        for (selection, batch) in [("uct", "1"), ("puct", "1"), ("puct", "16")] {
            for (factor, power) in [("1", "0.3"), ("2", "0.5"), ("0", "0.5")] {
                let settings = [
                    ("evaluator", evaluator),
                    ("selection", selection),
                    ("minibatch_size", batch),
                    ("progressive_widening", "true"),
                    ("widening_factor", factor),
                    ("widening_power", power),
                ];
                let (factor, power): (f64, f64) = (factor.parse().unwrap(), power.parse().unwrap());
                let most = |visits: u64| ((factor * (visits as f64).powf(power)).ceil() as usize).max(1);
                let grown = grown(&settings, &wide, 300);
                visit(&grown, &mut |node| {
                    assert!(node.replies.len() <= most(node.visits), "{settings:?}: {node:?}");
                });
                if selection == "uct" {
                    // Every move that may be tried is tried.
                    assert_eq!(grown.replies.len(), most(299).min(40), "{settings:?}");
                }
            }
        }
    }
}

#[test]
fn a_bias_sends_playouts_where_the_policy_points() {
    // Where nothing else counts, the visits of all moves are in proportion to their priors.
    let settings = [
        ("evaluator", "uniform"),
        ("noise_epsilon", "1"),
        ("noise_alpha", "1"),
        ("selection", "uct"),
        ("exploration", "0"),
        ("progressive_bias", "1000"),
        ("minibatch_size", "1"),
    ];
    let report = search(&settings, &big_tree(), 200);
    let counts: Vec<(f64, f64)> = (report.lines.iter())
        .map(|line| (line.visits.expect("visits") as f64, line.statistics.expect("counts").prior * 199.0))
        .collect();
    assert!(counts.iter().all(|(visits, expected)| (visits - expected).abs() < 4.0), "{counts:?}");
    assert!(counts[0].0 > 1.5 * counts[1].0, "the priors differ: {counts:?}");
}

/// A tree in which whoever makes the moves with the higher numbers wins.
fn contest(mover: Player, lead: i16, depth: usize) -> Tree {
    match depth {
        0 => Tree::Leaf(lead),
        _ => {
            let lead_after = |m: i16| lead + if mover == Player::First { m } else { -m };
            let children = (0..6).map(|m| Arc::new(contest(!mover, lead_after(m), depth - 1)));
            Tree::Branch(mover, children.collect())
        }
    }
}

#[test]
fn history_tries_first_what_has_done_well_elsewhere() {
    let tree = WinGame::new(contest(Player::First, 0, 4));
    let mean_of_first_tries = |settings: &[(&str, &str)]| {
        let (mut sum, mut count) = (0, 0);
        // A tree has few nodes with one move that was tried.
        for seed in 1..=16 {
            let seed = seed.to_string();
            let settings = [settings, &[("seed", &seed)]].concat();
            visit(&grown(&settings, &tree, 400), &mut |node| {
                if let [only] = &node.replies[..] {
                    (sum, count) = (sum + u32::from(only.m.map_or(0, Move::bits)), count + 1);
                }
            });
        }
        assert!(count > 160, "{count}");
        f64::from(sum) / f64::from(count)
    };
    let (without, with) = (mean_of_first_tries(&[]), mean_of_first_tries(HISTORY));
    assert!(with - without > 0.5, "{without} without, {with} with history");
}

#[test]
fn several_threads_may_order_moves_by_what_others_change_meanwhile() {
    // Many moves, so that sorting takes a while.
    let tree = WinGame::new(ordered_tree(Order::BestLast, Player::First, 40, 2));
    for seed in ["1", "2", "3"] {
        let settings = [("history_ordering", "true"), ("threads", "3"), ("solver", "false"), ("seed", seed)];
        let report = search(&settings, &tree, 20_000);
        assert_eq!(report.counters.nodes, 20_000);
    }
}
