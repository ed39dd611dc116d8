//! Searches: how they begin, and what is answered where they cannot.

use std::io;

use outplay_engine::{SearchHandle, Session, SessionError};
use outplay_search::Limits;

use super::{Ends, Server, Work};
use crate::serve::talk::Reporter;
use crate::serve::uci::go::{Go, is_unbounded};
use crate::serve::uci::info::Telling;
use crate::serve::uci::strength::Level;
use crate::serve::uci::teller::{Fallback, Teller};

/// Nodes for a search of mates that would otherwise not know when to give up.
const NODES_FOR_MATE: u64 = 1_000_000;

impl Server<'_> {
    pub(super) fn go(&mut self, go: &Go) -> io::Result<()> {
        for complaint in &go.complaints {
            self.complain(complaint)?;
        }
        let mut limits = go.limits();
        limits.lines = self.settings.multipv;
        limits.analysis = self.settings.uci_analysemode;
        for text in &go.only {
            match self.session.parse_move(text) {
                Ok(m) => limits.only.push(m),
                Err(error) => self.complain(format_args!("go: {error}"))?,
            }
        }
        let telling = Telling { lines: limits.lines, chances: self.settings.uci_showwdl };
        let is_limited =
            self.settings.uci_limitstrength && !self.settings.uci_analysemode && !limits.infinite;
        let level = is_limited.then(|| Level::new(self.settings.uci_elo, &self.session.position_text()));
        if let Some(level) = level {
            level.limit(&mut limits);
        }
        let fallback = self.fallback(&limits);
        let teller = || {
            let (reporter, fallback) = (Reporter::new(self.events.clone()), fallback.clone());
            Teller { reporter, telling, level, fallback, debug: self.debug }
        };
        let mut started = start(&mut *self.session, limits.clone(), teller());
        if let Err(SessionError::Endless(_)) = started {
            limits.nodes = Some(NODES_FOR_MATE);
            started = start(&mut *self.session, limits.clone(), teller());
        }
        match started {
            Ok(handle) => {
                let ends = match limits.ponder {
                    _ if is_unbounded(&limits) => Ends::WhenTold,
                    true => Ends::AfterPonderHit,
                    false => Ends::AtItsLimits,
                };
                self.work = Work::Searching { handle, ends, fallback };
                Ok(())
            }
            Err(error) => {
                self.complain(format_args!("go: {error}"))?;
                self.say(&fallback.last_words())
            }
        }
    }

    /// What to answer if a search within these limits says nothing.
    fn fallback(&self, limits: &Limits) -> Fallback {
        let plain = |m| self.session.plain_line_text(&[m]).pop();
        // Also where the game is drawn but may go on.
        let any = || self.session.perft(1, 1, &|_, _| ()).into_iter().next();
        let any_move = || any().and_then(|(text, _)| self.session.parse_move(&text).ok());
        let m = limits.only.first().copied().or_else(any_move).and_then(plain);
        let is_lost = self.session.outcome().is_some_and(|outcome| outcome.winner().is_some());
        Fallback { m, is_lost }
    }

    pub(super) fn ponder_hit(&mut self) {
        if let Work::Searching { handle, ends, .. } = &mut self.work {
            handle.ponder_hit();
            if *ends == Ends::AfterPonderHit {
                *ends = Ends::AtItsLimits;
            }
        }
    }

    /// Answers for a search that has broken, and goes on with another session.
    pub(super) fn recover(&mut self) -> io::Result<()> {
        if let Work::Searching { fallback, .. } = std::mem::replace(&mut self.work, Work::Nothing) {
            self.complain(
                "the search has failed: any move is played, and all that was learned is forgotten",
            )?;
            self.say(&fallback.last_words())?;
            self.open_anew()?;
        }
        Ok(())
    }
}

fn start(
    session: &mut dyn Session,
    limits: Limits,
    mut teller: Teller,
) -> Result<SearchHandle, SessionError> {
    session.go(limits, Box::new(move |report, wording| teller.tell(report, wording)))
}
