//! Searches whose leaves are evaluated by others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{OnceLock, Weak};
use std::time::Instant;

use super::*;
use crate::mcts::Static;
use crate::{Bundle, Evaluation, StopReason};

#[test]
fn results_that_come_back_in_any_order_leave_the_tree_right() {
    for threads in ["1", "2"] {
        for batches in ["1", "2", "5"] {
            let probe = Probe::new(8, Duration::from_micros(500));
            let service = Arc::new(Service::new(probe.clone()));
            let settings = [("threads", threads), ("batches_in_flight", batches)];
            let mut search = shared_mcts(&service, &settings);
            let report = service.serve(2, 1, || search_nodes(&mut search, 1_000));
            let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
            assert_eq!((report.counters.nodes, visits), (1_000, 999), "{settings:?}");
            assert_eq!(report.counters.batches, Some(service.counted()));
            assert_eq!(report.counters.leaves, probe.leaves());
            // Walks end after more plies than this tree has: every position in it was evaluated, once.
            let expected = Census { evaluated: probe.leaves(), pending: 0, in_flight: 0 };
            assert_eq!(census(&search), expected, "{settings:?}");
            assert_eq!(probe.saw_overtaking(), threads == "2" || batches != "1", "{settings:?}");
        }
    }
}

#[test]
fn every_evaluator_and_the_cache_work_on_threads_of_their_own() {
    for evaluator in ["rollouts", "static", "uniform", "random"] {
        for more in [
            [("nncache", "0"), ("dag", "false"), ("threads", "2")],
            [("nncache", "5000"), ("dag", "false"), ("threads", "2")],
            [("nncache", "5000"), ("dag", "true"), ("threads", "1")],
        ] {
            let base = [("evaluator", evaluator), ("evaluation_threads", "2")];
            let mut search = mcts(NoKnowledge, &[&base[..], &more].concat());
            let report = search_nodes(&mut search, 5_000);
            let visits: u64 = report.lines.iter().filter_map(|line| line.visits).sum();
            assert_eq!((report.counters.nodes, visits), (5_000, 4_999), "{evaluator}");
            let Census { pending, in_flight, .. } = census(&search);
            assert_eq!((pending, in_flight), (0, 0), "{evaluator}, {more:?}");
            assert!(report.counters.batches.expect("a service").leaves > 0);
        }
    }
}

#[test]
fn what_is_out_when_a_search_is_stopped_is_taken_back() {
    let delay = [("evaluator_delay_us", "3000"), ("evaluation_threads", "3"), ("batches_in_flight", "8")];
    let base = [("evaluator", "random"), ("minibatch_size", "8")];
    let mut search = mcts(NoKnowledge, &[&base[..], &delay].concat());
    let limits = Limits { move_time: Some(Duration::from_millis(40)), ..Limits::default() };
    let report = search_with(&mut search, &limits, &Arc::default());
    assert_eq!(report.stopped, Some(StopReason::Time));
    let Census { evaluated, pending, in_flight } = census(&search);
    assert_eq!((evaluated, pending, in_flight), (report.counters.nodes, 0, 0));
}

#[test]
fn a_search_ends_with_its_service_and_leaves_a_tree_behind_in_which_nothing_waits() {
    let probe = Probe::new(8, Duration::from_millis(1));
    let service = Arc::new(Service::new(probe.clone()));
    let mut search = shared_mcts(&service, &[("threads", "2"), ("batches_in_flight", "4")]);
    let report = service.serve(2, 1, || {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while probe.leaves() < 200 {
                    std::thread::yield_now();
                }
                service.close();
            });
            search_with(&mut search, &Limits::default(), &Arc::default())
        })
    });
    assert_eq!(report.stopped, Some(StopReason::Stopped));
    assert_eq!(report.counters.nodes, probe.leaves(), "what was handed in has come back");
    let expected = Census { evaluated: probe.leaves(), pending: 0, in_flight: 0 };
    assert_eq!(census(&search), expected, "playouts whose leaves nobody takes come to nothing");
    // Nobody answers any more: a search ends at once.
    assert_eq!(search_nodes(&mut search, 100).stopped, Some(StopReason::Stopped));
    search.share_service(None);
    assert_eq!(search_nodes(&mut search, 100).counters.nodes, 100);
    assert_eq!(census(&search).in_flight, 0);
}

/// An evaluation that fails the thousandth time, once.
#[derive(Clone, Default)]
struct Failing {
    asked: Arc<AtomicU64>,
}

impl Evaluation<Walk> for Failing {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), _: &Walk) -> i32 {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        assert!(asked != 1_000, "the evaluation has failed");
        0
    }
}

#[test]
fn a_panic_of_the_evaluator_is_the_panic_of_the_search_which_can_search_again() {
    for (threads, evaluation_threads) in [("1", "0"), ("3", "0"), ("1", "1"), ("2", "3")] {
        let settings =
            [("evaluator", "static"), ("threads", threads), ("evaluation_threads", evaluation_threads)];
        let mut search = mcts(Bundle::of(Failing::default()), &settings);
        let endless = Limits::default();
        let run = || search_with(&mut search, &endless, &Arc::default());
        let panic = catch_unwind(AssertUnwindSafe(run));
        let payload = panic.expect_err("a panic");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"the evaluation has failed"));
        assert_eq!(search_nodes(&mut search, 500).counters.nodes, 500);
        let Census { pending, in_flight, .. } = census(&search);
        assert_eq!((pending, in_flight), (0, 0));
    }
}

