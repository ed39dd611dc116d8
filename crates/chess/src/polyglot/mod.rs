//! Opening books in the Polyglot format, which most chess programs read.
//!
//! A book is a list of entries of 16 bytes, sorted by the key of their position: [`key`] computes it, [`Book`] looks a position up in a
//! file, [`BookBuilder`] makes books from games and from other books.

mod book;
mod build;
mod entry;
mod key;

pub use book::{Book, BookMove, Choice};
pub use build::{BookBuilder, Weights};
pub use entry::Entry;
pub use key::key;
