//! What a search shows of its tree while it runs, for people who want to watch it think.
//!
//! An alpha-beta search shows the top of each iteration's tree, a Monte Carlo search the top of its growing tree now and then. Both are
//! lists of bounded length in which parents come before their children.

use std::time::Duration;

use outplay_core::Move;
use serde::{Deserialize, Serialize};

use crate::alphabeta::Techniques;
use crate::{Bound, Meaning, MoveStatistics, Score};

/// How much of a search is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceOptions {
    /// Nodes so many plies from the root, and nearer ones.
    pub plies: u16,
    /// At most so many nodes at a time; the rest is counted.
    pub most_nodes: u32,
    /// Of a tree that grows, only moves tried so often.
    pub least_visits: u64,
}

impl Default for TraceOptions {
    fn default() -> TraceOptions {
        TraceOptions { plies: 3, most_nodes: 5_000, least_visits: 1 }
    }
}

/// Something to be seen of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceEvent {
    /// An iteration of an alpha-beta search is over.
    Iteration(Box<IterationTrace>),
    /// How far the tree of a Monte Carlo search has grown.
    Snapshot(TreeSnapshot),
}

/// The top of the tree of one iteration, as the first thread has searched it.
#[derive(Clone, Debug, PartialEq)]
pub struct IterationTrace {
    /// The depth of the iteration.
    pub depth: u32,
    /// Whether it came to its end: the last one is often given up.
    pub is_complete: bool,
    /// The time from the beginning of the search to the end of the iteration.
    pub time: Duration,
    /// The nodes that the first thread visited in it.
    pub nodes: u64,
    /// What each technique did in it, in the first thread.
    pub techniques: Techniques,
    /// How often a node was visited that would have been shown if there had been room.
    pub left_out: u64,
    /// The nodes in the order in which they were first visited; the root is the first.
    pub tree: Vec<SearchedNode>,
}

/// A node of an alpha-beta search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedNode {
    /// The number of the node above; `None` for the root.
    pub parent: Option<u32>,
    /// The move that led here; `None` at the root, and for a pass.
    pub m: Option<Move>,
    /// How far it is from the root.
    pub ply: u16,
    /// The static evaluation, for the player to move; `None` if nobody asked for it.
    pub evaluation: Option<Score>,
    /// The nodes at and below it, over all visits.
    pub nodes: u64,
    /// Each time it was searched, in order; if that was too often, the first few times and the last.
    pub visits: Vec<NodeVisit>,
    /// How many more there were.
    pub visits_left_out: u32,
}

/// One search of a node. Values are in the view of the player to move there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeVisit {
    /// The time from the beginning of the search.
    pub at: Duration,
    /// The place of the move among its siblings, from 1; 0 for the root and for a pass.
    pub place: u32,
    /// How deep the node was to be searched.
    pub depth: i32,
    /// By how many plies less than usual.
    pub reduction: i32,
    /// By how many plies more than usual.
    pub extension: i32,
    /// Alpha and beta.
    pub window: (Score, Score),
    /// What came back; `None` if the search was given up.
    pub value: Option<Score>,
    /// Why it came back.
    pub ending: NodeEnd,
    /// The nodes visited, this one among them.
    pub nodes: u64,
    /// Which of its moves were not tried.
    pub pruned: Pruned,
}

impl NodeVisit {
    /// What the value is worth.
    pub fn bound(&self) -> Bound {
        match self.value {
            _ if matches!(self.ending, NodeEnd::GameOver | NodeEnd::Foreseen) => Bound::Exact,
            Some(value) if value >= self.window.1 => Bound::AtLeast,
            Some(value) if value <= self.window.0 => Bound::AtMost,
            _ => Bound::Exact,
        }
    }
}

/// Why the search of a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeEnd {
    /// Its moves were tried, all that were worth it or up to one that refutes.
    Searched,
    /// The game is over there.
    GameOver,
    /// The position has stood on the board before.
    Repetition,
    /// The game's knowledge sees the end.
    Foreseen,
    /// The value is known by heart.
    Known,
    /// The table knew enough.
    Table,
    /// Nothing can be quicker than what is known.
    MateDistance,
    /// It is won by force.
    ForcedWin,
    /// The evaluation spoke, at the horizon.
    Evaluated,
    /// Noisy moves were played out, beyond the horizon.
    Quiescence,
    /// It looks hopeless, and noisy moves did not help.
    Razoring,
    /// It looks far too good.
    ReverseFutility,
    /// Even passing is too good.
    NullMove,
    /// A shallower search leaves hardly a doubt.
    #[serde(rename = "probcut")]
    ProbCut,
    /// Several moves are too good.
    MultiCut,
    /// The search was given up.
    GivenUp,
}

/// How often it was decided at a node that moves are not worth trying, by technique. Late moves, futility and candidates decide about a quiet
/// move and all after it at once.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// They come late.
    pub late: u64,
    /// They cannot bring the value up.
    pub futile: u64,
    /// They are no candidates.
    pub candidates: u64,
    /// They have been bad elsewhere.
    pub history: u64,
    /// They lose material.
    pub exchange: u64,
}

/// The top of a tree that grows.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSnapshot {
    /// The time from the beginning of the search.
    pub time: Duration,
    /// The simulations of this search so far.
    pub playouts: u64,
    /// Whether the search is over.
    pub is_last: bool,
    /// Moves that were tried often enough, but for which there was no room.
    pub left_out: u64,
    /// The nodes, most visited first, but parents before children; the root is the first.
    pub tree: Vec<GrownNode>,
}

/// A move in a tree that grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrownNode {
    /// The number of the node above; `None` for the root.
    pub parent: Option<u32>,
    /// The move; `None` at the root.
    pub m: Option<Move>,
    /// How far it is from the root.
    pub ply: u16,
    /// How often it was tried.
    pub visits: u64,
    /// What it is worth for the player who makes it (at the root: who moves).
    pub score: Meaning,
    /// What else was counted; `None` at the root.
    pub statistics: Option<MoveStatistics>,
}

/// Who watches a search.
pub struct Watcher<'a> {
    /// How much is wanted.
    pub options: TraceOptions,
    /// Where it goes. Called on the search's thread, which waits.
    pub sink: &'a mut dyn FnMut(TraceEvent),
}
