//! Rules by which playouts go from the root of a [`SearchTree`](super::SearchTree), in place of those that hold everywhere else.

use outplay_core::{Move, Player, Rng};

use super::forced::forced_visits;
use super::gumbel::{Arm, Completed, ValueScale, considered, gumbel, halving};
use super::select::Step;
use super::tree::{EdgeId, Link, NodeId, Tree};

/// How playouts are shared out among the moves of a root.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum RootRule {
    /// As at every other position.
    #[default]
    Usual,
    /// The same, but a move that has been tried gets √(factor · prior · visits of the root) visits at least: so noise on the policy is worth something.
    Forced {
        /// How many; 2 in KataGo.
        factor: f64,
    },
    /// By Gumbel noise and sequential halving.
    Gumbel {
        /// At most so many moves are considered.
        moves: usize,
        /// How values count.
        scale: ValueScale,
    },
}

/// A rule with all that it needs at one root.
pub(super) enum RootPlan {
    Forced { factor: f64 },
    Gumbel(GumbelRoot),
}

/// Which moves are considered at a root, and which of them when.
pub(super) struct GumbelRoot {
    /// All legal moves, those that are considered first.
    moves: Vec<Move>,
    /// The same without visits.
    arms: Vec<Arm>,
    considered: usize,
    /// How many visits the move has that each playout goes to.
    order: Vec<u32>,
    /// What the evaluator thinks of the position, for the player to move.
    value: f64,
    scale: ValueScale,
    player: Player,
}

/// What Gumbel's rule makes of the playouts from a root.
#[derive(Clone, PartialEq, Debug)]
pub struct GumbelChoice {
    /// The move that is to be played.
    pub best: Move,
    /// The improved policy, which is to be learned: all legal moves.
    pub policy: Vec<(Move, f64)>,
}

impl RootPlan {
    /// What to do with the next playout from the root; `None` to do as everywhere else.
    pub fn step(&self, tree: &Tree, node: NodeId) -> Option<Step> {
        match self {
            RootPlan::Forced { factor } => forced(tree, node, *factor).map(Step::Follow),
            RootPlan::Gumbel(root) => root.step(tree, node),
        }
    }
}

/// A move of the root with fewer visits than it is to have.
fn forced(tree: &Tree, node: NodeId, factor: f64) -> Option<EdgeId> {
    let state = tree.state(node);
    let mut parent = 0;
    tree.for_each_edge(node, state.edges(), |edge| parent += all_visits(tree, edge.id));
    let mut found = None;
    tree.for_each_edge(node, state.edges(), |edge| {
        let (link, visits) = (edge.link(), all_visits(tree, edge.id));
        let due = forced_visits(factor, link.prior.get().into(), parent);
        if found.is_none() && visits > 0 && f64::from(visits) < due && !is_lost(&link, state.to_move()) {
            found = Some(edge.id);
        }
    });
    found
}

/// Visits, those in flight included.
fn all_visits(tree: &Tree, edge: EdgeId) -> u32 {
    let stats = tree.stats(edge);
    stats.visits + stats.in_flight
}

/// Whether a move is certain to lose.
fn is_lost(link: &Link, player: Player) -> bool {
    link.known.most(player) < 0
}

impl GumbelRoot {
    /// For a root at which the evaluator has said this of the moves and of the position, with so many playouts to come.
    pub fn new(
        policy: &[(Move, f32)],
        value: f64,
        player: Player,
        (most, scale, playouts): (usize, ValueScale, u64),
        rng: &mut Rng,
    ) -> GumbelRoot {
        let arm = |&(_, prior): &(Move, f32)| Arm {
            // A policy may round to 0 what it does not exclude.
            logit: f64::from(prior.max(f32::MIN_POSITIVE)).ln(),
            gumbel: gumbel(rng),
            visits: 0,
            q: None,
        };
        let arms: Vec<Arm> = policy.iter().map(arm).collect();
        let playouts = usize::try_from(playouts).unwrap_or(usize::MAX);
        let first = considered(&arms, most.min(playouts).max(1));
        let others = (0..arms.len()).filter(|number| !first.contains(number));
        let order: Vec<usize> = first.iter().copied().chain(others).collect();
        GumbelRoot {
            moves: order.iter().map(|&number| policy[number].0).collect(),
            arms: order.iter().map(|&number| arms[number]).collect(),
            considered: first.len(),
            order: halving(first.len(), playouts),
            value,
            scale,
            player,
        }
    }

    /// The noise of each move, by its bits.
    #[cfg(test)]
    pub fn noise_by_move(&self) -> Vec<f64> {
        let mut noise = vec![0.0; self.moves.len()];
        self.moves.iter().zip(&self.arms).for_each(|(m, arm)| noise[m.index()] = arm.gumbel);
        noise
    }

    /// The first so many arms with what the tree knows of them, and which of them are certain to win or to lose.
    fn arms(&self, tree: &Tree, node: NodeId, count: usize) -> (Vec<Arm>, Vec<Option<bool>>) {
        let (mut arms, mut certain) = (self.arms[..count].to_vec(), vec![None; count]);
        tree.for_each_edge(node, tree.state(node).edges(), |edge| {
            let (link, stats) = (edge.link(), edge.stats());
            let Some(number) = self.moves[..count].iter().position(|&m| m == link.m) else { return };
            let q = f64::from(if self.player == Player::First { stats.q } else { -stats.q });
            arms[number].visits = stats.visits + stats.in_flight;
            arms[number].q = (stats.visits > 0).then_some(q);
            certain[number] = match () {
                () if is_lost(&link, self.player) => Some(false),
                () if link.known.least(self.player) > 0 => Some(true),
                () => None,
            };
        });
        (arms, certain)
    }

    fn step(&self, tree: &Tree, node: NodeId) -> Option<Step> {
        let (arms, _) = self.arms(tree, node, self.considered);
        let made: u32 = arms.iter().map(|arm| arm.visits).sum();
        // Beyond the budget that was promised, the best go on.
        let due = self.order.get(made as usize).copied().unwrap_or(u32::MAX);
        let next = self.moves[Completed::new(&arms, self.value, self.scale).next(due)?];
        match tree.edge_of(node, next) {
            Some(edge) => Some(Step::Follow(edge)),
            None => tree.number_of(node, next).map(Step::TryNew),
        }
    }

    /// What is made of the playouts. Of moves that are certain to win one is played, and none that is certain to lose unless all are.
    pub fn choice(&self, tree: &Tree, node: NodeId) -> Option<GumbelChoice> {
        let (arms, certain) = self.arms(tree, node, self.arms.len());
        let completed = Completed::new(&arms, self.value, self.scale);
        let of =
            |wanted: &dyn Fn(usize) -> bool| completed.best((0..arms.len()).filter(|&number| wanted(number)));
        let is_open = |number: usize| certain[number] != Some(false);
        let visited = arms.iter().enumerate().filter(|&(number, _)| is_open(number));
        let most = visited.map(|(_, arm)| arm.visits).max();
        let best = of(&|number| certain[number] == Some(true))
            .or_else(|| of(&|number| is_open(number) && Some(arms[number].visits) == most))
            .or_else(|| of(&|_| true))?;
        let policy = self.moves.iter().copied().zip(completed.policy()).collect();
        Some(GumbelChoice { best: self.moves[best], policy })
    }
}
