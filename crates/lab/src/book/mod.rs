//! Opening books by our own search.
//!
//! A book grows one position at a time: [`Grower`] searches it for its best moves and puts what it finds into the book. Which one is next,
//! [`graph`](self) says, by the method of drop-out expansion (Lincke, "Strategies for the automatic construction of opening books", 2000):
//! every way from the start has a price, so much for each ply and so much as each move on it is worse than the best one there, and the position
//! at the end of the cheapest way is searched next. So good lines become long, doubtful ones stay short, and a move that turns out worse than
//! another hands over to it by itself, because values are always those of what lies at the end of the lines.
//!
//! What is next depends on the book alone, and what a search finds on the position alone: it is searched as the image that stands for it, with
//! a memory that was cleared. So a book that was interrupted becomes the same book as one that was not.

mod graph;
mod grow;
mod known;
mod lines;

pub use grow::{Grower, Growth};
pub use known::{KnownMove, OpenBook};
pub use lines::{LineChoice, book_lines};