#[test]
fn all_searches_that_share_a_service_panic_with_its_evaluator() {
    let knowledge = Bundle::of(Failing::default());
    let service = Arc::new(Service::new(Static { knowledge, scale: 100.0 }));
    let panic_of = |search: &mut Mcts<Walk, NoKnowledge>| {
        let run = || search_with(search, &Limits::default(), &Arc::default());
        catch_unwind(AssertUnwindSafe(run)).expect_err("a panic").downcast_ref::<&str>().copied()
    };
    let served = catch_unwind(AssertUnwindSafe(|| {
        service.serve(1, 1, || {
            for _ in 0..2 {
                let message = panic_of(&mut shared_mcts(&service, &[]));
                assert_eq!(message, Some("the evaluator of a service has panicked"));
            }
        });
    }));
    let original = served.expect_err("a panic");
    assert_eq!(original.downcast_ref::<&str>(), Some(&"the evaluation has failed"));
}

/// An evaluator that gives searchers time to hand in another batch.
#[derive(Clone, Default)]
struct Waiting {
    service: Arc<OnceLock<Weak<Service<'static, Walk>>>>,
    /// Batches during which leaves were handed in.
    overlapped: Arc<AtomicU64>,
    patience: Duration,
}

impl LeafEvaluator<Walk> for Waiting {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        16
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Walk> + '_> {
        Box::new(|leaves: &mut [Leaf<Walk>], rng: &mut Rng| {
            HashRandom { seed: 1 }.begin().evaluate(leaves, rng)?;
            let service = self.service.get().and_then(Weak::upgrade).expect("the service that asks");
            let begun = Instant::now();
            while begun.elapsed() < self.patience {
                if service.waiting() > 0 {
                    self.overlapped.fetch_add(1, Ordering::Relaxed);
                    return Ok(());
                }
                std::thread::yield_now();
            }
            Ok(())
        })
    }
}

#[test]
fn one_searching_thread_gathers_while_its_leaves_are_evaluated() {
    let overlapped = |batches_in_flight: &str, patience| {
        let waiting = Waiting { patience, ..Waiting::default() };
        let service = Arc::new(Service::new(waiting.clone()));
        waiting.service.set(Arc::downgrade(&service)).expect("set once");
        let mut search = shared_mcts(&service, &[("batches_in_flight", batches_in_flight)]);
        service.serve(1, 1, || search_nodes(&mut search, 1 + 16 * 40));
        (waiting.overlapped.load(Ordering::Relaxed), service.counted().batches)
    };
    // The first batches are small and alone, because a small tree has few leaves to be gathered at a time.
    let (during, all) = overlapped("2", Duration::from_millis(20));
    assert!(3 * during > 2 * all, "during {during} of {all} batches");
    assert_eq!(overlapped("1", Duration::from_micros(200)).0, 0, "nothing is gathered while a batch is out");
}

#[test]
fn one_searching_thread_keeps_several_devices_busy() {
    let at_once = |batches_in_flight: &str| {
        let probe = Probe::new(16, Duration::from_millis(2));
        let service = Arc::new(Service::new(probe.clone()));
        let mut search = shared_mcts(&service, &[("batches_in_flight", batches_in_flight)]);
        service.serve(4, 1, || search_nodes(&mut search, 1_600));
        probe.seen.most_at_once.load(Ordering::Relaxed)
    };
    assert_eq!((at_once("1"), at_once("2")), (1, 2));
    assert!(at_once("6") > 2);
}

#[test]
fn a_delay_is_waited_for_once_a_batch() {
    let settings = [("evaluator", "uniform"), ("evaluator_delay_us", "2000"), ("minibatch_size", "16")];
    let mut search = mcts(NoKnowledge, &settings);
    let begun = Instant::now();
    search_nodes(&mut search, 1_600);
    assert!(begun.elapsed() >= Duration::from_millis(200), "a hundred batches at least");
}

#[test]
fn searches_that_share_a_service_fill_its_batches_together() {
    let mean = |searches: usize| {
        let probe = Probe::new(64, Duration::from_millis(2));
        let service = Arc::new(Service::new(probe));
        service.serve(1, 1, || {
            std::thread::scope(|scope| {
                for _ in 0..searches {
                    let service = &service;
                    scope.spawn(move || {
                        let mut search = shared_mcts(service, &[("minibatch_size", "8")]);
                        assert_eq!(search_nodes(&mut search, 800).counters.nodes, 800);
                        let Census { pending, in_flight, .. } = census(&search);
                        assert_eq!((pending, in_flight), (0, 0));
                    });
                }
            });
        });
        assert!(service.counted().leaves > 700 * searches as u64);
        service.counted().mean()
    };
    let (one, four) = (mean(1), mean(4));
    assert!(one < 16.0 && four > 1.5 * one, "{four} leaves a batch for four searches, {one} for one");
}
