//! The settings of the search: names, defaults and meanings follow lc0 where it has the same.

use super::bounds::Proof;
use super::knowledge::KnowledgeUse;
use super::score_type::ScoreType;
use crate::{Attribute, BYTES_OF_FORCED_WIN_NODE, Declared, MEBIBYTE, MOST_SEED, choices, options};

choices! {
    /// How a move is chosen on the way down.
    pub enum Selection {
        /// By value, prior and visits (Rosin 2011, Silver et al. 2017).
        Puct = "puct",
        /// By value and visits, every move once before any twice (Kocsis and Szepesvári 2006).
        Uct = "uct",
    }
}

choices! {
    /// Who evaluates the leaves.
    pub enum EvaluatorKind {
        /// Random games.
        Rollouts = "rollouts",
        /// The game's static evaluation; after each move, for the policy.
        Static = "static",
        /// Nobody: everything is even. For measuring the tree alone.
        Uniform = "uniform",
        /// A function of the position that looks like chance. For measuring the tree alone.
        Random = "random",
    }
}

choices! {
    /// How rollouts choose their moves, and whether they are cut short.
    pub enum RolloutKind {
        /// Any move.
        Random = "random",
        /// By what the game knows of good moves.
        Knowledge = "knowledge",
        /// By the same, to a quiet position, which is evaluated statically.
        Tactical = "tactical",
    }
}

choices! {
    /// What a move that was never tried is thought to be worth.
    pub enum FpuStrategy {
        /// As much as its position, less the more of the prior has been tried.
        Reduction = "reduction",
        /// A fixed value.
        Absolute = "absolute",
    }
}

choices! {
    /// The same at the root.
    pub enum RootFpuStrategy {
        /// As everywhere else.
        Same = "same",
        /// As much as its position, less the more of the prior has been tried.
        Reduction = "reduction",
        /// A fixed value.
        Absolute = "absolute",
    }
}

choices! {
    /// By what the move to be played is chosen.
    pub enum FinalMove {
        /// The most visits.
        Visits = "visits",
        /// The best value.
        Value = "value",
        /// The best value that is certain enough: the lower end of a confidence interval.
        LowerBound = "lower_bound",
    }
}

choices! {
    /// Whom contempt favours.
    pub enum ContemptMode {
        /// The player to move at the root; nobody in a search without end.
        Play = "play",
        /// The first player, whoever moves (lc0: white_side_analysis).
        FirstSideAnalysis = "first_side_analysis",
        /// The second player, whoever moves (lc0: black_side_analysis).
        SecondSideAnalysis = "second_side_analysis",
        /// Nobody.
        Disable = "disable",
    }
}

/// About so many bytes are remembered of each evaluated position: most of them for its policy, of forty moves or so.
const BYTES_OF_CACHED_LEAF: u64 = 512;

