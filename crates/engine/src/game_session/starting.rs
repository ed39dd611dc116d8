//! Starting a search, watched or not.

use std::collections::BTreeMap;
use std::sync::Arc;

use outplay_core::{ParseError, Records};
use outplay_search::Limits;
use outplay_search::stop::Signals;
use outplay_search::trace::TraceOptions;

use super::GameSession;
use super::by_heart::is_to_be_played;
use super::running::{Running, Task};
use super::wording::PositionWording;
use crate::session::{ReportSink, SearchHandle, SessionError};
use crate::trace::{Outbox, TraceBegin, TraceSink, deliver, mailbox};
use crate::variety::Choose;

/// The version of the records.
const VERSION: u32 = 1;

impl<G: Records> GameSession<G> {
    /// Starts the chosen search on a thread of its own.
    pub(super) fn start(
        &mut self,
        mut limits: Limits,
        sink: ReportSink,
        watched: Option<(TraceOptions, TraceSink)>,
    ) -> Result<SearchHandle, SessionError> {
        self.idle()?;
        let info = self.searches[self.chosen].entry.info;
        let only_mate =
            Limits { mate: None, lines: 0, only: Vec::new(), ..limits.clone() } == Limits::default();
        if limits.mate.is_some() && only_mate && info.counts_playouts {
            return Err(SessionError::Endless(info.name));
        }
        if let Some(illegal) = limits.only.iter().find(|&&m| !self.line.position().is_legal(m)) {
            return Err(ParseError::refused("move", &format!("{illegal:?}"), "not legal here").into());
        }
        let watched = watched.map(|(what, records)| self.start_trace(what, records)).transpose()?;
        self.finished = None;
        let known = self.opening(&limits);
        self.prefer_certain(&mut limits);
        // What is known by heart is chosen there.
        let choice = if known.is_none() { self.choice(&mut limits) } else { None };
        let signals = Arc::new(Signals::new(limits.ponder));
        let slot = &mut self.searches[self.chosen];
        slot.search();
        let Some(search) = slot.search.take() else { return Err(SessionError::Searching) };
        let wording = PositionWording { position: self.line.position().clone(), rules: self.rules.clone() };
        let task = Task {
            search,
            known,
            choice,
            line: self.line.clone(),
            limits,
            options: self.stop_options,
            time: std::mem::take(&mut self.time),
            wording,
            sink,
            watched,
        };
        match Running::start(task, &signals, self.spawn) {
            Ok(running) => {
                self.searched = Some((self.chosen, self.line.position().clone()));
                self.running = Some(running);
                Ok(SearchHandle(signals))
            }
            Err((task, error)) => {
                self.searches[self.chosen].search = Some(task.search);
                self.time = task.time;
                Err(SessionError::NoThread(error))
            }
        }
    }

    /// The choice of a move as people choose, or in the opening of a game, if the moves are to vary. In a position that was set up every move may
    /// matter.
    fn choice(&self, limits: &mut Limits) -> Option<Box<dyn Choose>> {
        if !is_to_be_played(limits) {
            return None;
        }
        let looks = || self.evaluations.usual().looks(&self.line);
        if let Some(person) = self.human.widen(limits, &self.line, looks) {
            return Some(Box::new(person));
        }
        let is_opening = *self.line.start() == G::start(&self.rules);
        let (ply, key) = (self.line.moves().len(), self.line.position().key());
        let choice = is_opening.then(|| self.variety.widen(limits, ply, key)).flatten()?;
        Some(Box::new(choice))
    }

    /// Begins to deliver the records of a search that is about to start, on a thread of its own, so that the search need not wait for whoever reads them.
    fn start_trace(
        &mut self,
        options: TraceOptions,
        sink: TraceSink,
    ) -> Result<(TraceOptions, Outbox), SessionError> {
        let settings = self.rows().into_iter().map(|(row, value)| (row.name.to_string(), value.to_string()));
        let settings: BTreeMap<String, String> = settings.collect();
        let wording = self.wording();
        let begin = TraceBegin {
            version: VERSION,
            game: None,
            position: wording.position.position_text(),
            to_move: wording.position.mover_name().into(),
            search: self.searches[self.chosen].entry.info.name.to_string(),
            settings,
            options,
        };
        let (outbox, inbox) = mailbox(options.most_nodes as usize);
        std::thread::Builder::new()
            .name("trace".to_string())
            .spawn(move || deliver(begin, &wording.position, &wording, inbox, sink))
            .map_err(SessionError::NoThread)?;
        Ok((options, outbox))
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use outplay_core::Game;
    use outplay_othello::{Othello, Positional};
    use outplay_search::{Limits, Report};

    use super::*;
    use crate::game_session::running::spawn_thread;
    use crate::session::{Playing, Searching};

    #[test]
    fn a_search_without_a_thread_is_kept_and_the_session_says_so() {
        let mut session = GameSession::<Othello>::new((), outplay_othello::knowledge(Positional));
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let search = |session: &mut GameSession<Othello>| -> Result<Report, SessionError> {
            session.go(limits.clone(), Box::new(|_, _| ()))?;
            Ok(session.wait().expect("a report"))
        };
        session.set_option("search", "mcts").expect("a search");
        session.set_option("seed", "77").expect("an option");
        search(&mut session).expect("a thread");
        session.spawn = |_, _| Err(io::Error::from(io::ErrorKind::WouldBlock));
        let refused = search(&mut session).expect_err("no thread");
        assert!(matches!(refused, SessionError::NoThread(_)), "{refused}");
        assert!(!session.is_searching(), "the session takes commands");
        // The search is the same: its settings, and the tree that it has grown.
        let rows = session.options().expect("options");
        assert!(rows.iter().any(|(row, value)| row.name == "seed" && value.to_string() == "77"));
        assert!(session.grown_tree(1, 1).expect("no search runs").is_some());
        session.spawn = spawn_thread;
        let again = search(&mut session).expect("a thread");
        assert!(again.best_move().is_some_and(|m| Othello::start(&()).is_legal(m)));
        session.play_text("f5").expect("a move");
    }
}
