//! The evaluation `net` of a game: a network from a file.

use std::sync::{Arc, OnceLock};

use outplay_core::{Line, Symmetric};
use outplay_net::{Description, NetError};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::mcts::{EvaluationError, Mcts};
use outplay_search::textbook::{Algorithm, Deepening, Trace, TreeSearch};
use outplay_search::{Counters, Evaluating, Knowledge, Opinion, OptionError, OptionSet, OptionValue, Search};

use super::fitted::Fitted;
use super::fitting::{EncoderInfo, Encoders};
use super::judged::Judged;
use super::options::{NetworkOptions, Settings};
use super::served::ServedMcts;
use super::trouble::{Trouble, Watched};
use crate::evaluations::AnyKnowledge;
use crate::human::Look;
use crate::policy_search::PolicySearch;
use crate::selfplay::{GameLearner, Learner};

/// A network in place of the evaluation that a game has usually; everything else that is known of the game stays as it is.
pub(crate) struct Networked<G: Symmetric, K> {
    usual: K,
    settings: Settings<G>,
    /// The network that the settings mean; opened when it is asked for, because most sessions never do.
    network: OnceLock<Option<Arc<Fitted<G>>>>,
    steepness: f64,
}

impl<G: Symmetric, K: Knowledge<G> + Clone + 'static> Networked<G, K> {
    /// With the network that comes with the program for this game, if there is one.
    pub fn new(usual: K, encoders: Encoders<G>, steepness: f64) -> Networked<G, K> {
        let settings = Settings { options: NetworkOptions::default(), encoders };
        Networked { usual, settings, network: OnceLock::new(), steepness }
    }

    fn network(&self) -> Option<&Arc<Fitted<G>>> {
        let open = || Fitted::open(&self.settings.options, &self.settings.encoders, self.steepness);
        // What somebody has named was opened then; what comes with the program can be opened.
        self.network.get_or_init(|| open().ok().flatten()).as_ref()
    }

    /// The same with other settings.
    fn with_options(&self, options: NetworkOptions) -> Result<Networked<G, K>, NetError> {
        let encoders = self.settings.encoders.clone();
        let network = OnceLock::from(Fitted::open(&options, &encoders, self.steepness)?);
        let settings = Settings { options, encoders };
        Ok(Networked { usual: self.usual.clone(), settings, network, steepness: self.steepness })
    }

    /// The game's knowledge with the network in place of its evaluation.
    fn judged(&self, network: &Arc<Fitted<G>>, trouble: &Arc<Trouble>) -> Judged<G, K> {
        Judged {
            usual: self.usual.clone(),
            network: network.clone(),
            orders: self.settings.options.policy_ordering,
            policies: Arc::default(),
            trouble: trouble.clone(),
        }
    }

    /// A search that `make` makes of the network, or the usual one, which says that there is no network.
    fn watched(
        &self,
        make: impl FnOnce(&Arc<Fitted<G>>, &Arc<Trouble>) -> Box<dyn Search<G>>,
        usual: impl FnOnce(&K) -> Box<dyn Search<G>>,
    ) -> Box<dyn Search<G>> {
        let trouble = Arc::new(Trouble::default());
        Box::new(match self.network() {
            Some(network) => {
                let backend = Some(network.opened.backend.clone());
                Watched { search: make(network, &trouble), missing: None, trouble, backend }
            }
            None => Watched { search: usual(&self.usual), missing: Some(missing()), trouble, backend: None },
        })
    }
}

/// The most leaves that a searching thread evaluates at once. On a processor larger batches gain next to nothing, and leaves that are gathered without
/// knowing of one another are chosen less well.
const MOST_AT_ONCE: usize = 8;
/// About so many products are computed before a search looks at the clock again: some hundredths of a second.
const PRODUCTS_AT_ONCE: usize = 400_000_000;

/// How many leaves of this network a searching thread evaluates at once. A graph of another shape says nothing of its size, and is slow.
fn at_once(description: &Description) -> usize {
    let of_block = 2 * 9 * description.channels.pow(2) * description.board.cells();
    match description.blocks.len() * of_block {
        0 => 1,
        products => (PRODUCTS_AT_ONCE / products).clamp(1, MOST_AT_ONCE),
    }
}