options! {
    /// Settings of [`Mcts`](super::Mcts).
    pub struct MctsOptions {
        group "Evaluation" []:
        /// Who evaluates the leaves.
        pub evaluator: EvaluatorKind = EvaluatorKind::Rollouts, is [Meaning],
        /// How rollouts choose their moves, and whether they are cut short.
        pub rollout: RolloutKind = RolloutKind::Random, is [Meaning], ablate [RolloutKind::Knowledge, RolloutKind::Tactical],
        /// From this ply on the static evaluation has the word in rollouts; 0 for never, in tactical ones for at once.
        pub rollout_plies: u32 = 0, in 0..=1_000, is [Meaning, Expert],
        /// How many plies more a tactical rollout may take to come to a quiet position.
        pub tactical_plies: u32 = 16, in 0..=1_000, is [Meaning, Expert],
        /// Let the static evaluation after each move say how good it looks with rollouts, too.
        pub rollout_policy: bool = false, is [Meaning],
        /// How large an advantage is worth three chances in four, in hundredths, where leaves are evaluated statically.
        pub static_scale: f64 = 100.0, in 1.0..=100_000.0, is [Meaning, Expert],
        group "Knowledge of the game" []:
        /// Take priors from the ordering scores of moves, if the game's policy can tell and leaves are evaluated statically.
        pub ordering_priors: bool = true, alias "promises", is [Meaning],
        /// Of those, look only at the moves that the game's knowledge thinks worth a try; at the root, at others after all of these have lost.
        pub candidates: bool = true, is [Meaning],
        /// How many, as a share of what it says.
        pub candidate_share: f64 = 1.0, in 0.1..=100.0, is [Meaning, Expert],
        /// Believe the game's oracle where it sees how a position ends, or that a move loses at once, if leaves are evaluated statically.
        pub oracle: bool = true, alias "foresight", is [Meaning],
        /// Look for wins by force at leaves and at the root, if the game has a search of its own for them and leaves are evaluated statically.
        pub forced_wins: bool = true, is [Meaning],
        /// How hard to look at leaves: as alpha-beta does where so many plies are still to be searched.
        pub forced_win_depth: i32 = 2, in 0..=100, is [Meaning, Expert],
        /// How long to look where a search begins, in nodes of whatever search that is; half of the time at most.
        pub forced_win_nodes: u64 = 5_000, in 0..=1_000_000_000, is [Memory { bytes: BYTES_OF_FORCED_WIN_NODE }, Expert],
        /// Let the game's solver have the end of the game if half of the time should do for it, or 50 of its nodes for each simulation; not with rollouts.
        pub endgame_solver: bool = true,
        group "Selection" []:
        /// How a move is chosen on the way down.
        pub selection: Selection = Selection::Puct,
        /// How much moves with few visits are preferred under PUCT: the constant's value in a small tree.
        pub cpuct: f64 = 1.745, in 0.0..=100.0,
        /// From about so many visits on, that constant grows.
        pub cpuct_base: f64 = 38_739.0, in 1.0..=1e9, is [Expert],
        /// How fast it grows; 0 for a constant.
        pub cpuct_factor: f64 = 3.894, in 0.0..=1000.0, is [Expert],
        /// Use other constants at the root: the three that follow.
        pub root_has_own_cpuct_params: bool = false, is [Expert],
        /// The first of the three constants at the root.
        pub cpuct_at_root: f64 = 1.745, in 0.0..=100.0, is [Expert],
        /// The second of them.
        pub cpuct_base_at_root: f64 = 38_739.0, in 1.0..=1e9, is [Expert],
        /// The third of them.
        pub cpuct_factor_at_root: f64 = 3.894, in 0.0..=1000.0, is [Expert],
        /// How much moves with few visits are preferred under UCT: the constant of UCB1.
        pub exploration: f64 = 1.0, in 0.0..=100.0, alias "c", ablate [0.0, 0.5, 2.0],
        /// What a move that was never tried is thought to be worth, under PUCT.
        pub fpu_strategy: FpuStrategy = FpuStrategy::Reduction, is [Expert],
        /// The reduction, or the fixed value.
        pub fpu_value: f64 = 0.33, in -100.0..=100.0, is [Expert],
        /// What a move that was never tried is thought to be worth at the root.
        pub fpu_strategy_at_root: RootFpuStrategy = RootFpuStrategy::Same, is [Expert],
        /// The reduction, or the fixed value, at the root, unless it is the same as everywhere else.
        pub fpu_value_at_root: f64 = 1.0, in -100.0..=100.0, is [Expert],
        group "Additions to the selection" []:
        /// Value each move also by playouts in which the same player makes it later: RAVE (Gelly and Silver 2007).
        pub rave: bool = false, is [Meaning, AddsToUct],
        /// At so many visits of a move, its own value and that of RAVE count alike; 0 to ignore the latter.
        pub rave_equivalence: f64 = 100.0, in 0.0..=1e9, is [Expert],
        /// How much a good policy adds to the value of moves with few visits (Chaslot et al. 2008); 0 for nothing.
        pub progressive_bias: f64 = 0.0, in 0.0..=1000.0, is [AddsToUct], ablate [10.0],
        /// Consider only the first moves in the order of the policy, more with more visits.
        pub progressive_widening: bool = false, is [AddsToUct],
        /// How many moves are considered: so many times the visits to the power that follows.
        pub widening_factor: f64 = 2.0, in 0.0..=1000.0, is [Expert],
        /// That power.
        pub widening_power: f64 = 0.3, in 0.0..=1.0, is [Expert],
        /// Where the policy does not say which move to try first, try the one that did best wherever it was made.
        pub history_ordering: bool = false,
        group "Chance" []:
        /// Where the random numbers start: the same seed gives the same tree, on one thread that evaluates its own leaves.
        pub seed: u64 = 1, in 0..=MOST_SEED, is [Meaning, Seed],
        /// How much of the root's policy is noise, for self-play; mixed in when the root is evaluated, so not where a tree is taken over.
        pub noise_epsilon: f64 = 0.0, in 0.0..=1.0,
        /// How even that noise is: the parameter of Dirichlet's distribution.
        pub noise_alpha: f64 = 0.3, in 0.001..=1e6, is [Expert],
        /// Above 0, the move is drawn by lot, more visits more likely: by visits to the power of 1 over this.
        pub temperature: f64 = 0.0, in 0.0..=100.0,
        /// Moves of the game over which the temperature falls to 0; 0 if it does not.
        pub tempdecay_moves: u32 = 0, in 0..=640, is [Expert],
        /// Moves of the game before it begins to fall.
        pub tempdecay_delay_moves: u32 = 0, in 0..=100, is [Expert],
        /// From this move of the game on the temperature is that of the endgame; 0 if there is no such move.
        pub temp_cutoff_move: u32 = 0, in 0..=1000, is [Expert],
        /// The temperature of the endgame, below which it does not fall.
        pub temp_endgame: f64 = 0.0, in 0.0..=100.0, is [Expert],
        /// Moves whose chance to win is lower by more than so many hundredths are not drawn.
        pub temp_value_cutoff: f64 = 100.0, in 0.0..=100.0, is [Expert],
        /// Added to the visits of each move before they are drawn by.
        pub temp_visit_offset: f64 = 0.0, in -1000.0..=1000.0, is [Expert],
        group "Policy" []:
        /// The temperature of the evaluator's policy: above 1, moves look more alike.
        pub policy_softmax_temp: f64 = 1.359, in 0.1..=10.0, is [Meaning, Expert],
        group "Graph" []:
        /// Let paths to the same position share what is known about it: a graph in place of a tree.
        pub dag: bool = false, is [Meaning, Layout],
        /// In a graph, how much a value may change before all paths to its position are told.
        pub dag_tolerance: f64 = 0.01, in 0.0..=1.0, is [Expert],
        group "Draws and contempt" []:
        /// What a draw is worth to the first player, from -1 for a loss to 1 for a win; to the second, as much less.
        pub draw_score: f64 = 0.0, in -1.0..=1.0,
        /// By how many points of rating the player of `contempt_mode` is stronger, for evaluators that tell draws from even chances.
        pub contempt: f64 = 0.0, in -10_000.0..=10_000.0, is [Meaning],
        /// Whom contempt favours.
        pub contempt_mode: ContemptMode = ContemptMode::Play, is [Meaning],
        /// The most contempt that is believed.
        pub contempt_max_value: f64 = 420.0, in 0.0..=10_000.0, is [Meaning, Expert],
        /// The rating of that player, from which draw rates follow; 0 if they are given by the three rows below.
        pub wdl_calibration_elo: f64 = 0.0, in 0.0..=10_000.0, is [Meaning, Expert],
        /// How often even games between such players are drawn; 0 if as often as the evaluator thinks.
        pub wdl_draw_rate_target: f64 = 0.0, in 0.0..=0.999, is [Meaning, Expert],
        /// How often the evaluator thinks that even games are drawn.
        pub wdl_draw_rate_reference: f64 = 0.5, in 0.001..=0.999, is [Meaning, Expert],
        /// The advantage with which games leave the opening, where contempt is worth its rating: at 1, half of them are won.
        pub wdl_book_exit_bias: f64 = 0.65, in -2.0..=2.0, is [Meaning, Expert],
        /// How much of the contempt reaches the tree.
        pub wdl_contempt_attenuation: f64 = 1.0, in -10.0..=10.0, is [Meaning, Expert],
        /// The largest uncertainty of an evaluation that is believed where it is rescaled.
        pub wdl_max_s: f64 = 1.4, in 0.01..=10.0, is [Meaning, Expert],
        /// How much of the contempt is taken away again from what is shown.
        pub wdl_eval_objectivity: f64 = 1.0, in 0.0..=1.0, is [Expert],
        group "Length of the game" [Expert]:
        /// The most that a long win or a quick loss costs, for evaluators that tell how long games last; 0 for nothing.
        pub moves_left_max_effect: f64 = 0.0345, in 0.0..=1.0,
        /// How good or bad a position must be for the length of the game to count.
        pub moves_left_threshold: f64 = 0.8, in 0.0..=1.0,
        /// What a ply costs.
        pub moves_left_slope: f64 = 0.0027, in 0.0..=1.0,
        /// That cost is multiplied by a polynomial of how far the value is beyond the threshold: its constant.
        pub moves_left_constant_factor: f64 = 0.0, in -1.0..=1.0,
        /// Its linear coefficient.
        pub moves_left_scaled_factor: f64 = 1.6521, in -2.0..=2.0,
        /// Its quadratic coefficient.
        pub moves_left_quadratic_factor: f64 = -0.6521, in -1.0..=1.0,
        group "Proofs" []:
        /// Remember certain results, and what follows from them for the positions above.
        pub solver: bool = true, alias "sticky_endgames", is [Meaning],
        /// Also prove how soon a certain win or loss comes, or by how much, not only that it does.
        pub solver_exact: bool = false, alias "solver_distance", is [Meaning, Expert],
        /// Take a position as drawn that has stood on the board since the root; lc0 does so by default.
        pub two_fold_draws: bool = false, is [Meaning],
        group "What is played and shown" []:
        /// By what the move to be played is chosen.
        pub final_move: FinalMove = FinalMove::Visits,
        /// In which number the value of a move is shown beside its mean result.
        pub score_type: ScoreType = ScoreType::Expected,
        /// Count nodes for each line that is shown, not only for all of them together.
        pub per_pv_counters: bool = false, is [Expert],
        /// Send playouts to all the lines that are shown: each is then the best of what the lines before it leave.
        pub multipv_steers: bool = false,
        /// The share of the playouts that look for those lines, in equal parts; the rest goes where it would go anyway.
        pub multipv_share: f64 = 0.5, in 0.0..=1.0, is [Expert],
        group "Threads and memory" []:
        /// Threads that search the same tree.
        pub threads: usize = 1, in 1..=256, is [Threads],
        /// The most memory that the tree may take, in mebibytes; 0 for no limit.
        pub ram_limit_mb: u64 = 0, in 0..=1_048_576, alias "hash", is [Memory { bytes: MEBIBYTE }, Kept, Layout, NoLimitAtZero],
        /// When that memory is full, give up the parts of the tree that were used least recently and go on, in place of stopping.
        pub ram_limit_recycles: bool = false, is [Layout, Expert],
        /// Take over what was learned about a position in earlier searches of the game.
        pub tree_reuse: bool = true,
        group "Batches" [Expert]:
        /// How many leaves are evaluated at once; 0 for as many as the evaluator likes.
        pub minibatch_size: u64 = 0, in 0..=1024,
        /// How many playouts of a batch may meet others before it is taken as it is; lc0's 80,000 would cost most of the time where evaluating is cheap.
        pub max_collision_visits: u32 = 512, in 1..=100_000_000, is [Deaf { nanoseconds: 100 }],
        /// Up to so many visits of the root, only one may.
        pub max_collision_visits_scaling_start: u32 = 28, in 0..=100_000,
        /// From so many on, all of them may; 0 if from the first (lc0: 145,000).
        pub max_collision_visits_scaling_end: u32 = 0, in 0..=100_000_000,
        /// How their number grows in between: 1 for evenly, more for later.
        pub max_collision_visits_scaling_power: f64 = 1.25, in 0.01..=100.0,
        /// Threads that do nothing but evaluate the leaves that all searching threads gather; 0 if each of those evaluates its own.
        pub evaluation_threads: usize = 0, in 0..=64, is [Threads],
        /// How many batches of a searching thread may be under way to the evaluation threads and back.
        pub batches_in_flight: u64 = 2, in 1..=64,
        /// How many evaluated positions are kept, so that they need not be evaluated again; their memory comes on top of the limit of the tree.
        pub nncache: usize = 0, in 0..=50_000_000, is [Memory { bytes: BYTES_OF_CACHED_LEAF }, Kept],
        /// Back up at once what is found among the positions kept, instead of with its batch.
        pub out_of_order_eval: bool = true,
        /// How many leaves may be backed up at once while a batch is gathered, in batches.
        pub max_out_of_order_evals_factor: f64 = 2.4, in 0.0..=100.0,
        /// How many microseconds each batch takes longer if the evaluator is uniform or random, as if a device did it.
        pub evaluator_delay_us: u64 = 0, in 0..=10_000_000, is [Deaf { nanoseconds: 1_000 }],
    }
}

