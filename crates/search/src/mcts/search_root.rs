//! The root of a [`SearchTree`]: by which rule playouts leave it, what is known of its moves, and noise.

use outplay_core::{Game, Move, MoveList, Player};

use super::SearchTree;
use super::chance::add_noise;
use super::context::SearchContext;
use super::forced::{Visited, pruned};
use super::root_rule::{GumbelChoice, GumbelRoot, RootPlan, RootRule};
use super::select::exploration_bonus;
use super::state::Stage;
use super::tree::NodeId;

/// A move of the root that has been tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// How often.
    pub visits: u32,
    /// What that has found for the player to move: wins minus losses.
    pub value: f64,
    /// How likely it was thought to be good, with noise if there was any.
    pub prior: f64,
    /// Its result for the player to move, if that is certain: 1, 0 or -1.
    pub result: Option<i8>,
}

impl<G: Game> SearchTree<G> {
    /// Says by which rule playouts leave the root: from here on, at every root. Gumbel's rule plans for the budget that is set when a root has
    /// been evaluated, and for a root that nothing else is known of.
    pub fn set_root_rule(&mut self, rule: RootRule) {
        (self.rule, self.plan) = (rule, None);
    }

    /// Makes a plan by the rule, if there is none yet and the root has been evaluated.
    pub(super) fn plan_root(&mut self) {
        let Some(node) = self.ready_root().filter(|_| self.plan.is_none()) else { return };
        match self.rule {
            RootRule::Usual => {}
            RootRule::Forced { factor } => self.plan = Some(RootPlan::Forced { factor }),
            RootRule::Gumbel { moves, scale } => {
                if !self.sort_root_moves(node) {
                    return;
                }
                let (player, playouts) = (self.line.position().to_move(), self.remaining);
                let policy = self.root_policy();
                let (value, rng) = (self.own.root.value, &mut self.own.rng);
                let root = GumbelRoot::new(&policy, value, player, (moves, scale, playouts), rng);
                self.plan = Some(RootPlan::Gumbel(root));
            }
        }
    }

    /// The node of the root, if it has been evaluated and the game goes on.
    fn ready_root(&self) -> Option<NodeId> {
        let node = self.tree.link(self.root?).node;
        (self.tree.state(node).stage() == Stage::Ready).then_some(node)
    }

    /// Puts the moves of the root into the order of the policy, so that each has a number. False if there is no room.
    fn sort_root_moves(&mut self, node: NodeId) -> bool {
        let position = self.line.position();
        self.tree.arrange_moves(node, &mut self.own.grower, |m| m.extend(position.legal_moves().each()))
    }

    /// What the evaluator says of the legal moves, without noise: a share of 1 for each.
    pub fn root_policy(&self) -> Vec<(Move, f32)> {
        let policy = &self.own.root.policy;
        if !policy.is_empty() {
            return policy.clone();
        }
        let moves: Vec<Move> = self.line.legal_moves();
        let share = 1.0 / moves.len().max(1) as f32;
        moves.into_iter().map(|m| (m, share)).collect()
    }

    /// The moves that have been tried, in the order in which they were first tried.
    pub fn root_moves(&self) -> Vec<RootMove> {
        let (mut moves, player) = (Vec::new(), self.line.position().to_move());
        let Some(root) = self.root else { return moves };
        let node = self.tree.link(root).node;
        self.tree.for_each_edge(node, self.tree.state(node).edges(), |edge| {
            let (link, stats) = (edge.link(), edge.stats());
            let value = f64::from(if player == Player::First { stats.q } else { -stats.q });
            moves.push(RootMove {
                m: link.m,
                visits: stats.visits,
                value,
                prior: link.prior.get().into(),
                result: link.known.is_decided().then(|| link.known.least(player)),
            });
        });
        moves
    }

    /// What Gumbel's rule makes of the playouts; `None` by another rule, or if the root was never evaluated.
    pub fn gumbel_choice(&self) -> Option<GumbelChoice> {
        match &self.plan {
            Some(RootPlan::Gumbel(root)) => root.choice(&self.tree, self.tree.link(self.root?).node),
            _ => None,
        }
    }

    /// The visits of the moves that have been tried, without those that were forced: to learn from.
    pub fn pruned_visits(&self, context: &SearchContext<G>, factor: f64) -> Vec<(Move, u32)> {
        let moves = self.root_moves();
        let visited: Vec<Visited> =
            moves.iter().map(|one| Visited { visits: one.visits, prior: one.prior, q: one.value }).collect();
        let parent = self.root.map_or(0, |root| self.tree.visits(root));
        let bonus = |visits, prior| exploration_bonus(&context.root_options, parent, visits, prior);
        let left = pruned(&visited, factor, bonus);
        moves.iter().map(|one| one.m).zip(left).collect()
    }

    /// Playouts that have gone through the root, in this search and in those from which it was taken over.
    pub fn root_visits_in_all(&self) -> u32 {
        self.root.map_or(0, |root| self.tree.visits(root))
    }

    /// The same as [`SearchTree::advance`], with noise on the policy where the root was known before: one that is new gets it when it is evaluated.
    pub fn advance_with_noise(&mut self, context: &SearchContext<G>, m: Move, scratch: &mut super::Scratch) {
        self.advance(m, scratch);
        self.own.root.policy.clear();
        // The positions of a graph are shared, and noise is for the root alone.
        let known = self.ready_root().filter(|_| !self.tree.is_graph() && context.wants_moves);
        let Some(node) = known.filter(|&node| self.sort_root_moves(node)) else { return };
        let policy = self.tree.policy(node);
        let sum: f32 = policy.iter().map(|&(_, prior)| prior).sum();
        let mut shares: Vec<f32> = policy.iter().map(|&(_, prior)| prior / sum).collect();
        self.own.root.policy.extend(policy.iter().zip(&shares).map(|(&(m, _), &share)| (m, share)));
        let (epsilon, alpha) = (context.options.noise_epsilon, context.options.noise_alpha);
        if epsilon > 0.0 {
            add_noise(&mut shares, epsilon, alpha, &mut self.own.rng);
            self.tree.change_priors(node, &shares);
        }
    }
}
