//! A recorded Monte Carlo search in words, ready to be printed.

use outplay_core::{Line, Move, Notation};
use outplay_search::textbook::{BackedUp, Choice, Recording, Simulation};
use outplay_search::{Meaning, PrincipalVariation};
use serde::Serialize;

use crate::game_session::{outcome_text, walk};

/// A Monte Carlo search of the textbooks, simulation by simulation. Values are mean results from -1 to 1, each for who makes the move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedSimulations {
    /// Who moves at the root.
    pub to_move: &'static str,
    /// The constant of the bounds; absent for searches without bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploration: Option<f64>,
    /// The simulations in the order in which they were made.
    pub simulations: Vec<ExplainedSimulation>,
    /// What the search says of every root move in the end, best first.
    pub lines: Vec<SimulatedLine>,
}

/// One simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedSimulation {
    /// What was chosen on the way down, first at the root.
    pub choices: Vec<ExplainedChoice>,
    /// The moves of the random game; none if the way down has ended the game.
    pub random_game: Vec<String>,
    /// How the game ended: `X wins`.
    pub result: String,
    /// What the result made of each chosen move.
    pub backed_up: Vec<ExplainedResult>,
}

/// A choice among the moves of one position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedChoice {
    /// Who chose.
    pub by: &'static str,
    /// How many simulations had come through the position before.
    pub visits: u64,
    /// The moves and what was known of them.
    pub candidates: Vec<ExplainedCandidate>,
    /// Which was chosen, an index into `candidates`.
    pub chosen: usize,
}

/// A move that could be chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedCandidate {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// How often it had been tried.
    pub visits: u64,
    /// Its value for who chose; absent if it had not been tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Its upper confidence bound; absent if it had not been tried, or in a search without bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
}

/// What a result made of a chosen move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedResult {
    /// The result for who chose: 1, 0 or -1.
    pub reward: i8,
    /// How often the move has been tried now.
    pub visits: u64,
    /// Its value now.
    pub value: f64,
}

/// A root move in the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulatedLine {
    /// The move, and what follows it in the tree.
    pub moves: Vec<String>,
    /// How often it was tried.
    pub visits: u64,
    /// Its value; absent if it was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

impl ExplainedSimulations {
    /// Puts a recording from the end of `line` into words.
    pub(crate) fn new<G: Notation>(line: &Line<G>, recording: &Recording) -> ExplainedSimulations {
        let root = line.position();
        ExplainedSimulations {
            to_move: root.mover_name(),
            exploration: recording.exploration,
            simulations: recording
                .simulations
                .iter()
                .map(|one| ExplainedSimulation::new(root, one))
                .collect(),
            lines: recording.lines.iter().map(|line| SimulatedLine::new(root, line)).collect(),
        }
    }
}

impl ExplainedSimulation {
    fn new<G: Notation>(root: &G, simulation: &Simulation) -> ExplainedSimulation {
        let mut position = root.clone();
        let choices = simulation.choices.iter().map(|choice| {
            let words = ExplainedChoice::new(&position, choice);
            position.play(choice.candidates[choice.chosen].m);
            words
        });
        ExplainedSimulation {
            choices: choices.collect(),
            random_game: in_words(&position, &simulation.random_game),
            result: outcome_text(simulation.outcome, root.players()),
            backed_up: simulation.backed_up.iter().map(ExplainedResult::new).collect(),
        }
    }
}

impl ExplainedChoice {
    fn new<G: Notation>(position: &G, choice: &Choice) -> ExplainedChoice {
        let candidates = choice.candidates.iter().map(|candidate| ExplainedCandidate {
            played: position.move_text(candidate.m),
            visits: candidate.visits,
            value: (candidate.visits > 0).then_some(candidate.mean),
            bound: candidate.bound,
        });
        ExplainedChoice {
            by: position.mover_name(),
            visits: choice.visits,
            candidates: candidates.collect(),
            chosen: choice.chosen,
        }
    }
}

impl ExplainedResult {
    fn new(&BackedUp { reward, visits, mean }: &BackedUp) -> ExplainedResult {
        ExplainedResult { reward, visits, value: mean }
    }
}

impl SimulatedLine {
    fn new<G: Notation>(root: &G, line: &PrincipalVariation) -> SimulatedLine {
        let visits = line.visits.unwrap_or_default();
        let value = match line.score {
            Meaning::Expected(mean) if visits > 0 => Some(mean),
            _ => None,
        };
        SimulatedLine { moves: in_words(root, &line.moves), visits, value }
    }
}

/// A line of play from a position, in words.
fn in_words<G: Notation>(position: &G, moves: &[Move]) -> Vec<String> {
    walk(position, moves, |at, m| at.move_text(m))
}
