//! What evaluators are shown of a leaf, and what becomes of a search whose evaluator fails.

use std::sync::atomic::AtomicBool;

use outplay_core::Planes;

use super::*;
use crate::StopReason;
use crate::mcts::{BatchEvaluator, Encoded, EvaluationError, LeafEncoder, Static};
use crate::{Bundle, Evaluation};

/// Evaluates by what its encoder has written alone, and fails at a given leaf, if at all.
#[derive(Clone, Default)]
struct ByWords {
    past: usize,
    fails_at: Option<u64>,
    asked: Arc<AtomicU64>,
    /// Leaves that had as much of a past as was asked for.
    with_past: Arc<AtomicU64>,
    was_wrong: Arc<AtomicBool>,
}

impl LeafEncoder<Walk> for ByWords {
    fn name(&self) -> &str {
        "keys"
    }

    /// One for each key.
    fn planes(&self) -> Planes {
        Planes { rows: 8, columns: 8, bits: 1 + self.past, constants: 0 }
    }

    fn past_positions(&self) -> usize {
        self.past
    }

    fn encode(&self, position: &Walk, past: &[Walk], words: &mut Vec<u64>) {
        words.extend([position].into_iter().chain(past).map(Game::key));
        words.resize(self.planes().words(), 0);
        // Each position is one step further than the one before, and there is none before the first.
        let lengths: Vec<u8> = [position].into_iter().chain(past).map(Walk::length).collect();
        let is_line = lengths.windows(2).all(|pair| pair[0] == pair[1] + 1);
        let is_whole = past.len() == self.past.min(usize::from(position.length()));
        self.with_past.fetch_add(u64::from(past.len() == self.past), Ordering::Relaxed);
        self.was_wrong.fetch_or(!is_line || !is_whole, Ordering::Relaxed);
    }

    fn policy_size(&self) -> usize {
        8
    }

    fn policy_index(&self, _: &Walk, m: Move) -> u16 {
        7 - m.bits()
    }
}

impl LeafEvaluator<Walk> for ByWords {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        4
    }

    fn encoder(&self) -> Option<&dyn LeafEncoder<Walk>> {
        Some(self)
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Walk> + '_> {
        Box::new(|leaves: &mut [Leaf<Walk>], _: &mut Rng| {
            for leaf in leaves {
                if Some(self.asked.fetch_add(1, Ordering::Relaxed)) == self.fails_at {
                    return Err(EvaluationError("the device is lost".to_string()));
                }
                let policy: Vec<f32> = (0..8).map(|place| if place == 5 { 5.0 } else { 0.0 }).collect();
                leaf.encoded.pick(&policy, &mut leaf.logits);
                leaf.value.win_minus_loss = (mix(leaf.encoded.words[0]) % 100) as f32 / 100.0 - 0.5;
            }
            Ok(())
        })
    }
}

fn served(
    evaluator: ByWords,
    threads: &str,
    nodes: u64,
) -> (Report, Mcts<Walk, NoKnowledge>, Arc<Service<'static, Walk>>) {
    let service = Arc::new(Service::new(evaluator));
    let mut search = shared_mcts(&service, &[("threads", threads)]);
    let report = service.serve(1, 1, || search_nodes(&mut search, nodes));
    (report, search, service)
}

#[test]
fn an_encoder_sees_the_past_that_it_asks_for_and_a_policy_is_read_by_its_index() {
    for past in [0, 1, 7] {
        let evaluator = ByWords { past, ..ByWords::default() };
        let service = Arc::new(Service::new(evaluator.clone()));
        let mut search = shared_mcts(&service, &[]);
        let mut control_line = Line::new(Walk::start());
        [0, 1].map(Move::new).into_iter().for_each(|m| control_line.play(m));
        let (signals, mut sink) = (Arc::default(), |_| ());
        let stop = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
        let limits = Limits { nodes: Some(3_000), lines: 3, ..Limits::default() };
        let mut control =
            Control::new(control_line.position().to_move(), &limits, &stop, &signals, &mut sink);
        let report = service.serve(1, 1, || search.search(&control_line, &mut control));
        assert!(!evaluator.was_wrong.load(Ordering::Relaxed), "{past} positions");
        assert!(evaluator.with_past.load(Ordering::Relaxed) > 20, "{past} positions");
        // Place 5 of the policy is move 2.
        let prior = |m: u16| {
            let line = report.lines.iter().find(|line| line.moves[0] == Move::new(m));
            line.and_then(|line| line.statistics).map_or(0.0, |statistics| statistics.prior)
        };
        assert!(prior(2) > 0.9 && prior(0) < 0.1 && prior(1) < 0.1);
    }
}

