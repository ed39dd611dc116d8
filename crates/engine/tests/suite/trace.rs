//! Searches of real games as somebody sees them who watches.

use std::collections::HashMap;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use outplay_engine::{Session, TraceIteration, TraceRecord, open};
use outplay_search::trace::{NodeEnd, TraceOptions};
use outplay_search::{Limits, Report};

const CHESS: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
const CONNECT6: &str = "j10 c3 q17 d16";

fn session(game: &str, position: Option<&str>, moves: &str, settings: &[(&str, &str)]) -> Box<dyn Session> {
    let mut session = open(game).unwrap_or_else(|error| panic!("{game}: {error}"));
    session.set_game(position, moves).expect("a position");
    for (name, value) in settings {
        session.set_option(name, value).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    session
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn alone(session: &mut dyn Session, limits: Limits) -> Report {
    session.go(limits, Box::new(|_, _| ())).expect("it starts");
    session.wait().expect("a report")
}

fn watched(session: &mut dyn Session, limits: Limits, what: TraceOptions) -> (Report, Vec<TraceRecord>) {
    let (sender, records) = mpsc::channel();
    let sink = move |record| sender.send(record).expect("somebody listens");
    session.watch(limits, what, Box::new(|_, _| ()), Box::new(sink)).expect("it starts");
    let records = records.into_iter().collect();
    (session.wait().expect("a report"), records)
}

fn iterations(records: &[TraceRecord]) -> Vec<&TraceIteration> {
    let iterations = records.iter().filter_map(|record| match record {
        TraceRecord::Iteration(iteration) => Some(&**iteration),
        _ => None,
    });
    iterations.collect()
}

/// The first record is the beginning and the last the end, and each is what its JSON says.
fn check_stream(records: &[TraceRecord], report: &Report) {
    assert!(matches!(records.first(), Some(TraceRecord::Begin(_))));
    let Some(TraceRecord::End(end)) = records.last() else { panic!("no end") };
    assert_eq!((end.nodes, end.stopped), (report.counters.nodes, report.stopped));
    assert!(end.reason.is_some());
    for record in records {
        let text = serde_json::to_string(record).expect("JSON");
        assert!(!text.contains('\n'));
        let read: TraceRecord = serde_json::from_str(&text).expect("its own JSON");
        assert_eq!(&read, record);
    }
}

/// All moves can be played in their order, and who moves is who is said to move.
fn check_moves(iteration: &TraceIteration, session: &mut dyn Session, position: Option<&str>, moves: &str) {
    let mut lines: HashMap<u32, String> = HashMap::from([(0, moves.to_string())]);
    for node in iteration.tree.iter().skip(1) {
        let above = lines[&node.parent.expect("only the root has none")].clone();
        if node.played == "pass" {
            assert!(iteration.tree.iter().all(|other| other.parent != Some(node.id)));
            continue;
        }
        let line = format!("{above} {}", node.played);
        session.set_game(position, &line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let player = session.players()[session.to_move().index()];
        assert!(session.outcome().is_some() || node.to_move.eq_ignore_ascii_case(player), "{line}: {player}");
        lines.insert(node.id, line);
    }
}

#[test]
fn being_watched_changes_neither_result_nor_nodes() {
    let what = TraceOptions { most_nodes: 300, ..TraceOptions::default() };
    for (game, position, moves, search) in [
        ("chess", Some(CHESS), "", "pvs"),
        ("connect6", None, CONNECT6, "pvs"),
        ("connect4", None, "d1 d2", "pvs"),
        ("othello", None, "f5 d6 c3", "pvs"),
        ("chess", Some(CHESS), "", "mcts"),
        ("connect6", None, CONNECT6, "mcts"),
    ] {
        let settings = [("search", search)];
        let limits = nodes(if search == "mcts" { 500 } else { 20_000 });
        let expected = alone(&mut *session(game, position, moves, &settings), limits.clone());
        let mut watching = session(game, position, moves, &settings);
        let (report, records) = watched(&mut *watching, limits, what);
        assert_eq!(report.lines, expected.lines, "{game} {search}");
        assert_eq!(report.counters, expected.counters, "{game} {search}");
        check_stream(&records, &report);
        if search == "pvs" {
            let iterations = iterations(&records);
            assert!(!iterations.is_empty(), "{game}");
            assert!(iterations.iter().all(|iteration| iteration.tree.len() <= 300 && iteration.dropped == 0));
            let nodes: u64 = iterations.iter().map(|iteration| iteration.nodes).sum();
            assert_eq!(nodes, report.counters.nodes, "{game}");
            for iteration in iterations.iter().rev().take(3) {
                check_moves(iteration, &mut *watching, position, moves);
            }
        } else {
            let last = records.iter().rev().find_map(|record| match record {
                TraceRecord::Snapshot(snapshot) => Some(snapshot),
                _ => None,
            });
            assert!(last.is_some_and(|last| last.last && last.tree.len() > 1 && last.tree.len() <= 300));
        }
    }
}

#[test]
fn the_techniques_of_chess_are_seen_at_work() {
    let mut watching = session("chess", Some(CHESS), "", &[("search", "pvs")]);
    let limits = Limits { depth: Some(9), ..Limits::default() };
    let (_, records) = watched(&mut *watching, limits, TraceOptions::default());
    let nodes: Vec<_> = iterations(&records).into_iter().flat_map(|iteration| &iteration.tree).collect();
    let visits = || nodes.iter().flat_map(|node| &node.visits);
    for ending in
        [NodeEnd::Searched, NodeEnd::Table, NodeEnd::NullMove, NodeEnd::ReverseFutility, NodeEnd::Evaluated]
    {
        assert!(visits().any(|visit| visit.ended == ending), "{ending:?}");
    }
    assert!(visits().any(|visit| visit.reduction > 0));
    assert!(visits().any(|visit| visit.pruned.late + visit.pruned.futile > 0));
    assert!(visits().any(|visit| visit.pruned.exchange > 0));
    assert!(nodes.iter().any(|node| node.visits.len() > 1), "searched again");
    assert!(nodes.iter().any(|node| node.played == "pass"));
    assert!(nodes.iter().any(|node| node.evaluation.is_some()));
}

#[test]
fn a_search_without_a_tree_to_show_has_a_beginning_and_an_end() {
    let mut watching = session("tictactoe", None, "", &[("search", "minimax")]);
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let (report, records) = watched(&mut *watching, limits, TraceOptions::default());
    assert_eq!(records.len(), 2);
    check_stream(&records, &report);
}

#[test]
fn who_reads_slowly_misses_something_but_holds_nothing_up() {
    let mut watching = session("othello", None, "", &[("search", "mcts")]);
    let (sender, receiver) = mpsc::channel::<()>();
    let (told, records) = mpsc::channel();
    // Takes its first record and then waits until the search is long over.
    let sink = move |record: TraceRecord| {
        if matches!(record, TraceRecord::Begin(_)) {
            receiver.recv().expect("somebody says when");
        }
        told.send(record).expect("somebody listens");
    };
    let limits = Limits { move_time: Some(Duration::from_millis(1500)), ..Limits::default() };
    let what = TraceOptions { most_nodes: 50, ..TraceOptions::default() };
    let begun = Instant::now();
    watching.watch(limits, what, Box::new(|_, _| ()), Box::new(sink)).expect("it starts");
    let report = watching.wait().expect("a report");
    assert!(begun.elapsed() < Duration::from_secs(10), "the search did not wait");
    assert!(watching.outcome().is_none() && !watching.is_searching());
    sender.send(()).expect("it waits");
    let records: Vec<TraceRecord> = records.into_iter().collect();
    check_stream(&records, &report);
    let snapshots: Vec<_> = records
        .iter()
        .filter_map(|record| match record {
            TraceRecord::Snapshot(snapshot) => Some(snapshot),
            _ => None,
        })
        .collect();
    assert!(snapshots.len() <= 8, "{}", snapshots.len());
    assert!(snapshots.last().is_some_and(|last| last.last), "the end is never dropped");
}
