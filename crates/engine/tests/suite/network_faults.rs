//! Networks that fail: no wrong move, no hang.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use outplay_core::{Game, Move};
use outplay_engine::{
    Encoders, Evaluations, GameSession, NetworkEvaluator, Playing, SearchEntry, SearchInfo, Searching,
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

    fn begin(&self) -> Box<dyn Runner + '_> {
        Box::new(FailingRunner { backend: self, inner: self.inner.begin() })
    }
}

struct FailingRunner<'b> {
    backend: &'b Failing,
    inner: Box<dyn Runner + 'b>,
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
}

fn failing(from_batch: u64, fault: Fault) -> NetworkEvaluator<Othello> {
    let network = Network::random(description("othello"), 1).expect("it makes sense");
    let encoder = Encoders::of(OthelloEncoder).fit(network.description()).expect("its encoder");
    let inner = Reference::new(network);
    NetworkEvaluator::new(Arc::new(Failing { inner, from_batch, fault, batches: AtomicU64::new(0) }), encoder)
}

/// A session whose only search evaluates leaves by this evaluator.
fn session(evaluator: impl Fn() -> Arc<dyn LeafEvaluator<Othello>> + Send + 'static) -> GameSession<Othello> {
    let evaluations = Evaluations::new("positional", outplay_othello::knowledge(Positional));
    let info = SearchInfo { name: "mcts", summary: "", counts_playouts: true, shows_tree: true };
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
