//! What must hold of every exact tree search, on trees made to order.

use crate::common::{MOST, Order, Tree, TreeGame, ordered_tree, random_tree, value_by_definition};
use outplay_core::{Game, History, Player, Rng};
use outplay_search::textbook::{AtDepth, Exact, Walk, alphabeta, minimax, negamax};
use outplay_search::{Counters, Evaluating, Meaning, NoKnowledge, Score};
use proptest::prelude::*;

fn run(search: impl Fn(&mut Walk<Exact, ()>) -> Score) -> (Score, Counters) {
    let (history, mut nobody, mut exact) = (History::default(), (), Exact);
    let mut walk = Walk::new(&history, &mut exact, &mut nobody);
    let value = search(&mut walk);
    (value, walk.counters)
}

fn alphabeta_value(game: &TreeGame) -> (Score, Counters) {
    run(|walk| alphabeta(walk, game, -Score::INFINITE, Score::INFINITE))
}

/// The margin that a score stands for.
fn margin(score: Score) -> i32 {
    match score.meaning::<TreeGame>() {
        Meaning::Margin(margin) => margin,
        Meaning::Opinion(0) => 0,
        other => panic!("not a result: {other:?}"),
    }
}

proptest! {
    #[test]
    fn all_exact_searches_find_the_value_of_the_definition(seed: u64, depth in 0usize..7, children in 1usize..5) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), depth, children, 20));
        let for_first = i32::from(value_by_definition(&game.tree));
        let for_mover = if game.to_move() == Player::First { for_first } else { -for_first };
        let (by_minimax, minimax_counters) = run(|walk| minimax(walk, &game, Player::First));
        let (by_negamax, negamax_counters) = run(|walk| negamax(walk, &game));
        let (by_alphabeta, alphabeta_counters) = alphabeta_value(&game);
        prop_assert_eq!(margin(by_minimax), for_first);
        prop_assert_eq!(margin(by_negamax), for_mover);
        prop_assert_eq!(margin(by_alphabeta), for_mover);
        prop_assert_eq!(minimax_counters, negamax_counters);
        prop_assert!(alphabeta_counters.nodes <= negamax_counters.nodes);
        prop_assert!(alphabeta_counters.leaves <= negamax_counters.leaves);
    }

    #[test]
    fn alphabeta_is_fail_soft(seed: u64, low in -25i16..25, width in 1i16..30) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 6, 4, 20));
        let (exact, _) = run(|walk| negamax(walk, &game));
        let score = |value: i16| {
            let outcome = outplay_core::Outcome::from_margin(value, Player::First);
            Score::decided::<TreeGame>(outcome, Player::First, 0)
        };
        let (alpha, beta) = (score(low), score(low + width));
        let (bound, _) = run(|walk| alphabeta(walk, &game, alpha, beta));
        if bound <= alpha {
            prop_assert!(exact <= bound, "an upper bound: {:?} but {:?}", bound, exact);
        } else if bound >= beta {
            prop_assert!(exact >= bound, "a lower bound: {:?} but {:?}", bound, exact);
        } else {
            prop_assert_eq!(bound, exact);
        }
    }

    #[test]
    fn the_best_line_leads_to_the_value(seed: u64) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), 6, 4, MOST));
        let (history, mut nobody, mut exact) = (History::default(), (), Exact);
        let mut walk = Walk::new(&history, &mut exact, &mut nobody);
        let value = alphabeta(&mut walk, &game, -Score::INFINITE, Score::INFINITE);
        let end = walk.best_line().iter().fold(game.clone(), |position, &m| position.after(m));
        let outcome = end.outcome().expect("the best line ends the game");
        prop_assert_eq!(i32::from(outcome.for_player(game.to_move())), margin(value));
    }

    #[test]
    fn a_horizon_below_the_tree_changes_nothing(seed: u64, depth in 0usize..6) {
        let game = TreeGame::new(random_tree(&mut Rng::new(seed), depth, 4, 20));
        let (history, mut nobody) = (History::default(), ());
        let mut horizon = AtDepth { depth, evaluator: &mut Evaluating::new(NoKnowledge) };
        let mut walk = Walk::new(&history, &mut horizon, &mut nobody);
        let value = negamax(&mut walk, &game);
        prop_assert!(!walk.horizon_seen);
        prop_assert_eq!(value, run(|walk| negamax(walk, &game)).0);
    }
}

#[test]
fn best_order_visits_the_minimal_tree_and_worst_order_all_of_it() {
    for (branching, depth) in
        [(2, 1), (2, 2), (2, 7), (2, 10), (3, 4), (3, 5), (4, 4), (5, 3), (6, 4), (40, 2)]
    {
        for mover in Player::BOTH {
            let best = TreeGame::new(ordered_tree(Order::BestFirst, mover, branching, depth));
            let worst = TreeGame::new(ordered_tree(Order::BestLast, mover, branching, depth));
            let up = branching.pow(depth.div_ceil(2) as u32);
            let down = branching.pow(depth as u32 / 2);
            let (value, counters) = alphabeta_value(&best);
            assert_eq!(counters.leaves as usize, up + down - 1, "best order, {branching}^{depth}");
            assert_eq!(value, run(|walk| negamax(walk, &best)).0);
            let (value, counters) = alphabeta_value(&worst);
            assert_eq!(
                counters.leaves as usize,
                branching.pow(depth as u32),
                "worst order, {branching}^{depth}"
            );
            assert_eq!(counters.cutoffs, None);
            assert_eq!(value, run(|walk| negamax(walk, &worst)).0);
        }
    }
}

#[test]
fn the_value_of_a_finished_game_is_its_utility_whatever_the_evaluation_says() {
    for value in [-MOST, -3, 0, 1, MOST] {
        let game = TreeGame::new(Tree::Leaf(value));
        let (history, mut nobody) = (History::default(), ());
        let mut lying = |_: &TreeGame, _: usize| Some(12_345);
        let mut walk = Walk::new(&history, &mut lying, &mut nobody);
        assert_eq!(margin(negamax(&mut walk, &game)), i32::from(value));
        assert_eq!(walk.counters, Counters { nodes: 1, leaves: 1, ..Counters::default() });
    }
}

#[test]
fn a_cutoff_test_of_ones_own_decides_where_the_search_stops() {
    // Stops at every position where the first player moves, except the root.
    let game = TreeGame::new(ordered_tree(Order::BestFirst, Player::First, 3, 4));
    let (history, mut nobody) = (History::default(), ());
    let mut horizon =
        |position: &TreeGame, ply: usize| (ply > 0 && position.to_move() == Player::First).then_some(7);
    let mut walk = Walk::new(&history, &mut horizon, &mut nobody);
    assert_eq!(minimax(&mut walk, &game, Player::First), Score::heuristic(7));
    assert_eq!(walk.counters, Counters { nodes: 1 + 3 + 9, leaves: 9, ..Counters::default() });
    assert!(walk.horizon_seen);
}
