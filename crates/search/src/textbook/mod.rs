//! The searches of the textbooks, kept short: the oracles that the fast ones are tested against, and what a student
//! opens first.
//!
//! The tree searches ([`minimax`], [`negamax`], [`alphabeta`]) are plain recursive functions over a [`Walk`], which
//! counts, remembers the path and asks the [`Horizon`] where to stop. With the horizon [`Exact`] they value a
//! position by playing every game to its end. With [`AtDepth`] they are H-minimax: a cutoff test in place of the
//! end of the game, an evaluation in place of the utility. [`TreeSearch`] runs them from a root, once or deeper and
//! deeper. [`FlatMonteCarlo`] and [`Uct`] value positions by random games.
//!
//! Each can be followed by hand: [`explain`] records a tree search node by node, [`Search::record`](crate::Search::record)
//! a Monte Carlo search simulation by simulation. [`NumberTree`] counts how much of a tree alpha-beta looks at.

mod alphabeta;
mod flat;
mod horizon;
mod minimax;
mod negamax;
mod playout;
mod random_tree;
mod root;
mod simulations;
mod trace;
mod uct;
mod walk;

pub use alphabeta::alphabeta;
pub use flat::{FlatMonteCarlo, FlatOptions};
pub use horizon::{AtDepth, Exact, Horizon};
pub use minimax::minimax;
pub use negamax::negamax;
pub use playout::playout;
pub use random_tree::{MOST_LEAVES, NumberTree, Order, fewest_leaves};
pub(crate) use root::root_moves;
pub use root::{Algorithm, Deepening, TreeOptions, TreeSearch, explain};
pub use simulations::{BackedUp, Candidate, Choice, NotRecorded, Recording, Simulation};
pub use trace::{Leaf, Trace, TraceNode};
pub use uct::{Uct, UctOptions};
pub use walk::{Observer, Walk};
