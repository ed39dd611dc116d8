//! A recording of a Monte Carlo search, for people who want to follow it by hand.

use outplay_core::{Move, Outcome, Player};

use crate::PrincipalVariation;

/// The first simulations of a search, one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The constant of the bounds; `None` for a search without bounds.
    pub exploration: Option<f64>,
    /// The simulations in the order in which they were made; none if the game is over.
    pub simulations: Vec<Simulation>,
    /// What the search would report now: every root move, best first.
    pub lines: Vec<PrincipalVariation>,
}

/// One simulation: the way down, a random game to its end, and the way up.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// What was chosen on the way down, first at the root.
    pub choices: Vec<Choice>,
    /// The moves of the random game; none if the way down has ended the game.
    pub random_game: Vec<Move>,
    /// How the game ended.
    pub outcome: Outcome,
    /// What the result made of each chosen move.
    pub backed_up: Vec<BackedUp>,
}

/// A choice among the moves of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Who chose.
    pub player: Player,
    /// How many simulations had come through the position before.
    pub visits: u64,
    /// The moves and what was known of them.
    pub candidates: Vec<Candidate>,
    /// Which was chosen, an index into `candidates`.
    pub chosen: usize,
}

/// A move that could be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub m: Move,
    /// How often it had been tried.
    pub visits: u64,
    /// Its mean result for who chose, from -1 to 1; 0 if it had not been tried.
    pub mean: f64,
    /// Its upper confidence bound; `None` if it had not been tried, or in a search without bounds.
    pub bound: Option<f64>,
}

/// What a result made of a chosen move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackedUp {
    /// The result for who chose: 1, 0 or -1.
    pub reward: i8,
    /// How often the move has been tried now.
    pub visits: u64,
    /// Its mean result now.
    pub mean: f64,
}

/// Why there is no recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRecorded {
    /// The search makes no simulations that could be followed by hand.
    NoSimulations,
    /// There would be more rows than were allowed.
    TooLong,
}

/// Collects simulations up to so many rows.
pub(super) struct Recorder {
    simulations: Vec<Simulation>,
    rows_left: usize,
}

impl Recorder {
    pub(super) fn new(most_rows: usize) -> Recorder {
        Recorder { simulations: Vec::new(), rows_left: most_rows }
    }

    pub(super) fn add(&mut self, simulation: Simulation) -> Result<(), NotRecorded> {
        let in_tables: usize = simulation.choices.iter().map(|choice| choice.candidates.len()).sum();
        let rows = in_tables + simulation.random_game.len();
        self.rows_left = self.rows_left.checked_sub(rows).ok_or(NotRecorded::TooLong)?;
        self.simulations.push(simulation);
        Ok(())
    }

    pub(super) fn finish(self, exploration: Option<f64>, lines: Vec<PrincipalVariation>) -> Recording {
        Recording { exploration, simulations: self.simulations, lines }
    }
}
