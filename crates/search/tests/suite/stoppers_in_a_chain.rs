//! The whole chain of stoppers, as a search that goes in steps meets it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use outplay_core::Player;
use outplay_search::stop::{
    Completed, Granularity, Hints, MemoryUse, Progress, RootMoves, Signals, StopOptions, TimeManagement,
};
use outplay_search::{Clock, Control, Limits, Meaning, StopReason};

/// Nodes of a step.
const BATCH: u64 = 16;
/// A search that has not ended by then is stopped.
const ENOUGH: u64 = 100_000;

/// A search that does nothing but visit: of 16 visits, its moves get the numbers given here, one for each move.
#[derive(Clone, Default)]
struct Visitor {
    visits_of_batch: Vec<u64>,
    reused: u64,
    losing: usize,
    winning: bool,
    /// What is proven after 1,600 nodes.
    shortest_win: Option<u32>,
    solved: bool,
    memory_limit: Option<u64>,
    /// For searches that do not tell their visits.
    without_root: bool,
    time_of_batch: Duration,
}

/// How a search ended.
#[derive(Debug)]
struct Ended {
    reason: Option<StopReason>,
    nodes: u64,
    hints: Hints,
}

impl Visitor {
    fn new(visits_of_batch: &[u64]) -> Visitor {
        assert_eq!(visits_of_batch.iter().sum::<u64>(), BATCH);
        Visitor { visits_of_batch: visits_of_batch.to_vec(), ..Visitor::default() }
    }

    fn run(&self, limits: &Limits, options: &StopOptions) -> Ended {
        self.run_under(limits, options, &Arc::new(Signals::new(limits.ponder)), |_| ())
    }

    fn run_under(
        &self,
        limits: &Limits,
        options: &StopOptions,
        signals: &Arc<Signals>,
        each_step: impl Fn(u64),
    ) -> Ended {
        let mut sink = |_| ();
        let mut control = Control::new(Player::First, limits, options, signals, &mut sink);
        control.granularity = Granularity::Steps;
        control.reused = self.reused;
        let mut visits = vec![0; self.visits_of_batch.len()];
        let mut nodes = 0;
        while nodes < ENOUGH {
            // What a search with large batches does, lest it oversteps.
            let batch = control.hints().remaining_playouts.map_or(BATCH, |left| left.clamp(1, BATCH));
            nodes += batch;
            for (sum, new) in visits.iter_mut().zip(&self.visits_of_batch) {
                *sum += new;
            }
            std::thread::sleep(self.time_of_batch);
            each_step(nodes);
            let late = nodes >= 1_600;
            let root = RootMoves {
                visits: &visits,
                losing: self.losing,
                winning: self.winning,
                ..RootMoves::default()
            };
            let solved =
                Completed { depth: 9, wins_seen: 9, value: Meaning::Margin(2), exact: true, patience: 1.0 };
            let progress = Progress {
                nodes,
                batches: nodes / BATCH,
                average_depth: Some((nodes as f64).log2()),
                shortest_win: self.shortest_win.filter(|_| late),
                memory: self.memory_limit.map(|limit| MemoryUse { used: nodes * 100, limit }),
                root: (!self.without_root).then_some(root),
                completed: (self.solved && late).then_some(solved),
            };
            if control.should_stop_at(&progress) {
                break;
            }
        }
        Ended { reason: control.reason(), nodes, hints: *control.hints() }
    }
}

