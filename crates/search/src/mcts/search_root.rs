//! The root of a [`SearchTree`]: by which rule playouts leave it, what is known of its moves, and noise.

use outplay_core::{Game, Move, MoveList, Player};

use super::SearchTree;
use super::chance::add_noise;
use super::context::SearchContext;
use super::forced::{Visited, pruned};
use super::playouts::Scratch;
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
    #[inline]
    pub(super) fn plan_root(&mut self) {
        if self.rule != RootRule::Usual && self.plan.is_none() {
            self.plan = self.new_plan();
        }
    }

    fn new_plan(&mut self) -> Option<RootPlan> {
        let node = self.ready_root()?;
        match self.rule {
            RootRule::Usual => None,
            RootRule::Forced { factor } => Some(RootPlan::Forced { factor }),
            RootRule::Gumbel { moves, scale } => {
                self.sort_root_moves(node).then_some(())?;
                let (player, playouts) = (self.line.position().to_move(), self.remaining);
                let policy = self.root_policy();
                let (value, rng) = (self.own.root.value, &mut self.own.rng);
                let root = GumbelRoot::new(&policy, value, player, (moves, scale, playouts), rng);
                Some(RootPlan::Gumbel(root))
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

    /// What the evaluator says of the legal moves, without noise: shares of 1. The same for all as long as nobody knows.
    pub fn root_policy(&self) -> Vec<(Move, f32)> {
        if !self.own.root.policy.is_empty() {
            return self.own.root.policy.clone();
        }
        let node = self.root.map(|root| self.tree.link(root).node);
        let known = node.filter(|&node| self.tree.state(node).is_sorted() && self.tree.has_policy(node));
        let policy = match known {
            Some(node) => self.tree.policy(node),
            None => self.line.legal_moves().into_iter().map(|m| (m, 1.0)).collect(),
        };
        let sum: f32 = policy.iter().map(|&(_, prior)| prior).sum();
        policy.into_iter().map(|(m, prior)| (m, prior / sum)).collect()
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
    pub fn advance_with_noise(&mut self, context: &SearchContext<G>, m: Move, scratch: &mut Scratch) {
        self.advance(m, scratch);
        let (epsilon, alpha) = (context.options.noise_epsilon, context.options.noise_alpha);
        // The positions of a graph are shared, and noise is for the root alone.
        let known = self.ready_root().filter(|&node| self.tree.has_policy(node) && !self.tree.is_graph());
        let Some(node) = known.filter(|&node| epsilon > 0.0 && self.sort_root_moves(node)) else { return };
        self.own.root.policy = self.root_policy();
        let mut shares: Vec<f32> = self.own.root.policy.iter().map(|&(_, share)| share).collect();
        add_noise(&mut shares, epsilon, alpha, &mut self.own.rng);
        self.tree.change_priors(node, &shares);
    }
}
