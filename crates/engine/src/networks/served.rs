//! Tree searches whose leaves are evaluated together.

use std::io::{Read, Write};
use std::sync::Arc;

use outplay_core::{Game, Line};
use outplay_search::mcts::{EvaluationError, Mcts, StandingService};
use outplay_search::{Control, GrownMove, Knowledge, OptionSet, Report, Search, TreeFileError};

use super::fitted::Fitted;
use super::trouble::failed;

/// A tree search that has its leaves evaluated by the one service of its network, with those of all other searches of the process.
pub(super) struct ServedMcts<G: Game, K> {
    search: Mcts<G, K>,
    network: Arc<Fitted<G>>,
    /// The service, which runs for as long as somebody has it.
    service: Option<Arc<StandingService<G>>>,
}

impl<G: Game, K: Knowledge<G>> ServedMcts<G, K> {
    /// Joins the service when the first search begins.
    pub fn new(search: Mcts<G, K>, network: Arc<Fitted<G>>) -> ServedMcts<G, K> {
        ServedMcts { search, network, service: None }
    }

    /// Makes sure that there is a service: one that has broken down is left to its fate.
    fn join(&mut self) -> Result<(), EvaluationError> {
        if self.service.as_ref().is_some_and(|service| !service.service().is_broken()) {
            return Ok(());
        }
        let network = &self.network;
        let joined = network.opened.service(network.shown, || network.evaluator());
        let service =
            joined.map_err(|error| EvaluationError(format!("the system gives no thread: {error}")))?;
        self.search.share_service(Some(service.service().clone()));
        self.service = Some(service);
        Ok(())
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for ServedMcts<G, K> {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        match self.join() {
            Ok(()) => self.search.search(line, control),
            Err(error) => failed(line, control, &error),
        }
    }

    fn options(&self) -> &dyn OptionSet {
        self.search.options()
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        self.search.options_mut()
    }

    fn grown_tree(&self, plies: usize, least_visits: u64) -> Option<GrownMove> {
        self.search.grown_tree(plies, least_visits)
    }

    fn save_tree(&self, to: &mut dyn Write) -> Result<(), TreeFileError> {
        self.search.save_tree(to)
    }

    fn load_tree(&mut self, start: &G, from: &mut dyn Read) -> Result<(), TreeFileError> {
        self.search.load_tree(start, from)
    }

    fn clear(&mut self) {
        self.search.clear();
    }
}
