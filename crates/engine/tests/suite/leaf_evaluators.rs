//! Evaluators of leaves by name, as networks will be: found at run time, one service for all sessions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use outplay_core::{Game, Rng};
use outplay_engine::{Evaluations, GameSession, Playing, Searching};
use outplay_othello::{Othello, Positional};
use outplay_search::mcts::{
    BatchEvaluator, EvaluationError, HashRandom, Leaf, LeafEvaluator, StandingService,
};
use outplay_search::{Limits, OptionKind, Report, StopReason};

/// Says what [`HashRandom`] says, until so many leaves were evaluated.
struct Breaking {
    after: u64,
    asked: Arc<AtomicU64>,
}

impl<G: Game> LeafEvaluator<G> for Breaking {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        16
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<G> + '_> {
        let mut inner = LeafEvaluator::<G>::begin(&HashRandom { seed: 7 });
        Box::new(move |leaves: &mut [Leaf<G>], rng: &mut Rng| {
            if self.asked.fetch_add(leaves.len() as u64, Ordering::Relaxed) > self.after {
                return Err(EvaluationError("the device does not answer".to_string()));
            }
            inner.evaluate(leaves, rng)
        })
    }
}

fn session(name: &str, service: &Arc<StandingService<Othello>>) -> GameSession<Othello> {
    let evaluations = Evaluations::new("positional", outplay_othello::knowledge(Positional))
        .and_leaf_evaluator(name.to_string(), service.clone());
    GameSession::with_evaluations((), evaluations)
}

fn search(session: &mut GameSession<Othello>, nodes: u64) -> Report {
    // All playouts are to be made.
    session.set_option("smart_pruning_factor", "0").expect("an option");
    session.go(Limits { nodes: Some(nodes), ..Limits::default() }, Box::new(|_, _| ())).expect("a search");
    session.wait().expect("a report")
}

fn evaluations_of(session: &mut GameSession<Othello>, search: &str) -> Vec<String> {
    session.set_option("search", search).expect("a search");
    let rows = session.options().expect("options");
    let row = rows.into_iter().find(|(row, _)| row.name == "evaluation").expect("a row").0;
    let OptionKind::Choice { words } = row.kind else { panic!("a choice") };
    words.iter().map(|word| word.to_string()).collect()
}

#[test]
fn an_evaluator_of_leaves_is_an_evaluation_of_the_tree_search_alone() {
    let asked = Arc::default();
    let evaluator = Breaking { after: u64::MAX, asked: Arc::clone(&asked) };
    let service = Arc::new(StandingService::start(evaluator, 1, 1).expect("a thread"));
    // A name as a folder of files would give it.
    let name = format!("net-{}", 40 + 2);
    let mut session = session(&name, &service);
    assert_eq!(evaluations_of(&mut session, "mcts"), ["positional", "net-42", "none"]);
    assert_eq!(evaluations_of(&mut session, "pvs"), ["positional", "none"]);
    session.set_option("search", "mcts").expect("a search");
    session.set_option("evaluation", &name).expect("an evaluation");
    let report = search(&mut session, 500);
    assert_eq!((report.counters.nodes, report.failure), (500, None));
    assert!(asked.load(Ordering::Relaxed) > 300);
    let before = asked.load(Ordering::Relaxed);
    session.set_option("evaluation", "positional").expect("an evaluation");
    search(&mut session, 500);
    assert_eq!(asked.load(Ordering::Relaxed), before);
}

#[test]
fn sessions_share_one_service() {
    let asked = Arc::default();
    let evaluator = Breaking { after: u64::MAX, asked: Arc::clone(&asked) };
    let service = Arc::new(StandingService::start(evaluator, 1, 1).expect("a thread"));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut session = session("net", &service);
                session.set_option("search", "mcts").expect("a search");
                session.set_option("evaluation", "net").expect("an evaluation");
                assert_eq!(search(&mut session, 400).counters.nodes, 400);
            });
        }
    });
    let counted = service.service().counted();
    assert_eq!(counted.leaves, asked.load(Ordering::Relaxed));
    assert!(counted.leaves > 1_000);
}

#[test]
fn a_lost_device_ends_the_search_with_a_move_and_the_reason_and_the_session_goes_on() {
    let evaluator = Breaking { after: 200, asked: Arc::default() };
    let service = Arc::new(StandingService::start(evaluator, 1, 1).expect("a thread"));
    let mut session = session("net", &service);
    session.set_option("search", "mcts").expect("a search");
    session.set_option("evaluation", "net").expect("an evaluation");
    for _ in 0..2 {
        let report = search(&mut session, 100_000);
        assert_eq!(report.stopped, Some(StopReason::EvaluatorFailed));
        assert_eq!(report.failure.as_deref(), Some("the device does not answer"));
        let best = report.best_move().expect("a move");
        assert!(session.legal_moves().contains(&best));
    }
    session.set_option("evaluation", "positional").expect("an evaluation");
    assert_eq!(search(&mut session, 300).counters.nodes, 300);
}
