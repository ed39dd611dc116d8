//! The evaluations of a game, by name.

use std::sync::Arc;

use outplay_core::{Game, Line, Symmetric};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::mcts::{
    EvaluationError, KnowledgeEvaluator, KnowledgeUse, Mcts, StandingService, Static,
};
use outplay_search::textbook::{Algorithm, Deepening, Trace, TreeSearch, explain};
use outplay_search::{
    Counters, Evaluating, Evaluation, Evaluator, Knowledge, NoKnowledge, Opinion, OptionError, OptionSet,
    OptionValue, Search, Word,
};

use crate::human::{self, Look};
use crate::networks::{EncoderInfo, Encoders, Networked};
use crate::policy_search::PolicySearch;
use crate::selfplay::Learner;

/// The name of the evaluation by a network.
pub(crate) const NETWORK: &str = "net";

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
pub struct Evaluations<G: Game> {
    named: Vec<Named<G>>,
    /// The one that the Monte Carlo tree search uses usually, if that is another one than that of the other searches.
    in_trees: Option<Word>,
}

struct Named<G> {
    name: Word,
    knowledge: Arc<dyn AnyKnowledge<G>>,
    /// Whether all searches can use it, or the tree search alone.
    is_static: bool,
}

/// What an evaluation is needed for, without its type. What is made here is compiled for that type: no search calls its evaluation through a
/// pointer.
pub(crate) trait AnyKnowledge<G: Game>: Send + Sync {
    fn tree_search(&self, algorithm: Algorithm, deepening: Deepening) -> Box<dyn Search<G>>;

    fn mcts(&self) -> Box<dyn Search<G>>;

    fn pvs(&self) -> Box<dyn Search<G>>;

    /// The search that plays what looks best at sight.
    fn policy(&self) -> Box<dyn Search<G>>;

    /// See [`Search::opinion`].
    fn opinion(&self, line: &Line<G>) -> Option<Result<Opinion, EvaluationError>> {
        let _ = line;
        None
    }

    /// The game as something that can be learned, if it can be.
    fn learner(&self, rules: &G::Rules) -> Option<Arc<dyn Learner>> {
        let _ = rules;
        None
    }

    /// How positions can be shown to networks.
    fn encoders(&self) -> Vec<EncoderInfo> {
        Vec::new()
    }

    /// Whether it can evaluate without being told by what.
    fn is_ready(&self) -> bool {
        true
    }

    /// See [`Evaluation::evaluate`].
    fn value(&self, position: &G) -> i32;

    /// See [`Evaluation::explain`].
    fn explain_value(&self, position: &G) -> Option<String>;

    /// How the moves look to people before anything is worked out.
    fn looks(&self, line: &Line<G>) -> Vec<Look>;

    /// See [`Knowledge::options`].
    fn settings(&self) -> &dyn OptionSet;

    /// The same evaluation with another value of the setting with this index, unless what it names cannot be used.
    fn with_setting(&self, index: usize, value: OptionValue)
    -> Result<Arc<dyn AnyKnowledge<G>>, OptionError>;

    /// See [`explain`].
    fn explain(
        &self,
        line: &Line<G>,
        algorithm: Algorithm,
        depth: usize,
        most_nodes: usize,
    ) -> Option<(Trace, Counters)>;
}

