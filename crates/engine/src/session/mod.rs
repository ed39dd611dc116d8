//! The one interface to a game and a search: what protocols, lab, server and terminal talk to.
//!
//! A [`Session`] is the sum of a few small traits, one for each thing that people do with a game. Whoever needs one of them only can say so.

mod error;
mod explaining;
mod filing;
mod playing;
mod searching;

use outplay_core::Move;

pub use error::SessionError;
pub use explaining::Explaining;
pub use filing::{Filing, FoldedPosition, SaveNotes, SuiteProblem};
pub use playing::Playing;
pub use searching::{ReportSink, SearchHandle, SearchInfo, Searching};

/// Puts the moves of one position into words, on any thread.
pub trait Wording {
    /// A line of moves from the position, as people write them; stops at the first that is not legal.
    fn line_text(&self, line: &[Move]) -> Vec<String>;

    /// The same as programs exchange them (`e2e4`).
    fn plain_line_text(&self, line: &[Move]) -> Vec<String>;
}

/// A game in progress with a search that can think about it.
///
/// Whatever comes from outside is checked; an error leaves the session as it was. While a search runs, the game and
/// the options cannot be changed: such a call is refused with [`SessionError::Searching`].
pub trait Session: Wording + Playing + Filing + Searching + Explaining + Send {}

impl<T: Wording + Playing + Filing + Searching + Explaining + Send> Session for T {}
