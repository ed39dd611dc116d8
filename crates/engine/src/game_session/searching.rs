//! Searches: their options, one that runs, and the tree that it has grown.

use std::io::{Read, Write};

use outplay_core::Records;
use outplay_search::stop::TimeManager;
use outplay_search::trace::TraceOptions;
use outplay_search::{Limits, OptionRow, OptionValue, Report};

use super::GameSession;
use super::running::Running;
use super::setting::values;
use crate::session::{ReportSink, SearchHandle, SearchInfo, Searching, SessionError};
use crate::trace::TraceSink;
use crate::tree_text::TreeMove;

impl<G: Records> Searching for GameSession<G> {
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

    fn dormant_options_of(&mut self, search: &str) -> Result<Vec<(OptionRow, OptionValue)>, SessionError> {
        self.idle()?;
        let index = self.read_search(search)?;
        Ok(self.searches[index].search().options().dormant())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        self.idle()?;
        self.set(name, value)
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

    fn clear(&mut self) -> Result<(), SessionError> {
        self.idle()?;
        for search in self.searches.iter_mut().filter_map(|slot| slot.search.as_mut()) {
            search.clear();
        }
        self.time = TimeManager::default();
        self.searched = None;
        Ok(())
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
}
