//! The memory of the Monte Carlo tree search: limits are kept, room is made, nobody waits for memory to be given back.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::common::heaps::{Heaps, mcts, run};
use outplay_core::{Game, Line, Move, Outcome, Player, mix};
use outplay_search::{Meaning, Search, StopReason};

/// Tree and graph, one thread and two, with a policy and without.
fn all_kinds() -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all = Vec::new();
    for dag in ["false", "true"] {
        for threads in ["1", "2"] {
            for evaluator in ["random", "rollouts"] {
                all.push(vec![("dag", dag), ("threads", threads), ("evaluator", evaluator)]);
            }
        }
    }
    all
}

#[test]
fn a_search_that_makes_room_goes_on_to_its_limit_and_counts_every_playout() {
    for kind in all_kinds() {
        let evaluator = kind[2].1;
        // Random games are long here.
        let nodes = if evaluator == "rollouts" { 25_000 } else { 200_000 };
        let memory = [("ram_limit_mb", "1"), ("solver", "false"), ("cpuct", "20"), ("exploration", "5")];
        let stopping = [&kind[..], &memory].concat();
        let line = Line::new(Heaps::large());
        let stopped = run(&mut mcts(&stopping), &line, nodes);
        assert_eq!(stopped.stopped, Some(StopReason::Memory), "{kind:?}");

        let settings = [&stopping[..], &[("ram_limit_recycles", "true")]].concat();
        let mut search = mcts(&settings);
        let report = run(&mut search, &line, nodes);
        assert_eq!((report.stopped, report.counters.nodes), (Some(StopReason::Nodes), nodes), "{kind:?}");
        assert!(search.bytes() <= 1 << 20, "{} bytes", search.bytes());
        let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
        assert_eq!(visits, nodes - 1, "the moves of the root are never given up: {kind:?}");
        for line in &report.lines {
            let q = line.statistics.expect("statistics").q;
            assert!((-1.0..=1.0).contains(&q), "{q}");
        }
        // What it has become is still a tree that a later search can go on with.
        let mut on = line.clone();
        on.play(report.best_move().expect("a move"));
        let next = run(&mut search, &on, nodes / 4);
        assert_eq!(next.stopped, Some(StopReason::Nodes), "{kind:?}");
        let visits: u64 = next.lines.iter().filter_map(|line| line.visits).sum();
        assert!(visits > nodes / 4, "{visits}: nothing was taken over");
    }
}

/// A game in which most positions have two moves and some have a thousand.
#[derive(Clone, PartialEq, Debug)]
struct Uneven {
    key: u64,
    plies: u32,
}

impl Game for Uneven {
    type Rules = ();
    type Moves = Vec<Move>;
    const ALTERNATES: bool = true;

    fn start((): &()) -> Uneven {
        Uneven { key: 1, plies: 0 }
    }

    fn to_move(&self) -> Player {
        if self.plies.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    fn legal_moves(&self) -> Vec<Move> {
        let count = if self.key.is_multiple_of(300) { 1000 } else { 2 };
        (0..count).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        *self = Uneven { key: mix(self.key ^ u64::from(m.bits()) << 32), plies: self.plies + 1 };
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies == 60).then(|| Outcome::win(self.to_move()))
    }

    fn key(&self) -> u64 {
        self.key
    }
}

#[test]
fn a_search_goes_on_though_what_is_free_lies_in_small_pieces() {
    for dag in ["false", "true"] {
        let memory = [("ram_limit_mb", "1"), ("ram_limit_recycles", "true"), ("solver", "false")];
        let wide = [("dag", dag), ("evaluator", "rollouts"), ("exploration", "5")];
        let report = run(&mut mcts(&[&memory[..], &wide].concat()), &Line::new(Uneven::start(&())), 60_000);
        assert_eq!((report.stopped, report.counters.nodes), (Some(StopReason::Nodes), 60_000), "dag {dag}");
    }
}

