//! Game files, test problems and opening books.

use std::ops::ControlFlow;

use outplay_book::Book;
use outplay_core::{Move, Outcome, Records};

use super::GameSession;
use super::recording::title;
use super::wording::walk;
use crate::recorded::{Contents, RecordedGame};
use crate::session::{Filing, FoldedPosition, SaveNotes, SessionError, SuiteProblem};

impl<G: Records> Filing for GameSession<G> {
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

    fn list_outcomes(&self, file: &[u8], most: usize) -> Result<Vec<Option<Outcome>>, SessionError> {
        let mut outcomes = Vec::new();
        G::visit_records(&self.rules, file, &mut |record| {
            outcomes.push(record.outcome);
            if outcomes.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(outcomes)
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

    fn recorded_outcome(&self) -> Option<Outcome> {
        self.loaded.as_ref().filter(|_| self.is_as_loaded())?.outcome
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
}
