//! Suites: players solve test positions, and everything that their searches tell is measured.
//!
//! What is measured, and how, is defined here and nowhere else. What a search does not tell stays empty.
//!
//! **Iterations.** Whatever a player says of its search with a line of play is an iteration. A repetition of the last one
//! (same depth, same line, same value) is none. Where a player speaks of one depth several times, its last word counts for
//! whatever compares depths. Searches that play random games have stages instead of depths: each is compared with the next.
//!
//! **Solved.** If the problem names moves, the move that was played in the end is one of the best and none of those to avoid,
//! and nothing false was claimed on the way. If only a result is known, the player has proved it. If nothing is known, there
//! is nothing to solve, and the position is only searched.
//!
//! **Proved.** The player claims the known result, with certainty: a forced win or loss (in as many moves, if the distance is
//! known), the exact margin, or an even value of a search that says that it has seen everything. A forced win in more moves
//! than needed, or by less than is possible, proves nothing yet. A certain claim that contradicts the known result, be it a
//! shorter win than there is, is a **false claim**: either the player is wrong or the suite is.
//!
//! **Time and nodes to solution.** Those of the first iteration from which on all iterations and the final move are right;
//! those of the whole search if no iteration was. Only for solved positions.
//!
//! **Nodes per second.** Nodes by the time until the answer, on our clock.
//!
//! **Cutoff rate.** Cutoffs by nodes. **First-move cutoff rate**: cutoffs at the first move by all cutoffs. **Table hit
//! rate**: positions found in the table by positions looked up.
//!
//! **Branching factor.** The effective one: the geometric mean of the growth of all nodes since the beginning from each depth
//! to the next, which is `(N(d₂) / N(d₁)) ^ (1 / (d₂ - d₁))` for the first depth that was completed and the last. Searches
//! that play random games have none.
//!
//! **Line stability.** The mean number of moves in which the best lines of successive depths agree from their beginning on.
//!
//! **In total**, rates come from sums over all positions, the depth is the median of the depths, the branching factor the
//! geometric mean of the factors, and time and nodes to solution have mean and median over the solved positions.

mod judge;
mod metrics;
mod page;
mod run;
mod tables;
mod text;
mod totals;

pub use judge::Certainty;
pub use metrics::{Iteration, Metrics};
pub use page::page;
pub use run::{Searched, Solution, Suite, SuiteError, SuiteRun};
pub use tables::{json, write_iterations, write_searches};
pub use text::text;
pub use totals::{Totals, Typical};
