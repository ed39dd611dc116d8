//! The way of one playout, where playouts do not go in bulk: the inner loop of the search.

use outplay_core::Game;

use super::Worker;
use crate::mcts::select::{Choice, Step};
use crate::mcts::state::State;
use crate::mcts::tree::{EdgeId, Link, NodeId};
use crate::mcts::utility::Outlook;

impl<G: Game> Worker<'_, G> {
    /// Takes one playout from the node at the end of the path, which is ready, to a leaf below it: what [`Worker::choose`] would do, more
    /// quickly.
    pub(super) fn walk(&mut self, edge: EdgeId, (node, state): (NodeId, State), mut position: G) {
        let tree = self.shared.tree;
        let (begin, past) = (self.route.path.len(), self.history.len());
        let (mut edge, mut node, mut state) = (edge, node, state);
        loop {
            self.history.push(&position);
            match self.next_step(edge, (node, state)) {
                Step::Follow(next) => {
                    let link = tree.send_one(next);
                    if self.may_be_closed(&link) {
                        self.look_beside_closed(&link, edge, (node, state), &position);
                    }
                    // Asked for before the position is computed, because it has to come from far away.
                    (edge, node, state) = (next, link.node, tree.state(link.node));
                    position.play(link.m);
                    self.route.path.push(edge);
                    if self.halt(edge, (node, state), &position, 1) == 0 {
                        break;
                    }
                }
                Step::TryNew(number) => {
                    if self.try_new((node, number), &position).is_none() {
                        self.collide(1);
                    }
                    break;
                }
            }
        }
        self.route.path.truncate(begin);
        self.history.truncate::<G>(past);
    }

    /// What to do with one playout at the node behind an edge.
    #[inline]
    fn next_step(&self, edge: EdgeId, (node, state): (NodeId, State)) -> Step {
        let tree = self.shared.tree;
        let plain = self.shared.plain_uct.and_then(|uct| uct.step(tree, edge, (node, state)));
        plain.unwrap_or_else(|| {
            let outlook = Outlook::new(tree, &self.shared.utility, edge, node);
            Choice::one(tree, self.options(), (node, state), outlook)
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
        let (tree, begin) = (self.shared.tree, self.candidates.len());
        let outlook = Outlook::new(tree, &self.shared.utility, edge, node);
        let choice = Choice::new(tree, self.options(), (node, state), outlook, &mut self.candidates);
        if !choice.is_open(tree, link) {
            self.look_beside(&choice, begin, node, position);
        }
        self.candidates.truncate(begin);
    }
}
