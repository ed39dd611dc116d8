//! Groups of searches that take turns with an evaluator.

use std::collections::VecDeque;

use super::*;
use crate::mcts::{
    Batch, EvaluationError, Groups, MctsOptions, Scratch, SearchContext, SearchTree, TreePool, TurnCounts,
};

/// Says what [`HashRandom`] says, of so many batches at a time, and only once they are collected.
struct Later {
    in_flight: usize,
    fails_at: u64,
}

struct Under {
    way: VecDeque<Vec<Walk>>,
    most: usize,
    submitted: u64,
    fails_at: u64,
}

impl LeafEvaluator<Walk> for Later {
    fn wants_moves(&self) -> bool {
        true
    }

    fn batch_size(&self) -> usize {
        4
    }

    fn begin(&self) -> Box<dyn BatchEvaluator<Walk> + '_> {
        let Later { in_flight, fails_at } = *self;
        Box::new(Under { way: VecDeque::new(), most: in_flight, submitted: 0, fails_at })
    }
}

impl BatchEvaluator<Walk> for Under {
    fn evaluate(&mut self, leaves: &mut [Leaf<Walk>], rng: &mut Rng) -> Result<(), EvaluationError> {
        assert!(leaves.len() <= 4, "no more than it likes at once");
        HashRandom { seed: 1 }.begin().evaluate(leaves, rng)
    }

    fn most_in_flight(&self) -> usize {
        self.most
    }

    fn submit(&mut self, leaves: &mut [Leaf<Walk>], _: &mut Rng) -> Result<(), EvaluationError> {
        assert!(self.way.len() < self.most && !leaves.is_empty());
        self.submitted += 1;
        if self.submitted == self.fails_at {
            return Err(EvaluationError("lost".to_string()));
        }
        // Whoever looks at them before they are collected sees no sense.
        leaves.iter_mut().for_each(|leaf| leaf.logits.clear());
        self.way.push_back(leaves.iter().map(|leaf| leaf.position.clone()).collect());
        Ok(())
    }

    fn collect(&mut self, leaves: &mut [Leaf<Walk>]) -> Result<(), EvaluationError> {
        let submitted = self.way.pop_front().expect("nothing is collected that was not submitted");
        assert!(leaves.iter().map(|leaf| &leaf.position).eq(&submitted), "the first batch comes first");
        HashRandom { seed: 1 }.begin().evaluate(leaves, &mut Rng::new(0))
    }
}

/// Searches of so many playouts each.
struct Searches {
    groups: Vec<Vec<SearchTree<Walk>>>,
    scratch: Scratch,
}

impl Groups<Walk> for Searches {
    fn gather(&mut self, context: &SearchContext<Walk>, group: usize, batch: &mut Batch<Walk>) -> bool {
        let searches = &mut self.groups[group];
        for search in searches.iter_mut() {
            search.gather(context, 3, batch, &mut self.scratch);
        }
        !searches.iter().all(SearchTree::is_done)
    }

    fn apply(&mut self, context: &SearchContext<Walk>, group: usize, batch: &mut Batch<Walk>) {
        self.groups[group].iter_mut().for_each(|search| search.apply(context, batch, &mut self.scratch));
    }
}

/// The moves of a root with their visits.
type Visits = Vec<(Move, u32)>;

/// What so many searches have found, each by the number of its seed.
fn searched(evaluator: &Later) -> Result<(Vec<Visits>, TurnCounts), EvaluationError> {
    const SEARCHES: usize = 7;
    let options = MctsOptions::default();
    let context = SearchContext::new(&options, evaluator);
    let pool = Arc::new(TreePool::new());
    let new = |number: usize| {
        let line = Line::new(Walk::numbered(number));
        let mut search = SearchTree::new(&context, &pool, line, number as u64);
        search.set_budget(40 + 10 * number as u64);
        search
    };
    let make = |groups: usize| Searches {
        groups: (0..groups).map(|group| (group..SEARCHES).step_by(groups).map(new).collect()).collect(),
        scratch: Scratch::default(),
    };
    let (searches, counts) = context.take_turns(&mut Rng::new(1), make)?;
    let groups = searches.groups.len();
    let visits = |number: usize| searches.groups[number % groups][number / groups].root_visits().collect();
    Ok(((0..SEARCHES).map(visits).collect(), counts))
}

#[test]
fn searches_find_the_same_however_many_batches_are_under_way() {
    let (alone, by_one) = searched(&Later { in_flight: 1, fails_at: 0 }).expect("it cannot fail");
    let all: u32 = alone.iter().flatten().map(|&(_, visits)| visits).sum();
    assert!(all >= 7 * 40 - 7 && by_one.evaluations > 0, "{by_one:?}");
    for in_flight in [2, 3] {
        let (together, by_two) = searched(&Later { in_flight, fails_at: 0 }).expect("it cannot fail");
        assert_eq!(alone, together);
        assert_eq!(by_one.evaluations, by_two.evaluations);
        assert!(by_two.batches > by_one.batches, "two groups have smaller batches");
    }
}

#[test]
fn an_evaluator_that_fails_ends_all_with_its_reason() {
    let failed = searched(&Later { in_flight: 2, fails_at: 4 }).map(|_| ());
    assert_eq!(failed, Err(EvaluationError("lost".to_string())));
}
