//! Chess as the tuner sees it.

use outplay_chess::tuning::{self, Sample};
use outplay_chess::{Chess, ChessRules, StartArray};
use outplay_core::{Move, Notation, Rng};

use super::loss::{Labelled, Model};
use super::positions::KeptPosition;

/// The classical evaluation of chess.
pub struct ChessEvaluation;

impl ChessEvaluation {
    /// The positions that its weights have a say in.
    pub fn samples(&self, positions: &[KeptPosition]) -> Vec<Labelled<Sample>> {
        let sample = |kept: &KeptPosition| {
            let sample = Sample::of(&read(&kept.position)?)?;
            Some(Labelled { sample, result: kept.result, score: kept.score as f32, game: kept.game })
        };
        positions.iter().filter_map(sample).collect()
    }
}

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

/// Whether a position, of the standard game or of Chess960, is quiet enough to learn a static evaluation from.
pub fn is_worth_keeping(position: &str, best: Move) -> bool {
    read(position).is_some_and(|position| tuning::is_worth_keeping(&position, best))
}

/// A start of Chess960 with an array for each side.
pub fn chess_start(rng: &mut Rng) -> Option<String> {
    let mut array = || rng.below(StartArray::COUNT.into()) as u16;
    let arrays = [array(), array()].map(StartArray::new);
    let [Some(white), Some(black)] = arrays else { return None };
    Some(Chess::start_of_two_arrays(white, black).position_text())
}

/// Castling is written as in Chess960, which reads the standard game as well.
fn read(position: &str) -> Option<Chess> {
    Chess::parse_position(&ChessRules::Chess960(StartArray::STANDARD), position).ok()
}
