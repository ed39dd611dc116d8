//! What every search offers.

use outplay_core::{Game, Line};

use crate::{Control, GrownMove, OptionSet, Report};

/// A search for the best move, with its memory between moves.
pub trait Search<G: Game>: Send {
    /// Searches from the end of `line` until `control` says stop, reporting as it goes. The last report, which
    /// carries the stop reason, is returned and not sent.
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report;

    /// The settings of this search.
    fn options(&self) -> &dyn OptionSet;

    /// The settings of this search, to be changed.
    fn options_mut(&mut self) -> &mut dyn OptionSet;

    /// The top of the tree of the last search: so many plies, and no move tried less often than `least_visits`; `None` if the search grows
    /// none, or has not searched yet.
    fn grown_tree(&self, plies: usize, least_visits: u64) -> Option<GrownMove> {
        let _ = (plies, least_visits);
        None
    }

    /// Forgets what was learned in earlier searches: a new game begins.
    fn clear(&mut self) {}
}
