//! A recorded search in words, ready to be printed.

use outplay_core::{Line, Notation, Player};
use outplay_search::textbook::{Leaf, Trace, TraceNode};
use outplay_search::{Counters, Meaning, Score};
use serde::Serialize;

/// A textbook search, node by node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The nodes in the order in which they were visited; the first is the root.
    pub nodes: Vec<ExplainedNode>,
    /// What the search counted.
    pub counters: Counters,
}

/// One node of an [`Explanation`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedNode {
    /// The move that led here; empty at the root.
    pub played: String,
    /// Who moves here.
    pub to_move: &'static str,
    /// The nodes below, in the order in which they were searched.
    pub children: Vec<usize>,
    /// Alpha and beta on entering, for the player who moves here, `None` for infinity; absent for searches without a
    /// window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<[Option<Meaning>; 2]>,
    /// The value for the player who moved here (at the root: who moves).
    pub value: Meaning,
    /// What the value is worth.
    pub bound: Bound,
    /// `game over`, `evaluated` or absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaf: Option<&'static str>,
    /// Moves that were not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<String>,
}

/// What a search knows about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The true value is this or less.
    AtMost,
    /// The true value is this or more.
    AtLeast,
}

impl Explanation {
    /// Puts a trace from the end of `line` into words.
    pub(crate) fn new<G: Notation>(line: &Line<G>, trace: &Trace, counters: Counters) -> Explanation {
        // Nodes come after their parents, so one pass finds every position.
        let mut positions: Vec<G> = Vec::with_capacity(trace.nodes().len());
        let mut nodes: Vec<ExplainedNode> = Vec::with_capacity(trace.nodes().len());
        for node in trace.nodes() {
            let (played, viewer, position) = match (node.parent.map(|parent| &positions[parent]), node.played)
            {
                (Some(parent), Some(m)) => (parent.move_text(m), parent.to_move(), parent.after(m)),
                _ => (String::new(), line.position().to_move(), line.position().clone()),
            };
            nodes.push(ExplainedNode {
                played,
                to_move: position.mover_name(),
                children: node.children.clone(),
                window: node.window.map(|(alpha, beta)| [alpha, beta].map(finite::<G>)),
                value: node.value.meaning::<G>(),
                bound: bound(node, viewer, position.to_move()),
                leaf: node.leaf.map(|leaf| match leaf {
                    Leaf::GameOver => "game over",
                    Leaf::Evaluated => "evaluated",
                }),
                pruned: node.pruned.iter().map(|&m| position.move_text(m)).collect(),
            });
            positions.push(position);
        }
        Explanation { nodes, counters }
    }
}

/// A bound of a window, `None` if it is infinite.
fn finite<G: Notation>(score: Score) -> Option<Meaning> {
    (score != Score::INFINITE && score != -Score::INFINITE).then(|| score.meaning::<G>())
}

/// What a node's value, as `viewer` sees it, is worth, given the window that `mover` searched it with.
fn bound(node: &TraceNode, viewer: Player, mover: Player) -> Bound {
    let Some((alpha, beta)) = node.window.filter(|_| node.leaf.is_none()) else { return Bound::Exact };
    let own = node.value.seen_by(mover, viewer);
    match (own <= alpha, own >= beta, viewer == mover) {
        (false, false, _) => Bound::Exact,
        (true, _, true) | (_, true, false) => Bound::AtMost,
        (true, _, false) | (_, true, true) => Bound::AtLeast,
    }
}
