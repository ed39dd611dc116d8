//! Shows the top of the tree while it grows, if anybody watches.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use outplay_core::Game;

use super::options::FinalMove;
use super::report::ranked;
use super::threads::Shared;
use super::view::View;
use crate::trace::{GrownNode, TraceEvent, TraceOptions, TreeSnapshot};
use crate::{Control, Meaning};

/// Nobody sees more pictures a second than ten.
const BETWEEN: Duration = Duration::from_millis(100);

/// Sends a picture of the tree whenever it is time for one.
#[derive(Default)]
pub(super) struct Watch {
    next: Duration,
}

impl Watch {
    /// Looks whether it is time.
    pub fn look<G: Game>(&mut self, shared: &Shared<G>, control: &mut Control) {
        if control.watcher.is_some() && control.elapsed() >= self.next {
            show(shared, control, false);
            // Counted from now, so that the search gets most of the time even if a picture takes long.
            self.next = control.elapsed() + BETWEEN;
        }
    }
}

/// Sends a picture of the tree.
pub(super) fn show<G: Game>(shared: &Shared<G>, control: &mut Control, is_last: bool) {
    let time = control.elapsed();
    let Some(watcher) = &mut control.watcher else { return };
    let (tree, left_out) = top(shared, &watcher.options);
    let playouts = shared.counters.playouts();
    (watcher.sink)(TraceEvent::Snapshot(TreeSnapshot { time, playouts, is_last, left_out, tree }));
}

/// The most visited nodes of the top of the tree, and how many there was no room for: replies to nodes for which there was room.
fn top<G: Game>(shared: &Shared<G>, options: &TraceOptions) -> (Vec<GrownNode>, u64) {
    let view = View::of(shared);
    let visits = u64::from(view.tree.stats(shared.run.root).visits);
    let score = Meaning::Expected(view.shown(shared.run.root, shared.run.line.position().to_move()).q);
    let mut nodes = vec![GrownNode { parent: None, m: None, ply: 0, visits, score, statistics: None }];
    let mut edges = vec![shared.run.root];
    let mut left_out = 0;
    // Those whose replies are still to be shown: the most visited first, then the one that was met first.
    let mut open = BinaryHeap::from([(visits, Reverse(0))]);
    while let Some((visits, Reverse(number))) = open.pop() {
        let ply = nodes[number].ply + 1;
        if ply > options.plies {
            continue;
        }
        let settings =
            if number == 0 { &shared.run.context.root_options } else { &shared.run.context.options };
        let node = view.tree.link(edges[number]).node;
        let player = view.tree.state(node).to_move();
        for edge in ranked(&view, node, player, FinalMove::Visits) {
            let tried = u64::from(view.tree.stats(edge).visits);
            if tried < options.least_visits.max(1) {
                continue;
            }
            if nodes.len() >= options.most_nodes as usize {
                left_out += 1;
                continue;
            }
            open.push((tried, Reverse(nodes.len())));
            edges.push(edge);
            nodes.push(GrownNode {
                parent: Some(number as u32),
                m: Some(view.tree.link(edge).m),
                ply,
                visits: tried,
                score: view.meaning(edge, player),
                statistics: Some(view.statistics(settings, edge, player, visits as u32)),
            });
        }
    }
    (nodes, left_out)
}
