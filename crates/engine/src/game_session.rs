//! The implementation of [`Session`] for every game.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use outplay_core::{Game, Line, Move, Outcome, Player, Record, Records, perft};
use outplay_search::stop::Signals;
use outplay_search::{
    Control, Evaluator, Limits, OptionError, OptionKind, OptionRow, OptionSet, OptionValue, Report, Search,
    options,
};

use crate::explanation::Explanation;
use crate::searches::{SEARCHES, SearchInfo};
use crate::session::{ReportSink, Session, SessionError};

options! {
    /// What a session decides for every search.
    pub struct SessionOptions {
        /// Milliseconds kept back from every time limit for the way to the clock and back.
        pub move_overhead: i64 = 10, in 0..=10_000,
    }
}

/// The name of the row that chooses the search.
const SEARCH_OPTION: &str = "search";

/// A session of any game with an evaluator: what a user's own game gets by [`GameSession::new`].
pub struct GameSession<G: Game, E> {
    rules: G::Rules,
    evaluator: E,
    line: Line<G>,
    options: SessionOptions,
    /// The chosen search, an index into [`SEARCHES`].
    chosen: usize,
    /// The searches used so far, with their settings and memory, in the order of [`SEARCHES`]. The one that is
    /// running is away on its thread.
    searches: Vec<Option<Box<dyn Search<G>>>>,
    running: Option<Running<G>>,
    /// The final report of a search whose thread has ended, until someone asks for it.
    finished: Option<Report>,
}

struct Running<G: Game> {
    signals: Arc<Signals>,
    thread: JoinHandle<(Box<dyn Search<G>>, Report)>,
}

