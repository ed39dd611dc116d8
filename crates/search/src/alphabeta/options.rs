//! The settings of the search: one switch for each technique, and its parameters behind it.
//!
//! Margins are in hundredths of a unit of advantage that often decides a game, a pawn in chess; what that is in other games, their
//! evaluation says ([`Evaluation::unit`](crate::Evaluation::unit)).

use crate::{choices, options};

choices! {
    /// What a search is to find out.
    pub enum Aim {
        /// How good the position is.
        Value = "value",
        /// Who wins, for certain: neither how soon nor by how much. Everything is off that is not certain.
        Result = "result",
    }
}

options! {
    /// Settings of [`AlphaBeta`](super::AlphaBeta).
    pub struct AlphaBetaOptions {
        /// What to find out.
        pub aim: Aim = Aim::Value,
        /// The depth of the first iteration: where a game has an end that is not far, one may go there at once.
        pub first_depth: i64 = 1, in 1..=118,
        /// Mebibytes of the transposition table.
        pub hash: i64 = 16, in 1..=1_048_576,
        /// Ask the system for large pages for it.
        pub large_pages: bool = true,
        /// Threads that search together, by way of the table.
        pub threads: i64 = 1, in 1..=512,
        /// Let a thread put moves off that another is searching, and look at others first.
        pub put_off: bool = true,
        /// From this depth on.
        pub put_off_depth: i64 = 3, in 1..=20,
        /// Let threads learn together which moves are good.
        pub share_histories: bool = true,
        /// How much worse than an even game a draw is for the player at the root.
        pub contempt: i64 = 0, in -1_000..=1_000,
        /// Remember positions, to cut off where they come again and to begin with their best moves.
        pub table: bool = true,
        /// Expect each iteration to come out near the last, and look again if it does not.
        pub aspiration: bool = true,
        /// How far from the last value the first guess reaches.
        pub aspiration_margin: i64 = 12, in 1..=1_000,
        /// From this depth on.
        pub aspiration_depth: i64 = 4, in 1..=118,
        /// By how many hundredths of itself that grows where the value lies outside.
        pub aspiration_growth: i64 = 50, in 0..=1_000,
        /// Try moves first that refuted another move at the same distance from the root.
        pub killers: bool = true,
        /// Try the move first that refuted the same move of the opponent elsewhere.
        pub counter_moves: bool = true,
        /// Try moves in the order of how often they have been good.
        pub history: bool = true,
        /// What a refutation counts for each ply of depth, half a ply left out; 16,384 is the most that a history holds.
        pub history_bonus: i64 = 160, in 1..=16_384,
        /// What it counts at most.
        pub history_most_bonus: i64 = 1_800, in 1..=16_384,
        /// Let the history of a move depend on the moves before it.
        pub continuation_history: bool = true,
        /// Order noisy moves by how often they have been good, too.
        pub noisy_history: bool = true,
        /// Correct the evaluation by how far it was off in positions that resemble this one.
        pub correction_history: bool = false,
        /// The largest correction.
        pub correction_most: i64 = 48, in 1..=1_000,
        /// Believe the game's knowledge where it sees how a position ends, or that a move loses at once.
        pub foresight: bool = true,
        /// Look for wins by force where the game has a search of its own for them.
        pub forced_wins: bool = true,
        /// How long to look for a win by force where a search begins, in nodes of whatever search that is; half of the time at most.
        pub forced_win_nodes: i64 = 5_000, in 0..=1_000_000_000,
        /// Play out noisy moves before the evaluation is trusted.
        pub quiescence: bool = true,
        /// In that, leave moves out that cannot bring the value up.
        pub delta_pruning: bool = true,
        /// By how much more than it wins a move may bring the value up.
        pub delta_margin: i64 = 120, in 0..=2_000,
        /// In that, try quiet moves too that must be answered and lose nothing.
        pub quiescence_checks: bool = true,
        /// On the first so many plies.
        pub quiescence_check_plies: i64 = 2, in 1..=8,
        /// In that, ask the table on the first so many plies.
        pub quiescence_table_plies: i64 = 2, in 0..=128,
        /// Cut off where even passing is too good.
        pub null_move: bool = true,
        /// From this depth on.
        pub null_move_depth: i64 = 3, in 1..=20,
        /// How many plies shallower that is searched.
        pub null_move_reduction: i64 = 3, in 1..=10,
        /// A ply shallower still for each of so many plies of depth.
        pub null_move_depth_divisor: i64 = 4, in 1..=100,
        /// A ply shallower still for each so large part of the advantage.
        pub null_move_margin: i64 = 200, in 10..=10_000,
        /// So many plies at most.
        pub null_move_most_ahead: i64 = 3, in 0..=20,
        /// From this depth on the cut is verified by a search without passing.
        pub null_move_verification: i64 = 14, in 2..=100,
        /// Cut off where the evaluation is above what matters by a margin for each ply of depth.
        pub reverse_futility: bool = true,
        /// That margin.
        pub reverse_futility_margin: i64 = 75, in 1..=1_000,
        /// Up to this depth.
        pub reverse_futility_depth: i64 = 8, in 1..=20,
        /// Where the evaluation is hopeless near the leaves, look at noisy moves only.
        pub razoring: bool = false,
        /// Hopeless is so far below, for each ply of depth.
        pub razoring_margin: i64 = 250, in 1..=2_000,
        /// Up to this depth.
        pub razoring_depth: i64 = 3, in 1..=10,
        /// Leave quiet moves out that cannot bring a bad evaluation up near the leaves.
        pub futility: bool = true,
        /// How much a quiet move may bring.
        pub futility_base: i64 = 150, in 0..=2_000,
        /// How much more for each ply of depth.
        pub futility_margin: i64 = 110, in 0..=1_000,
        /// Up to this depth.
        pub futility_depth: i64 = 8, in 1..=20,
        /// Try no more quiet moves than the game's knowledge thinks worth it.
        pub candidates: bool = true,
        /// How many, as a share of what it says.
        pub candidate_share: f64 = 1.0, in 0.1..=10.0,
        /// How many more at the root with each iteration.
        pub candidate_growth: f64 = 2.0, in 0.0..=100.0,
        /// Try fewer after searches in which the first move was nearly always enough for a cutoff, and more where it was not.
        pub adjust_candidates: bool = false,
        /// Nearly always is so often.
        pub adjust_narrower_from: f64 = 0.92, in 0.0..=1.0,
        /// More are tried below this.
        pub adjust_wider_below: f64 = 0.86, in 0.0..=1.0,
        /// By so much after each search.
        pub adjust_step: f64 = 1.1, in 1.0..=2.0,
        /// And never by more than this in all, either way.
        pub adjust_most: f64 = 1.5, in 1.0..=4.0,
        /// Leave late quiet moves out near the leaves.
        pub late_move_pruning: bool = true,
        /// So many are looked at in any case, and more by the square of the depth.
        pub late_move_count: i64 = 14, in 1..=100,
        /// Up to this depth.
        pub late_move_depth: i64 = 8, in 1..=20,
        /// Leave quiet moves out that have been bad so far, near the leaves.
        pub history_pruning: bool = false,
        /// How bad, for each ply of depth.
        pub history_pruning_margin: i64 = 3_500, in 100..=20_000,
        /// Up to this depth.
        pub history_pruning_depth: i64 = 5, in 1..=20,
        /// Leave moves out that lose material, near the leaves.
        pub exchange_pruning: bool = true,
        /// What a quiet move may lose for each ply of depth.
        pub exchange_quiet_margin: i64 = 60, in 0..=1_000,
        /// What a noisy move may lose for each ply of depth.
        pub exchange_noisy_margin: i64 = 95, in 0..=1_000,
        /// Up to this depth.
        pub exchange_depth: i64 = 9, in 1..=20,
        /// Search late moves less deeply, and again if they turn out well.
        pub late_move_reductions: bool = true,
        /// From this depth on.
        pub reduction_depth: i64 = 3, in 1..=20,
        /// By how many plies at least.
        pub reduction_base: f64 = 0.8, in -2.0..=5.0,
        /// By how many more: the logarithms of depth and number of the move, divided by this.
        pub reduction_divisor: f64 = 2.3, in 0.5..=10.0,
        /// A ply less or more for a move whose history is so good or bad.
        pub reduction_history: i64 = 8_000, in 500..=100_000,
        /// Search positions without a known best move less deeply.
        pub internal_reduction: bool = true,
        /// From this depth on.
        pub internal_reduction_depth: i64 = 4, in 1..=20,
        /// Search moves deeper that must be answered.
        pub check_extension: bool = true,
        /// Search the best move deeper where no other comes near it.
        pub singular_extension: bool = true,
        /// From this depth on.
        pub singular_depth: i64 = 7, in 4..=30,
        /// How much worse the others must be, in hundredths for each ply of depth.
        pub singular_margin: i64 = 2, in 0..=50,
        /// And two plies deeper where they are worse by so much more.
        pub double_extension_margin: i64 = 20, in 0..=1_000,
        /// So often on a way at most.
        pub double_extensions: i64 = 6, in 0..=100,
        /// Search moves deeper that take back what was taken.
        pub recapture_extension: bool = false,
        /// Cut off where nothing can be quicker than a win that is known.
        pub mate_distance: bool = true,
    }
}

