//! The settings of a library, and the files that they name.

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
        group "Endgame tables" []:
        /// Folders of Syzygy tables, separated as the system separates paths; empty for none.
        pub syzygy_path: PathBuf = PathBuf::new(), alias "syzygy",
        /// Positions with as many men as the largest Syzygy table are looked up where so many plies are left to search.
        pub syzygy_probe_depth: i32 = 1, in 1..=100, is [Expert],
        /// Positions with more men are not looked up in Syzygy tables.
        pub syzygy_probe_limit: u32 = 7, in 0..=7, is [Expert],
        /// Take wins for draws that the fifty-move rule spoils.
        pub syzygy_50_move_rule: bool = true, ablate [],
        /// A folder of our own endgame tables, made by `outplay endgames build`; empty for none.
        pub endgame_path: PathBuf = PathBuf::new(), alias "endgames",
        group "Openings" []:
        /// Up to which move of the game the book is asked.
        pub book_depth: u16 = 1_000, in 0..=1_000, is [Expert],
        /// Choose between the moves of a Polyglot book by chance, each as often as its weight says, and not always the weightiest.
        pub book_random: bool = false, ablate [],
    }
}

/// A Polyglot book that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum PolyglotError {
    #[error("{}: cannot be read: {error}", file.display())]
    Unreadable { file: PathBuf, error: io::Error },
    #[error("{} is not a Polyglot book, which has a whole number of entries, nor one of ours", .0.display())]
    NoBook(PathBuf),
}

impl LibraryOptions {
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
        if self.syzygy_path.as_os_str().is_empty() {
            return Ok(None);
        }
        let folders: Vec<PathBuf> = std::env::split_paths(&self.syzygy_path).collect();
        OPEN.get(&self.syzygy_path, || Syzygy::open(&folders)).map(Some)
    }
}

/// The book in a file, if one is named and it is not in our own format, which [`Openings`](outplay_book::Openings) read.
pub(super) fn open_polyglot(name: &Path) -> Result<Option<Book>, PolyglotError> {
    let Some(file) = file(name) else { return Ok(None) };
    let unreadable = |error| PolyglotError::Unreadable { file: file.to_path_buf(), error };
    if outplay_book::Book::is_at(file).map_err(unreadable)? {
        return Ok(None);
    }
    let book = Book::open(file).map_err(unreadable)?;
    match (book.entries(), book.stray_bytes()) {
        (1.., 0) => Ok(Some(book)),
        _ => Err(PolyglotError::NoBook(file.to_path_buf())),
    }
}

/// A file, if one is named.
fn file(name: &Path) -> Option<&Path> {
    (!name.as_os_str().is_empty()).then_some(name)
}