impl MctsOptions {
    /// PUCT's constant for a position with so many visits.
    pub(super) fn cpuct_at(&self, visits: u32) -> f32 {
        let base = self.cpuct_base;
        (self.cpuct + self.cpuct_factor * ((f64::from(visits) + base) / base).ln()) as f32
    }

    /// The settings as they are at the root.
    pub(super) fn at_root(&self) -> MctsOptions {
        let mut root = *self;
        if self.root_has_own_cpuct_params {
            (root.cpuct, root.cpuct_base, root.cpuct_factor) =
                (self.cpuct_at_root, self.cpuct_base_at_root, self.cpuct_factor_at_root);
        }
        let strategy = match self.fpu_strategy_at_root {
            RootFpuStrategy::Same => return root,
            RootFpuStrategy::Reduction => FpuStrategy::Reduction,
            RootFpuStrategy::Absolute => FpuStrategy::Absolute,
        };
        (root.fpu_strategy, root.fpu_value) = (strategy, self.fpu_value_at_root);
        root
    }

    /// How many moves of a position with so many visits are considered.
    pub(super) fn most_moves(&self, visits: u32) -> u32 {
        match self.progressive_widening {
            true => {
                ((self.widening_factor * f64::from(visits).powf(self.widening_power)).ceil() as u32).max(1)
            }
            false => u32::MAX,
        }
    }

