//! Positions that were evaluated before.

use super::*;
use crate::CacheUse;
use crate::mcts::cache::Cache;

fn knows(cache: &Cache, number: usize) -> bool {
    let position = Walk::numbered(number);
    cache.recall(position.key(), &mut leaf(position))
}

fn remember(cache: &Cache, number: usize) {
    let leaf = evaluated(Walk::numbered(number));
    cache.remember(leaf.position.key(), &leaf);
}

#[test]
fn what_is_recalled_is_what_was_said_and_never_more_than_fits() {
    for size in [1, 3, 4, 100, 1_000, 5_000] {
        let cache = Cache::new(size);
        (0..3 * size).for_each(|number| remember(&cache, number));
        let known: Vec<usize> = (0..3 * size).filter(|&number| knows(&cache, number)).collect();
        assert!(known.len() <= size && 10 * known.len() >= 7 * size, "{} of {size}", known.len());
        assert!((700..=1000).contains(&cache.permille()), "{}", cache.permille());
        for number in known {
            let (mut recalled, expected) = (leaf(Walk::numbered(number)), evaluated(Walk::numbered(number)));
            assert!(cache.recall(recalled.position.key(), &mut recalled));
            assert_eq!((recalled.value, recalled.logits), (expected.value, expected.logits));
        }
    }
}

#[test]
fn what_is_asked_for_stays_longest() {
    let cache = Cache::new(4);
    (0..4).for_each(|number| remember(&cache, number));
    assert!(knows(&cache, 0) && knows(&cache, 2));
    remember(&cache, 4);
    remember(&cache, 5);
    let known: Vec<usize> = (0..6).filter(|&number| knows(&cache, number)).collect();
    assert_eq!(known, [0, 2, 4, 5]);
}

#[test]
fn another_number_of_moves_is_another_position() {
    let (cache, known) = (Cache::new(100), evaluated(Walk::numbered(7)));
    cache.remember(7, &known);
    let mut other = leaf(Walk::numbered(7));
    other.moves.pop();
    assert!(!cache.recall(7, &mut other));
    assert!(cache.recall(7, &mut leaf(Walk::numbered(7))));
}

const DETERMINISTIC: [&str; 3] = ["static", "uniform", "random"];

#[test]
fn the_tree_is_the_same_whether_positions_are_evaluated_or_recalled() {
    for evaluator in DETERMINISTIC {
        // Batches of several are the same if known leaves wait for the others; of single leaves in any case.
        for (batch, order) in [("16", "false"), ("1", "true"), ("1", "false")] {
            let settings =
                [("evaluator", evaluator), ("minibatch_size", batch), ("out_of_order_eval", order)];
            let mut plain = mcts(NoKnowledge, &settings);
            let without = search_nodes(&mut plain, 2_000);
            for size in ["100", "10000"] {
                let mut caching = mcts(NoKnowledge, &[&settings[..], &[("nncache", size)]].concat());
                let with = search_nodes(&mut caching, 2_000);
                assert_eq!((&without.lines, without.depth), (&with.lines, with.depth), "{settings:?}");
                assert_eq!(whole_tree(&plain), whole_tree(&caching), "{settings:?}");
                let CacheUse { lookups, hits } = with.counters.cache.expect("a cache");
                assert!(hits > 100 && hits < lookups && lookups < 2_000, "{hits} of {lookups}");
            }
        }
    }
}

#[test]
fn what_chance_has_a_say_in_is_never_looked_up() {
    let mut search = mcts(NoKnowledge, &[("evaluator", "rollouts"), ("nncache", "1000")]);
    let report = search_nodes(&mut search, 500);
    assert_eq!(report.counters.cache, Some(CacheUse::default()));
    assert_eq!(report.table_permille, Some(0));
}

#[test]
fn a_leaf_that_is_evaluated_at_once_counts_as_one_that_waits_for_its_batch() {
    // With a cache, leaves wait, even where nothing can be looked up.
    for solver in ["false", "true"] {
        let settings = [("evaluator", "rollouts"), ("selection", "uct"), ("solver", solver)];
        let mut at_once = mcts(NoKnowledge, &settings);
        let mut waiting = mcts(NoKnowledge, &[&settings[..], &[("nncache", "100")]].concat());
        let [one, other] = [&mut at_once, &mut waiting].map(|search| search_nodes(search, 3_000));
        assert_eq!((&one.lines, one.depth), (&other.lines, other.depth), "{settings:?}");
        assert_eq!((one.counters.nodes, one.counters.leaves), (other.counters.nodes, other.counters.leaves));
        assert_eq!(whole_tree(&at_once), whole_tree(&waiting), "{settings:?}");
    }
}

#[test]
fn positions_are_remembered_from_search_to_search_until_the_game_or_the_evaluator_changes() {
    let settings = [("evaluator", "random"), ("nncache", "100000"), ("tree_reuse", "false")];
    let mut search = mcts(NoKnowledge, &settings);
    let misses = |search: &mut Mcts<Walk, NoKnowledge>| {
        let CacheUse { lookups, hits } = search_nodes(search, 1_000).counters.cache.expect("a cache");
        lookups - hits
    };
    let first = misses(&mut search);
    assert!(first > 100);
    // Known leaves are backed up at once, so that the tree grows another way; but few positions are new.
    assert!(misses(&mut search) < first / 2);
    search.clear();
    assert_eq!(misses(&mut search), first);
    search.options_mut().set("cpuct", "1.745").expect("an option");
    assert!(misses(&mut search) < first / 2, "how moves are chosen changes no evaluation");
    search.options_mut().set("seed", "2").expect("an option");
    assert!(misses(&mut search) > first / 2, "the seed does");
}

#[test]
fn known_leaves_leave_room_in_the_batch_for_others() {
    let service_batches = |settings: &[(&str, &str)]| {
        let probe = Probe::new(16, Duration::ZERO);
        let service = Arc::new(Service::new(probe.clone()));
        let base = [("nncache", "100000"), ("minibatch_size", "16"), ("batches_in_flight", "1")];
        let mut search = shared_mcts(&service, &[&base[..], settings].concat());
        let report = service.serve(1, 1, || search_nodes(&mut search, 3_000));
        assert_eq!(probe.leaves(), report.counters.batches.expect("a service").leaves);
        report.counters.batches.expect("a service").mean()
    };
    let (topped_up, not) = (service_batches(&[]), service_batches(&[("out_of_order_eval", "false")]));
    assert!(topped_up > 1.2 * not, "{topped_up} leaves a batch, {not} without");
    let none = service_batches(&[("max_out_of_order_evals_factor", "0")]);
    assert!(topped_up > 1.2 * none, "{topped_up} leaves a batch, {none} without");
}
