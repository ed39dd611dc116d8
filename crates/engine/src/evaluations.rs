//! The evaluations of a game, by name.

use std::sync::Arc;

use outplay_core::{Game, Line};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::mcts::Mcts;
use outplay_search::textbook::{Algorithm, Deepening, Trace, TreeSearch, explain};
use outplay_search::{Counters, Evaluator, NoKnowledge, OptionSet, OptionValue, Search};

/// The static evaluations that the searches of a game can judge by: the usual one first, `none` last.
///
/// ```
/// use outplay_engine::{Evaluations, GameSession, Searching};
/// use outplay_othello::{DiscCount, Othello, Positional};
///
/// let evaluations = Evaluations::new("positional", Positional).and("discs", DiscCount);
/// assert!(evaluations.names().eq(["positional", "discs", "none"]));
/// let mut session = GameSession::<Othello>::with_evaluations((), evaluations);
/// session.set_option("evaluation", "discs").unwrap();
/// ```
pub struct Evaluations<G: Game>(Vec<Named<G>>);

struct Named<G> {
    name: &'static str,
    evaluation: Arc<dyn Evaluation<G>>,
}

/// What an evaluation is needed for, without its type. What is made here is compiled for that type: no search calls its evaluation through a
/// pointer.
pub(crate) trait Evaluation<G: Game>: Send + Sync {
    fn tree_search(&self, algorithm: Algorithm, deepening: Deepening) -> Box<dyn Search<G>>;

    fn mcts(&self) -> Box<dyn Search<G>>;

    fn pvs(&self) -> Box<dyn Search<G>>;

    /// See [`Evaluator::evaluate`].
    fn judge(&self, position: &G) -> i32;

    /// See [`Evaluator::account`].
    fn account_of(&self, position: &G) -> Option<String>;

    /// See [`Evaluator::options`].
    fn settings(&self) -> &dyn OptionSet;

    /// The same evaluation with another value of the setting with this index.
    fn with_setting(&self, index: usize, value: OptionValue) -> Arc<dyn Evaluation<G>>;

    /// See [`explain`].
    fn explain(
        &self,
        line: &Line<G>,
        algorithm: Algorithm,
        depth: usize,
        most_nodes: usize,
    ) -> Option<(Trace, Counters)>;
}

impl<G: Game, E: Evaluator<G> + Clone + 'static> Evaluation<G> for E {
    fn tree_search(&self, algorithm: Algorithm, deepening: Deepening) -> Box<dyn Search<G>> {
        Box::new(TreeSearch::new(algorithm, deepening, self.clone()))
    }

    fn mcts(&self) -> Box<dyn Search<G>> {
        Box::new(Mcts::new(self.clone()))
    }

    fn pvs(&self) -> Box<dyn Search<G>> {
        Box::new(AlphaBeta::new(self.clone()))
    }

    fn judge(&self, position: &G) -> i32 {
        self.evaluate(position)
    }

    fn account_of(&self, position: &G) -> Option<String> {
        self.account(position)
    }

    fn settings(&self) -> &dyn OptionSet {
        self.options()
    }

    fn with_setting(&self, index: usize, value: OptionValue) -> Arc<dyn Evaluation<G>> {
        let mut changed = self.clone();
        if let Some(options) = changed.options_mut() {
            options.assign(index, value);
        }
        Arc::new(changed)
    }

    fn explain(
        &self,
        line: &Line<G>,
        algorithm: Algorithm,
        depth: usize,
        most_nodes: usize,
    ) -> Option<(Trace, Counters)> {
        explain(line, algorithm, depth, self, most_nodes)
    }
}

impl<G: Game> Evaluations<G> {
    /// The usual evaluation, and none at all.
    pub fn new<E: Evaluator<G> + Clone + 'static>(name: &'static str, usual: E) -> Evaluations<G> {
        let named = |name, evaluation| Named { name, evaluation };
        Evaluations(vec![named(name, Arc::new(usual)), named("none", Arc::new(NoKnowledge))])
    }

    /// The same and one more.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn and<E: Evaluator<G> + Clone + 'static>(
        mut self,
        name: &'static str,
        evaluator: E,
    ) -> Evaluations<G> {
        assert!(self.names().all(|taken| taken != name), "two evaluations are called {name:?}");
        self.0.insert(self.0.len() - 1, Named { name, evaluation: Arc::new(evaluator) });
        self
    }

    /// The names, that of the usual one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|named| named.name)
    }

    pub(crate) fn usual_name(&self) -> &'static str {
        self.0[0].name
    }

    pub(crate) fn usual(&self) -> &dyn Evaluation<G> {
        &*self.0[0].evaluation
    }

    /// Puts another evaluation in the place of the one with this name.
    pub(crate) fn replace(&mut self, name: &str, evaluation: Arc<dyn Evaluation<G>>) {
        self.0
            .iter_mut()
            .filter(|named| named.name == name)
            .for_each(|named| named.evaluation = evaluation.clone());
    }

    pub(crate) fn named(&self, name: &str) -> Option<&dyn Evaluation<G>> {
        self.0.iter().find(|named| named.name == name).map(|named| &*named.evaluation)
    }
}

impl<G: Game> Clone for Evaluations<G> {
    fn clone(&self) -> Evaluations<G> {
        let again = |named: &Named<G>| Named { name: named.name, evaluation: named.evaluation.clone() };
        Evaluations(self.0.iter().map(again).collect())
    }
}
