//! The implementation of [`Session`] for every game.

mod by_heart;
mod judging;
mod names;
mod recording;
mod running;
mod setting;
mod starting;
mod wording;

use std::io::{Read, Write};
use std::ops::ControlFlow;

use outplay_book::Book;
use outplay_core::{Game, Line, Move, Opening, Outcome, ParseError, Phase, Player, Record, Records, perft};
use outplay_search::stop::{StopOptions, TimeManager};
use outplay_search::textbook::NotRecorded;
use outplay_search::trace::TraceOptions;
use outplay_search::{Knowledge, Library, Limits, OptionRow, OptionValue, Report, Search};

use crate::evaluations::Evaluations;
use crate::explanation::Explanation;
use crate::recorded::{Contents, RecordedGame};
use crate::searches::{DEFAULT_SEARCH, EXPLAINABLE, SIMULATED, SearchEntry, standard_searches};
use crate::session::{
    FoldedPosition, ReportSink, SaveNotes, SearchHandle, SearchInfo, Session, SessionError, SuiteProblem,
    Wording,
};
use crate::simulations::ExplainedSimulations;
use crate::trace::TraceSink;
use crate::tree_text::TreeMove;
use crate::variety::VarietyOptions;
use recording::title;
use running::{Finished, Running};
use setting::values;
use wording::{PositionWording, without_number};

pub use wording::outcome_text;
pub(crate) use wording::walk;

/// A session of any game with an evaluator: what a user's own game gets by [`GameSession::new`].
pub struct GameSession<G: Game> {
    rules: G::Rules,
    evaluations: Evaluations<G>,
    /// What is known by heart, in games that have books or tables.
    library: Option<Box<dyn Library<G>>>,
    /// What openings are called, in games that have names for them.
    name_opening: NameOpening<G>,
    line: Line<G>,
    /// The record that the line was loaded from.
    loaded: Option<Record<G>>,
    stop_options: StopOptions,
    variety: VarietyOptions,
    /// What is remembered of the game's time; away with a search that is running.
    time: TimeManager,
    searches: Vec<Slot<G>>,
    /// The chosen search, an index into `searches`.
    chosen: usize,
    running: Option<Running<G>>,
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
            loaded: None,
            stop_options: StopOptions::default(),
            variety: VarietyOptions::default(),
            time: TimeManager::default(),
            searches: searches.into_iter().map(|entry| Slot { entry, search: None }).collect(),
            chosen,
            running: None,
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

impl<G: Records> Session for GameSession<G> {
    fn players(&self) -> [&'static str; 2] {
        self.line.position().players()
    }

    fn set_game(&mut self, start: Option<&str>, moves: &str) -> Result<(), SessionError> {
        self.idle()?;
        let start = match start {
            Some(text) => G::parse_position(&self.rules, text)?,
            None => G::start(&self.rules),
        };
        let mut line = Line::new(start);
        let words = G::split_moves(moves).into_iter().map(without_number).filter(|word| !word.is_empty());
        for (index, word) in words.enumerate() {
            let m = line.position().parse_move(word);
            line.play(m.map_err(|error| SessionError::MoveOfList { number: index + 1, error })?);
        }
        self.line = line;
        self.loaded = None;
        Ok(())
    }

    fn play_text(&mut self, text: &str) -> Result<Move, SessionError> {
        let m = self.parse_move(text)?;
        self.play(m)?;
        Ok(m)
    }

    fn play(&mut self, m: Move) -> Result<(), SessionError> {
        self.idle()?;
        if let Some(ending) = self.ending() {
            return Err(SessionError::GameOver(ending));
        }
        if !self.line.position().is_legal(m) {
            return Err(ParseError::refused("move", &format!("{m:?}"), "not legal here").into());
        }
        self.line.play(m);
        Ok(())
    }

    fn undo(&mut self) -> Result<Option<Move>, SessionError> {
        self.idle()?;
        Ok(self.line.undo())
    }

    fn load(&mut self, file: &[u8], number: usize) -> Result<(), SessionError> {
        self.idle()?;
        let (mut held, mut found) = (0, None);
        G::visit_records(&self.rules, file, &mut |record| {
            held += 1;
            if held <= number {
                return ControlFlow::Continue(());
            }
            found = Some(record);
            ControlFlow::Break(())
        })?;
        let record = found.ok_or(SessionError::NoSuchGame { asked: number + 1, held })?;
        self.take_record(record);
        Ok(())
    }

    fn recorded(&self) -> RecordedGame {
        self.record_in_words()
    }

