//! Playouts from a root with a rule of its own, one by one.

use outplay_core::Game;

use super::Playouts;
use crate::mcts::root_rule::RootPlan;
use crate::mcts::select::Step;
use crate::mcts::tree::{EdgeId, NodeId};

impl<G: Game> Playouts<'_, G> {
    /// Takes playouts from the root to leaves, as the rule says. Once one of them finds nothing, the others are called back: what they would be sent to hangs on
    /// what is in flight.
    pub(super) fn choose_by_rule(
        &mut self,
        plan: &RootPlan,
        edge: EdgeId,
        node: NodeId,
        position: &G,
        budget: u32,
    ) {
        let tree = self.run.tree;
        for left in (0..budget).rev() {
            let collided = self.batch.gathered.collided;
            match plan.step(tree, node) {
                None => self.go_on_alone(edge, (node, tree.state(node)), position.clone()),
                Some(step) => {
                    self.own.history.push(position);
                    match step {
                        Step::Follow(next) => {
                            tree.send(next, 1);
                            self.follow(next, position, 1);
                        }
                        Step::TryNew(number) => {
                            if self.try_new((node, number), position).is_none() {
                                self.collide(1);
                            }
                        }
                    }
                    self.own.history.pop::<G>();
                }
            }
            if self.batch.gathered.collided > collided {
                return self.collide(left);
            }
        }
    }
}