#[test]
fn games_too_large_for_the_memory_are_solved_all_the_same() {
    let games = [
        ("false", [3, 3, 3, 2, 0, 0]),
        ("false", [3, 3, 2, 2, 0, 0]),
        ("false", [3, 2, 2, 2, 1, 0]),
        ("true", [3, 3, 3, 3, 2, 1]),
    ];
    for ((dag, heaps), threads) in games.into_iter().flat_map(|game| [(game, "1"), (game, "2")]) {
        // Sprague and Grundy: a heap counts modulo 4, and the player to move loses if the sum without carries is 0.
        let is_won = heaps.iter().fold(0, |sum, heap| sum ^ (heap % 4)) != 0;
        let (line, settings) = (Line::new(Heaps::new(heaps)), [("dag", dag), ("evaluator", "random")]);
        let mut unlimited = mcts(&settings);
        run(&mut unlimited, &line, 1_000_000);
        assert!(unlimited.bytes() > 1 << 20, "this fits into the memory: {heaps:?}");
        let memory = [("ram_limit_mb", "1"), ("ram_limit_recycles", "true"), ("threads", threads)];
        let report = run(&mut mcts(&[&settings[..], &memory].concat()), &line, 2_000_000);
        assert_eq!(report.stopped, Some(StopReason::Solved), "{heaps:?}");
        match report.lines[0].score {
            Meaning::WinIn(_) => assert!(is_won, "{heaps:?}"),
            Meaning::LossIn(_) => assert!(!is_won, "{heaps:?}"),
            other => panic!("{heaps:?}: {other:?} is not certain"),
        }
    }
}

#[test]
fn room_is_made_while_leaves_are_out_to_be_evaluated() {
    for (dag, threads) in [("false", "1"), ("true", "2")] {
        let memory = [("ram_limit_mb", "1"), ("ram_limit_recycles", "true"), ("solver", "false")];
        let service = [("evaluation_threads", "1"), ("batches_in_flight", "3"), ("minibatch_size", "16")];
        let kind = [("dag", dag), ("threads", threads), ("evaluator", "random"), ("cpuct", "20")];
        let line = Line::new(Heaps::large().apart());
        let report = run(&mut mcts(&[&kind[..], &memory, &service].concat()), &line, 60_000);
        assert_eq!((report.stopped, report.counters.nodes), (Some(StopReason::Nodes), 60_000));
        let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
        assert_eq!(visits, 59_999, "{dag}, {threads}");
    }
}

#[test]
fn a_game_is_played_to_its_end_in_a_tree_that_is_always_full() {
    for dag in ["false", "true"] {
        let settings =
            [("dag", dag), ("ram_limit_mb", "1"), ("ram_limit_recycles", "true"), ("evaluator", "rollouts")];
        let (mut search, mut line) = (mcts(&settings), Line::new(Heaps::new([6; 6]).apart()));
        let (mut moves, mut begun_anew) = (0, 0);
        while line.outcome().is_none() {
            let report = run(&mut search, &line, 8_000);
            line.play(report.best_move().expect("a move, whatever room there is"));
            let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
            moves += 1;
            begun_anew += u32::from(visits < 8_000 && report.stopped == Some(StopReason::Nodes));
        }
        assert!(
            moves > 10 && 2 * begun_anew < moves,
            "dag {dag}: {begun_anew} of {moves} searches have begun anew"
        );
    }
}

#[test]
fn the_latest_roots_are_kept_and_older_ones_are_not() {
    let (mut search, mut line) =
        (mcts(&[("evaluator", "random"), ("solver", "false")]), Line::new(Heaps::large()));
    let searched = |search: &mut _, line: &Line<Heaps>| {
        run(search, line, 100).lines.iter().filter_map(|line| line.visits).sum::<u64>()
    };
    for _ in 0..40 {
        let report = run(&mut search, &line, 100);
        line.play(report.best_move().expect("a move"));
    }
    for _ in 0..30 {
        line.undo();
    }
    assert!(searched(&mut search, &line) >= 199, "thirty moves back, all is still known");
    for _ in 0..8 {
        line.undo();
    }
    assert_eq!(searched(&mut search, &line), 99, "further back the search begins anew");
}

