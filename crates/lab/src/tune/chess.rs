//! Chess as the tuner sees it.

use outplay_chess::tuning::{self, Sample};
use outplay_chess::{Chess, ChessRules, StartArray};
use outplay_core::{Move, Notation, Rng};

use super::loss::{EvaluationModel, Model};

/// The classical evaluation of chess.
pub struct ChessEvaluation;

impl Model for ChessEvaluation {
    type Sample = Sample;

    fn value(&self, sample: &Sample, parameters: &[f64]) -> f64 {
        sample.value(parameters)
    }

    fn add_gradient(&self, sample: &Sample, parameters: &[f64], factor: f64, into: &mut [f64]) {
        sample.add_gradient(parameters, factor, into);
    }

    fn reluctance(&self, parameter: usize) -> f64 {
        tuning::reluctance(parameter)
    }
}

impl EvaluationModel for ChessEvaluation {
    fn is_worth_keeping(&self, position: &str, best: Move) -> bool {
        read(position).is_some_and(|position| tuning::is_worth_keeping(&position, best))
    }

    fn sample(&self, position: &str) -> Option<Sample> {
        Sample::of(&read(position)?)
    }

    fn usual_rate(&self) -> f64 {
        3.0
    }

    fn current(&self) -> Vec<f64> {
        tuning::current()
    }

    fn first_guesses(&self) -> Vec<f64> {
        tuning::first_guesses()
    }

    fn source(&self, parameters: &[f64]) -> String {
        tuning::source(parameters)
    }
}

/// A start of Chess960 with an array for each side.
pub fn start_of_chess960(rng: &mut Rng) -> Option<String> {
    let mut array = || rng.below(StartArray::COUNT.into()) as u16;
    let arrays = [array(), array()].map(StartArray::new);
    let [Some(white), Some(black)] = arrays else { return None };
    Some(Chess::start_of_two_arrays(white, black).position_text())
}

/// Castling is written as in Chess960, which reads the standard game as well.
fn read(position: &str) -> Option<Chess> {
    Chess::parse_position(&ChessRules::Chess960(StartArray::STANDARD), position).ok()
}
