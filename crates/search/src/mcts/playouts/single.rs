//! The path of one playout, where playouts do not go in bulk: the inner loop of the search.

use outplay_core::Game;

use super::Playouts;
use crate::mcts::improved;
use crate::mcts::select::{Choice, Step};
use crate::mcts::state::State;
use crate::mcts::tree::{EdgeId, Link, NodeId, Tree};
use crate::mcts::utility::Outlook;

/// Notes that a playout is on its way through the edges of its path. Where several threads are at work, an edge has to be fetched from the one that wrote it
/// last: it is asked for at once, and written when the next one is chosen.
struct Sender<'a> {
    tree: &'a Tree,
    asked_for: Option<EdgeId>,
}

impl<'a> Sender<'a> {
    fn new(tree: &'a Tree) -> Sender<'a> {
        Sender { tree, asked_for: None }
    }

    /// The playout goes through this edge; where that leads.
    #[inline]
    fn send(&mut self, edge: EdgeId) -> Link {
        if self.tree.is_alone() {
            return self.tree.send_one(edge);
        }
        self.tree.ask_for(edge);
        if let Some(before) = self.asked_for.replace(edge) {
            self.tree.send(before, 1);
        }
        self.tree.link(edge)
    }

    /// Everybody is to know of all of them.
    #[inline]
    fn finish(&mut self) {
        if let Some(edge) = self.asked_for.take() {
            self.tree.send(edge, 1);
        }
    }
}

impl<G: Game> Playouts<'_, G> {
    /// Takes one playout from the node at the end of the path, which is ready, to a leaf below it: what [`Playouts::choose`] would do, more
    /// quickly.
    pub(super) fn go_on_alone(&mut self, edge: EdgeId, (node, state): (NodeId, State), mut position: G) {
        let tree = self.run.tree;
        let (begin, past) = (self.scratch.path.edges.len(), self.own.history.len());
        let (mut edge, mut node, mut state) = (edge, node, state);
        let mut sender = Sender::new(tree);
        loop {
            self.own.history.push(&position);
            match self.next_step(edge, (node, state)) {
                Step::Follow(next) => {
                    let link = sender.send(next);
                    if self.may_be_closed(&link) {
                        sender.finish();
                        self.look_beside_closed(&link, edge, (node, state), &position);
                    }
                    // Asked for before the position is computed, because it has to come from far away.
                    (edge, node, state) = (next, link.node, tree.state(link.node));
                    position.play(link.m);
                    self.scratch.path.edges.push(edge);
                    if self.goes_on(state) {
                        continue;
                    }
                    sender.finish();
                    if self.halt_here(edge, (node, state), &position, 1) == 0 {
                        break;
                    }
                }
                Step::TryNew(number) => {
                    sender.finish();
                    if self.try_new((node, number), &position).is_none() {
                        self.collide(1);
                    }
                    break;
                }
            }
        }
        self.scratch.path.edges.truncate(begin);
        self.own.history.truncate::<G>(past);
    }

    /// What to do with one playout at the node behind an edge.
    #[inline]
    fn next_step(&self, edge: EdgeId, (node, state): (NodeId, State)) -> Step {
        let tree = self.run.tree;
        let plain = self.run.context.plain_uct.and_then(|uct| uct.step(tree, edge, (node, state)));
        plain.unwrap_or_else(|| match self.run.context.improved {
            Some(scale) => improved::step(tree, edge, (node, state), scale),
            None => {
                let outlook = Outlook::new(tree, &self.run.context.utility, edge, node);
                Choice::one(tree, self.options(), (node, state), outlook)
            }
        })
    }

    /// A playout goes to this move of the node behind an edge; should it be able to teach nothing about what is certain, another one looks beside.
    fn look_beside_closed(
        &mut self,
        link: &Link,
        edge: EdgeId,
        (node, state): (NodeId, State),
        position: &G,
    ) {
        let (tree, begin) = (self.run.tree, self.scratch.candidates.len());
        let outlook = Outlook::new(tree, &self.run.context.utility, edge, node);
        let choice = Choice::new(tree, self.options(), (node, state), outlook, &mut self.scratch.candidates);
        if !choice.is_open(tree, link) {
            self.look_beside(&choice, begin, node, position);
        }
        self.scratch.candidates.truncate(begin);
    }
}