impl<G: Records, E: Evaluator<G> + Clone + 'static> GameSession<G, E> {
    /// A session at the start of a game under these rules, with iterative deepening as its search.
    pub fn new(rules: G::Rules, evaluator: E) -> GameSession<G, E> {
        let line = Line::new(G::start(&rules));
        let searches = SEARCHES.iter().map(|_| None).collect();
        let chosen = SEARCHES.iter().position(|search| search.name == "deepening").unwrap_or(0);
        let options = SessionOptions::default();
        GameSession { rules, evaluator, line, options, chosen, searches, running: None, finished: None }
    }

    /// Makes sure that no search is running and that the last one is back from its thread.
    fn idle(&mut self) -> Result<(), SessionError> {
        if self.is_searching() {
            return Err(SessionError::Searching);
        }
        self.join();
        Ok(())
    }

    fn search(&mut self) -> &mut Box<dyn Search<G>> {
        self.searches[self.chosen].get_or_insert_with(|| SEARCHES[self.chosen].make(&self.evaluator))
    }

    fn search_row(&self) -> OptionRow {
        OptionRow {
            name: SEARCH_OPTION,
            help: "The search that chooses the moves.",
            kind: OptionKind::Choice(SEARCHES.iter().map(|search| search.name).collect()),
            default: OptionValue::Choice("deepening"),
        }
    }

    /// Waits for the search's thread, if there is one, and takes the search back from it.
    fn join(&mut self) {
        let Some(Running { thread, .. }) = self.running.take() else { return };
        match thread.join() {
            Ok((search, report)) => {
                self.searches[self.chosen] = Some(search);
                self.finished = Some(report);
            }
            // A search that panicked is a bug to be seen, not hidden.
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl<G: Records, E: Evaluator<G> + Clone + 'static> Session for GameSession<G, E> {
    fn players(&self) -> [&'static str; 2] {
        G::PLAYERS
    }

    fn set_position(&mut self, text: Option<&str>) -> Result<(), SessionError> {
        self.idle()?;
        let start = match text {
            Some(text) => G::parse_position(&self.rules, text)?,
            None => G::start(&self.rules),
        };
        self.line = Line::new(start);
        Ok(())
    }

    fn play_text(&mut self, text: &str) -> Result<Move, SessionError> {
        let m = self.parse_move(text)?;
        self.play(m)?;
        Ok(m)
    }

    fn play(&mut self, m: Move) -> Result<(), SessionError> {
        self.idle()?;
        if let Some(outcome) = self.outcome() {
            return Err(SessionError::GameOver(outcome_text(outcome, G::PLAYERS)));
        }
        if !self.line.position().is_legal(m) {
            let text = format!("{m:?}");
            return Err(outplay_core::ParseError::refused("move", &text, "not legal here").into());
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
        let records = G::read_records(&self.rules, file)?;
        let no_such_game = SessionError::NoSuchGame { asked: number + 1, held: records.len() };
        self.line = records.get(number).ok_or(no_such_game)?.line();
        Ok(())
    }

    fn save(&self, tags: &[(&str, String)], resigned_by: Option<Player>) -> String {
        let mut record = Record::of_line(&self.line);
        for (name, value) in tags {
            record.set_tag(name, value);
        }
        if let Some(loser) = resigned_by {
            record.outcome = record.outcome.or(Some(Outcome::win(!loser)));
        }
        G::write_record(&self.rules, &record)
    }

    fn file_extension(&self) -> &'static str {
        G::EXTENSION
    }

    fn position_text(&self) -> String {
        self.line.position().position_text()
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

    fn legal_moves(&self) -> Vec<Move> {
        self.line.legal_moves()
    }

    fn parse_move(&self, text: &str) -> Result<Move, SessionError> {
        Ok(self.line.position().parse_move(text)?)
    }

    fn line_text(&self, line: &[Move]) -> Vec<String> {
        moves_text(self.line.position(), line).into_iter().map(|(_, text)| text).collect()
    }

    fn played(&self) -> Vec<(Player, String)> {
        moves_text(self.line.start(), self.line.moves())
    }

    fn options(&mut self) -> Result<Vec<(OptionRow, OptionValue)>, SessionError> {
        self.idle()?;
        let mut rows = vec![(self.search_row(), OptionValue::Choice(SEARCHES[self.chosen].name))];
        let own: &dyn OptionSet = &self.options;
        rows.extend(own.rows().into_iter().enumerate().map(|(index, row)| (row, own.value(index))));
        let options = self.search().options();
        rows.extend(options.rows().into_iter().enumerate().map(|(index, row)| (row, options.value(index))));
        Ok(rows)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        self.idle()?;
        if name.trim().eq_ignore_ascii_case(SEARCH_OPTION) {
            if let OptionValue::Choice(chosen) = self.search_row().parse(value)? {
                self.chosen = SEARCHES.iter().position(|search| search.name == chosen).unwrap_or(self.chosen);
            }
            return Ok(());
        }
        match self.options.set(name, value) {
            Err(OptionError::Unknown { known: own, .. }) => {
                self.search().options().set(name, value).map_err(|error| match error {
                    OptionError::Unknown { name, known } => {
                        let known = [SEARCH_OPTION].into_iter().chain(own).chain(known).collect();
                        OptionError::Unknown { name, known }
                    }
                    error => error,
                })?;
                Ok(())
            }
            result => Ok(result?),
        }
    }

    fn go(&mut self, limits: Limits, mut sink: ReportSink) -> Result<(), SessionError> {
        self.idle()?;
        self.finished = None;
        self.search();
        let Some(mut search) = self.searches[self.chosen].take() else { return Err(SessionError::Searching) };
        let signals = Arc::new(Signals::new(limits.ponder));
        let overhead = Duration::from_millis(self.options.move_overhead as u64);
        let (line, shared) = (self.line.clone(), signals.clone());
        let thread = std::thread::spawn(move || {
            let mut reports = |report: Report| sink(&report);
            let mut control = Control::new(line.position(), &limits, overhead, &shared, &mut reports);
            let last = search.search(&line, &mut control);
            shared.wait_until_answer_is_due(limits.infinite);
            sink(&last);
            (search, last)
        });
        self.running = Some(Running { signals, thread });
        Ok(())
    }

    fn stop(&self) {
        if let Some(running) = &self.running {
            running.signals.stop();
        }
    }

    fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.signals.ponder_hit();
        }
    }

    fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    fn wait(&mut self) -> Option<Report> {
        self.join();
        self.finished.take()
    }

    fn clear(&mut self) -> Result<(), SessionError> {
        self.idle()?;
        for search in self.searches.iter_mut().flatten() {
            search.clear();
        }
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
        let algorithm = SearchInfo::named(search).and_then(SearchInfo::algorithm);
        let algorithm = algorithm.ok_or_else(|| SessionError::NotExplainable(search.to_string()))?;
        let evaluator = &self.evaluator;
        let recorded =
            outplay_search::textbook::explain(&self.line, algorithm, depth as usize, evaluator, most_nodes);
        let (trace, counters) = recorded.ok_or(SessionError::TooLarge(most_nodes))?;
        Ok(Explanation::new(&self.line, &trace, counters))
    }
}

/// Ends the thread of a session that is dropped in the middle of a search.
impl<G: Game, E> Drop for GameSession<G, E> {
    fn drop(&mut self) {
        if let Some(Running { signals, thread }) = self.running.take() {
            signals.stop();
            // A search that panicked has said so; there is nothing left to do for it here.
            drop(thread.join());
        }
    }
}

/// Moves from a position on, as text with who makes them; stops at the first that is not legal.
fn moves_text<G: Records>(start: &G, moves: &[Move]) -> Vec<(Player, String)> {
    let mut position = start.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &m in moves {
        if !position.is_legal(m) {
            break;
        }
        texts.push((position.to_move(), position.move_text(m)));
        position.play(m);
    }
    texts
}

/// How a game ended, in words.
pub fn outcome_text(outcome: Outcome, players: [&str; 2]) -> String {
    match outcome.winner() {
        None => "a draw".to_string(),
        Some(winner) if outcome.margin() > 1 => {
            format!("{} wins by {}", players[winner.index()], outcome.margin())
        }
        Some(winner) => format!("{} wins", players[winner.index()]),
    }
}
