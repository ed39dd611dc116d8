//! A search as a stream of records in words, for people who watch it think: what `outplay trace` writes, one JSON object a line.
//!
//! `docs/trace.md` describes every field.

mod mailbox;
mod words;

use std::borrow::Cow;
use std::collections::BTreeMap;

use outplay_search::alphabeta::Techniques;
use outplay_search::trace::{NodeEnd, Pruned, TraceOptions};
use outplay_search::{Bound, Meaning, StopReason};
use serde::{Deserialize, Serialize};

pub(crate) use mailbox::{Inbox, Outbox, mailbox};
pub(crate) use words::deliver;

/// Where the records of a search go. Called on a thread of its own: while it takes its time the search goes on, and records that it has no
/// room for are dropped. It is dropped itself after the last record.
pub type TraceSink = Box<dyn FnMut(TraceRecord) + Send>;

/// One record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum TraceRecord {
    /// A search begins.
    Begin(TraceBegin),
    /// An iteration of an alpha-beta search has ended.
    Iteration(Box<TraceIteration>),
    /// The tree of a Monte Carlo search has grown.
    Snapshot(TraceSnapshot),
    /// The search has ended.
    End(TraceEnd),
}

/// What is searched, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceBegin {
    /// The version of the format: 1.
    pub version: u32,
    /// The name of the game, if whoever opened the session has filled it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The position.
    pub position: String,
    /// Who moves.
    pub to_move: Cow<'static, str>,
    /// The search.
    pub search: String,
    /// The settings of session and search, by name.
    pub settings: BTreeMap<String, String>,
    /// How much is recorded.
    pub options: TraceOptions,
}

/// The top of the tree of one iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceIteration {
    /// The depth of the iteration.
    pub depth: u32,
    /// Whether it came to its end.
    pub complete: bool,
    /// Microseconds from the beginning of the search to the end of the iteration.
    pub us: u64,
    /// The nodes that the first thread visited in it.
    pub nodes: u64,
    /// What each technique did in it.
    pub techniques: Techniques,
    /// Visits of nodes for which there was no room.
    pub left_out: u64,
    /// Records dropped since the last one.
    pub dropped: u64,
    /// The nodes in the order in which they were first visited; the root is the first.
    pub tree: Vec<TraceNode>,
}

/// A node of an alpha-beta search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceNode {
    /// Its number in the list.
    pub id: u32,
    /// The number of the node above; absent at the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The move that led here, `pass` for a null move; empty at the root.
    #[serde(rename = "move")]
    pub played: String,
    /// Who moves here.
    pub to_move: Cow<'static, str>,
    /// How far it is from the root.
    pub ply: u16,
    /// The static evaluation in hundredths, for the player to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<i32>,
    /// The nodes at and below it, over all visits.
    pub nodes: u64,
    /// Each time it was searched.
    pub visits: Vec<TraceVisit>,
    /// Visits that are not listed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub visits_left_out: u32,
}

/// One search of a node; values are in the view of the player to move there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceVisit {
    /// Microseconds from the beginning of the search.
    pub us: u64,
    /// The place of the move among its siblings, from 1; 0 for the root and for a pass.
    pub place: u32,
    /// How deep it was to be searched.
    pub depth: i32,
    /// By how many plies less than usual.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reduction: i32,
    /// By how many plies more than usual.
    #[serde(default, skip_serializing_if = "is_default")]
    pub extension: i32,
    /// The lower end of the window; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Meaning>,
    /// The upper end of the window; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beta: Option<Meaning>,
    /// What came back; absent if the search was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Meaning>,
    /// What that is worth.
    pub bound: Bound,
    /// Why it came back.
    pub ended: NodeEnd,
    /// The nodes visited, this one among them.
    pub nodes: u64,
    /// What was pruned here, by technique.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pruned: Pruned,
}

/// The top of the tree of a Monte Carlo search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceSnapshot {
    /// Microseconds from the beginning of the search.
    pub us: u64,
    /// The simulations of this search so far.
    pub playouts: u64,
    /// Whether the search is over.
    pub last: bool,
    /// Moves for which there was no room.
    pub left_out: u64,
    /// Records dropped since the last one.
    pub dropped: u64,
    /// The nodes; the root is the first, parents come before children.
    pub tree: Vec<TraceGrown>,
}

/// A move in that tree, in the view of the player who makes it (at the root: who moves).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceGrown {
    /// Its number in the list.
    pub id: u32,
    /// The number of the node above; absent at the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The move; empty at the root.
    #[serde(rename = "move")]
    pub played: String,
    /// Who makes it; at the root: who moves.
    pub by: Cow<'static, str>,
    /// How far it is from the root.
    pub ply: u16,
    /// How often it was tried.
    pub visits: u64,
    /// What it is worth.
    pub score: Meaning,
    /// What else is known of it; absent at the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<TraceStatistics>,
}

/// What is known of a move in a tree that grows, to six digits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceStatistics {
    /// How good it looked before it was tried.
    pub prior: f64,
    /// The mean of the values that came back.
    pub q: f64,
    /// What is added for being tried seldom.
    pub u: f64,
    /// The chances to win, to draw and to lose.
    pub wdl: [f64; 3],
    /// How many more plies the game is thought to last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_left: Option<f64>,
}

/// How a search has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceEnd {
    /// Microseconds from the beginning of the search.
    pub us: u64,
    /// The nodes, or simulations, of all threads.
    pub nodes: u64,
    /// The depth that was completed, or the mean depth of the simulations.
    pub depth: u32,
    /// Why it stopped; absent if it died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StopReason>,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The best move and what it leads to.
    pub line: Vec<String>,
    /// What that is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Meaning>,
    /// Records dropped since the last one.
    pub dropped: u64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
