//! How games are played to learn from.

use outplay_search::mcts::{FpuStrategy, MctsOptions};
use outplay_search::options;

options! {
    /// Settings of self-play.
    pub struct SelfPlayOptions {
        group "Self-play" []:
        /// Playouts of a search in full.
        pub playouts: u32 = 400, in 1..=1_000_000,
        /// The share of searches in full; the others are quick, and nothing is learned from their policies (playout cap randomisation).
        pub full_share: f64 = 1.0, in 0.01..=1.0,
        /// Playouts of a quick search.
        pub quick_playouts: u32 = 100, in 1..=1_000_000,
        /// How much the policy leads the search: c in c·P·√N/(1+n).
        pub cpuct: f64 = 2.0, in 0.0..=100.0,
        /// How much less than its position a move that was never tried is worth, by the policy tried so far; 0 has it be an even game instead.
        pub fpu_reduction: f64 = 0.0, in 0.0..=2.0,
        /// How much of the root's policy is noise.
        pub noise_epsilon: f64 = 0.25, in 0.0..=1.0,
        /// How even that noise is; 0 for 10 over the number of moves, as AlphaZero has it for chess, shogi and Go.
        pub noise_alpha: f64 = 0.0, in 0.0..=100.0,
        /// How even moves are drawn by lot early in a game: in proportion to N^(1/τ).
        pub temperature: f64 = 1.0, in 0.0..=100.0,
        /// For so many moves.
        pub temperature_moves: u32 = 30, in 0..=10_000,
        /// And afterwards.
        pub late_temperature: f64 = 0.001, in 0.0..=100.0,
        /// Whether results that are certain are proved in the tree.
        pub solver: bool = false,
        /// A game that is longer is given up as a draw.
        pub longest_game: u32 = 1_000, in 2..=100_000,
        /// Games that a thread plays at once.
        pub games_at_once: u32 = 32, in 1..=100_000,
    }
}

impl SelfPlayOptions {
    /// The settings of the tree search.
    pub(super) fn search(&self, moves: usize) -> MctsOptions {
        let alpha = if self.noise_alpha > 0.0 { self.noise_alpha } else { 10.0 / moves.max(1) as f64 };
        MctsOptions {
            cpuct: self.cpuct,
            cpuct_factor: 0.0,
            policy_softmax_temp: 1.0,
            fpu_strategy: if self.fpu_reduction > 0.0 {
                FpuStrategy::Reduction
            } else {
                FpuStrategy::Absolute
            },
            fpu_value: self.fpu_reduction,
            noise_epsilon: self.noise_epsilon,
            noise_alpha: alpha,
            solver: self.solver,
            moves_left_max_effect: 0.0,
            max_collision_visits: 1,
            ..MctsOptions::default()
        }
    }

    /// The temperature before a move of the game, counted from zero.
    pub(super) fn temperature_at(&self, ply: usize) -> f64 {
        if ply < self.temperature_moves as usize { self.temperature } else { self.late_temperature }
    }
}

/// The chance of each move by its visits: in proportion to N^(1/τ), worked out in logarithms, so that no power overflows. At τ = 0 the most visited moves share
/// all.
pub fn chances(visits: &[u32], temperature: f64) -> Vec<f64> {
    let most = visits.iter().copied().max().unwrap_or(0);
    let weight = |&n: &u32| match n {
        0 => 0.0,
        n if n == most => 1.0,
        n if temperature > 0.0 => ((f64::from(n).ln() - f64::from(most).ln()) / temperature).exp(),
        _ => 0.0,
    };
    let weights: Vec<f64> = visits.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| if sum > 0.0 { weight / sum } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_follow_the_textbook() {
        let near =
            |found: &[f64], expected: &[f64]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(&chances(&[100, 50, 10], 1.0), &[0.625, 0.3125, 0.0625]));
        let cold = chances(&[400, 399, 0], 0.001);
        assert!(cold[0] > 0.9 && cold[2] == 0.0 && (cold.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(chances(&[3, 7, 7], 0.0), [0.0, 0.5, 0.5]);
        let warm = chances(&[4, 1], 2.0);
        assert!((warm[0] - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(chances(&[0, 0], 1.0), [0.0, 0.0]);
        assert!(chances(&[u32::MAX, 1], 1e-9)[0] == 1.0);
    }
}
