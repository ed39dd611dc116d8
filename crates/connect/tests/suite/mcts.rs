//! What the Monte Carlo tree search makes of Connect Four.

use std::collections::HashMap;
use std::sync::Arc;

use outplay_connect::ConnectFour;
use outplay_connect::four::{Rules, knowledge};
use outplay_core::{Game, Line, MoveList, Outcome};
use outplay_search::mcts::Mcts;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Limits, Meaning, Report, Search, StopReason};

fn search(columns: usize, rows: usize, nodes: u64, settings: &[(&str, &str)]) -> Report {
    let rules = Rules::new(columns, rows).expect("a board");
    let mut search = Mcts::<ConnectFour, _>::new(knowledge());
    for (name, value) in settings {
        search.options_mut().set(name, value).expect("an option");
    }
    let (line, signals) = (Line::new(ConnectFour::start(&rules)), Arc::new(Signals::default()));
    let options = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut sink = |_| ();
    let mut control = Control::new(line.position().to_move(), &limits, &options, &signals, &mut sink);
    search.search(&line, &mut control)
}

/// The result for the player to move, by looking at every position.
fn exhaustive(position: &ConnectFour, known: &mut HashMap<u64, i16>) -> i16 {
    if let Some(outcome) = position.outcome() {
        return outcome.for_player(position.to_move());
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let moves = position.legal_moves();
    let values = moves.each().map(|m| -exhaustive(&position.after(m), known));
    let best = values.max().unwrap_or(Outcome::DRAW.margin());
    known.insert(position.key(), best);
    best
}

/// Proves the value of the empty board; how many positions were evaluated.
fn prove(columns: usize, rows: usize, selection: &str, dag: &str) -> u64 {
    let start = ConnectFour::start(&Rules::new(columns, rows).expect("a board"));
    let expected = match exhaustive(&start, &mut HashMap::new()) {
        0 => Meaning::Opinion(0),
        other => panic!("{columns}×{rows} is a draw by all accounts, not {other}"),
    };
    let report = search(columns, rows, 50_000_000, &[("selection", selection), ("dag", dag)]);
    let found = (report.stopped, report.lines[0].score);
    assert_eq!(found, (Some(StopReason::Solved), expected), "{columns}×{rows}, {selection}, dag={dag}");
    report.counters.leaves
}

#[test]
fn small_boards_are_proved_to_be_worth_what_exhaustive_search_says() {
    let (tree, graph) = (prove(4, 4, "uct", "false"), prove(4, 4, "uct", "true"));
    assert!(graph * 5 < tree, "{graph} judgements in the graph, {tree} in the tree");
    prove(4, 4, "puct", "true");
    prove(5, 4, "uct", "true");
}

/// Some minutes of work, and some gigabytes: `cargo test --release -p outplay-connect --test suite -- --ignored mcts`.
#[test]
#[ignore = "takes minutes and gigabytes"]
fn the_board_of_five_by_five_is_proved_to_be_a_draw() {
    let report = search(5, 5, 1_000_000_000, &[("selection", "uct"), ("dag", "true")]);
    assert_eq!((report.stopped, report.lines[0].score), (Some(StopReason::Solved), Meaning::Opinion(0)));
}

#[test]
fn the_first_stone_goes_to_the_centre() {
    for selection in ["uct", "puct"] {
        for dag in ["false", "true"] {
            let report = search(7, 6, 50_000, &[("selection", selection), ("dag", dag)]);
            assert_eq!(report.best_move().map(|m| m.index()), Some(3), "{selection}, dag={dag}");
        }
    }
}

#[test]
fn a_graph_needs_fewer_judgements_than_a_tree() {
    for selection in ["uct", "puct"] {
        let evaluated = |dag| search(7, 6, 50_000, &[("selection", selection), ("dag", dag)]).counters.leaves;
        let (tree, graph) = (evaluated("false"), evaluated("true"));
        assert!(graph * 10 < tree * 7, "{selection}: {graph} in the graph, {tree} in the tree");
    }
}
