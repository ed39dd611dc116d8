//! Every search, generic over [`Game`](outplay_core::Game).
//!
//! No game is named in this crate. What a search needs beyond the rules it asks for in small traits of its own,
//! such as [`Evaluator`]; the game crates implement them.

mod evaluator;
mod score;

pub use evaluator::{Evaluator, NoKnowledge};
pub use score::{Meaning, Score};
