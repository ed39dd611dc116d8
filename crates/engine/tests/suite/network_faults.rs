//! Networks that fail: no wrong move, no hang.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use outplay_core::{Game, Move, Rng};
use outplay_engine::{
    Encoders, Evaluations, GameSession, NetworkEvaluator, Playing, SearchEntry, SearchInfo, Searching,
    WithReserve,
};
use outplay_net::{Backend, Description, NetError, Network, Outputs, Reference, Runner};
use outplay_othello::{Othello, OthelloEncoder, Positional};
use outplay_search::mcts::{BatchEvaluator, Leaf, LeafEncoder, LeafEvaluator, Mcts, StandingService};
use outplay_search::{Limits, Report, StopReason};

use crate::networks::description;

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Error,
    Panic,
    NotANumber,
}

/// A backend that fails from some batch on.
struct Failing {
    inner: Reference,
    from_batch: u64,
    fault: Fault,
    batches: AtomicU64,
    /// As a device beside the processor has it.
    serving_threads: Option<usize>,
}

impl Backend for Failing {
    fn description(&self) -> &Description {
        self.inner.description()
    }

    fn name(&self) -> String {
        "failing".to_string()
    }

    fn batch_size(&self) -> usize {
        4
    }

    fn serving_threads(&self) -> Option<usize> {
        self.serving_threads
    }

    fn begin(&self) -> Box<dyn Runner + '_> {
        Box::new(FailingRunner { backend: self, inner: self.inner.begin(), under_way: VecDeque::new() })
    }
}

struct FailingRunner<'b> {
    backend: &'b Failing,
    inner: Box<dyn Runner + 'b>,
    under_way: VecDeque<Vec<Vec<u64>>>,
}

impl Runner for FailingRunner<'_> {
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        let batch = self.backend.batches.fetch_add(1, Ordering::Relaxed);
        self.inner.run(positions, outputs)?;
        if batch >= self.backend.from_batch {
            match self.backend.fault {
                Fault::Error => return Err(NetError::Device("it is gone".to_string())),
                Fault::Panic => panic!("a bug in a kernel"),
                Fault::NotANumber => outputs.value[positions.len() - 1][1] = f32::NAN,
            }
        }
        Ok(())
    }

    fn most_in_flight(&self) -> usize {
        2
    }

    // As on a device, nothing is computed before it is waited for, and what goes wrong is known then.
    fn submit(&mut self, positions: &[&[u64]], _: &mut Outputs) -> Result<(), NetError> {
        assert!(self.under_way.len() < 2);
        self.under_way.push_back(positions.iter().map(|position| position.to_vec()).collect());
        Ok(())
    }

    fn collect(&mut self, outputs: &mut Outputs) -> Result<(), NetError> {
        let batch = self.under_way.pop_front().expect("a batch is under way");
        self.run(&batch.iter().map(Vec::as_slice).collect::<Vec<_>>(), outputs)
    }
}

fn network() -> Network {
    Network::random(description("othello"), 1).expect("it makes sense")
}

fn failing_backend(from_batch: u64, fault: Fault) -> Failing {
    let inner = Reference::new(network());
    Failing { inner, from_batch, fault, batches: AtomicU64::new(0), serving_threads: None }
}

fn evaluator(backend: Arc<dyn Backend>) -> NetworkEvaluator<Othello> {
    let encoder = Encoders::of(OthelloEncoder).fit(backend.description()).expect("its encoder");
    NetworkEvaluator::new(backend, encoder)
}

fn failing(from_batch: u64, fault: Fault) -> NetworkEvaluator<Othello> {
    evaluator(Arc::new(failing_backend(from_batch, fault)))
}

/// A device that fails from some batch on, with the reference in reserve.
fn with_reserve(from_batch: u64, fault: Fault) -> Arc<WithReserve> {
    let device = Failing { serving_threads: Some(2), ..failing_backend(from_batch, fault) };
    let reserve = || Ok(Arc::new(Reference::new(network())) as Arc<dyn Backend>);
    Arc::new(WithReserve::new(Arc::new(device), Box::new(reserve)))
}

