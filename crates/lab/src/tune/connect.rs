//! Connect6 as the tuner sees it.

use outplay_connect::tuning::{self, Sample};
use outplay_connect::{Connect, Rules, ThreatSight};
use outplay_core::{Move, Notation, Rng};

use super::loss::{EvaluationModel, Model};

/// The judgement of Connect6 by open windows and by what empty cells promise.
pub struct Connect6Evaluation(ThreatSight);

impl Default for Connect6Evaluation {
    fn default() -> Connect6Evaluation {
        Connect6Evaluation(ThreatSight::new(Rules::CONNECT6))
    }
}

impl Model for Connect6Evaluation {
    type Sample = Sample;

    fn value(&self, sample: &Sample, parameters: &[f64]) -> f64 {
        sample.value(parameters)
    }

    fn add_gradient(&self, sample: &Sample, _: &[f64], factor: f64, into: &mut [f64]) {
        sample.add_gradient(factor, into);
    }
}

impl EvaluationModel for Connect6Evaluation {
    fn is_worth_keeping(&self, position: &str, _: Move) -> bool {
        read(position).is_some_and(|position| tuning::is_worth_keeping(&self.0, &position))
    }

    fn sample(&self, position: &str) -> Option<Sample> {
        Sample::of(&self.0, &read(position)?)
    }

    fn usual_rate(&self) -> f64 {
        0.3
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

/// A beginning of Connect6 to learn from.
pub fn start_of_connect6(rng: &mut Rng) -> Option<String> {
    Some(tuning::start(rng).position_text())
}

fn read(position: &str) -> Option<Connect> {
    Connect::parse_position(&Rules::CONNECT6, position).ok()
}