impl AlphaBetaOptions {
    /// The usual settings with everything off that may change the value: what is left is alpha-beta to a fixed depth, with a table and a
    /// good order of moves.
    pub fn plain() -> AlphaBetaOptions {
        AlphaBetaOptions { foresight: false, forced_wins: false, ..AlphaBetaOptions::default().sound() }
    }

    /// These settings with everything off that leaves something out, or judges it at sight, which may matter.
    fn sound(self) -> AlphaBetaOptions {
        AlphaBetaOptions {
            quiescence: false,
            delta_pruning: false,
            quiescence_checks: false,
            null_move: false,
            reverse_futility: false,
            razoring: false,
            futility: false,
            candidates: false,
            late_move_pruning: false,
            history_pruning: false,
            exchange_pruning: false,
            late_move_reductions: false,
            internal_reduction: false,
            check_extension: false,
            singular_extension: false,
            recapture_extension: false,
            ..self
        }
    }

    /// The settings that the aim allows.
    pub(super) fn for_aim(self) -> AlphaBetaOptions {
        match self.aim {
            Aim::Value => self,
            Aim::Result => AlphaBetaOptions { contempt: 0, ..self.sound() },
        }
    }

    /// Whether anything depends on what positions look like before they are searched.
    pub(super) fn is_selective(&self) -> bool {
        *self != self.sound()
    }
}
