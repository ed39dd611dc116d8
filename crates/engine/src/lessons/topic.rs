//! What lessons are about, in the order of the course.

use serde::Serialize;

/// What a lesson is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// The value of a position by the values of those after it.
    Minimax,
    /// The same with one rule for both players.
    Negamax,
    /// What need not be looked at.
    AlphaBeta,
    /// How much that is.
    Growth,
    /// Where a search stops looking.
    Cutoff,
    /// What lies behind that.
    Horizon,
    /// Playing out noisy moves.
    Quiescence,
    /// Keys of positions.
    Zobrist,
    /// Positions that come again.
    Table,
    /// Moves that refuted another.
    Killers,
    /// Moves that have been good.
    History,
    /// Passing.
    NullMove,
    /// Moves that cannot help.
    Futility,
    /// Late moves, searched less deeply.
    LateMoveReductions,
    /// Random games.
    FlatMonteCarlo,
    /// A tree grown by bounds.
    Uct,
    /// A tree grown by priors.
    Puct,
    /// Moves drawn by lot.
    Temperature,
    /// Noise on the priors.
    Noise,
    /// Games that a network learns from.
    SelfPlay,
}

/// A part of the course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chapter {
    /// Minimax to alpha-beta.
    Trees,
    /// The end of a search.
    Horizon,
    /// Tables and orders of moves.
    Memory,
    /// What is left out.
    Selectivity,
    /// Random games.
    MonteCarlo,
    /// Networks in the tree.
    Networks,
}

impl Topic {
    /// All topics, in the order of the course.
    pub const ALL: [Topic; 20] = [
        Topic::Minimax,
        Topic::Negamax,
        Topic::AlphaBeta,
        Topic::Growth,
        Topic::Cutoff,
        Topic::Horizon,
        Topic::Quiescence,
        Topic::Zobrist,
        Topic::Table,
        Topic::Killers,
        Topic::History,
        Topic::NullMove,
        Topic::Futility,
        Topic::LateMoveReductions,
        Topic::FlatMonteCarlo,
        Topic::Uct,
        Topic::Puct,
        Topic::Temperature,
        Topic::Noise,
        Topic::SelfPlay,
    ];

    /// The part of the course that it belongs to.
    pub fn chapter(self) -> Chapter {
        match self {
            Topic::Minimax | Topic::Negamax | Topic::AlphaBeta | Topic::Growth => Chapter::Trees,
            Topic::Cutoff | Topic::Horizon | Topic::Quiescence => Chapter::Horizon,
            Topic::Zobrist | Topic::Table | Topic::Killers | Topic::History => Chapter::Memory,
            Topic::NullMove | Topic::Futility | Topic::LateMoveReductions => Chapter::Selectivity,
            Topic::FlatMonteCarlo | Topic::Uct => Chapter::MonteCarlo,
            Topic::Puct | Topic::Temperature | Topic::Noise | Topic::SelfPlay => Chapter::Networks,
        }
    }
}

impl Chapter {
    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Chapter::Trees => "Trees",
            Chapter::Horizon => "The horizon",
            Chapter::Memory => "Memory and order",
            Chapter::Selectivity => "Pruning and reductions",
            Chapter::MonteCarlo => "Monte Carlo",
            Chapter::Networks => "Networks and self-play",
        }
    }
}
