//! How far a player looks, and at how many stones.

use outplay_core::Game;
use outplay_search::options;

use super::potentials::Worths;
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
        /// Look for such wins of the opponent, and try only stones that may prevent them. It takes more time than it is worth.
        pub prevention: bool = false,
        /// Nodes for that.
        pub prevention_nodes: i64 = 20, in 1..=10_000,
        /// What a stone is worth in the order of moves for each window with one stone that it brings forward.
        pub forward_1: i64 = 8, in 0..=10_000,
        /// The same with two stones.
        pub forward_2: i64 = 30, in 0..=10_000,
        /// With two stones, where another stone is to follow: then it is nearly a threat.
        pub forward_2_with_another: i64 = 45, in 0..=10_000,
        /// With three stones.
        pub forward_3: i64 = 100, in 0..=10_000,
        /// With three stones, where another stone is to follow.
        pub forward_3_with_another: i64 = 120, in 0..=10_000,
        /// With four stones.
        pub forward_4: i64 = 400, in 0..=10_000,
        /// With five stones: the row is complete.
        pub forward_5: i64 = 4_000, in 0..=10_000,
        /// What it is worth for each window of the opponent with one stone that it closes.
        pub closed_1: i64 = 6, in 0..=10_000,
        /// The same with two stones.
        pub closed_2: i64 = 24, in 0..=10_000,
        /// With three stones.
        pub closed_3: i64 = 80, in 0..=10_000,
        /// With four stones.
        pub closed_4: i64 = 300, in 0..=10_000,
        /// With five stones.
        pub closed_5: i64 = 3_000, in 0..=10_000,
    }
}

impl SightOptions {
    /// How many stones are worth a try, with so many plies to be searched.
    pub(super) fn candidates(&self, position: &Connect, depth: i32) -> usize {
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

    /// What a stone is worth in windows that it brings forward: by itself, with another to follow; and in those that it closes.
    pub(super) fn worths(&self) -> [Worths; 3] {
        let alone = [0, self.forward_1, self.forward_2, self.forward_3, self.forward_4, self.forward_5];
        let mut with_another = alone;
        (with_another[2], with_another[3]) = (self.forward_2_with_another, self.forward_3_with_another);
        let closed = [0, self.closed_1, self.closed_2, self.closed_3, self.closed_4, self.closed_5];
        [alone, with_another, closed].map(|worths| worths.map(|worth| worth as i32))
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
