//! How far a player looks, and at how many stones.

use outplay_core::Game;
use outplay_search::options;

use crate::position::Connect;

options! {
    /// Settings of [`ThreatSight`](super::ThreatSight).
    pub struct SightOptions {
        /// Candidates for a stone while fewer than 30 are on the board.
        pub candidates_early: i64 = 20, in 1..=441,
        /// From 30 stones on.
        pub candidates_middle: i64 = 18, in 1..=441,
        /// From 80 stones on.
        pub candidates_late: i64 = 15, in 1..=441,
        /// So many more where the opponent is near to making threats.
        pub candidates_under_pressure: i64 = 0, in 0..=100, ablate [3],
        /// So many more for each ply that is still to be searched.
        pub candidates_by_depth: f64 = 0.0, in -2.0..=10.0, ablate [0.5],
        /// Judge the first stone of a turn with another to follow in mind.
        pub pair_synergy: bool = true,
        /// Nodes of the search for wins by double threats at the horizon; up to thirty times as many where more is still to be searched.
        pub threat_nodes: i64 = 60, in 1..=10_000, ablate [10],
        /// Look for such wins of the opponent, and try only stones that may prevent them.
        pub prevention: bool = true,
        /// Nodes for that.
        pub prevention_nodes: i64 = 20, in 1..=10_000,
    }
}

impl SightOptions {
    /// How many stones are worth a try, with so many plies to be searched.
    pub(super) fn width(&self, position: &Connect, depth: i32) -> usize {
        let by_phase = match position.stone_count() {
            0..30 => self.candidates_early,
            30..80 => self.candidates_middle,
            _ => self.candidates_late,
        };
        let pressure = match position.open(!position.to_move()).any_lacking_at_most(3) {
            true => self.candidates_under_pressure,
            false => 0,
        };
        let by_depth = (self.candidates_by_depth * f64::from(depth)) as i64;
        (by_phase + pressure + by_depth).max(1) as usize
    }

    /// The nodes to spend on a win by double threats, with so many plies to be searched.
    pub(super) fn nodes(&self, depth: i32) -> u32 {
        let times = match depth {
            ..=0 => 1,
            1..=2 => 3,
            3..=4 => 10,
            _ => 30,
        };
        self.threat_nodes as u32 * times
    }
}
