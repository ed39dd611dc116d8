//! What every search offers.

use std::io::{Read, Write};

use outplay_core::{Game, Line};

use crate::mcts::EvaluationError;
use crate::textbook::{NotRecorded, Recording};
use crate::{Control, GrownMove, Opinion, OptionSet, Report, TreeFileError};

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

    /// Records so many simulations of a search from the end of `line`, as it would make them with its present settings. It is given up if it has more
    /// rows than this, where each move of a table or of a random game takes one.
    fn record(&self, line: &Line<G>, simulations: u64, most_rows: usize) -> Result<Recording, NotRecorded> {
        let _ = (line, simulations, most_rows);
        Err(NotRecorded::NoSimulations)
    }

    /// What the network by which the search evaluates says of the end of `line`, and nothing else; `None` if it evaluates by none.
    fn opinion(&self, line: &Line<G>) -> Option<Result<Opinion, EvaluationError>> {
        let _ = line;
        None
    }

    /// Writes the tree that was grown for a game, with all that is known about it.
    fn save_tree(&self, to: &mut dyn Write) -> Result<(), TreeFileError> {
        let _ = to;
        Err(TreeFileError::KeepsNoTree)
    }

    /// Takes a saved tree in place of what there is, for a game that began with `start`; after an error everything is as it was. What is read is checked, but the values in
    /// it are believed.
    fn load_tree(&mut self, start: &G, from: &mut dyn Read) -> Result<(), TreeFileError> {
        let _ = (start, from);
        Err(TreeFileError::KeepsNoTree)
    }

    /// Forgets what was learned in earlier searches: a new game begins.
    fn clear(&mut self) {}
}