fn missing() -> EvaluationError {
    EvaluationError(
        "there is no network to evaluate by: set the option network to a file, or to a name of `outplay net list`"
            .to_string(),
    )
}

impl<G: Symmetric, K: Knowledge<G> + Clone + 'static> AnyKnowledge<G> for Networked<G, K> {
    fn tree_search(&self, algorithm: Algorithm, deepening: Deepening) -> Box<dyn Search<G>> {
        self.watched(
            |network, trouble| {
                let evaluator = Evaluating::new(self.judged(network, trouble));
                Box::new(TreeSearch::new(algorithm, deepening, Box::new(evaluator)))
            },
            |usual| usual.tree_search(algorithm, deepening),
        )
    }

    fn mcts(&self) -> Box<dyn Search<G>> {
        self.watched(
            |network, _| {
                let backend = &network.opened.backend;
                let evaluator = Arc::new(network.evaluator().at_most(at_once(backend.description())));
                let search = Mcts::new(self.usual.clone()).with_evaluator(evaluator, network.tree_name());
                // A device beside the processor wants large batches, and searching threads to go on meanwhile.
                match self.settings.options.common_batches || backend.serving_threads().is_some() {
                    true => Box::new(ServedMcts::new(search, network.clone())),
                    false => Box::new(search),
                }
            },
            |usual| AnyKnowledge::mcts(usual),
        )
    }

    fn pvs(&self) -> Box<dyn Search<G>> {
        self.watched(
            |network, trouble| Box::new(AlphaBeta::new(self.judged(network, trouble))),
            |usual| AnyKnowledge::pvs(usual),
        )
    }

    fn policy(&self) -> Box<dyn Search<G>> {
        self.watched(
            |network, _| Box::new(PolicySearch::new(Box::new(network.evaluator()))),
            |usual| AnyKnowledge::policy(usual),
        )
    }

    fn learner(&self, rules: &G::Rules) -> Option<Arc<dyn Learner>> {
        Some(Arc::new(GameLearner { rules: rules.clone(), encoders: self.settings.encoders.clone() }))
    }

    fn value(&self, position: &G) -> i32 {
        let opinion = self.opinion(&Line::new(position.clone())).and_then(Result::ok);
        opinion.map_or_else(|| AnyKnowledge::value(&self.usual, position), |opinion| opinion.score)
    }

    fn explain_value(&self, _: &G) -> Option<String> {
        None
    }

    fn looks(&self, line: &Line<G>) -> Vec<Look> {
        AnyKnowledge::looks(&self.usual, line)
    }

    fn opinion(&self, line: &Line<G>) -> Option<Result<Opinion, EvaluationError>> {
        Some(self.network().map_or_else(|| Err(missing()), |network| network.opinion(line)))
    }

    fn encoders(&self) -> Vec<EncoderInfo> {
        let encoders = self.settings.encoders.iter();
        encoders.map(EncoderInfo::of).collect()
    }

    fn is_ready(&self) -> bool {
        self.settings.encoders.shipped().is_some()
    }

    fn settings(&self) -> &dyn OptionSet {
        &self.settings
    }

    fn with_setting(
        &self,
        index: usize,
        value: OptionValue,
    ) -> Result<Arc<dyn AnyKnowledge<G>>, OptionError> {
        let name = self.settings.options.rows()[index].name.clone();
        let changed = self.with_options(self.settings.with(index, value));
        let changed = changed.map_err(|error| OptionError::Unusable { name, reason: error.to_string() })?;
        Ok(Arc::new(changed))
    }

    fn explain(
        &self,
        line: &Line<G>,
        algorithm: Algorithm,
        depth: usize,
        most_nodes: usize,
    ) -> Option<(Trace, Counters)> {
        match self.network() {
            Some(network) => {
                let judged = self.judged(network, &Arc::default());
                AnyKnowledge::explain(&judged, line, algorithm, depth, most_nodes)
            }
            None => AnyKnowledge::explain(&self.usual, line, algorithm, depth, most_nodes),
        }
    }
}
