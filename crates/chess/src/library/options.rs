//! The settings of a library, and the files that they name.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outplay_search::options;

use super::shared::Shared;
use crate::endgame::{EndgameError, EndgameTables};
use crate::polyglot::Book;
use crate::syzygy::{Syzygy, SyzygyError};

options! {
    /// Settings of [`ChessLibrary`](super::ChessLibrary).
    pub owned struct LibraryOptions {
        /// Folders of Syzygy tables, separated as the system separates paths; empty for none.
        pub syzygy_path: String = String::new(), alias "syzygy",
        /// Positions with as many men as the largest Syzygy table are looked up where so many plies are left to search.
        pub syzygy_probe_depth: i64 = 1, in 1..=100,
        /// Positions with more men are not looked up in Syzygy tables.
        pub syzygy_probe_limit: i64 = 7, in 0..=7,
        /// Take wins for draws that the fifty-move rule spoils.
        pub syzygy_50_move_rule: bool = true, ablate [],
        /// A folder of our own endgame tables, made by `outplay endgames build`; empty for none.
        pub endgame_path: String = String::new(), alias "endgames",
        /// Play from the book, if there is one.
        pub own_book: bool = true, ablate [],
        /// An opening book in the Polyglot format; empty for none.
        pub book_file: String = String::new(), alias "book",
        /// Up to which move of the game the book is asked.
        pub book_depth: i64 = 1_000, in 0..=1_000,
        /// Choose between the moves of the book by chance, each as often as its weight says, and not always the weightiest.
        pub book_random: bool = false, ablate [],
        /// With the same seed chance brings the same moves in the same positions; with 0 it never does.
        pub book_seed: i64 = 0, in 0..=i64::MAX,
    }
}

/// A book that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum BookError {
    #[error("{}: cannot be read: {error}", file.display())]
    Unreadable { file: PathBuf, error: io::Error },
    #[error("{} is not a Polyglot book: it has no whole number of entries", .0.display())]
    NoBook(PathBuf),
}

impl LibraryOptions {
    /// What chance begins with.
    pub(super) fn seed_of_the_moment(&self) -> u64 {
        match self.book_seed {
            0 => RandomState::new().hash_one(0),
            seed => outplay_core::mix(seed.unsigned_abs()),
        }
    }

    pub(super) fn open_book(&self) -> Result<Option<Book>, BookError> {
        let Some(file) = file(&self.book_file) else { return Ok(None) };
        let unreadable = |error| BookError::Unreadable { file: file.to_path_buf(), error };
        let book = Book::open(file).map_err(unreadable)?;
        match (book.entries(), book.stray_bytes()) {
            (1.., 0) => Ok(Some(book)),
            _ => Err(BookError::NoBook(file.to_path_buf())),
        }
    }

    pub(super) fn open_ours(&self) -> Result<Option<Arc<EndgameTables>>, EndgameError> {
        static OPEN: Shared<EndgameTables> = Shared::new();
        let Some(folder) = file(&self.endgame_path) else { return Ok(None) };
        let tables = OPEN.get(&self.endgame_path, || EndgameTables::open(folder))?;
        match tables.most_men() {
            0 => Err(EndgameError::NoTables(folder.to_path_buf())),
            _ => Ok(Some(tables)),
        }
    }

    pub(super) fn open_syzygy(&self) -> Result<Option<Arc<Syzygy>>, SyzygyError> {
        static OPEN: Shared<Syzygy> = Shared::new();
        if self.syzygy_path.is_empty() {
            return Ok(None);
        }
        let folders: Vec<PathBuf> = std::env::split_paths(&self.syzygy_path).collect();
        OPEN.get(&self.syzygy_path, || Syzygy::open(&folders)).map(Some)
    }
}

/// What a text names, if it names something.
fn file(text: &str) -> Option<&Path> {
    (!text.is_empty()).then(|| Path::new(text))
}