/// Two moves that are never far apart.
fn even() -> Visitor {
    Visitor::new(&[8, 8])
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn no_overhead() -> StopOptions {
    StopOptions { move_overhead: 0, ..StopOptions::default() }
}

fn milliseconds(ms: u64) -> Option<Duration> {
    Some(Duration::from_millis(ms))
}

#[test]
fn every_limit_stops_for_its_own_reason() {
    let limited_memory = Visitor { memory_limit: Some(320_000), ..even() };
    let kept = Visitor { reused: 1_000, ..even() };
    let win = Visitor { shortest_win: Some(3), ..even() };
    let solved = Visitor { solved: true, ..even() };
    let visits = Limits { visits: Some(5_000), ..Limits::default() };
    let depth = Limits { depth: Some(10), ..Limits::default() };
    let mate = |moves| Limits { mate: Some(moves), nodes: Some(20_000), ..Limits::default() };
    for (visitor, limits, reason, at) in [
        (even(), nodes(5_000), StopReason::Nodes, 5_000),
        (kept.clone(), nodes(5_000), StopReason::Nodes, 5_000),
        (even(), visits.clone(), StopReason::Visits, 5_000),
        (kept, visits, StopReason::Visits, 4_000),
        (limited_memory, nodes(20_000), StopReason::Memory, 3_200),
        (even(), depth, StopReason::Depth, 1_024),
        (win.clone(), mate(2), StopReason::Mate, 1_600),
        (win, mate(1), StopReason::Nodes, 20_000),
        (solved, nodes(20_000), StopReason::Solved, 1_600),
    ] {
        let ended = visitor.run(&limits, &no_overhead());
        assert_eq!((ended.reason, ended.nodes), (Some(reason), at), "{limits:?}");
    }
}

#[test]
fn time_is_kept() {
    let slow = Visitor { time_of_batch: Duration::from_millis(1), ..even() };
    let move_time = Limits { move_time: milliseconds(50), ..Limits::default() };
    let clock = Clock { remaining: [Duration::from_millis(1_500); 2], ..Clock::default() };
    let clock = Limits { clock: Some(clock), ..Limits::default() };
    for limits in [move_time, clock] {
        let begun = Instant::now();
        let ended = slow.run(&limits, &no_overhead());
        assert_eq!(ended.reason, Some(StopReason::Time));
        assert!(begun.elapsed() >= Duration::from_millis(50), "{:?}", begun.elapsed());
        assert_eq!(ended.hints.remaining_time, Some(Duration::ZERO));
    }
}

#[test]
fn smart_pruning_stops_when_the_choice_is_made() {
    let factor = |smart_pruning_factor| StopOptions { smart_pruning_factor, ..no_overhead() };
    let (lone, lead) = (Visitor::new(&[16]), Visitor::new(&[12, 4]));
    let losing = Visitor { losing: 1, ..even() };
    let winning = Visitor { winning: true, ..even() };
    for (visitor, reason, at) in [
        (&lone, StopReason::OnlyMove, 16),
        (&losing, StopReason::OthersLose, 16),
        (&winning, StopReason::WinProven, 16),
        // After n nodes the lead is n/2 and 9,000 - n are to come: the first multiple of 16 above 6,000.
        (&lead, StopReason::Unassailable, 6_016),
        (&even(), StopReason::Nodes, 9_000),
    ] {
        let ended = visitor.run(&nodes(9_000), &factor(1.0));
        assert_eq!((ended.reason, ended.nodes), (Some(reason), at));
        let ended = visitor.run(&nodes(9_000), &factor(0.0));
        assert_eq!((ended.reason, ended.nodes), (Some(StopReason::Nodes), 9_000), "smart pruning is off");
        let silent = Visitor { without_root: true, ..visitor.clone() };
        let ended = silent.run(&nodes(9_000), &factor(1.0));
        assert_eq!((ended.reason, ended.nodes), (Some(StopReason::Nodes), 9_000), "no visits are told");
    }
    // A larger factor stops sooner: 9,000 - n < 2 · n/2.
    assert_eq!(lead.run(&nodes(9_000), &factor(2.0)).nodes, 4_512);
    let minimum = StopOptions { smart_pruning_minimum_batches: 400, ..factor(2.0) };
    assert_eq!(lead.run(&nodes(9_000), &minimum).nodes, 6_400);
}

#[test]
fn smart_pruning_by_nodes_does_not_depend_on_the_clock() {
    let lead = Visitor::new(&[12, 4]);
    let slow = Visitor { time_of_batch: Duration::from_micros(300), ..lead.clone() };
    let (fast, slow) = (lead.run(&nodes(2_000), &no_overhead()), slow.run(&nodes(2_000), &no_overhead()));
    assert_eq!(fast.reason, Some(StopReason::Unassailable));
    assert_eq!((fast.reason, fast.nodes), (slow.reason, slow.nodes));
    assert_eq!(fast.hints.remaining_playouts, slow.hints.remaining_playouts);
}

#[test]
fn smart_pruning_by_time_waits_until_the_speed_is_known() {
    let lead = Visitor { time_of_batch: Duration::from_millis(1), ..Visitor::new(&[16, 0]) };
    let long = Limits { move_time: milliseconds(1_000), ..Limits::default() };
    let begun = Instant::now();
    let ended = lead.run(&long, &no_overhead());
    let time = begun.elapsed();
    assert_eq!(ended.reason, Some(StopReason::Unassailable));
    assert!(time >= Duration::from_millis(200) && time < Duration::from_millis(1_000), "{time:?}");
    assert!(ended.hints.nodes_per_second.is_some_and(|speed| speed > 0.0));
    let short = Limits { move_time: milliseconds(100), ..Limits::default() };
    assert_eq!(lead.run(&short, &no_overhead()).reason, Some(StopReason::Time));
}

#[test]
fn visits_that_do_not_change_any_more_end_the_search_if_asked_for() {
    let settling = StopOptions { minimum_kld_gain: 1e-6, smart_pruning_factor: 0.0, ..no_overhead() };
    // Looked at after 16 nodes, then after 100 more: the shares are the same to the last digit.
    let ended = even().run(&nodes(9_000), &settling);
    assert_eq!((ended.reason, ended.nodes), (Some(StopReason::Settled), 128));
    assert_eq!(even().run(&nodes(9_000), &no_overhead()).reason, Some(StopReason::Nodes));
}

#[test]
fn an_infinite_search_and_one_for_a_mate_do_not_stop_for_a_clear_choice() {
    let options = StopOptions { minimum_kld_gain: 1.0, ..no_overhead() };
    let clear = Visitor { winning: true, losing: 1, ..Visitor::new(&[16, 0]) };
    let infinite = Limits { infinite: true, move_time: milliseconds(1), ..nodes(100) };
    assert_eq!(clear.run(&infinite, &options).reason, None, "it goes on and on");
    let mate = Limits { mate: Some(1), ..nodes(9_000) };
    assert_eq!(clear.run(&mate, &options).reason, Some(StopReason::Nodes));
    // Memory and solved positions end even those.
    let full = Visitor { memory_limit: Some(1_000), ..clear.clone() };
    assert_eq!(full.run(&infinite, &options).reason, Some(StopReason::Memory));
    let solved = Visitor { solved: true, ..clear.clone() };
    assert_eq!(solved.run(&infinite, &options).reason, Some(StopReason::Solved));
    // Nor is there a choice to be made in a search that only its depth limits.
    let depth = Limits { depth: Some(12), ..Limits::default() };
    let no_gain = StopOptions { minimum_kld_gain: 0.0, ..options };
    assert_eq!(clear.run(&depth, &no_gain).reason, Some(StopReason::Depth));
}

#[test]
fn a_search_that_ponders_stops_for_no_clear_choice_and_no_time_before_the_hit() {
    let options = StopOptions { minimum_kld_gain: 1.0, ..no_overhead() };
    let clear = Visitor { winning: true, ..even() };
    let limits = Limits { ponder: true, move_time: milliseconds(0), ..nodes(9_000) };
    assert_eq!(clear.run(&limits, &options).reason, Some(StopReason::Nodes));
    let signals = Arc::new(Signals::new(true));
    let hit = |nodes| {
        if nodes == 4_000 {
            signals.ponder_hit();
        }
    };
    let ended = clear.run_under(&limits, &options, &signals, hit);
    assert_eq!((ended.reason, ended.nodes), (Some(StopReason::Time), 4_000));
}

#[test]
fn between_its_steps_a_search_is_held_to_the_visit() {
    let limits = Limits { visits: Some(1_000), ..Limits::default() };
    let signals = Arc::new(Signals::default());
    let mut sink = |_| ();
    let mut control = Control::new(Player::First, &limits, &no_overhead(), &signals, &mut sink);
    (control.granularity, control.reused) = (Granularity::Steps, 123);
    let nodes = (0..).find(|&nodes| control.should_stop(nodes));
    assert_eq!((nodes, control.reason()), (Some(877), Some(StopReason::Visits)));
}

#[test]
fn the_search_reads_what_the_stoppers_hinted_last() {
    let limits = Limits { visits: Some(1_000), ..nodes(800) };
    let signals = Arc::new(Signals::default());
    let mut sink = |_| ();
    let options = StopOptions { smart_pruning_factor: 2.0, ..no_overhead() };
    let mut control = Control::new(Player::First, &limits, &options, &signals, &mut sink);
    (control.granularity, control.reused) = (Granularity::Steps, 300);
    assert_eq!(control.hints(), &Hints::default());
    control.should_stop(0);
    assert_eq!(control.hints().remaining_playouts, Some(700));
    let visits = [110, 100];
    let root = Some(RootMoves { visits: &visits, ..RootMoves::default() });
    assert!(!control.should_stop_at(&Progress { nodes: 100, root, ..Progress::default() }));
    assert_eq!(control.hints().remaining_playouts, Some(300), "half of what the visits allow");
    assert_eq!(control.hints().remaining_time, None);
}

#[test]
fn every_time_manager_is_a_choice_of_the_options() {
    use outplay_search::OptionSet;
    let mut options = StopOptions::default();
    assert_eq!(options.time_manager, TimeManagement::Share);
    for (word, manager) in [
        ("legacy", TimeManagement::Legacy),
        ("smooth", TimeManagement::Smooth),
        ("alphazero", TimeManagement::AlphaZero),
        ("simple", TimeManagement::Simple),
        ("share", TimeManagement::Share),
    ] {
        options.set("time_manager", word).expect("a manager");
        assert_eq!(options.time_manager, manager);
    }
    options.set("SlowMover", "2").expect("the name that others know");
    assert_eq!(options.legacy_slowmover, 2.0);
    assert!(options.set("time_manager", "clever").is_err());
}
