//! A line of moves, looked for in the tree of a search.

use outplay_engine::{TraceNode, TraceVisit};
use outplay_search::Meaning;
use outplay_search::trace::{NodeEnd, Pruned};
use serde::Serialize;

/// A move of the line, and what the search did with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The move; absent where other moves were left out than one of the line.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// Who made it.
    pub by: String,
    /// The move of the line that was not looked at because this one was good enough for the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    /// What became of it.
    #[serde(flatten)]
    pub fate: Fate,
}

/// What a search did with a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum Fate {
    /// It was searched.
    Searched {
        /// The number of its node in the trace of the last complete iteration.
        node: u32,
        /// Its place in the order of moves.
        place: u32,
        /// How deep.
        depth: i32,
        /// By how many plies less than usual, in its deepest search.
        reduction: i32,
        /// By how many plies more.
        extension: i32,
        /// What it was worth to whoever made it, or a bound of that.
        value: Option<Meaning>,
        /// Why its search ended.
        ended: NodeEnd,
    },
    /// It was not, because moves were left out there.
    NotTried {
        /// How deep the position was searched.
        depth: i32,
        /// How often moves were left out, by technique.
        pruned: Pruned,
    },
}

/// The way of a line through a tree, as far as the search followed it, and on to what it took for a refutation.
pub(super) fn way(tree: &[TraceNode], line: &[String]) -> Vec<Step> {
    let mut way = Vec::new();
    let Some(mut at) = tree.first() else { return way };
    for played in line {
        let below = tree.iter().filter(|node| node.parent == Some(at.id));
        let Some(node) = below.clone().find(|node| node.played == *played) else {
            if let Some(fate) = gap(at) {
                way.push(Step {
                    played: Some(played.clone()),
                    by: at.to_move.to_string(),
                    instead_of: None,
                    fate,
                });
                break;
            }
            // Nothing was left out: another answer was good enough, or seemed so. It was looked at last.
            let last = |node: &TraceNode| node.visits.iter().map(|visit| visit.us).max();
            let Some((refuter, visit)) =
                below.max_by_key(|node| last(node)).and_then(|node| Some((node, deepest(node)?)))
            else {
                break;
            };
            let instead_of = Some(played.clone());
            way.push(Step { instead_of, ..step(at, refuter, visit) });
            let by = refuter.to_move.to_string();
            way.extend(gap(refuter).map(|fate| Step { played: None, by, instead_of: None, fate }));
            break;
        };
        let Some(visit) = deepest(node) else { break };
        way.push(step(at, node, visit));
        if visit.ended != NodeEnd::Searched {
            break;
        }
        at = node;
    }
    way
}

/// The deepest search is the one that counted; of equals, the last.
fn deepest(node: &TraceNode) -> Option<&TraceVisit> {
    node.visits.iter().max_by_key(|visit| visit.depth)
}

/// Which moves were left out at a node, if any were.
fn gap(node: &TraceNode) -> Option<Fate> {
    let visit = node.visits.iter().rev().find(|visit| visit.pruned != Pruned::default())?;
    Some(Fate::NotTried { depth: visit.depth, pruned: visit.pruned })
}

fn step(at: &TraceNode, node: &TraceNode, visit: &TraceVisit) -> Step {
    Step {
        played: Some(node.played.clone()),
        by: at.to_move.to_string(),
        instead_of: None,
        fate: searched(node.id, visit),
    }
}

fn searched(node: u32, visit: &TraceVisit) -> Fate {
    Fate::Searched {
        node,
        place: visit.place,
        depth: visit.depth,
        reduction: visit.reduction.max(0),
        extension: visit.extension,
        value: visit.value.map(reversed),
        ended: visit.ended,
    }
}

/// For the other side. Distances are counted from the root, and stay.
fn reversed(value: Meaning) -> Meaning {
    match value {
        Meaning::Opinion(value) => Meaning::Opinion(-value),
        Meaning::WinIn(plies) => Meaning::LossIn(plies),
        Meaning::LossIn(plies) => Meaning::WinIn(plies),
        Meaning::Margin(margin) => Meaning::Margin(-margin),
        Meaning::Expected(mean) => Meaning::Expected(-mean),
    }
}
