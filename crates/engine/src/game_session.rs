//! The implementation of [`Session`] for every game.

mod by_heart;
mod evaluating;
mod explaining;
mod filing;
mod playing;
mod recording;
mod running;
mod searching;
mod setting;
mod starting;
mod wording;

use outplay_core::{Game, Line, Move, Notation, Opening, Record, Records};
use outplay_search::stop::{StopOptions, TimeManager};
use outplay_search::{Knowledge, Library, Report, Search};

use crate::evaluations::Evaluations;
use crate::human::HumanOptions;
use crate::picture::{Drawing, NoDrawing};
use crate::proving::Prover;
use crate::searches::{DEFAULT_SEARCH, SearchEntry, standard_searches};
use crate::session::{Searching, SessionError, Wording};
use crate::variety::VarietyOptions;
use running::{Finished, Running, Spawn, spawn_thread};
use wording::PositionWording;

pub use wording::outcome_text;
pub(crate) use wording::walk;

/// A session of any game with an evaluator: what a user's own game gets by [`GameSession::new`].
pub struct GameSession<G: Notation> {
    rules: G::Rules,
    evaluations: Evaluations<G>,
    /// What is known by heart, in games that have books or tables.
    library: Option<Box<dyn Library<G>>>,
    /// What openings are called, in games that have names for them.
    name_opening: NameOpening<G>,
    /// How positions look.
    drawing: Box<dyn Drawing<G>>,
    /// What proves wins by force, in games that have a solver.
    prover: Option<Prover<G>>,
    line: Line<G>,
    /// The record that the line was loaded from.
    loaded: Option<Record<G>>,
    stop_options: StopOptions,
    variety: VarietyOptions,
    human: HumanOptions,
    /// What is remembered of the game's time; away with a search that is running.
    time: TimeManager,
    searches: Vec<Slot<G>>,
    /// The chosen search, an index into `searches`.
    chosen: usize,
    running: Option<Running<G>>,
    /// What makes the thread of a search.
    spawn: Spawn<G>,
    /// The final report of a search whose thread has ended, until someone asks for it.
    finished: Option<Report>,
    /// The search and the position that were searched last: whose tree there is.
    searched: Option<(usize, G)>,
}

/// Says what the opening is called that leads to a position.
type NameOpening<G> = fn(&G) -> Option<Opening>;

/// A search of the session: made when it is first used, then kept with its settings and its memory. The one that is
/// running is away on its thread.
struct Slot<G: Game> {
    entry: SearchEntry<G>,
    search: Option<Box<dyn Search<G>>>,
}

impl<G: Game> Slot<G> {
    fn search(&mut self) -> &mut Box<dyn Search<G>> {
        self.search.get_or_insert_with(|| (self.entry.make)())
    }
}

impl<G: Records> GameSession<G> {
    /// A session at the start of a game under these rules, with the standard searches and one evaluation, called `usual`.
    pub fn new(rules: G::Rules, knowledge: impl Knowledge<G> + Clone + 'static) -> GameSession<G> {
        GameSession::with_evaluations(rules, Evaluations::new("usual", knowledge))
    }

    /// The same with several evaluations, by their names.
    pub fn with_evaluations(rules: G::Rules, evaluations: Evaluations<G>) -> GameSession<G> {
        let searches = standard_searches(&evaluations);
        GameSession::with_searches(rules, evaluations, searches)
    }

    /// A session with searches of one's own; one of them has to be there.
    ///
    /// # Panics
    /// If there is none.
    pub fn with_searches(
        rules: G::Rules,
        evaluations: Evaluations<G>,
        searches: Vec<SearchEntry<G>>,
    ) -> GameSession<G> {
        assert!(!searches.is_empty(), "a session needs a search");
        let chosen = searches.iter().position(|entry| entry.info.name == DEFAULT_SEARCH).unwrap_or(0);
        GameSession {
            line: Line::new(G::start(&rules)),
            rules,
            evaluations,
            library: None,
            name_opening: |_| None,
            drawing: Box::new(NoDrawing),
            prover: None,
            loaded: None,
            stop_options: StopOptions::default(),
            variety: VarietyOptions::default(),
            human: HumanOptions::default(),
            time: TimeManager::default(),
            searches: searches.into_iter().map(|entry| Slot { entry, search: None }).collect(),
            chosen,
            running: None,
            spawn: spawn_thread,
            finished: None,
            searched: None,
        }
    }

    /// The same with openings and endings to be known by heart. Its settings become the session's.
    #[must_use]
    pub fn with_library(self, library: impl Library<G> + 'static) -> GameSession<G> {
        GameSession { library: Some(Box::new(library)), ..self }
    }

    /// The same with names for openings.
    #[must_use]
    pub fn with_opening_names(self, name_opening: fn(&G) -> Option<Opening>) -> GameSession<G> {
        GameSession { name_opening, ..self }
    }

    /// The same, drawn like this.
    #[must_use]
    pub fn with_drawing(self, drawing: impl Drawing<G> + 'static) -> GameSession<G> {
        GameSession { drawing: Box::new(drawing), ..self }
    }

    /// The same with a solver that proves wins by force.
    #[must_use]
    pub fn with_prover(self, prover: Prover<G>) -> GameSession<G> {
        GameSession { prover: Some(prover), ..self }
    }

    /// Makes sure that no search is running and that the last one is back from its thread.
    fn idle(&mut self) -> Result<(), SessionError> {
        if self.is_searching() {
            return Err(SessionError::Searching);
        }
        self.join();
        Ok(())
    }

    /// Waits for the search's thread, if there is one, and takes the search back from it.
    fn join(&mut self) {
        let Some(running) = self.running.take() else { return };
        let Finished { search, time, report } = running.join();
        self.searches[self.chosen].search = Some(search);
        self.time = time;
        self.finished = Some(report);
    }

    fn wording(&self) -> PositionWording<G> {
        PositionWording { position: self.line.position().clone(), rules: self.rules.clone() }
    }

    /// Whether the line is just what was loaded.
    fn is_as_loaded(&self) -> bool {
        self.loaded.as_ref().is_some_and(|record| {
            record.start == *self.line.start()
                && record.tree.main_line().eq(self.line.moves().iter().copied())
        })
    }
}

impl<G: Records> Wording for GameSession<G> {
    fn line_text(&self, line: &[Move]) -> Vec<String> {
        self.wording().line_text(line)
    }

    fn plain_line_text(&self, line: &[Move]) -> Vec<String> {
        self.wording().plain_line_text(line)
    }
}
