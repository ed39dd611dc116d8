//! Opening books, in one format for every game.
//!
//! A [`Book`] knows positions and what is known of their moves: what a search says, and how games went. Positions that are images of each
//! other share a page (see [`Folded`](outplay_core::Folded)). `file.rs` has the format, `choice.rs` which move is played, `openings.rs` the
//! [`Openings`] of a session: its settings, its book and what is known of its opponent.

mod choice;
mod file;
mod openings;
mod options;
mod page;

pub use choice::{near_equal, pick};
pub use file::{BookError, MARK};
pub use openings::Openings;
pub use options::BookOptions;
pub use page::{Book, BookMove, Judgement, Results};
