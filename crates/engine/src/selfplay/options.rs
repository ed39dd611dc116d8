//! How games are played to learn from.

use outplay_search::mcts::{FpuStrategy, MctsOptions, RootRule, ValueScale};
use outplay_search::options;

use super::samples::Sampling;

options! {
    /// Settings of self-play.
    pub struct SelfPlayOptions {
        group "Self-play" []:
        /// Playouts of a search in full.
        pub playouts: u32 = 400, in 1..=1_000_000,
        /// Over so many generations the playouts rise to that, in equal ratios; 0 has as many from the beginning.
        pub playouts_rise: u32 = 0, in 0..=1_000_000,
        /// And so many they are in the first.
        pub first_playouts: u32 = 16, in 1..=1_000_000,
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
        group "Exploration in self-play" []:
        /// Whether moves of a root are chosen by Gumbel noise and sequential halving: no other noise or temperature, no tree taken over.
        pub gumbel: bool = false,
        /// At most so many moves are considered then.
        pub gumbel_moves: u32 = 16, in 1..=4_096,
        /// c_visit: visits that are taken for granted where a value counts beside the policy.
        pub gumbel_visits: f64 = 50.0, in 0.0..=1e6,
        /// c_scale: how much each visit counts.
        pub gumbel_scale: f64 = 1.0, in 0.0..=1e6,
        /// Whether visits below the root follow the improved policy, too, in place of PUCT.
        pub gumbel_inner: bool = false,
        /// Whether early moves (temperature_moves) are drawn from the improved policy, in place of the best by noise and value.
        pub gumbel_draws: bool = false,
        /// Forced playouts: k in √(k·P·N), which a move of a root gets at least once it is tried. They are taken back from the policy to learn. 0 for none, 2 in KataGo.
        pub forced_playouts: f64 = 0.0, in 0.0..=100.0,
        /// Before the first search so many moves, or fewer by lot, are drawn from the network's policy; nothing is learned from them.
        pub opening_moves: u32 = 0, in 0..=1_000,
        /// How even these are drawn: in proportion to P^(1/τ).
        pub opening_temperature: f64 = 1.0, in 0.01..=100.0,
        group "Saving of work in self-play" []:
        /// Whether a search takes over what the last one knows of the position: its visits count. The root gets noise as any other.
        pub reuse: bool = false,
        /// A search ends when its visits change less than this: nats for each playout. 0 for never.
        pub kld_gain: f64 = 0.0, in 0.0..=1.0,
        /// Looked at after every so many playouts.
        pub kld_interval: u32 = 32, in 1..=1_000_000,
        /// A player resigns whose last two searches both find less than minus this; 0 for never. Counted games are played on, since nobody knows the margin.
        pub resign: f64 = 0.0, in 0.0..=1.0,
        /// The share of games that are played on all the same, so that it is known how often that is wrong.
        pub resign_check: f64 = 0.1, in 0.0..=1.0,
        group "What is learned from games" []:
        /// Whether positions that the game's own solver knows are learned with their true result.
        pub exact_labels: bool = false,
        /// And whether the game ends there.
        pub adjudicate: bool = false,
        /// How many plies ahead the near future is, on average: what the searches of the next positions found.
        pub soon_plies: f64 = 6.0, in 1.0..=1_000.0,
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
            noise_epsilon: if self.gumbel { 0.0 } else { self.noise_epsilon },
            noise_alpha: alpha,
            solver: self.solver,
            moves_left_max_effect: 0.0,
            max_collision_visits: 1,
            ..MctsOptions::default()
        }
    }

    /// How values count beside a policy, for Gumbel's rule.
    pub(super) fn value_scale(&self) -> ValueScale {
        ValueScale { visits: self.gumbel_visits, scale: self.gumbel_scale }
    }

    /// How playouts leave the root of a search, in full or quick.
    pub(super) fn root_rule(&self, in_full: bool) -> RootRule {
        match self.forced_playouts {
            _ if self.gumbel => {
                RootRule::Gumbel { moves: self.gumbel_moves as usize, scale: self.value_scale() }
            }
            factor if factor > 0.0 && in_full => RootRule::Forced { factor },
            _ => RootRule::Usual,
        }
    }

    /// How samples are made of a game.
    pub fn sampling(&self, symmetries: bool) -> Sampling {
        Sampling { symmetries, soon_plies: self.soon_plies }
    }

    /// Playouts of a search in full, by the generation of the network.
    pub fn playouts_at(&self, generation: u32) -> u32 {
        if generation >= self.playouts_rise {
            return self.playouts;
        }
        let (first, last) = (f64::from(self.first_playouts), f64::from(self.playouts));
        let way = f64::from(generation) / f64::from(self.playouts_rise);
        (first * (last / first).powf(way)).round() as u32
    }

    /// The temperature before a move of the game, counted from zero.
    pub(super) fn temperature_at(&self, ply: usize) -> f64 {
        if ply < self.temperature_moves as usize { self.temperature } else { self.late_temperature }
    }
}

/// Chances in proportion to P^(1/τ), for numbers in any proportion, worked out in logarithms, so that no power overflows. At τ = 0 the largest share
/// all.
pub(super) fn sharpened(shares: &[f64], temperature: f64) -> Vec<f64> {
    let most = shares.iter().copied().fold(0.0, f64::max);
    let weight = |&share: &f64| match share {
        0.0 => 0.0,
        share if share == most => 1.0,
        share if share > 0.0 && temperature > 0.0 => ((share.ln() - most.ln()) / temperature).exp(),
        _ => 0.0,
    };
    let weights: Vec<f64> = shares.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| if sum > 0.0 { weight / sum } else { 0.0 }).collect()
}

/// The chance of each move by its visits: in proportion to N^(1/τ). At τ = 0 the most visited moves share all.
pub fn chances(visits: &[u32], temperature: f64) -> Vec<f64> {
    let shares: Vec<f64> = visits.iter().copied().map(f64::from).collect();
    sharpened(&shares, temperature)
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
