//! The settings of the search: one switch for each technique, and its parameters behind it.
//!
//! Margins are in hundredths of a unit of advantage that often decides a game, a pawn in chess; what that is in other games, their
//! evaluation says ([`Evaluation::unit`](crate::Evaluation::unit)).

use crate::{Attribute, BYTES_OF_FORCED_WIN_NODE, Declared, MEBIBYTE, choices, options};

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
        group "Search" []:
        /// What to find out.
        pub aim: Aim = Aim::Value, is [Meaning],
        /// The depth of the first iteration: where a game has an end that is not far, one may go there at once.
        pub first_depth: i32 = 1, in 1..=118,
        /// How much worse than an even game a draw is for the player at the root.
        pub contempt: i32 = 0, in -1_000..=1_000, is [Meaning],
        group "Table" []:
        /// Mebibytes of the transposition table.
        pub hash: usize = 16, in 1..=1_048_576, is [Memory { bytes: MEBIBYTE }, Kept, Layout],
        /// Ask the system for large pages for it.
        pub large_pages: bool = true, is [Layout, Expert],
        /// Remember positions, to cut off where they come again and to begin with their best moves.
        pub table: bool = true,
        group "Threads" []:
        /// Threads that search together, by way of the table.
        pub threads: usize = 1, in 1..=512, is [Threads],
        /// ABDADA: a thread defers moves that another is searching, and looks at others first.
        pub abdada: bool = true, alias "put_off", is [Expert],
        /// From this depth on.
        pub abdada_depth: i32 = 3, in 1..=20, alias "put_off_depth", is [Expert],
        /// Let threads learn together which moves are good.
        pub share_histories: bool = true, is [Expert],
        group "Windows" []:
        /// Expect each iteration to come out near the last, and look again if it does not.
        pub aspiration: bool = true,
        /// How far from the last value the first guess reaches.
        pub aspiration_margin: i32 = 12, in 1..=1_000, is [Expert],
        /// From this depth on.
        pub aspiration_depth: i32 = 4, in 1..=118, is [Expert],
        /// By how many hundredths of itself that grows where the value lies outside.
        pub aspiration_growth: i32 = 50, in 0..=1_000, is [Expert],
        /// Mate-distance pruning: cut off where nothing can be quicker than a win that is known.
        pub mate_distance_pruning: bool = true, alias "mate_distance",
        group "Order of moves" []:
        /// Try moves first that refuted another move at the same distance from the root.
        pub killers: bool = true,
        /// Try the move first that refuted the same move of the opponent elsewhere.
        pub counter_moves: bool = true,
        /// Try moves in the order of how often they have been good.
        pub history: bool = true,
        /// What a refutation counts for each ply of depth, half a ply left out; 16,384 is the most that a history holds.
        pub history_bonus: i32 = 160, in 1..=16_384, is [Expert],
        /// What it counts at most.
        pub history_max_bonus: i32 = 1_800, in 1..=16_384, alias "history_most_bonus", is [Expert],
        /// Let the history of a move depend on the moves before it.
        pub continuation_history: bool = true,
        /// Order noisy moves by how often they have been good, too.
        pub noisy_history: bool = true,
        group "Evaluation" []:
        /// Correct the evaluation by how far it was off in positions that resemble this one.
        pub correction_history: bool = false,
        /// The largest correction.
        pub correction_max: i32 = 48, in 1..=1_000, alias "correction_most", is [Expert],
        group "Knowledge of the game" []:
        /// Believe the game's oracle where it sees how a position ends, or that a move loses at once.
        pub oracle: bool = true, alias "foresight", is [Proving],
        /// Look for wins by force where the game has a search of its own for them.
        pub forced_wins: bool = true, is [Proving],
        /// How long to look for a win by force where a search begins, in nodes of whatever search that is; half of the time at most.
        pub forced_win_nodes: u64 = 5_000, in 0..=1_000_000_000, is [Memory { bytes: BYTES_OF_FORCED_WIN_NODE }, Expert],
        /// Let the game's solver have the end of the game if half of the nodes or of the time should do for it.
        pub endgame_solver: bool = true, is [Proving],
        group "Quiescence" []:
        /// Play out noisy moves before the evaluation is trusted.
        pub quiescence: bool = true, is [Selective],
        /// In that, leave moves out that cannot bring the value up.
        pub delta_pruning: bool = true, is [Selective],
        /// By how much more than it wins a move may bring the value up.
        pub delta_margin: i32 = 120, in 0..=2_000, is [Expert],
        /// In that, try quiet moves too that must be answered and lose nothing.
        pub quiescence_checks: bool = true, is [Selective],
        /// On the first so many plies.
        pub quiescence_check_plies: i32 = 2, in 1..=8, is [Expert],
        /// In that, ask the table on the first so many plies.
        pub quiescence_table_plies: i32 = 2, in 0..=128, is [Expert],
        group "Pruning of positions" []:
        /// Cut off where even passing is too good.
        pub null_move: bool = true, is [Selective],
        /// From this depth on.
        pub null_move_depth: i32 = 3, in 1..=20, is [Expert],
        /// How many plies shallower that is searched.
        pub null_move_reduction: i32 = 3, in 1..=10, is [Expert],
        /// A ply shallower still for each of so many plies of depth.
        pub null_move_depth_divisor: i32 = 4, in 1..=100, is [Expert],
        /// A ply shallower still for each so large part of the advantage.
        pub null_move_margin: i32 = 200, in 10..=10_000, is [Expert],
        /// So many plies at most.
        pub null_move_max_ahead: i32 = 3, in 0..=20, alias "null_move_most_ahead", is [Expert],
        /// From this depth on the cut is verified by a search without passing.
        pub null_move_verification: i32 = 14, in 2..=100, is [Expert],
        /// Cut off where the evaluation is above what matters by a margin for each ply of depth.
        pub reverse_futility: bool = true, is [Selective],
        /// That margin.
        pub reverse_futility_margin: i32 = 75, in 1..=1_000, is [Expert],
        /// Up to this depth.
        pub reverse_futility_depth: i32 = 8, in 1..=20, is [Expert],
        /// Multi-ProbCut: cut off where a shallower search leaves hardly a doubt, if it is known how well those foretell deeper ones (`outplay tune probcut`).
        pub probcut: bool = false, is [Selective],
        /// From this depth on.
        pub probcut_depth: i32 = 4, in 3..=30, is [Expert],
        /// By how many standard deviations the deeper search would have to err: 1 leaves a doubt of 16 % each time, 1.5 of 7 %, 2 of 2 %.
        pub probcut_deviations: f64 = 1.5, in 0.0..=10.0, is [Expert],
        /// Where the evaluation is hopeless near the leaves, look at noisy moves only.
        pub razoring: bool = false, is [Selective],
        /// Hopeless is so far below, for each ply of depth.
        pub razoring_margin: i32 = 250, in 1..=2_000, is [Expert],
        /// Up to this depth.
        pub razoring_depth: i32 = 3, in 1..=10, is [Expert],
        group "Pruning of moves" []:
        /// Leave quiet moves out that cannot bring a bad evaluation up near the leaves.
        pub futility: bool = true, is [Selective],
        /// How much a quiet move may bring.
        pub futility_base: i32 = 150, in 0..=2_000, is [Expert],
        /// How much more for each ply of depth.
        pub futility_margin: i32 = 110, in 0..=1_000, is [Expert],
        /// Up to this depth.
        pub futility_depth: i32 = 8, in 1..=20, is [Expert],
        /// Try no more quiet moves than the game's knowledge thinks worth it.
        pub candidates: bool = true, is [Selective],
        /// How many, as a share of what it says.
        pub candidate_share: f64 = 1.0, in 0.1..=10.0, is [Expert],
        /// How many more at the root with each iteration.
        pub candidate_growth: f64 = 2.0, in 0.0..=100.0, is [Expert],
        /// Try fewer after searches in which the first move was nearly always enough for a cutoff, and more where it was not.
        pub adjust_candidates: bool = false, is [Expert],
        /// Nearly always is so often.
        pub adjust_narrower_from: f64 = 0.92, in 0.0..=1.0, is [Expert],
        /// More are tried below this.
        pub adjust_wider_below: f64 = 0.86, in 0.0..=1.0, is [Expert],
        /// By so much after each search.
        pub adjust_step: f64 = 1.1, in 1.0..=2.0, is [Expert],
        /// And never by more than this in all, either way.
        pub adjust_most: f64 = 1.5, in 1.0..=4.0, is [Expert],
        /// Leave late quiet moves out near the leaves.
        pub late_move_pruning: bool = true, is [Selective],
        /// So many are looked at in any case, and more by the square of the depth.
        pub late_move_count: usize = 14, in 1..=100, is [Expert],
        /// Up to this depth.
        pub late_move_depth: i32 = 8, in 1..=20, is [Expert],
        /// Where quiet moves are left out, try those of them still that must be answered and lose nothing.
        pub late_checks: bool = false, is [Selective],
        /// Leave quiet moves out that have been bad so far, near the leaves.
        pub history_pruning: bool = false, is [Selective],
        /// How bad, for each ply of depth.
        pub history_pruning_margin: i32 = 3_500, in 100..=20_000, is [Expert],
        /// Up to this depth.
        pub history_pruning_depth: i32 = 5, in 1..=20, is [Expert],
        /// Leave moves out that lose material by static exchange evaluation (SEE), near the leaves.
        pub see_pruning: bool = true, alias "exchange_pruning", is [Selective],
        /// What a quiet move may lose for each ply of depth.
        pub see_quiet_margin: i32 = 60, in 0..=1_000, alias "exchange_quiet_margin", is [Expert],
        /// What a noisy move may lose for each ply of depth.
        pub see_noisy_margin: i32 = 95, in 0..=1_000, alias "exchange_noisy_margin", is [Expert],
        /// Up to this depth.
        pub see_depth: i32 = 9, in 1..=20, alias "exchange_depth", is [Expert],
        group "Reductions" []:
        /// Search late moves less deeply, and again if they turn out well.
        pub late_move_reductions: bool = true, is [Selective],
        /// From this depth on.
        pub reduction_depth: i32 = 3, in 1..=20, is [Expert],
        /// By how many plies at least.
        pub reduction_base: f64 = 0.8, in -2.0..=5.0, is [Expert],
        /// By how many more: the logarithms of depth and number of the move, divided by this.
        pub reduction_divisor: f64 = 2.3, in 0.5..=10.0, is [Expert],
        /// A ply less or more for a move whose history is so good or bad.
        pub reduction_history: i32 = 8_000, in 500..=100_000, is [Expert],
        /// Internal iterative reduction: search positions without a known best move less deeply.
        pub internal_iterative_reduction: bool = true, alias "internal_reduction", is [Selective],
        /// From this depth on.
        pub internal_iterative_reduction_depth: i32 = 4, in 1..=20, alias "internal_reduction_depth", is [Expert],
        group "Extensions" []:
        /// Search moves deeper that must be answered.
        pub check_extension: bool = true, is [Selective],
        /// Search the best move deeper where no other comes near it.
        pub singular_extension: bool = true, is [Selective],
        /// From this depth on.
        pub singular_depth: i32 = 7, in 4..=30, is [Expert],
        /// How much worse the others must be, in hundredths for each ply of depth.
        pub singular_margin: i32 = 2, in 0..=50, is [Expert],
        /// And two plies deeper where they are worse by so much more.
        pub double_extension_margin: i32 = 20, in 0..=1_000, is [Expert],
        /// So often on a way at most.
        pub double_extensions: i32 = 6, in 0..=100, is [Expert],
        /// Search moves deeper that take back what was taken.
        pub recapture_extension: bool = false, is [Selective],
    }
}

impl AlphaBetaOptions {
    /// The usual settings with everything off that may change the value: what is left is alpha-beta to a fixed depth, with a table and a
    /// good order of moves.
    pub fn plain() -> AlphaBetaOptions {
        AlphaBetaOptions::default().sound().without(Attribute::Proving)
    }

    /// These settings with everything off that leaves something out, or evaluates it at sight, which may matter.
    fn sound(self) -> AlphaBetaOptions {
        self.without(Attribute::Selective)
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