/// A session whose only search evaluates leaves by this evaluator.
fn session(evaluator: impl Fn() -> Arc<dyn LeafEvaluator<Othello>> + Send + 'static) -> GameSession<Othello> {
    let evaluations = Evaluations::new("positional", outplay_othello::knowledge(Positional));
    let info = SearchInfo {
        name: "mcts",
        title: "",
        for_experts: false,
        summary: "",
        counts_playouts: true,
        shows_tree: true,
    };
    let make = move || -> Box<dyn outplay_search::Search<Othello>> {
        let knowledge = outplay_othello::knowledge(Positional);
        Box::new(Mcts::new(knowledge).with_evaluator(evaluator(), "test".to_string()))
    };
    GameSession::with_searches((), evaluations, vec![SearchEntry { info, make: Box::new(make) }])
}

fn search(session: &mut GameSession<Othello>, nodes: u64) -> Report {
    session.go(Limits { nodes: Some(nodes), ..Limits::default() }, Box::new(|_, _| ())).expect("a search");
    session.wait().expect("a report")
}

fn is_told(report: &Report, legal: &[Move]) {
    assert_eq!(report.stopped, Some(StopReason::EvaluatorFailed), "{report:?}");
    assert!(report.failure.is_some() && legal.contains(&report.best_move().expect("a move")));
}

#[test]
fn whatever_goes_wrong_at_the_kth_batch_ends_the_search_with_a_legal_move_and_the_reason() {
    for fault in [Fault::Error, Fault::Panic, Fault::NotANumber] {
        for batch in [0, 1, 2, 5, 20] {
            for (threads, evaluation_threads) in [("1", "0"), ("2", "0"), ("2", "2")] {
                let mut session = session(move || Arc::new(failing(batch, fault)));
                session.set_option("threads", threads).expect("an option");
                session.set_option("evaluation_threads", evaluation_threads).expect("an option");
                // The second search finds the device as it was left.
                for _ in 0..2 {
                    let report = search(&mut session, 10_000);
                    is_told(&report, &session.legal_moves());
                }
            }
        }
    }
}

#[test]
fn with_a_reserve_a_device_that_fails_at_the_kth_batch_changes_no_search_and_is_told_once() {
    let sound = failing(u64::MAX, Fault::Error);
    let sound = Arc::new(sound);
    let mut undisturbed = session(move || sound.clone());
    // All playouts are to be made.
    let all = ("smart_pruning_factor", "0");
    undisturbed.set_option(all.0, all.1).expect("an option");
    let whole = search(&mut undisturbed, 300);
    for (batch, fault) in
        [0, 1, 2, 5, 20].into_iter().flat_map(|batch| [(batch, Fault::Error), (batch, Fault::NotANumber)])
    {
        for (threads, evaluation_threads) in [("1", "0"), ("2", "0"), ("2", "2")] {
            let backend = with_reserve(batch, fault);
            let own = backend.clone();
            let mut session = session(move || Arc::new(evaluator(own.clone())));
            session.set_option(all.0, all.1).expect("an option");
            session.set_option("threads", threads).expect("an option");
            session.set_option("evaluation_threads", evaluation_threads).expect("an option");
            let report = search(&mut session, 300);
            assert_eq!(report.failure, None, "batch {batch}, {threads} threads");
            assert_eq!(report.counters.nodes, 300);
            assert!(session.legal_moves().contains(&report.best_move().expect("a move")));
            if (threads, evaluation_threads) == ("1", "0") {
                assert_eq!(report.lines, whole.lines, "the same as if nothing had happened");
            }
            let notice = backend.take_notice().expect("something has happened");
            let reason = if fault == Fault::Error { "it is gone" } else { "not all finite numbers" };
            assert!(notice.contains(&format!("{reason}; it goes on with the processor")), "{notice}");
            assert_eq!(backend.take_notice(), None);
            assert_eq!((backend.batch_size(), backend.serving_threads()), (1, None), "those of the reserve");
        }
    }
}

