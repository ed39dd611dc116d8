//! Trees of numbers that stand for no game: how much of a tree alpha-beta looks at, with moves in the best, the worst or any order.

use outplay_core::{Game, History, Move, Outcome, Player, Rng};

use super::{Walk, alphabeta};
use crate::Score;

/// The most leaves of a tree: their values are different, and fit into a [`Score`].
pub const MOST_LEAVES: usize = 40_000;

/// A tree in which every position has the same number of moves and every game the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberTree {
    branching: usize,
    depth: usize,
    /// What the games are worth for the first player, no two the same.
    leaves: Vec<i32>,
}

/// The order of moves in a [`NumberTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By chance.
    Random,
    /// The best move of every position comes first.
    BestFirst,
    /// Each move is better than all before it, and nothing can be cut.
    WorstFirst,
}

impl NumberTree {
    /// A tree of `branching` moves a position and `depth` plies; `None` if it has more than [`MOST_LEAVES`] leaves.
    pub fn new(branching: usize, depth: usize, order: Order, rng: &mut Rng) -> Option<NumberTree> {
        let count = branching.checked_pow(depth as u32).filter(|&count| count <= MOST_LEAVES)?;
        let value = |index: usize| index as i32 - count as i32 / 2;
        let mut leaves: Vec<i32> = (0..count).map(value).collect();
        match order {
            Order::Random => shuffle(&mut leaves, rng),
            Order::BestFirst => {
                shuffle(&mut leaves, rng);
                put_best_first(&mut leaves, branching, 1);
            }
            // In base `branching`, each digit of a leaf's number is a move: the second player's count backwards.
            Order::WorstFirst => {
                for (index, leaf) in leaves.iter_mut().enumerate() {
                    let digit = |ply: usize| index / branching.pow((depth - 1 - ply) as u32) % branching;
                    let turned = |ply: usize| {
                        if ply.is_multiple_of(2) { digit(ply) } else { branching - 1 - digit(ply) }
                    };
                    *leaf = value((0..depth).fold(0, |sum, ply| sum * branching + turned(ply)));
                }
            }
        }
        Some(NumberTree { branching, depth, leaves })
    }

    /// How many leaves alpha-beta looks at.
    pub fn visited(&self) -> u64 {
        let mut horizon = |place: &Place, ply: usize| {
            let sign = if place.to_move() == Player::First { 1 } else { -1 };
            (ply >= self.depth).then(|| sign * self.leaves[place.index])
        };
        let (mut nobody, history) = ((), History::default());
        let mut walk = Walk::new(&history, &mut horizon, &mut nobody);
        alphabeta(&mut walk, &Place::start(&self.branching), -Score::INFINITE, Score::INFINITE);
        walk.counters.leaves
    }
}

/// The leaves that have to be looked at with the best move first everywhere: b^⌈d/2⌉ + b^⌊d/2⌋ − 1 (Knuth and Moore 1975).
pub fn fewest_leaves(branching: usize, depth: usize) -> u64 {
    let power = |exponent: usize| (branching as u64).pow(exponent as u32);
    power(depth.div_ceil(2)) + power(depth / 2) - 1
}

fn shuffle(values: &mut [i32], rng: &mut Rng) {
    for place in (1..values.len()).rev() {
        values.swap(place, rng.below(place + 1));
    }
}

/// Sorts the moves of every position, best first for its mover; `sign` is 1 where the first player moves. The value of the whole, for the first player.
fn put_best_first(leaves: &mut [i32], branching: usize, sign: i32) -> i32 {
    if leaves.len() == 1 {
        return leaves[0];
    }
    let below = leaves.len() / branching;
    let mut parts: Vec<(i32, Vec<i32>)> = leaves
        .chunks_mut(below)
        .map(|part| (put_best_first(part, branching, -sign), part.to_vec()))
        .collect();
    parts.sort_by_key(|&(value, _)| -sign * value);
    for (place, (_, part)) in leaves.chunks_mut(below).zip(&parts) {
        place.copy_from_slice(part);
    }
    parts[0].0
}

/// A position of a [`NumberTree`]: how many moves lead to it, and its number among those.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    branching: usize,
    ply: usize,
    index: usize,
}

impl Game for Place {
    type Rules = usize;
    type Moves = Vec<Move>;
    const ALTERNATES: bool = true;

    fn start(&branching: &usize) -> Place {
        Place { branching, ply: 0, index: 0 }
    }

    fn to_move(&self) -> Player {
        Player::BOTH[self.ply % 2]
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..self.branching as u16).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        self.index = self.index * self.branching + m.index();
        self.ply += 1;
    }

    /// Nobody wins: the horizon says what a leaf is worth.
    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn key(&self) -> u64 {
        outplay_core::mix((self.ply as u64) << 32 | self.index as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visited(branching: usize, depth: usize, order: Order, seed: u64) -> u64 {
        NumberTree::new(branching, depth, order, &mut Rng::new(seed)).expect("a small tree").visited()
    }

    /// Sizes of all shapes with so few leaves.
    fn sizes() -> impl Iterator<Item = (usize, usize)> {
        (2..=9).flat_map(|b: usize| (1..=9).map(move |d| (b, d))).filter(|&(b, d)| b.pow(d as u32) <= 5_000)
    }

    #[test]
    fn the_best_order_costs_what_knuth_and_moore_say() {
        for (branching, depth) in sizes() {
            for seed in 1..4 {
                let counted = visited(branching, depth, Order::BestFirst, seed);
                assert_eq!(counted, fewest_leaves(branching, depth), "b = {branching}, d = {depth}");
            }
        }
    }

    #[test]
    fn the_worst_order_costs_every_leaf() {
        for (branching, depth) in sizes() {
            let all = branching.pow(depth as u32) as u64;
            assert_eq!(visited(branching, depth, Order::WorstFirst, 1), all, "b = {branching}, d = {depth}");
        }
    }

    #[test]
    fn random_orders_lie_between_and_grow_by_about_three_quarters_of_the_exponent() {
        for (branching, depth) in [(4, 6), (8, 4), (3, 8)] {
            let mean = (1..=20).map(|seed| visited(branching, depth, Order::Random, seed)).sum::<u64>() / 20;
            let all = branching.pow(depth as u32) as u64;
            assert!(fewest_leaves(branching, depth) < mean && mean < all, "{mean} of {all}");
            let exponent = (mean as f64).ln() / (branching as f64).ln() / depth as f64;
            assert!((0.7..0.9).contains(&exponent), "b = {branching}, d = {depth}: {exponent}");
        }
    }

    #[test]
    fn a_tree_that_is_too_large_is_refused() {
        assert_eq!(NumberTree::new(10, 9, Order::Random, &mut Rng::new(1)), None);
        assert_eq!(NumberTree::new(usize::MAX, 2, Order::Random, &mut Rng::new(1)), None);
    }
}
