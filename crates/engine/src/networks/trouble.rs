//! Searches by a network that is not there, or fails.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use outplay_core::{Game, Line, MoveList};
use outplay_net::Backend;
use outplay_search::mcts::EvaluationError;
use outplay_search::{
    Bound, Control, Counters, GrownMove, Meaning, OptionSet, PrincipalVariation, Report, Search, StopReason,
    TreeFileError,
};

/// What is wrong with a network, for a search that cannot be told while it runs.
#[derive(Default)]
pub(super) struct Trouble(Mutex<Option<EvaluationError>>);

impl Trouble {
    /// Notes the first thing that goes wrong.
    pub fn note(&self, error: EvaluationError) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// Forgets it.
    pub fn clear(&self) -> Option<EvaluationError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A search by a network: what goes wrong with it is told in its last report.
pub(super) struct Watched<G: Game> {
    pub search: Box<dyn Search<G>>,
    /// Why nothing can be searched, if that is known beforehand.
    pub missing: Option<EvaluationError>,
    pub trouble: Arc<Trouble>,
    /// What runs the network, which may have something to tell that is no failure.
    pub backend: Option<Arc<dyn Backend>>,
}

impl<G: Game> Search<G> for Watched<G> {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        if let Some(error) = &self.missing {
            return failed(line, control, error);
        }
        drop(self.trouble.clear());
        let report = self.search.search(line, control);
        let failure = self.trouble.clear().map(|error| error.to_string());
        let notice = self.backend.as_ref().and_then(|backend| backend.take_notice());
        Report { failure: report.failure.or(failure), notice: report.notice.or(notice), ..report }
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

/// The report of a search that could not evaluate anything: a legal move, of which nothing is known, and the reason.
pub(crate) fn failed<G: Game>(line: &Line<G>, control: &mut Control, error: &EvaluationError) -> Report {
    let only = &control.limits.only;
    let m = line.position().legal_moves().each().find(|m| only.is_empty() || only.contains(m));
    let (reason, failure) = match m {
        Some(_) => (StopReason::EvaluatorFailed, Some(error.to_string())),
        None => (StopReason::GameOver, None),
    };
    control.finish(reason);
    let lines = m.map(|m| PrincipalVariation {
        score: Meaning::Expected(0.0),
        bound: Bound::Exact,
        visits: Some(0),
        nodes: None,
        statistics: None,
        moves: vec![m],
    });
    Report {
        depth: 0,
        selective_depth: 0,
        time: control.elapsed(),
        counters: Counters::default(),
        lines: lines.into_iter().collect(),
        current: None,
        table_permille: None,
        stopped: control.reason(),
        failure,
        notice: None,
    }
}