/// An advantage of so many hundredths is three chances in four, where a static evaluation is asked for a policy: as the tree search has it.
const POLICY_SCALE: f32 = 100.0;
/// And nothing is looked for beyond the evaluation after each move.
const POLICY_USES: KnowledgeUse = KnowledgeUse {
    oracle: false,
    exactly: false,
    forced_win_depth: None,
    ordering_priors: false,
    leaves_losses_out: false,
    candidate_share: None,
};

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

    fn policy(&self) -> Box<dyn Search<G>> {
        let base = Static { knowledge: self.clone(), scale: POLICY_SCALE };
        Box::new(PolicySearch::new(Box::new(KnowledgeEvaluator { base, uses: POLICY_USES })))
    }

    fn value(&self, position: &G) -> i32 {
        Evaluating::new(self).value(position)
    }

    fn explain_value(&self, position: &G) -> Option<String> {
        self.evaluation().explain(position)
    }

    fn looks(&self, line: &Line<G>) -> Vec<Look> {
        human::looks(self, line)
    }

    fn settings(&self) -> &dyn OptionSet {
        self.options()
    }

    fn with_setting(
        &self,
        index: usize,
        value: OptionValue,
    ) -> Result<Arc<dyn AnyKnowledge<G>>, OptionError> {
        let mut changed = self.clone();
        if let Some(options) = changed.options_mut() {
            options.try_assign(index, value)?;
        }
        Ok(Arc::new(changed))
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
        let named = |name, knowledge| Named { name, knowledge, is_static: true };
        let named = vec![named(name.into(), Arc::new(usual)), named("none".into(), Arc::new(NoKnowledge))];
        Evaluations { named, in_trees: None }
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
        self.insert(Named { name: name.into(), knowledge: Arc::new(knowledge), is_static: true });
        self
    }

    /// The same and one more for the Monte Carlo tree search alone: leaves go to a service, such as a network's, which all sessions that are given
    /// it share.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn and_leaf_evaluator(
        mut self,
        name: impl Into<Word>,
        service: Arc<StandingService<G>>,
    ) -> Evaluations<G> {
        self.insert(Named { name: name.into(), knowledge: Arc::new(Served(service)), is_static: false });
        self
    }

    /// The same and `net`: evaluations by a network from a file, which one of these encoders shows positions to. All else that is known of the game
    /// is what `usual` knows; `steepness` is that of its [scores](crate::Strength::steepness).
    ///
    /// # Panics
    /// If the name is taken.
    pub fn and_networks<K: Knowledge<G> + Clone + 'static>(
        mut self,
        usual: K,
        encoders: Encoders<G>,
        steepness: f64,
    ) -> Evaluations<G>
    where
        G: Symmetric,
    {
        let knowledge = Arc::new(Networked::new(usual, encoders, steepness));
        self.insert(Named { name: NETWORK.into(), knowledge, is_static: true });
        self
    }

    /// The same, with the network that comes with the program as what the Monte Carlo tree search evaluates by usually, if there is one for this board.
    #[must_use]
    pub fn with_networks_in_trees(mut self) -> Evaluations<G> {
        let network = self.named.iter().find(|named| named.name == NETWORK);
        self.in_trees = network.filter(|named| named.knowledge.is_ready()).map(|named| named.name.clone());
        self
    }

    fn insert(&mut self, named: Named<G>) {
        let name = &named.name;
        assert!(self.names().all(|taken| taken != *name), "two evaluations are called {name:?}");
        self.named.insert(self.named.len() - 1, named);
    }

    /// Those that every search can use.
    pub(crate) fn static_ones(&self) -> Evaluations<G> {
        let named = self.named.iter().filter(|named| named.is_static).map(Named::again).collect();
        Evaluations { named, in_trees: None }
    }

    /// The names, that of the usual one first.
    pub fn names(&self) -> impl Iterator<Item = Word> {
        self.named.iter().map(|named| named.name.clone())
    }

    /// The name of the one that a search uses until it is told otherwise.
    pub(crate) fn usual_name(&self) -> Word {
        self.in_trees.clone().unwrap_or_else(|| self.named[0].name.clone())
    }

    pub(crate) fn usual(&self) -> &dyn AnyKnowledge<G> {
        &*self.named[0].knowledge
    }

    /// Puts another evaluation in the place of the one with this name.
    pub(crate) fn replace(&mut self, name: &str, knowledge: Arc<dyn AnyKnowledge<G>>) {
        self.named
            .iter_mut()
            .filter(|named| named.name == name)
            .for_each(|named| named.knowledge = knowledge.clone());
    }

    /// See [`AnyKnowledge::learner`].
    pub(crate) fn learner(&self, rules: &G::Rules) -> Option<Arc<dyn Learner>> {
        self.named.iter().find_map(|named| named.knowledge.learner(rules))
    }

    /// How positions can be shown to networks.
    pub(crate) fn encoders(&self) -> Vec<EncoderInfo> {
        self.named.iter().flat_map(|named| named.knowledge.encoders()).collect()
    }

    pub(crate) fn named(&self, name: &str) -> Option<&dyn AnyKnowledge<G>> {
        self.named.iter().find(|named| named.name == name).map(|named| &*named.knowledge)
    }
}

impl<G: Game> Clone for Evaluations<G> {
    fn clone(&self) -> Evaluations<G> {
        let named = self.named.iter().map(Named::again).collect();
        Evaluations { named, in_trees: self.in_trees.clone() }
    }
}

impl<G> Named<G> {
    fn again(&self) -> Named<G> {
        Named { name: self.name.clone(), knowledge: self.knowledge.clone(), is_static: self.is_static }
    }
}

/// Nothing is known of positions but what a service says of leaves.
struct Served<G: Game>(Arc<StandingService<G>>);

impl<G: Game> AnyKnowledge<G> for Served<G> {
    fn tree_search(&self, algorithm: Algorithm, deepening: Deepening) -> Box<dyn Search<G>> {
        NoKnowledge.tree_search(algorithm, deepening)
    }

    fn mcts(&self) -> Box<dyn Search<G>> {
        let mut search = Mcts::new(NoKnowledge);
        search.share_service(Some(self.0.service().clone()));
        Box::new(search)
    }

    fn pvs(&self) -> Box<dyn Search<G>> {
        AnyKnowledge::pvs(&NoKnowledge)
    }

    fn policy(&self) -> Box<dyn Search<G>> {
        AnyKnowledge::policy(&NoKnowledge)
    }

    fn value(&self, position: &G) -> i32 {
        AnyKnowledge::value(&NoKnowledge, position)
    }

    fn explain_value(&self, _: &G) -> Option<String> {
        None
    }

    fn looks(&self, line: &Line<G>) -> Vec<Look> {
        AnyKnowledge::looks(&NoKnowledge, line)
    }

    fn settings(&self) -> &dyn OptionSet {
        &()
    }

    fn with_setting(&self, _: usize, _: OptionValue) -> Result<Arc<dyn AnyKnowledge<G>>, OptionError> {
        Ok(Arc::new(Served(self.0.clone())))
    }

    fn explain(
        &self,
        line: &Line<G>,
        algorithm: Algorithm,
        depth: usize,
        most_nodes: usize,
    ) -> Option<(Trace, Counters)> {
        AnyKnowledge::explain(&NoKnowledge, line, algorithm, depth, most_nodes)
    }
}
