//! What a search says while it runs and when it ends.

use std::time::Duration;

use outplay_core::Move;
use serde::{Deserialize, Serialize};

use crate::Meaning;
use crate::alphabeta::Techniques;

/// The state of a search. One type for every search and every reader: protocols, lab, page and terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The completed depth in plies; for Monte Carlo searches the mean depth of the simulations in the tree.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub selective_depth: u32,
    /// The time since the search began.
    pub time: Duration,
    /// What was counted on the way.
    pub counters: Counters,
    /// The best lines found, best first.
    pub lines: Vec<PrincipalVariation>,
    /// The root move that is being looked at, for searches that take them one by one.
    pub current: Option<CurrentMove>,
    /// How full the transposition table is, in thousandths; `None` if the search has none.
    pub table_permille: Option<u32>,
    /// Why the search ended; `None` while it goes on.
    pub stopped: Option<StopReason>,
    /// Why positions could not be evaluated any more, if that is why it ended: the lines are what was known until then.
    pub failure: Option<String>,
    /// What went wrong on the way without ending it, because something else was there to go on with.
    pub notice: Option<String>,
}

impl Report {
    /// The move that the search would play.
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.counters.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// A root move that is being looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrentMove {
    /// The move.
    pub m: Move,
    /// Its number in the search's order, from 1.
    pub number: u32,
}

/// One line of play with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct PrincipalVariation {
    /// The value for the player to move at the root.
    pub score: Meaning,
    /// Whether that is the value or only a bound of it.
    pub bound: Bound,
    /// How often a Monte Carlo search tried the first move.
    pub visits: Option<u64>,
    /// The nodes of this line alone, if the search was asked to count them: then protocols show them in place of all.
    pub nodes: Option<u64>,
    /// What else it counted about the first move.
    pub statistics: Option<MoveStatistics>,
    /// The moves, the root's first.
    pub moves: Vec<Move>,
}

/// What a search that grows a tree knows of a move, in the view of the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MoveStatistics {
    /// How good it looked before it was tried: a share of 1.
    pub prior: f64,
    /// The mean of the values that came back, by which the search chooses: wins minus losses, and draws if they count.
    pub q: f64,
    /// The chances to win, to draw and to lose.
    pub wdl: [f64; 3],
    /// What is added to the value for being tried seldom.
    pub u: f64,
    /// How many more plies the game is thought to last; `None` if nobody says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_left: Option<f64>,
    /// The value in the number that people have asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<ShownScore>,
}

/// A value in a number of some kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShownScore {
    /// What the number is, such as `centipawn`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The number.
    pub value: i32,
}

/// A move in the tree that a search has grown, with those that follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownMove {
    /// The move; `None` at the root.
    pub m: Option<Move>,
    /// How often it was tried.
    pub visits: u64,
    /// What it is worth for the player who makes it (at the root: who moves).
    pub score: Meaning,
    /// What else was counted; `None` at the root.
    pub statistics: Option<MoveStatistics>,
    /// What was tried after it, most visits first.
    pub replies: Vec<GrownMove>,
}

/// How a value is meant.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// As it stands.
    #[default]
    Exact,
    /// The truth may be better: not everything was looked at.
    AtLeast,
    /// The truth may be worse: the search expected more and looks again.
    AtMost,
}

/// What a search counts.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Positions visited; for the Monte Carlo searches, simulations.
    pub nodes: u64,
    /// Positions valued without looking further: finished games and evaluated cutoffs.
    pub leaves: u64,
    /// Positions left early; `None` for searches that look at everything or at what chance brings.
    #[serde(flatten)]
    pub cutoffs: Option<Cutoffs>,
    /// What the transposition table did; `None` for searches without one.
    #[serde(flatten)]
    pub table: Option<TableUse>,
    /// What each technique did; `None` for searches without any.
    #[serde(flatten)]
    pub techniques: Option<Techniques>,
    /// How often an endgame table had the answer; `None` for searches that ask none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame_hits: Option<u64>,
    /// What the cache of evaluated positions did; `None` for searches without one.
    #[serde(flatten)]
    pub cache: Option<CacheUse>,
    /// What the evaluation threads did; `None` where there are none.
    #[serde(flatten)]
    pub batches: Option<BatchUse>,
}

/// Positions left with moves not looked at, because the value was already too good to be allowed.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize)]
pub struct Cutoffs {
    /// All of them.
    #[serde(rename = "cutoffs")]
    pub all: u64,
    /// Those in which the first move was enough: the better the moves are ordered, the more.
    #[serde(rename = "first_move_cutoffs")]
    pub at_first_move: u64,
}

/// What a transposition table did.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize)]
pub struct TableUse {
    /// How often a position was looked up.
    #[serde(rename = "table_probes")]
    pub probes: u64,
    /// How often it was there.
    #[serde(rename = "table_hits")]
    pub hits: u64,
}

/// What a cache of evaluated positions did.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize)]
pub struct CacheUse {
    /// How often a position was looked up.
    #[serde(rename = "cache_lookups")]
    pub lookups: u64,
    /// How often it was there.
    #[serde(rename = "cache_hits")]
    pub hits: u64,
}

/// How positions were evaluated together.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize)]
pub struct BatchUse {
    /// How often the evaluator was asked.
    pub batches: u64,
    /// The positions that it was asked about.
    #[serde(rename = "batched_leaves")]
    pub leaves: u64,
}

impl BatchUse {
    /// Positions in a batch, on average.
    pub fn mean(&self) -> f64 {
        self.leaves as f64 / self.batches.max(1) as f64
    }

    /// What has been added since an earlier count.
    pub fn since(&self, earlier: BatchUse) -> BatchUse {
        BatchUse { batches: self.batches - earlier.batches, leaves: self.leaves - earlier.leaves }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// The depth limit was reached.
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The visit limit was reached.
    Visits,
    /// The search may use no more memory.
    Memory,
    /// The time for this move was used.
    Time,
    /// A win was found that is as short as was asked for.
    Mate,
    /// No win is as short as was asked for.
    NoMate,
    /// As many random games were played as the settings ask for.
    Playouts,
    /// Nothing is left to search: the value is exact.
    Solved,
    /// More visits change the root's too little.
    Settled,
    /// A move was proven to win.
    WinProven,
    /// There is but one move.
    OnlyMove,
    /// All other moves were proven to lose.
    OthersLose,
    /// No other move can be visited as often as the best one in what is left of the search.
    Unassailable,
    /// The search was told to stop.
    Stopped,
    /// Positions could not be evaluated any more; [`Report::failure`] says why.
    EvaluatorFailed,
    /// The game is over: there was nothing to search.
    GameOver,
    /// The move was known by heart, and nothing was searched.
    Book,
}

impl StopReason {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            StopReason::Depth => "depth limit",
            StopReason::Nodes => "node limit",
            StopReason::Visits => "visit limit",
            StopReason::Memory => "memory limit",
            StopReason::EvaluatorFailed => "evaluation failed",
            StopReason::Time => "time limit",
            StopReason::Mate => "win found",
            StopReason::NoMate => "no such win",
            StopReason::Playouts => "all games played",
            StopReason::Solved => "solved",
            StopReason::Settled => "visits have settled",
            StopReason::WinProven => "win proven",
            StopReason::OnlyMove => "only move",
            StopReason::OthersLose => "all other moves lose",
            StopReason::Unassailable => "lead cannot be overtaken",
            StopReason::Stopped => "stopped",
            StopReason::GameOver => "game over",
            StopReason::Book => "opening book",
        }
    }
}
