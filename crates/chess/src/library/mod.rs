//! What a chess player knows by heart: an opening book, and endings from tables.
//!
//! [`ChessLibrary`] holds the settings, opens files and is asked before a search begins. [`Tables`] is an oracle that has the endings
//! at hand inside the tree. Both look at one [`Shelf`], so that a setting is made once. `endings.rs` has what tables say and what the
//! fifty-move rule makes of it, `tiers.rs` how the moves of a root are ranked by it.

mod endings;
mod options;
mod shared;
mod tables;
mod tiers;

use std::sync::{Arc, Mutex, PoisonError};

use outplay_book::{BookOptions, Openings};
use outplay_core::{Folded, Line, Move};
use outplay_search::{Library, OptionError, OptionRow, OptionSet, OptionValue, Tier};

use crate::polyglot::{Book, Choice};
use crate::{Chess, ChessRules};
use endings::Endings;
pub use options::LibraryOptions;
use options::open_polyglot;
pub use tables::{Tables, knowledge_with_tables};

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
pub struct ChessLibrary {
    options: LibraryOptions,
    shelf: Shelf,
    openings: Openings<Chess>,
    /// The book, if it is in the Polyglot format and not in ours.
    polyglot: Option<Book>,
}

/// Without files, for the standard game.
impl Default for ChessLibrary {
    fn default() -> ChessLibrary {
        ChessLibrary::new(ChessRules::Standard)
    }
}

impl ChessLibrary {
    /// A library without files.
    pub fn new(rules: ChessRules) -> ChessLibrary {
        ChessLibrary {
            options: LibraryOptions::default(),
            shelf: Shelf::default(),
            // Positions mean the same, whatever array a game began with.
            openings: Openings::new("chess", rules),
            polyglot: None,
        }
    }

    /// Where it keeps the endings, for evaluations that ask for them.
    pub fn shelf(&self) -> Shelf {
        self.shelf.clone()
    }

    /// Opens what other settings name and these do not, and takes them over; after an error everything is as it was.
    fn take_over(&mut self, options: LibraryOptions) -> Result<(), OptionError> {
        let mut endings = Endings::clone(&self.shelf.take()).with_settings(&options);
        if options.endgame_path != self.options.endgame_path {
            endings.ours = options.open_ours().map_err(|error| unusable("endgame_path", &error))?;
        }
        if options.syzygy_path != self.options.syzygy_path {
            endings.syzygy = options.open_syzygy().map_err(|error| unusable("syzygy_path", &error))?;
        }
        self.shelf.put(endings);
        self.options = options;
        Ok(())
    }

    /// The same for openings.
    fn take_over_openings(&mut self, options: BookOptions) -> Result<(), OptionError> {
        if options.book_file == self.openings.settings().book_file {
            return self.openings.take_over(options, self.polyglot.is_some());
        }
        let polyglot = open_polyglot(&options.book_file).map_err(|error| unusable("book_file", &error))?;
        self.openings.take_over(options, polyglot.is_some())?;
        self.polyglot = polyglot;
        Ok(())
    }
}

fn unusable(name: &'static str, error: &dyn std::error::Error) -> OptionError {
    OptionError::Unusable { name: name.into(), reason: error.to_string() }
}

/// The rows of chess alone, then those of openings.
impl OptionSet for ChessLibrary {
    fn rows(&self) -> Vec<OptionRow> {
        [self.options.rows(), self.openings.rows()].concat()
    }

    fn value(&self, index: usize) -> OptionValue {
        match index.checked_sub(self.options.rows().len()) {
            None => self.options.value(index),
            Some(index) => self.openings.value(index),
        }
    }

    /// What cannot be opened is left as it is.
    fn assign(&mut self, index: usize, value: OptionValue) {
        drop(match index.checked_sub(self.options.rows().len()) {
            None => {
                let mut options = self.options.clone();
                options.assign(index, value);
                self.take_over(options)
            }
            Some(index) => {
                let mut options = self.openings.settings().clone();
                options.assign(index, value);
                self.take_over_openings(options)
            }
        });
    }

    fn set(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        let mut options = self.options.clone();
        let known = match options.set(name, text) {
            Err(OptionError::Unknown { known, .. }) => known,
            result => return result.and_then(|()| self.take_over(options)),
        };
        let mut options = self.openings.settings().clone();
        match options.set(name, text) {
            Err(OptionError::Unknown { name, known: others }) => {
                Err(OptionError::Unknown { name, known: [known, others].concat() })
            }
            result => result.and_then(|()| self.take_over_openings(options)),
        }
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
        let is_too_late = position.cozy().fullmove_number() > self.options.book_depth;
        if is_too_late || !self.openings.are_open(line) {
            return None;
        }
        let Some(polyglot) = &mut self.polyglot else { return self.openings.opening_move(line) };
        let moves = polyglot.moves(position).ok()?;
        let choice = if self.options.book_random { Choice::Weighted } else { Choice::Best };
        choice.pick(&moves, &mut self.openings.chance(position))
    }

    fn tiers(&self, line: &Line<Chess>) -> Option<Vec<Tier>> {
        tiers::tiers(&self.shelf.take(), line)
    }

    fn book_game(&self) -> &str {
        self.openings.book_game()
    }

    fn folded(&self, position: &Chess) -> Folded<Chess> {
        self.openings.folded(position)
    }
}
