//! From results of games to claims about players.
//!
//! A match is counted in a [`PairTally`] (every opening played with both colours, the rule) or in a [`Wdl`]
//! (games on their own). [`Summary`] turns either into everything that a live table or a report shows:
//! score, Elo and normalised Elo with error bars, likelihood of superiority, and the state of an [`Sprt`].
//! A pool of more than two players goes into a [`Crosstable`], which gives [`Ratings`].
//!
//! Below those stands one idea. A match is a [`Sample`] of independent *trials*, each of which scores between
//! 0 and 1 for the player under test. A game on its own is a trial with three outcomes. A pair of games from
//! one opening is a trial with five, and has to be one trial rather than two: an opening that favours one
//! colour makes the two results of a pair depend on each other, so that counting them as independent games
//! misjudges the spread of the score, and with it every error bar and every verdict.
//!
//! Nothing here reads, prints or plays; everything is a function of counts.

mod counts;
mod distribution;
mod elo;
mod normal;
mod ratings;
mod redundancy;
mod sample;
mod sprt;
mod summary;

pub use counts::{GameResult, PairTally, Pentanomial, Wdl};
pub use elo::{
    Estimate, NELO_PER_T, elo_from_score, elo_of, likelihood_of_superiority, nelo_of, score_from_elo,
};
pub use ratings::{Anchor, Crosstable, Rating, RatingError, Ratings};
pub use redundancy::redundancy;
pub use sample::Sample;
pub use sprt::{Decision, EloModel, Sprt, SprtError};
pub use summary::{SprtState, Summary};