#[test]
fn batches_that_were_under_way_when_the_device_failed_are_evaluated_by_the_reserve() {
    let mut rng = Rng::new(2);
    let planes = network().description().planes();
    let batches: Vec<Vec<Vec<u64>>> = (0..12)
        .map(|size| (0..size % 5).map(|_| outplay_net::random_position(planes, &mut rng)).collect())
        .collect();
    let views: Vec<Vec<&[u64]>> =
        batches.iter().map(|batch| batch.iter().map(Vec::as_slice).collect()).collect();
    let wanted: Vec<Outputs> = views.iter().map(|batch| run(&Reference::new(network()), batch)).collect();
    for from_batch in [0, 1, 4, 5, 11, 12] {
        let backend = with_reserve(from_batch, Fault::Error);
        let (mut runner, mut other) = (backend.begin(), backend.begin());
        let mut outputs = [Outputs::default(), Outputs::default()];
        for i in 0..=views.len() {
            if i < views.len() {
                runner.submit(&views[i], &mut outputs[i % 2]).expect("whatever happens");
            }
            if i > 0 {
                runner.collect(&mut outputs[(i - 1) % 2]).expect("whatever happens");
                assert_eq!(outputs[(i - 1) % 2], wanted[i - 1], "batch {i}, broken from {from_batch} on");
            }
        }
        assert_eq!(backend.take_notice().is_some(), from_batch < 12);
        // Another thread's runner learns of it when it is asked next.
        other.run(&views[4], &mut outputs[0]).expect("whatever happens");
        assert_eq!(outputs[0], wanted[4]);
        // What is wrong with the question is nobody's failure.
        let error = other.run(&[&[1]], &mut outputs[0]).expect_err("a wrong number of words").to_string();
        assert!(error.contains("a position has 1 words"), "{error}");
    }
}

fn run(backend: &dyn Backend, positions: &[&[u64]]) -> Outputs {
    let mut outputs = Outputs::default();
    backend.begin().run(positions, &mut outputs).expect("it runs");
    outputs
}

#[test]
fn a_reserve_that_cannot_be_had_leaves_the_reason_and_the_search_ends_in_words() {
    let make = || Err(NetError::Weights("they are gone too".to_string()));
    let device = Arc::new(failing_backend(3, Fault::Error));
    let backend: Arc<dyn Backend> = Arc::new(WithReserve::new(device, Box::new(make)));
    let mut session = session(move || Arc::new(evaluator(backend.clone())));
    for _ in 0..2 {
        let report = search(&mut session, 10_000);
        is_told(&report, &session.legal_moves());
        assert!(report.failure.expect("a reason").contains("they are gone too"));
    }
}

#[test]
fn a_service_whose_threads_break_down_tells_all_who_wait() {
    for fault in [Fault::Error, Fault::Panic] {
        let service = Arc::new(StandingService::start(failing(10, fault), 2, 1).expect("threads"));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let evaluations = Evaluations::new("positional", outplay_othello::knowledge(Positional))
                        .and_leaf_evaluator("broken", service.clone());
                    let mut session = GameSession::<Othello>::with_evaluations((), evaluations);
                    session.set_option("search", "mcts").expect("a search");
                    session.set_option("evaluation", "broken").expect("an evaluation");
                    let report = search(&mut session, 100_000);
                    is_told(&report, &session.legal_moves());
                });
            }
        });
    }
}

/// Says of all positions that they are the same.
struct Poisoned(NetworkEvaluator<Othello>);

impl LeafEvaluator<Othello> for Poisoned {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn cache_key(&self, _: &Leaf<Othello>) -> Option<u64> {
        Some(7)
    }

    fn encoder(&self) -> Option<&dyn LeafEncoder<Othello>> {
        self.0.encoder()
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Othello> + '_> {
        self.0.begin()
    }
}

#[test]
fn a_cache_that_mixes_positions_up_leads_to_bad_moves_but_never_to_illegal_ones() {
    let mut session = session(|| Arc::new(Poisoned(failing(u64::MAX, Fault::Error))));
    session.set_option("nncache", "100").expect("an option");
    for _ in 0..12 {
        let report = search(&mut session, 300);
        assert_eq!(report.failure, None);
        assert!(report.counters.cache.expect("a cache").hits > 0, "it does mix them up");
        let mut position = Othello::start(&());
        session.played();
        for line in &report.lines {
            assert!(session.legal_moves().contains(&line.moves[0]));
        }
        for (_, text) in session.played() {
            let m = outplay_core::Notation::parse_move(&position, &text).expect("its own move");
            position.play(m);
        }
        for &m in &report.lines[0].moves {
            assert!(position.is_legal(m), "the whole line is legal");
            position.play(m);
        }
        session.play(report.best_move().expect("a move")).expect("legal");
    }
}
