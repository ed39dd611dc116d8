//! What a tuner has to know of the judgement: what a position's value depends on, and how.

use outplay_core::{Game, MoveList, Player, Rng};
use outplay_search::{Oracle, Tactics};

use super::judgement::{COUNTS, PARTS};
use super::weights::SIX_IN_A_ROW;
use super::{LazyWins, ThreatSight};
use crate::position::Connect;
use crate::rules::Rules;

/// How a position's value depends on the weights.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Where the weights begin that matter: they depend on the stones left in the turn.
    first: usize,
    /// What is counted for the player to move and for the other.
    counts: [[u16; COUNTS]; 2],
    /// 1 if the first player is to move, otherwise −1.
    sign: f64,
}

impl Sample {
    /// What a position uses; `None` if its value does not come from weights.
    pub fn of(sight: &ThreatSight, position: &Connect) -> Option<Sample> {
        let turn = position.turn();
        let left = usize::from(turn.stones_left);
        if position.open(turn.player).any_lacking_at_most(left) {
            return None;
        }
        Some(Sample {
            first: 2 * COUNTS * (left.clamp(1, 2) - 1),
            counts: sight.judgement.as_ref()?.counts(&sight.surroundings, position),
            sign: if turn.player == Player::First { 1.0 } else { -1.0 },
        })
    }

    /// The value for the first player with these parameters.
    pub fn value(&self, parameters: &[f64]) -> f64 {
        self.slopes().map(|(parameter, slope)| parameters[parameter] * slope).sum()
    }

    /// Adds to `into` how the value changes with each parameter, times `factor`.
    pub fn add_gradient(&self, factor: f64, into: &mut [f64]) {
        self.slopes().for_each(|(parameter, slope)| into[parameter] += slope * factor);
    }

    /// The parameters that have a say, and what the value gains with each.
    fn slopes(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let of_own = self.counts[0].iter().map(|&count| self.sign * f64::from(count));
        let of_other = self.counts[1].iter().map(|&count| -self.sign * f64::from(count));
        of_own.chain(of_other).enumerate().map(|(index, slope)| (self.first + index, slope))
    }
}

/// Whether a position is quiet enough to learn a static evaluation from: nobody must be stopped, and the player to move has no win that a short
/// look for double threats finds.
pub fn is_worth_keeping(sight: &ThreatSight, position: &Connect) -> bool {
    position.outcome().is_none()
        && !sight.in_check(position)
        && sight.at_sight(position).is_none()
        && sight.wins_by_force(&mut LazyWins::default(), position, 0, &|| false) != Some(true)
}

/// A beginning of Connect6 to learn from: some turns of stones anywhere near the middle.
pub fn start(rng: &mut Rng) -> Connect {
    let mut position = Connect::start(&Rules::CONNECT6);
    let reach = 2 + rng.below(3);
    let near = |index: usize| (index % 19).abs_diff(9) <= reach && (index / 19).abs_diff(9) <= reach;
    for _ in 0..1 + 2 * (1 + rng.below(3)) {
        let cells: Vec<_> = position.legal_moves().each().filter(|m| near(m.index())).collect();
        position.play(cells[rng.below(cells.len())]);
    }
    position
}

/// The parameters in use.
pub fn current() -> Vec<f64> {
    SIX_IN_A_ROW.iter().flatten().flatten().map(|&weight| f64::from(weight) / f64::from(PARTS)).collect()
}

/// Plain guesses, from which tuning can start without knowing anything: a window is worth three times as much with each stone.
pub fn first_guesses() -> Vec<f64> {
    let mut worths = vec![0.0; COUNTS];
    worths[..WINDOWS.len()].copy_from_slice(&WINDOWS);
    worths.repeat(4)
}

/// What windows are worth that lack one stone, two and so on.
const WINDOWS: [f64; 5] = [90.0, 90.0, 10.0, 3.0, 1.0];

/// The file `weights.rs` with these parameters, rounded.
pub fn source(parameters: &[f64]) -> String {
    let mut text = String::from(HEADER);
    for left in parameters.chunks(2 * COUNTS) {
        text += "    [\n";
        for player in left.chunks(COUNTS) {
            let numbers: Vec<String> = player
                .iter()
                .map(|weight| ((weight * f64::from(PARTS)).round() as i16).to_string())
                .collect();
            text += &format!("        [{}],\n", numbers.join(", "));
        }
        text += "    ],\n";
    }
    text + "];\n"
}

const HEADER: &str = "\
//! What is worth how much in six in a row with two stones a turn. Written by `outplay tune eval`.

use super::judgement::Weights;

#[rustfmt::skip]
pub(super) static SIX_IN_A_ROW: Weights = [
";

#[cfg(test)]
mod tests {
    use outplay_search::Evaluation;

    use super::*;

    #[test]
    fn the_tuner_values_positions_as_the_judgement_does() {
        let sight = ThreatSight::new(Rules::CONNECT6);
        let mut rng = Rng::new(4);
        for _ in 0..200 {
            let position = start(&mut rng);
            let Some(sample) = Sample::of(&sight, &position) else { continue };
            let value = sample.value(&current());
            let sign = if position.to_move() == Player::First { 1.0 } else { -1.0 };
            assert_eq!(sight.value(&position), (sign * value) as i32, "{position:?}");
            // The value is a sum: its gradient is the counts, and the value what they give with the weights.
            let mut gradient = vec![0.0; current().len()];
            sample.add_gradient(1.0, &mut gradient);
            let again: f64 = gradient.iter().zip(current()).map(|(slope, weight)| slope * weight).sum();
            assert!((again - value).abs() < 1e-9);
        }
    }

    #[test]
    fn the_source_of_the_weights_in_use_is_the_file() {
        assert_eq!(source(&current()), include_str!("weights.rs"));
    }
}
