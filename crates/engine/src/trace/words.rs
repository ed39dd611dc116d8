//! Puts what a search shows into words.

use std::borrow::Cow;

use outplay_core::{Move, Notation};
use outplay_search::trace::{GrownNode, IterationTrace, NodeVisit, SearchedNode, TraceEvent, TreeSnapshot};
use outplay_search::{Meaning, Score};

use super::{
    Inbox, TraceBegin, TraceEnd, TraceGrown, TraceIteration, TraceNode, TraceRecord, TraceSink,
    TraceSnapshot, TraceStatistics, TraceVisit,
};
use crate::session::Wording;

/// Delivers a whole search from `position`, from its beginning to its end.
pub(crate) fn deliver<G: Notation>(
    begin: TraceBegin,
    position: &G,
    wording: &dyn Wording,
    inbox: Inbox,
    mut sink: TraceSink,
) {
    sink(TraceRecord::Begin(begin));
    while let Some((event, dropped)) = inbox.next() {
        sink(match event {
            TraceEvent::Iteration(trace) => {
                TraceRecord::Iteration(Box::new(iteration(position, &trace, dropped)))
            }
            TraceEvent::Snapshot(trace) => TraceRecord::Snapshot(snapshot(position, &trace, dropped)),
        });
    }
    let (report, dropped) = inbox.report();
    let best = report.as_ref().and_then(|report| report.lines.first());
    let stopped = report.as_ref().and_then(|report| report.stopped);
    sink(TraceRecord::End(TraceEnd {
        us: report.as_ref().map_or(0, |report| report.time.as_micros() as u64),
        nodes: report.as_ref().map_or(0, |report| report.counters.nodes),
        depth: report.as_ref().map_or(0, |report| report.depth),
        stopped,
        reason: stopped.map(|reason| reason.text().to_string()),
        line: best.map_or_else(Vec::new, |line| wording.line_text(&line.moves)),
        score: best.map(|line| rounded(line.score)),
        dropped,
    }));
}

fn iteration<G: Notation>(position: &G, trace: &IterationTrace, dropped: u64) -> TraceIteration {
    let said = say(position, &trace.tree, |node| (node.parent, node.m));
    let nodes = trace.tree.iter().zip(said).enumerate();
    TraceIteration {
        depth: trace.depth,
        complete: trace.is_complete,
        us: trace.time.as_micros() as u64,
        nodes: trace.nodes,
        techniques: trace.techniques,
        left_out: trace.left_out,
        dropped,
        tree: nodes.map(|(id, (node, said))| searched::<G>(id, node, said)).collect(),
    }
}

fn searched<G: Notation>(id: usize, node: &SearchedNode, said: Said) -> TraceNode {
    TraceNode {
        id: id as u32,
        parent: node.parent,
        played: said.played,
        to_move: Cow::Borrowed(said.to_move),
        ply: node.ply,
        evaluation: node.evaluation.map(Score::raw),
        nodes: node.nodes,
        visits: node.visits.iter().map(visit::<G>).collect(),
        visits_left_out: node.visits_left_out,
    }
}

fn visit<G: Notation>(visit: &NodeVisit) -> TraceVisit {
    let finite =
        |score: Score| (score != Score::INFINITE && score != -Score::INFINITE).then(|| score.meaning::<G>());
    TraceVisit {
        us: visit.at.as_micros() as u64,
        place: visit.place,
        depth: visit.depth,
        reduction: visit.reduction,
        extension: visit.extension,
        alpha: finite(visit.window.0),
        beta: finite(visit.window.1),
        value: visit.value.and_then(finite),
        bound: visit.bound(),
        ended: visit.ending,
        nodes: visit.nodes,
        pruned: visit.pruned,
    }
}

fn snapshot<G: Notation>(position: &G, trace: &TreeSnapshot, dropped: u64) -> TraceSnapshot {
    let said = say(position, &trace.tree, |node| (node.parent, node.m));
    let nodes = trace.tree.iter().zip(said).enumerate();
    TraceSnapshot {
        us: trace.time.as_micros() as u64,
        playouts: trace.playouts,
        last: trace.is_last,
        left_out: trace.left_out,
        dropped,
        tree: nodes.map(|(id, (node, said))| grown(id, node, said)).collect(),
    }
}

fn grown(id: usize, node: &GrownNode, said: Said) -> TraceGrown {
    TraceGrown {
        id: id as u32,
        parent: node.parent,
        played: said.played,
        by: Cow::Borrowed(said.by),
        ply: node.ply,
        visits: node.visits,
        score: rounded(node.score),
        statistics: node.statistics.map(|known| TraceStatistics {
            prior: short(known.prior),
            q: short(known.q),
            u: short(known.u),
            wdl: known.wdl.map(short),
            moves_left: known.moves_left.map(short),
        }),
    }
}

/// What there is to say of a node.
struct Said {
    played: String,
    /// Who made the move; at the root: who moves.
    by: &'static str,
    to_move: &'static str,
}

/// Puts the moves of a tree into words, keeping positions only of nodes whose children are still to come.
fn say<G: Notation, N>(root: &G, tree: &[N], link: impl Fn(&N) -> (Option<u32>, Option<Move>)) -> Vec<Said> {
    let nobody = || Said { played: String::new(), by: root.mover_name(), to_move: root.mover_name() };
    let mut said: Vec<Said> = tree.iter().map(|_| nobody()).collect();
    let mut children: Vec<Vec<usize>> = tree.iter().map(|_| Vec::new()).collect();
    for (number, node) in tree.iter().enumerate() {
        if let Some(parent) = link(node).0 {
            children[parent as usize].push(number);
        }
    }
    let mut ahead = vec![(0, root.clone())];
    while let Some((parent, position)) = ahead.pop() {
        for &child in children.get(parent).into_iter().flatten() {
            let by = position.mover_name();
            said[child] = match link(&tree[child]).1 {
                Some(m) => {
                    let after = position.after(m);
                    let to_move = after.mover_name();
                    if !children[child].is_empty() {
                        ahead.push((child, after));
                    }
                    Said { played: position.move_text(m), by, to_move }
                }
                None => {
                    let to_move = position.players()[(!position.to_move()).index()];
                    Said { played: "pass".to_string(), by, to_move }
                }
            };
        }
    }
    said
}

/// A number to six digits: nobody reads more, and what is written is what is read.
fn short(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn rounded(score: Meaning) -> Meaning {
    match score {
        Meaning::Expected(mean) => Meaning::Expected(short(mean)),
        other => other,
    }
}
