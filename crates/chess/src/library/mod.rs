//! What a chess player knows by heart: an opening book, and endings from tables.
//!
//! [`ChessLibrary`] holds the settings, opens files and is asked before a search begins. [`Informed`] is an evaluation that has the endings
//! at hand inside the tree. Both look at one [`Shelf`], so that a setting is made once. `endings.rs` has what tables say and what the
//! fifty-move rule makes of it, `tiers.rs` how the moves of a root are ranked by it.

mod endings;
mod informed;
mod options;
mod shared;
mod tiers;

use std::sync::{Arc, Mutex, PoisonError};

use outplay_core::{Game, Line, Move, Rng, mix};
use outplay_search::{Library, OptionError, OptionRow, OptionSet, OptionValue, Tier};

use crate::Chess;
use crate::polyglot::{Book, Choice};
use crate::syzygy::{Syzygy, SyzygyError};
use endings::Endings;
pub use informed::Informed;
pub use options::LibraryOptions;

/// The endings that are known at the moment, for everybody who looks there.
#[derive(Clone, Default)]
pub struct Shelf(Arc<Mutex<Arc<Endings>>>);

impl Shelf {
    fn take(&self) -> Arc<Endings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, endings: Endings) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(endings);
    }
}

/// Openings and endings, from the files that the options name. Without any, nothing is known.
#[derive(Default)]
pub struct ChessLibrary {
    options: LibraryOptions,
    shelf: Shelf,
    book: Option<Book>,
}

impl ChessLibrary {
    /// A library without files.
    pub fn new() -> ChessLibrary {
        ChessLibrary::default()
    }

    /// Where it keeps the endings, for evaluations that ask for them.
    pub fn shelf(&self) -> Shelf {
        self.shelf.clone()
    }

    /// Opens what other settings name and these do not, and takes them over; after an error everything is as it was.
    fn take_over(&mut self, options: LibraryOptions) -> Result<(), OptionError> {
        if options.book_file != self.options.book_file {
            self.book = options.open_book().map_err(|error| unusable("book_file", &error))?;
        }
        let mut endings = Endings::clone(&self.shelf.take()).with_settings(&options);
        if options.endgame_path != self.options.endgame_path {
            endings.ours = options.open_ours().map_err(|error| unusable("endgame_path", &error))?;
        }
        if options.syzygy_path != self.options.syzygy_path {
            endings.syzygy = None;
            let exchanged = self.exchange_syzygy(&options);
            endings.syzygy = exchanged.map_err(|error| unusable("syzygy_path", &error))?;
        }
        self.shelf.put(endings);
        self.options = options;
        Ok(())
    }

    /// Opens other Syzygy tables. Only one set can be open, so the present one has to go first; after an error it is back.
    fn exchange_syzygy(&self, options: &LibraryOptions) -> Result<Option<Arc<Syzygy>>, SyzygyError> {
        let others = Endings::clone(&self.shelf.take()).with_syzygy(None);
        self.shelf.put(others.clone());
        options.open_syzygy().inspect_err(|_| {
            // What was open a moment ago fails only if somebody else was quicker, and then there is nothing to be had.
            self.shelf.put(others.with_syzygy(self.options.open_syzygy().unwrap_or(None)));
        })
    }
}

fn unusable(name: &'static str, error: &dyn std::error::Error) -> OptionError {
    OptionError::Unusable { name, reason: error.to_string() }
}

impl OptionSet for ChessLibrary {
    fn rows(&self) -> Vec<OptionRow> {
        self.options.rows()
    }

    fn value(&self, index: usize) -> OptionValue {
        self.options.value(index)
    }

    /// What cannot be opened is left as it is.
    fn assign(&mut self, index: usize, value: OptionValue) {
        let mut options = self.options.clone();
        options.assign(index, value);
        drop(self.take_over(options));
    }

    fn set(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        let mut options = self.options.clone();
        options.set(name, text)?;
        self.take_over(options)
    }
}

impl Library<Chess> for ChessLibrary {
    fn options(&self) -> &dyn OptionSet {
        self
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        self
    }

    /// A file that fails while it is read has no move: the game goes on without it.
    fn opening_move(&mut self, line: &Line<Chess>) -> Option<Move> {
        let position = line.position();
        let is_too_late = i64::from(position.cozy().fullmove_number()) > self.options.book_depth;
        if !self.options.own_book || is_too_late || line.outcome().is_some() {
            return None;
        }
        let moves = self.book.as_mut()?.moves(position).ok()?;
        let choice = if self.options.book_random { Choice::Weighted } else { Choice::Best };
        // By the position alone, so that games do not depend on what else was played.
        choice.pick(&moves, &mut Rng::new(self.options.seed_of_the_moment() ^ mix(position.key())))
    }

    fn tiers(&self, line: &Line<Chess>) -> Option<Vec<Tier>> {
        tiers::tiers(&self.shelf.take(), line)
    }
}
