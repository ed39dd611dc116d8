//! Where the reports of a search go.

use outplay_engine::Wording;
use outplay_search::Report;

use super::info::Telling;
use super::strength::Level;
use crate::serve::on_one_line;
use crate::serve::talk::Reporter;

/// What answers a `go` where the search has nothing to say.
#[derive(Clone, Debug)]
pub struct Fallback {
    /// A legal move to consider; `None` if there is none.
    pub m: Option<String>,
    /// Whether the player to move has lost, if there is none.
    pub is_lost: bool,
}

impl Fallback {
    /// The last words of a search that has found nothing.
    pub fn last_words(&self) -> Vec<String> {
        let Fallback { m, is_lost } = self;
        let score = if *is_lost { "mate 0" } else { "cp 0" };
        match m {
            Some(m) => vec![format!("info depth 0 score cp 0 pv {m}"), format!("bestmove {m}")],
            None => vec![format!("info depth 0 score {score}"), "bestmove (none)".to_string()],
        }
    }
}

/// Puts the reports of one search into words and passes them on.
pub struct Teller {
    /// Where the words go.
    pub reporter: Reporter<Vec<String>>,
    /// What is told.
    pub telling: Telling,
    /// The strength to play at, if it is limited.
    pub level: Option<Level>,
    /// What to say if the search says nothing.
    pub fallback: Fallback,
    /// Whether to tell why the search has ended.
    pub debug: bool,
}

impl Teller {
    /// Takes a report.
    pub fn tell(&mut self, report: &Report, wording: &dyn Wording) {
        match report.stopped {
            None => self.reporter.said(self.telling.lines(report, wording)),
            Some(_) => self.reporter.done(self.last_words(report, wording)),
        }
    }

    fn last_words(&self, report: &Report, wording: &dyn Wording) -> Vec<String> {
        let mut report = Report { current: None, ..report.clone() };
        if let Some(level) = self.level {
            level.choose(&mut report);
        }
        let line = report.lines.first().map(|line| wording.plain_line_text(&line.moves)).unwrap_or_default();
        let mut words = match line.as_slice() {
            [] => self.fallback.last_words(),
            [best, rest @ ..] => {
                let ponder = rest.first().map_or(String::new(), |reply| format!(" ponder {reply}"));
                let mut words = self.telling.lines(&report, wording);
                words.push(format!("bestmove {best}{ponder}"));
                words
            }
        };
        if let Some(notice) = &report.notice {
            words.insert(0, format!("info string {}", on_one_line(notice)));
        }
        if let Some(failure) = &report.failure {
            words.insert(0, format!("info string the search ended early: {}", on_one_line(failure)));
        }
        if let Some(reason) = report.stopped.filter(|_| self.debug) {
            words.insert(0, format!("info string ended by: {}", reason.text()));
        }
        words
    }
}
