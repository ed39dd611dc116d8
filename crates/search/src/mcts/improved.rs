//! Moves chosen so that visits follow the improved policy: below the root, in planning with Gumbel noise.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use outplay_core::Player;

use super::gumbel::{Arm, Completed, ValueScale};
use super::select::Step;
use super::state::{State, UNIT};
use super::tree::{EdgeId, NodeId, Tree};

/// The move whose share of the visits lags most behind the improved policy: the largest π'(a) − N(a) / (1 + ΣN). Without noise, so that the same tree has
/// always the same one.
pub(super) fn step(tree: &Tree, edge: EdgeId, (node, state): (NodeId, State), scale: ValueScale) -> Step {
    let sign = if state.to_move() == Player::First { 1.0 } else { -1.0 };
    let sum_of = |words: &[AtomicU64]| words[1].load(Relaxed) as i64;
    // What the evaluator thought at first is what is left of the sum without the moves.
    let mut own = sum_of(tree.edge(edge).words);
    let (mut arms, mut edges, mut tried) = (Vec::with_capacity(16), Vec::with_capacity(16), 0.0);
    tree.for_each_edge(node, state.edges(), |edge| {
        let (link, stats) = (edge.link(), edge.stats());
        let prior = f64::from(link.prior.get());
        (own, tried) = (own - sum_of(edge.words), tried + prior);
        arms.push(Arm {
            logit: prior.ln(),
            gumbel: 0.0,
            visits: stats.visits + stats.in_flight,
            q: (stats.visits > 0).then_some(sign * f64::from(stats.q)),
        });
        edges.push(edge.id);
    });
    // Proofs change sums, and then this is no more than a guess.
    let value = (sign * own as f64 / UNIT).clamp(-1.0, 1.0);
    let completed = Completed::new(&arms, value, scale);
    let next = state.has_new().then(|| match state.is_sorted() {
        true => f64::from(tree.prior(node, state, state.edges()).get()),
        false => 1.0,
    });
    // All moves that were never tried are worth the same: the likeliest of them stands for them.
    let untried = next.map_or(0.0, |next| (1.0 - tried).max(next));
    let sigma = |q| completed.sigma(q);
    let top = arms.iter().map(|arm| sigma(arm.q)).fold(sigma(None), f64::max);
    let weights: Vec<f64> = arms.iter().map(|arm| (arm.logit + sigma(arm.q) - top).exp()).collect();
    let new_weight = (sigma(None) - top).exp();
    let sum = weights.iter().sum::<f64>() + untried * new_weight;
    let visits = 1.0 + arms.iter().map(|arm| f64::from(arm.visits)).sum::<f64>();
    let behind = |number: usize| weights[number] / sum - f64::from(arms[number].visits) / visits;
    let best = (0..arms.len()).map(|number| (number, behind(number)));
    let best = best.reduce(|best, other| if other.1 > best.1 { other } else { best });
    match (best, next) {
        (Some((number, score)), Some(next)) if score >= next * new_weight / sum => {
            Step::Follow(edges[number])
        }
        (Some((number, _)), None) => Step::Follow(edges[number]),
        _ => Step::TryNew(state.edges()),
    }
}
