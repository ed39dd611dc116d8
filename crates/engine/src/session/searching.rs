//! Searches: their options, one that runs, and the tree that it has grown.

use std::io::{Read, Write};
use std::sync::Arc;

use outplay_search::stop::Signals;
use outplay_search::trace::TraceOptions;
use outplay_search::{Limits, OptionRow, OptionValue, Report};

use super::{SessionError, Wording};
use crate::trace::TraceSink;
use crate::tree_text::TreeMove;

/// Where the reports of a search go, with the wording of the position that is searched.
///
/// Called on the search's thread, the last time with the final report; from then on the session takes commands again. It
/// must not wait for whoever owns the session.
pub type ReportSink = Box<dyn FnMut(&Report, &dyn Wording) + Send>;

/// Talks to a running search, from any thread; without effect once the search has ended.
#[derive(Clone, Debug)]
pub struct SearchHandle(pub(crate) Arc<Signals>);

impl SearchHandle {
    /// Tells the search to finish as soon as it can.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Tells a search that ponders that the expected move was played.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}

/// A search that a session offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// Its name in options and on the command line.
    pub name: &'static str,
    /// What it is called in a list for people who know no searches by name.
    pub title: &'static str,
    /// Whether it is there to be studied or compared: others play better, and most people never choose it.
    pub for_experts: bool,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether its nodes are playouts: it samples the tree and completes no depth.
    pub counts_playouts: bool,
    /// Whether it shows its tree to whoever watches it: see [`Searching::watch`].
    pub shows_tree: bool,
}

/// Searches of the current position, one at a time. While one runs, the game and the options cannot be changed.
pub trait Searching {
    /// The searches that there are.
    fn searches(&self) -> Vec<SearchInfo>;

    /// The rows of the options table and their current values: the session's own, then those of the chosen search.
    fn options(&mut self) -> Result<Vec<(OptionRow, OptionValue)>, SessionError>;

    /// The rows of a search alone, chosen or not, with their current values.
    fn options_of(&mut self, search: &str) -> Result<Vec<(OptionRow, OptionValue)>, SessionError>;

    /// Rows of a search that mean nothing until another is set, such as those of an evaluation that is not chosen; they can be set already.
    fn dormant_options_of(&mut self, search: &str) -> Result<Vec<(OptionRow, OptionValue)>, SessionError>;

    /// Sets an option by name: one of the session or of the chosen search, or one of another search, as in
    /// `uct.exploration`.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError>;

    /// Starts a search of the current position on a thread of its own and returns at once.
    fn go(&mut self, limits: Limits, sink: ReportSink) -> Result<SearchHandle, SessionError>;

    /// The same, for somebody who watches the search: `records` gets the top of its tree while it runs, see [`TraceRecord`](crate::TraceRecord). A
    /// search that grows no such tree has only a beginning and an end.
    fn watch(
        &mut self,
        limits: Limits,
        what: TraceOptions,
        reports: ReportSink,
        records: TraceSink,
    ) -> Result<SearchHandle, SessionError>;

    /// Whether a search is running: from [`Searching::go`] until its final report.
    fn is_searching(&self) -> bool;

    /// Waits for the running search and returns its final report; `None` if there was none.
    fn wait(&mut self) -> Option<Report>;

    /// Forgets what searches have learned: a new game begins.
    fn clear(&mut self) -> Result<(), SessionError>;

    /// The top of the tree that the chosen search grew last: so many plies, no move tried less often than `least_visits`. `None` if it has
    /// none.
    fn grown_tree(&mut self, plies: usize, least_visits: u64) -> Result<Option<TreeMove>, SessionError>;

    /// Writes the tree that the chosen search has grown for the game.
    fn save_tree(&mut self, to: &mut dyn Write) -> Result<(), SessionError>;

    /// Gives the chosen search a tree that was saved in a game with the same start. Set its options before: they have to go with the tree, and a search with
    /// others begins anew.
    fn load_tree(&mut self, from: &mut dyn Read) -> Result<(), SessionError>;
}