    fn set_recorded(&mut self, game: &RecordedGame) -> Result<(), SessionError> {
        self.idle()?;
        let record = self.read_record(game)?;
        self.take_record(record);
        Ok(())
    }

    fn save(&self, notes: &SaveNotes) -> String {
        G::write_record(&self.rules, &self.record(notes))
    }

    fn file_extension(&self) -> &'static str {
        G::EXTENSION
    }

    fn player_tags(&self) -> [&'static str; 2] {
        G::player_tags(&self.rules)
    }

    fn contents(&self, file: &[u8], most: usize) -> Result<Contents, SessionError> {
        let mut contents = Contents::default();
        G::visit_records(&self.rules, file, &mut |record| {
            contents.count += 1;
            if contents.titles.len() < most {
                contents.titles.push(title(&record, G::player_tags(&self.rules)));
            }
            ControlFlow::Continue(())
        })?;
        Ok(contents)
    }

    fn list_games(&self, file: &[u8], most: usize) -> Result<Vec<(Option<String>, String)>, SessionError> {
        let usual = G::start(&self.rules);
        let mut games = Vec::new();
        G::visit_records(&self.rules, file, &mut |record| {
            let start = (record.start != usual).then(|| record.start.position_text());
            let moves: Vec<Move> = record.tree.main_line().collect();
            let words = walk(&record.start, &moves, |position, m| position.plain_move_text(&self.rules, m));
            games.push((start, words.join(" ")));
            if games.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(games)
    }

    fn problems(&self, file: &[u8], most: usize) -> Result<Vec<SuiteProblem>, SessionError> {
        let usual = G::start(&self.rules);
        let mut problems = Vec::new();
        G::visit_problems(&self.rules, file, &mut |problem| {
            let position = problem.position();
            problems.push(SuiteProblem {
                name: problem.id.unwrap_or_else(|| (problems.len() + 1).to_string()),
                start: (problem.start != usual).then(|| problem.start.position_text()),
                moves: walk(&problem.start, &problem.moves, |at, m| at.plain_move_text(&self.rules, m)),
                known: problem.known.map(|&m| position.move_text(m)),
            });
            if problems.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(problems)
    }

    fn book_game(&self) -> Option<&str> {
        self.library.as_ref().map(|library| library.book_game())
    }

    fn folded(&self) -> FoldedPosition {
        let folded = self.fold(self.line.position());
        FoldedPosition { text: folded.position.position_text(), key: folded.key(), moves: folded.moves }
    }

    fn add_games(&self, book: &mut Book, file: &[u8], plies: usize) -> Result<usize, SessionError> {
        let mut games = 0;
        G::visit_records(&self.rules, file, &mut |record| {
            book.add_game(&record, plies, None, |position| self.fold(position));
            games += 1;
            ControlFlow::Continue(())
        })?;
        Ok(games)
    }

    fn recorded_outcome(&self) -> Option<Outcome> {
        self.loaded.as_ref().filter(|_| self.is_as_loaded())?.outcome
    }

    fn position_text(&self) -> String {
        self.line.position().position_text()
    }

    fn key(&self) -> u64 {
        self.line.position().key()
    }

    fn board(&self) -> String {
        self.line.position().board()
    }

    fn to_move(&self) -> Player {
        self.line.position().to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.line.outcome()
    }

    fn cells(&self) -> Option<(usize, usize)> {
        self.line.position().cells()
    }

    fn phase(&self) -> Option<Phase> {
        self.line.position().phase()
    }

    fn ending(&self) -> Option<String> {
        let text = outcome_text(self.line.outcome()?, self.players());
        let position = self.line.position();
        Some(match position.outcome_reason() {
            _ if position.outcome().is_none() => format!("{text}: repetition"),
            "" => text,
            reason => format!("{text}: {reason}"),
        })
    }

    fn opening(&self) -> Option<Opening> {
        self.line.positions().iter().rev().find_map(self.name_opening)
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.line.legal_moves()
    }

    fn parse_move(&self, text: &str) -> Result<Move, SessionError> {
        Ok(self.line.position().parse_move(text)?)
    }

    fn played(&self) -> Vec<(Player, String)> {
        walk(self.line.start(), self.line.moves(), |position, m| (position.to_move(), position.move_text(m)))
    }

    fn played_plain(&self) -> Vec<(Player, String)> {
        walk(self.line.start(), self.line.moves(), |position, m| {
            (position.to_move(), position.plain_move_text(&self.rules, m))
        })
    }

    fn searches(&self) -> Vec<SearchInfo> {
        self.searches.iter().map(|slot| slot.entry.info).collect()
    }

    fn options(&mut self) -> Result<Vec<(OptionRow, OptionValue)>, SessionError> {
        self.idle()?;
        Ok(self.rows())
    }

    fn options_of(&mut self, search: &str) -> Result<Vec<(OptionRow, OptionValue)>, SessionError> {
        self.idle()?;
        let index = self.read_search(search)?;
        Ok(values(self.searches[index].search().options()))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        self.idle()?;
        self.set(name, value)
    }

    fn evaluate(&mut self) -> Result<Option<i32>, SessionError> {
        self.idle().map(|()| self.judged())
    }

    fn account(&mut self) -> Result<Option<String>, SessionError> {
        self.idle().map(|()| self.accounted())
    }

    fn go(&mut self, limits: Limits, sink: ReportSink) -> Result<SearchHandle, SessionError> {
        self.start(limits, sink, None)
    }

    fn watch(
        &mut self,
        limits: Limits,
        what: TraceOptions,
        reports: ReportSink,
        records: TraceSink,
    ) -> Result<SearchHandle, SessionError> {
        self.start(limits, reports, Some((what, records)))
    }

    fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(Running::is_searching)
    }

    fn wait(&mut self) -> Option<Report> {
        self.join();
        self.finished.take()
    }

    fn grown_tree(&mut self, plies: usize, least_visits: u64) -> Result<Option<TreeMove>, SessionError> {
        self.idle()?;
        let position = self.line.position();
        if self.searched.as_ref().is_none_or(|searched| *searched != (self.chosen, position.clone())) {
            return Ok(None);
        }
        let grown = self.searches[self.chosen].search().grown_tree(plies, least_visits);
        Ok(grown.map(|grown| TreeMove::new(self.line.position(), &grown)))
    }

    fn save_tree(&mut self, to: &mut dyn Write) -> Result<(), SessionError> {
        self.idle()?;
        Ok(self.searches[self.chosen].search().save_tree(to)?)
    }

    fn load_tree(&mut self, from: &mut dyn Read) -> Result<(), SessionError> {
        self.idle()?;
        Ok(self.searches[self.chosen].search().load_tree(self.line.start(), from)?)
    }

    fn clear(&mut self) -> Result<(), SessionError> {
        self.idle()?;
        for search in self.searches.iter_mut().filter_map(|slot| slot.search.as_mut()) {
            search.clear();
        }
        self.time = TimeManager::default();
        self.searched = None;
        Ok(())
    }

    fn perft(
        &self,
        depth: u32,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(String, u64)> {
        let position = self.line.position();
        let counts = perft::divide(position, depth, threads, progress);
        counts.into_iter().map(|(m, count)| (position.move_text(m), count)).collect()
    }

    fn explain(&self, search: &str, depth: u32, most_nodes: usize) -> Result<Explanation, SessionError> {
        let found = EXPLAINABLE.iter().find(|(name, _)| name.eq_ignore_ascii_case(search));
        let &(_, algorithm) =
            found.ok_or_else(|| not_explainable(search, &EXPLAINABLE.map(|(name, _)| name)))?;
        let recorded = self.evaluations.usual().explain(&self.line, algorithm, depth as usize, most_nodes);
        let (trace, counters) = recorded.ok_or(SessionError::TooLarge(most_nodes))?;
        Ok(Explanation::new(&self.line, &trace, counters))
    }

    fn explain_simulations(
        &mut self,
        simulations: u64,
        most_rows: usize,
    ) -> Result<ExplainedSimulations, SessionError> {
        self.idle()?;
        let chosen = &mut self.searches[self.chosen];
        let recording =
            chosen.search().record(&self.line, simulations, most_rows).map_err(|error| match error {
                NotRecorded::NoSimulations => not_explainable(chosen.entry.info.name, &SIMULATED),
                NotRecorded::TooLong => SessionError::TooManyRows(most_rows),
            })?;
        Ok(ExplainedSimulations::new(&self.line, &recording))
    }
}

fn not_explainable(search: &str, known: &[&str]) -> SessionError {
    SessionError::NotExplainable { name: search.to_string(), known: known.join(", ") }
}

impl<G: Records> Wording for GameSession<G> {
    fn line_text(&self, line: &[Move]) -> Vec<String> {
        self.wording().line_text(line)
    }

    fn plain_line_text(&self, line: &[Move]) -> Vec<String> {
        self.wording().plain_line_text(line)
    }
}
