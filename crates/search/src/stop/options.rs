//! The settings of stoppers and time managers.

use std::time::Duration;

use crate::{choices, options};

choices! {
    /// How the time of a game is shared out among its moves.
    pub enum TimeManagement {
        /// What is left, by a fixed number of moves to come, and a part of the increment.
        Share = "share",
        /// What is left, by the moves that a game of this length has still to come; time saved is spent on the next move.
        Legacy = "legacy",
        /// As many nodes for each move, counting those kept from the last; time laid aside is spent on hard moves.
        Smooth = "smooth",
        /// A fixed percentage of what is left.
        AlphaZero = "alphazero",
        /// A percentage of what is left that grows with the game, and a part of the increment.
        Simple = "simple",
    }
}

options! {
    /// When a search stops: what it does with time, and when it has seen enough.
    pub struct StopOptions {
        group "Time" [Clock]:
        /// Milliseconds kept back from every time limit for the way to the clock and back.
        pub move_overhead: u64 = 10, in 0..=10_000,
        /// How the clock is shared out among the moves; the rows that begin with its name belong to it alone.
        pub time_manager: TimeManagement = TimeManagement::Share,
        /// share: how many more moves the clock is shared among when no time control is near.
        pub moves_ahead: u32 = 30, in 1..=1_000, is [Expert],
        /// share and simple: how much of the increment is spent at once.
        pub increment_share: f64 = 0.75, in 0.0..=1.0, is [Expert],
        /// How far a move may go beyond its share of the clock to finish an iteration that it has begun.
        pub stretch: f64 = 3.0, in 1.0..=10.0, is [Expert],
        /// How much of the clock a single move may use at most, unless it is the last before the time control.
        pub most_share: f64 = 0.5, in 0.01..=1.0, is [Expert],
        group "When enough is seen" [Visits]:
        /// A search stops when the lead of a move exceeds the visits still to come divided by this; 0 never stops a search so.
        pub smart_pruning_factor: f64 = 1.33, in 0.0..=10.0,
        /// Evaluated batches before a lead counts.
        pub smart_pruning_minimum_batches: u64 = 0, in 0..=10_000, is [Expert],
        /// A search stops when a visit changes the root's visits by less than this (Kullback-Leibler divergence); 0 never does.
        pub minimum_kld_gain: f64 = 0.0, in 0.0..=1.0, is [Expert],
        /// Over how many visits that change is measured.
        pub kld_interval: u64 = 100, in 1..=10_000_000, is [Expert],
        group "Time manager legacy" [Clock, Expert]:
        /// How much longer than its share each move takes.
        pub legacy_slowmover: f64 = 1.0, in 0.0..=100.0, alias "slowmover",
        /// The move that half of the games reach.
        pub legacy_midpoint_move: f64 = 51.5, in 1.0..=1_000.0,
        /// How alike in length the games are: with a large number, nearly all end at the midpoint.
        pub legacy_steepness: f64 = 7.0, in 1.0..=100.0,
        /// How much of the time that was saved is spent on the next move.
        pub legacy_immediate_use: f64 = 1.0, in 0.0..=1.0,
        /// How many shares the first move of a game takes on top of its own.
        pub legacy_first_move_bonus: f64 = 1.8, in 0.0..=100.0,
        /// How many shares the first move of a game takes on top for each ply of the opening that was played before it.
        pub legacy_book_ply_bonus: f64 = 0.25, in 0.0..=10.0,
        group "Time manager smooth" [Clock, Expert]:
        /// The part of a tree that is expected to be of use at the next move, before any was seen.
        pub smooth_init_tree_reuse: f64 = 0.52, in 0.0..=0.99,
        /// The most that is expected of that.
        pub smooth_max_tree_reuse: f64 = 0.73, in 0.0..=0.99,
        /// How many average moves weigh as much as what was known of tree reuse before.
        pub smooth_tree_reuse_update_rate: f64 = 3.39, in 0.0..=1_000.0,
        /// Milliseconds of search that weigh as much as what was known of the speed before.
        pub smooth_nps_update_period_ms: u32 = 20_000, in 0..=10_000_000,
        /// The part of its time that a move is expected to use, before any was seen.
        pub smooth_init_timeuse: f64 = 0.7, in 0.01..=1.0,
        /// The least that is expected of that.
        pub smooth_min_timeuse: f64 = 0.34, in 0.01..=1.0,
        /// How many average moves weigh as much as what was known of time use before.
        pub smooth_timeuse_update_rate: f64 = 5.51, in 0.0..=1_000.0,
        /// How much of the clock a move may plan to use.
        pub smooth_max_move_budget: f64 = 0.42, in 0.0..=1.0,
        /// How much of the clock is laid aside for hard moves when the game begins.
        pub smooth_init_piggybank: f64 = 0.09, in 0.0..=1.0,
        /// How much of each move's time is laid aside for hard moves.
        pub smooth_per_move_piggybank: f64 = 0.12, in 0.0..=1.0,
        /// How much of what was laid aside one hard move may use.
        pub smooth_max_piggybank_use: f64 = 0.94, in 0.0..=1.0,
        /// How many average moves' time is laid aside at most.
        pub smooth_max_piggybank_moves: f64 = 36.5, in 0.0..=1_000.0,
        /// Milliseconds over which it is watched how the moves gain visits.
        pub smooth_trend_nps_update_period_ms: u64 = 3_000, in 0..=1_000_000,
        /// How much of its pace the best move is believed to keep while others are after it.
        pub smooth_bestmove_optimism: f64 = 0.2, in 0.0..=1_000.0,
        /// How much faster than now the others are believed to gain visits.
        pub smooth_overtaker_optimism: f64 = 4.0, in 0.0..=1_000.0,
        /// For so many milliseconds each move may use what was laid aside, hard or not.
        pub smooth_force_piggybank_ms: u64 = 1_000, in 0..=1_000_000,
        /// As legacy_midpoint_move.
        pub smooth_midpoint_move: f64 = 45.2, in 1.0..=1_000.0,
        /// As legacy_steepness.
        pub smooth_steepness: f64 = 5.93, in 1.0..=100.0,
        group "Time manager alphazero" [Clock, Expert]:
        /// How much of what is left each move takes, in percent.
        pub alphazero_time_pct: f64 = 12.0, in 0.0..=100.0,
        group "Time manager simple" [Clock, Expert]:
        /// How much of what is left a move takes at the start of the game, in percent.
        pub simple_base_pct: f64 = 1.4, in 0.0..=100.0,
        /// How much is added to that with each ply that was played.
        pub simple_ply_pct: f64 = 0.049, in 0.0..=10.0,
        /// How much is added to it for the first move of a game.
        pub simple_opening_bonus_pct: f64 = 0.0, in 0.0..=100.0,
    }
}

impl StopOptions {
    /// The time kept back.
    pub fn overhead(&self) -> Duration {
        Duration::from_millis(self.move_overhead)
    }
}
