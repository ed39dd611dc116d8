//! How much of a tree alpha-beta looks at, by its depth.

use outplay_core::Rng;
use outplay_search::textbook::{MOST_LEAVES, NumberTree, Order, fewest_leaves};
use serde::Serialize;

use super::LessonSettings;

/// Trees by chance of each shape whose counts are averaged.
const TREES: u32 = 20;

/// The leaves that are looked at in trees of `branching` moves a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Growth {
    /// Moves a position: b.
    pub branching: usize,
    /// Trees by chance behind each mean.
    pub trees: u32,
    /// The counts, from depth 1 on: as deep as was asked for, or as trees are small enough to be counted.
    pub depths: Vec<GrowthAtDepth>,
}

/// The leaves that are looked at in trees of one depth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GrowthAtDepth {
    /// The depth in plies: d.
    pub depth: usize,
    /// All leaves: b^d.
    pub all: u64,
    /// Counted with each move better than all before it.
    pub worst_order: u64,
    /// Counted with moves by chance, the mean of some trees.
    pub random_order: f64,
    /// Counted with the best move first.
    pub best_order: u64,
    /// By the formula: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
    pub fewest: u64,
    /// By the rule of thumb for moves by chance: b^(3d/4).
    pub rule_of_thumb: f64,
}

/// Counts leaves at each depth.
pub(super) fn grow(settings: &LessonSettings) -> Growth {
    let branching = settings.whole("branching") as usize;
    let mut rng = Rng::new(settings.whole("seed"));
    let depths = (1..=settings.whole("depth") as usize)
        .take_while(|&depth| branching.pow(depth as u32) <= MOST_LEAVES)
        .map(|depth| at_depth(branching, depth, &mut rng));
    Growth { branching, trees: TREES, depths: depths.collect() }
}

fn at_depth(branching: usize, depth: usize, rng: &mut Rng) -> GrowthAtDepth {
    let mut counted = |order| NumberTree::new(branching, depth, order, rng).map_or(0, |tree| tree.visited());
    GrowthAtDepth {
        depth,
        all: branching.pow(depth as u32) as u64,
        worst_order: counted(Order::WorstFirst),
        random_order: (0..TREES).map(|_| counted(Order::Random)).sum::<u64>() as f64 / f64::from(TREES),
        best_order: counted(Order::BestFirst),
        fewest: fewest_leaves(branching, depth),
        rule_of_thumb: (branching as f64).powf(0.75 * depth as f64),
    }
}