#[test]
fn one_thread_that_makes_room_gives_the_same_tree_every_time() {
    for dag in ["false", "true"] {
        let settings =
            [("dag", dag), ("ram_limit_mb", "1"), ("ram_limit_recycles", "true"), ("evaluator", "random")];
        let once = || {
            let report = run(&mut mcts(&settings), &Line::new(Heaps::large()), 100_000);
            (report.counters, report.depth, report.lines)
        };
        assert_eq!(once(), once());
    }
}

/// Bytes of memory in use by this process, where the system tells: without the pages of the program itself, which come into memory as
/// they are run.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Which kind of search [`measure_resident_memory`] is about: its number among all.
const KIND: &str = "OUTPLAY_TEST_KIND";

fn measured_kinds() -> Vec<Vec<(&'static str, &'static str)>> {
    let kinds = all_kinds().into_iter().filter(|kind| kind[2].1 == "random");
    let both = ["false", "true"].map(|recycles| ("ram_limit_recycles", recycles));
    kinds.flat_map(|kind| both.map(|recycles| [&kind[..], &[recycles]].concat())).collect()
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn measure_resident_memory() {
    const LIMIT: u64 = 16 << 20;
    let number: Option<usize> = std::env::var(KIND).ok().and_then(|number| number.parse().ok());
    let kind = &measured_kinds()[number.expect("the number of a kind")];
    let before = resident().expect("a system that tells");
    let mut search = mcts(&[&kind[..], &[("ram_limit_mb", "16"), ("cpuct", "20")]].concat());
    let (most, is_done) = (AtomicU64::new(0), AtomicBool::new(false));
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                most.fetch_max(resident().unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        // Playouts that meet known positions need no memory.
        let nodes = if kind.contains(&("dag", "true")) { 3_000_000 } else { 300_000 };
        let report = run(&mut search, &Line::new(Heaps::large()), nodes);
        is_done.store(true, Ordering::Relaxed);
        report
    });
    let recycles = kind.contains(&("ram_limit_recycles", "true"));
    let expected = if recycles { StopReason::Nodes } else { StopReason::Memory };
    assert_eq!(report.stopped, Some(expected));
    let grown = most.into_inner().saturating_sub(before);
    println!("{kind:?}: {} playouts, {grown} bytes", report.counters.nodes);
    assert!(grown > LIMIT / 2, "{grown} bytes: what is measured is not the tree");
    assert!(grown <= LIMIT + LIMIT / 10, "{grown} bytes");
}

#[test]
fn resident_memory_stays_within_the_limit() {
    if resident().is_none() {
        eprintln!("SKIPPED: this system does not tell how much memory is in use");
        return;
    }
    let this = std::env::current_exe().expect("a test");
    for number in 0..measured_kinds().len() {
        let mut command = std::process::Command::new(&this);
        command.args(["mcts_memory::measure_resident_memory", "--exact", "--ignored", "--nocapture"]);
        let output = command.env(KIND, number.to_string()).output().expect("the test itself");
        let said = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("1 passed"), "{said}{errors}");
        said.lines().filter(|line| line.contains("bytes")).for_each(|line| println!("{line}"));
    }
}

/// Ten million nodes, in a few minutes: `cargo test --release -p outplay-search --test suite -- --ignored --nocapture ten_million`
#[test]
#[ignore = "takes two gigabytes"]
fn a_tree_of_ten_million_nodes_is_forgotten_at_once() {
    let line = Line::new(Heaps::large().apart());
    for dag in ["false", "true"] {
        let settings = [("dag", dag), ("evaluator", "random"), ("minibatch_size", "256"), ("cpuct", "20")];
        let mut search = mcts(&settings);
        for forgets in ["when a new game begins", "with the search"] {
            let report = run(&mut search, &line, 10_000_000);
            assert_eq!(report.counters.leaves, 10_000_000);
            let (bytes, begun) = (search.bytes(), Instant::now());
            if forgets == "with the search" {
                search = mcts(&settings);
            } else {
                search.clear();
                run(&mut search, &line, 1);
            }
            let took = begun.elapsed();
            println!("dag {dag}: {bytes} bytes forgotten {forgets} in {took:?}");
            assert!(took < Duration::from_millis(50), "{took:?}");
        }
    }
}