#[test]
fn a_move_stands_where_its_index_says() {
    let mut encoded = Encoded::default();
    let moves = Walk::start().legal_moves();
    encoded.write(&ByWords::default(), &Walk::start(), &[], &moves);
    let mut logits = vec![1.0];
    encoded.pick(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], &mut logits);
    assert_eq!(logits, [7.0, 6.0, 5.0]);
}

#[test]
fn a_search_whose_evaluator_fails_ends_with_its_best_move_and_says_why() {
    for threads in ["1", "3"] {
        for fails_at in [0, 1, 500] {
            let evaluator = ByWords { fails_at: Some(fails_at), ..ByWords::default() };
            let (report, mut search, _service) = served(evaluator, threads, 100_000);
            assert_eq!(report.stopped, Some(StopReason::EvaluatorFailed), "{threads} threads, {fails_at}");
            assert_eq!(report.failure.as_deref(), Some("the device is lost"));
            assert!(report.best_move().is_some());
            // The tree is whole, and another evaluator can go on with it.
            let Census { pending, in_flight, .. } = census(&search);
            assert_eq!((pending, in_flight), (0, 0), "{threads} threads, {fails_at}");
            search.share_service(None);
            let report = search_nodes(&mut search, 200);
            assert_eq!((report.counters.nodes, report.failure), (200, None));
        }
    }
}

/// An evaluation that cannot be reached any more.
struct Lost;

impl Evaluation<Walk> for Lost {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), _: &Walk) -> i32 {
        0
    }
}

/// A static evaluation that fails at its thousandth leaf, on the searching threads themselves.
struct FailsLater(Static<Bundle<Lost>>, AtomicU64);

impl LeafEvaluator<Walk> for FailsLater {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Walk> + '_> {
        let mut inner = LeafEvaluator::<Walk>::begin(&self.0);
        Box::new(move |leaves: &mut [Leaf<Walk>], rng: &mut Rng| {
            match self.1.fetch_add(1, Ordering::Relaxed) {
                999 => Err(EvaluationError("no more".to_string())),
                _ => inner.evaluate(leaves, rng),
            }
        })
    }
}

#[test]
fn a_driver_of_many_searches_takes_leaves_back_that_could_not_be_evaluated() {
    use crate::mcts::{Batch, MctsOptions, Scratch, SearchContext, SearchTree, TreePool};
    let evaluator = FailsLater(Static { knowledge: Bundle::of(Lost), scale: 100.0 }, AtomicU64::new(0));
    let options = MctsOptions { solver: false, ..MctsOptions::default() };
    let context = SearchContext::new(&options, &evaluator);
    let (pool, mut evaluating) = (Arc::new(TreePool::new()), evaluator.begin());
    let (mut batch, mut scratch, mut rng) = (Batch::default(), Scratch::default(), Rng::new(1));
    let new = |seed| SearchTree::new(&context, &pool, Line::new(Walk::start()), seed);
    let mut searches: Vec<SearchTree<Walk>> = (0..20).map(new).collect();
    searches.iter_mut().for_each(|search| search.set_budget(100));
    let mut failures = 0;
    while searches.iter().any(|search| !search.is_done()) {
        for search in &mut searches {
            search.gather(&context, 4, &mut batch, &mut scratch);
        }
        match context.evaluate(&mut *evaluating, &mut batch, &mut rng) {
            Ok(()) => searches.iter_mut().for_each(|search| search.apply(&context, &mut batch, &mut scratch)),
            Err(error) => {
                assert_eq!(error.to_string(), "no more");
                failures += 1;
                searches.iter_mut().for_each(|search| search.discard(&context, &mut batch, &mut scratch));
            }
        }
        batch.clear();
    }
    assert_eq!(failures, 1);
    assert!(searches.iter().all(|search| search.playouts() == 100 && search.best_move(&context).is_some()));
}
