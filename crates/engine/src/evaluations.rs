//! The evaluations of a game, by name.

use std::sync::Arc;

use outplay_core::{Game, Line};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::mcts::Mcts;
use outplay_search::textbook::{Algorithm, Deepening, Trace, TreeSearch, explain};
use outplay_search::{
    Counters, Evaluating, Evaluation, Evaluator, Knowledge, NoKnowledge, OptionSet, OptionValue, Search, Word,
};

/// The static evaluations that the searches of a game can judge by: the usual one first, `none` last.
///
/// ```
/// use outplay_engine::{Evaluations, GameSession, Searching};
/// use outplay_othello::{DiscCount, Othello, Positional};
/// use outplay_search::Bundle;
///
/// let positional = outplay_othello::knowledge(Positional);
/// let evaluations = Evaluations::new("positional", positional).and("discs", Bundle::of(DiscCount));
/// assert!(evaluations.names().eq(["positional", "discs", "none"]));
/// let mut session = GameSession::<Othello>::with_evaluations((), evaluations);
/// session.set_option("evaluation", "discs").unwrap();
/// ```
pub struct Evaluations<G: Game>(Vec<Named<G>>);

struct Named<G> {
    name: Word,
    knowledge: Arc<dyn AnyKnowledge<G>>,
}

/// What an evaluation is needed for, without its type. What is made here is compiled for that type: no search calls its evaluation through a
/// pointer.
pub(crate) trait AnyKnowledge<G: Game>: Send + Sync {
    fn tree_search(&self, algorithm: Algorithm, deepening: Deepening) -> Box<dyn Search<G>>;

    fn mcts(&self) -> Box<dyn Search<G>>;

    fn pvs(&self) -> Box<dyn Search<G>>;

    /// See [`Evaluation::evaluate`].
    fn value(&self, position: &G) -> i32;

    /// See [`Evaluation::explain`].
    fn explain_value(&self, position: &G) -> Option<String>;

    /// See [`Knowledge::options`].
    fn settings(&self) -> &dyn OptionSet;

    /// The same evaluation with another value of the setting with this index.
    fn with_setting(&self, index: usize, value: OptionValue) -> Arc<dyn AnyKnowledge<G>>;

    /// See [`explain`].
    fn explain(
        &self,
        line: &Line<G>,
        algorithm: Algorithm,
        depth: usize,
        most_nodes: usize,
    ) -> Option<(Trace, Counters)>;
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> AnyKnowledge<G> for K {
    fn tree_search(&self, algorithm: Algorithm, deepening: Deepening) -> Box<dyn Search<G>> {
        Box::new(TreeSearch::new(algorithm, deepening, Box::new(Evaluating::new(self.clone()))))
    }

    fn mcts(&self) -> Box<dyn Search<G>> {
        Box::new(Mcts::new(self.clone()))
    }

    fn pvs(&self) -> Box<dyn Search<G>> {
        Box::new(AlphaBeta::new(self.clone()))
    }

    fn value(&self, position: &G) -> i32 {
        Evaluating::new(self).value(position)
    }

    fn explain_value(&self, position: &G) -> Option<String> {
        self.evaluation().explain(position)
    }

    fn settings(&self) -> &dyn OptionSet {
        self.options()
    }

    fn with_setting(&self, index: usize, value: OptionValue) -> Arc<dyn AnyKnowledge<G>> {
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
        explain(line, algorithm, depth, &mut Evaluating::new(self), most_nodes)
    }
}

impl<G: Game> Evaluations<G> {
    /// The usual evaluation, and none at all.
    pub fn new<K: Knowledge<G> + Clone + 'static>(name: impl Into<Word>, usual: K) -> Evaluations<G> {
        let named = |name, knowledge| Named { name, knowledge };
        Evaluations(vec![named(name.into(), Arc::new(usual)), named("none".into(), Arc::new(NoKnowledge))])
    }

    /// The same and one more.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn and<K: Knowledge<G> + Clone + 'static>(
        mut self,
        name: impl Into<Word>,
        knowledge: K,
    ) -> Evaluations<G> {
        let name = name.into();
        assert!(self.names().all(|taken| taken != name), "two evaluations are called {name:?}");
        self.0.insert(self.0.len() - 1, Named { name, knowledge: Arc::new(knowledge) });
        self
    }

    /// The names, that of the usual one first.
    pub fn names(&self) -> impl Iterator<Item = Word> {
        self.0.iter().map(|named| named.name.clone())
    }

    pub(crate) fn usual_name(&self) -> Word {
        self.0[0].name.clone()
    }

    pub(crate) fn usual(&self) -> &dyn AnyKnowledge<G> {
        &*self.0[0].knowledge
    }

    /// Puts another evaluation in the place of the one with this name.
    pub(crate) fn replace(&mut self, name: &str, knowledge: Arc<dyn AnyKnowledge<G>>) {
        self.0
            .iter_mut()
            .filter(|named| named.name == name)
            .for_each(|named| named.knowledge = knowledge.clone());
    }

    pub(crate) fn named(&self, name: &str) -> Option<&dyn AnyKnowledge<G>> {
        self.0.iter().find(|named| named.name == name).map(|named| &*named.knowledge)
    }
}

impl<G: Game> Clone for Evaluations<G> {
    fn clone(&self) -> Evaluations<G> {
        let again = |named: &Named<G>| Named { name: named.name.clone(), knowledge: named.knowledge.clone() };
        Evaluations(self.0.iter().map(again).collect())
    }
}