    /// How much RAVE counts in the value of a move with so many visits: from 1 down to 0.
    pub(super) fn rave_share(&self, visits: f32) -> f32 {
        match self.rave_equivalence as f32 {
            0.0 => 0.0,
            equivalence => (equivalence / (3.0 * visits + equivalence)).sqrt(),
        }
    }

    /// Whether it matters which moves a playout was made of.
    pub(super) fn learns_from_moves(&self) -> bool {
        self.rave || self.history_ordering
    }

    /// What the evaluator uses of the game's knowledge. Where distances are to be proved, results of which nobody can tell how far away they are lead nowhere.
    pub(super) fn knowledge_use(&self) -> KnowledgeUse {
        KnowledgeUse {
            oracle: self.oracle,
            exactly: self.solver_exact,
            forced_win_depth: (self.forced_wins && !self.solver_exact).then_some(self.forced_win_depth),
            ordering_priors: self.ordering_priors,
            leaves_losses_out: self.oracle && !self.solver_exact,
            candidate_share: self.candidates.then_some(self.candidate_share),
        }
    }

    /// What the solver has to prove.
    pub(super) fn proof(&self) -> Proof {
        if self.solver_exact { Proof::Exact } else { Proof::Result }
    }

    /// How many leaves are gathered at once for an evaluator that likes so many.
    pub(super) fn leaves_at_once(&self, liked: usize) -> u64 {
        if self.minibatch_size == 0 { (liked as u64).max(1) } else { self.minibatch_size }
    }

    /// Only the settings that say what the numbers of a tree mean, the others as they are usually: a tree may be gone on with if these are the same.
    pub(super) fn of_growth(&self) -> MctsOptions {
        let usual = MctsOptions::default();
        let of_growth = usual.taking(Attribute::Meaning, self);
        // The seed of this evaluator is the function by which it evaluates; for the others it is only where chance begins.
        let seed = if self.evaluator == EvaluatorKind::Random { self.seed } else { usual.seed };
        MctsOptions { seed, ..of_growth }
    }

    /// Whether a tree that was grown by other settings can be gone on with.
    pub(super) fn can_take_over(&self, grown_by: &MctsOptions) -> bool {
        !self.differs(Attribute::Layout, grown_by) && self.of_growth() == grown_by.of_growth()
    }

    /// The limit of the tree in bytes.
    pub(super) fn ram_limit(&self) -> Option<u64> {
        (self.ram_limit_mb > 0).then(|| self.ram_limit_mb * MEBIBYTE)
    }
}
