//! What somebody who watches a Monte Carlo tree search sees.

use std::sync::Arc;
use std::time::Duration;

use crate::common::heaps::{Heaps, HeapsMcts, mcts};
use outplay_core::{Game, Line};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::trace::{TraceEvent, TraceOptions, TreeSnapshot, Watcher};
use outplay_search::{Control, Limits, Report, Search};

fn search(
    search: &mut HeapsMcts,
    limits: &Limits,
    watched: Option<TraceOptions>,
) -> (Report, Vec<TreeSnapshot>) {
    let line = Line::new(Heaps::large().apart());
    let (signals, mut nobody) = (Arc::new(Signals::default()), |_| ());
    let options = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
    let mut control = Control::new(line.position().to_move(), limits, &options, &signals, &mut nobody);
    let mut snapshots = Vec::new();
    let mut sink = |event| match event {
        TraceEvent::Snapshot(snapshot) => snapshots.push(snapshot),
        TraceEvent::Iteration(_) => panic!("a tree that grows has no iterations"),
    };
    control.watcher = watched.map(|options| Watcher { options, sink: &mut sink });
    let report = search.search(&line, &mut control);
    drop(control);
    (report, snapshots)
}

fn playouts(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), lines: 1000, ..Limits::default() }
}

/// Numbers, parents and visits fit together.
fn check(snapshot: &TreeSnapshot, what: &TraceOptions) {
    let tree = &snapshot.tree;
    assert!(tree.len() <= what.most_nodes.max(1) as usize);
    assert!(tree[0].parent.is_none() && tree[0].m.is_none() && tree[0].statistics.is_none());
    for (number, node) in tree.iter().enumerate().skip(1) {
        let parent = node.parent.expect("only the root has none") as usize;
        assert!(parent < number, "parents come first");
        assert_eq!(node.ply, tree[parent].ply + 1);
        assert!(node.ply <= what.plies && node.visits >= what.least_visits.max(1));
        assert!(node.visits <= tree[parent].visits);
        let known = node.statistics.expect("of every move");
        assert!(known.u >= 0.0 && (0.0..=1.0).contains(&known.prior) && known.q.abs() <= 1.0);
    }
}

#[test]
fn the_visits_of_the_moves_are_those_of_the_position_but_for_its_own() {
    let what = TraceOptions { plies: 3, most_nodes: 1_000_000, least_visits: 1 };
    let (report, snapshots) = search(&mut mcts(&[]), &playouts(20_000), Some(what));
    let last = snapshots.last().expect("the end");
    assert!(last.is_last && last.left_out == 0);
    assert_eq!(last.playouts, report.counters.nodes);
    let mut below = vec![0; last.tree.len()];
    for node in &last.tree[1..] {
        below[node.parent.expect("not the root") as usize] += node.visits;
    }
    let mut looked_at = 0;
    for (node, below) in last.tree.iter().zip(below).filter(|(node, _)| node.ply < what.plies) {
        // A position has been evaluated once, by the playout that met it first.
        assert_eq!(below, node.visits.saturating_sub(1), "at ply {}", node.ply);
        looked_at += 1;
    }
    assert!(looked_at > 100, "{looked_at}");
    let visits = report.lines.iter().map(|line| line.visits.expect("counted"));
    let shown = last.tree.iter().filter(|node| node.ply == 1).map(|node| node.visits);
    assert!(visits.eq(shown), "the root's moves, as the report has them");
}

#[test]
fn being_watched_changes_nothing_and_bounds_hold() {
    let (alone, _) = search(&mut mcts(&[]), &playouts(5_000), None);
    for (plies, most_nodes, least_visits) in [(0, 10, 1), (1, 5, 1), (3, 50, 1), (9, 500, 7), (2, 0, 0)] {
        let what = TraceOptions { plies, most_nodes, least_visits };
        let (watched, snapshots) = search(&mut mcts(&[]), &playouts(5_000), Some(what));
        assert_eq!((&alone.lines, alone.counters), (&watched.lines, watched.counters));
        snapshots.iter().for_each(|snapshot| check(snapshot, &what));
    }
}

#[test]
fn with_too_little_room_the_most_visited_are_shown() {
    let all = TraceOptions { plies: 2, most_nodes: 1_000_000, least_visits: 1 };
    let some = TraceOptions { most_nodes: 60, ..all };
    let (_, everything) = search(&mut mcts(&[]), &playouts(5_000), Some(all));
    let (_, shown) = search(&mut mcts(&[]), &playouts(5_000), Some(some));
    let (everything, shown) = (everything.last().expect("the end"), shown.last().expect("the end"));
    assert_eq!(shown.tree.len(), 60);
    assert!(shown.left_out > 0 && shown.left_out < everything.tree.len() as u64);
    assert_eq!(shown.tree[..19], everything.tree[..19], "the root and its eighteen moves come first");
}

#[test]
fn there_are_at_most_ten_pictures_a_second_and_one_at_the_end() {
    let limits = Limits { move_time: Some(Duration::from_millis(550)), ..Limits::default() };
    let what = TraceOptions::default();
    let (report, snapshots) = search(&mut mcts(&[("threads", "2")]), &limits, Some(what));
    assert!((2..=8).contains(&snapshots.len()), "{}", snapshots.len());
    for pair in snapshots.windows(2).filter(|pair| !pair[1].is_last) {
        assert!(pair[1].time - pair[0].time >= Duration::from_millis(100));
        assert!(pair[1].playouts >= pair[0].playouts);
    }
    assert!(snapshots.iter().rev().skip(1).all(|snapshot| !snapshot.is_last));
    assert!(snapshots.last().is_some_and(|last| last.is_last && last.playouts == report.counters.nodes));
}
