//! What a tuner has to know of [`Classical`](super::Classical): which weights a position uses, and how its value depends on them.

use cozy_chess::Color;
use outplay_core::Move;

use super::classical::{DANGER_IN_ENDGAME, DANGER_SQUARED, WHOLE_PHASE, beyond_pawns, phase};
use super::endgame::{FULL, against_bare_king, scales};
use super::pawns::structure;
use super::sink::Counts;
use super::terms::{TERMS, WEIGHT_COUNT};
use super::weights::WEIGHTS;
use crate::{Chess, playouts, to_cozy};

/// How many numbers there are to tune: of each weight that for the middlegame, then that for the endgame.
pub const PARAMETERS: usize = 2 * WEIGHT_COUNT;

/// How a position's value depends on the weights.
#[derive(Clone, Debug)]
pub struct Sample {
    /// First what counts for White less what counts for Black, then what endangers White's king, then Black's.
    uses: Box<[Use]>,
    /// Where the second and the third part begin.
    parts: [u16; 2],
    /// The share of the middlegame.
    middlegame: f32,
    /// What each side can use of an endgame advantage. [colour]
    usable: [f32; Color::NUM],
}

/// A weight that is used, and how often.
#[derive(Clone, Copy, Debug)]
struct Use {
    weight: u16,
    times: i16,
}

/// A number for the middlegame and one for the endgame.
type Both = [f64; 2];

impl Sample {
    /// What a position uses; `None` if its value does not come from weights.
    pub fn of(position: &Chess) -> Option<Sample> {
        let board = position.cozy();
        if against_bare_king(board).is_some() {
            return None;
        }
        let mut counts = Counts::new();
        let outline = structure(board, &mut *counts);
        beyond_pawns(board, outline, &mut *counts);
        let [white, black] = &counts.sides;
        let linear = white.iter().zip(black).map(|(white, black)| white - black);
        let mut uses: Vec<Use> = used(linear).collect();
        let white_danger = uses.len() as u16;
        uses.extend(used(counts.danger[0].iter().copied()));
        let black_danger = uses.len() as u16;
        uses.extend(used(counts.danger[1].iter().copied()));
        Some(Sample {
            uses: uses.into(),
            parts: [white_danger, black_danger],
            middlegame: phase(board) as f32 / WHOLE_PHASE as f32,
            usable: scales(board).map(|scale| scale as f32 / FULL as f32),
        })
    }

    /// The value for White with these parameters, as [`Classical`](super::Classical) would give it if it did not round.
    pub fn value(&self, parameters: &[f64]) -> f64 {
        let Sums { score, .. } = self.sums(parameters);
        let middlegame = f64::from(self.middlegame);
        score[0] * middlegame + score[1] * self.endgame_share(score[1])
    }

    /// Adds to `into` how the value changes with each parameter, times `factor`.
    pub fn add_gradient(&self, parameters: &[f64], factor: f64, into: &mut [f64]) {
        let Sums { score, danger } = self.sums(parameters);
        let share = [f64::from(self.middlegame) * factor, self.endgame_share(score[1]) * factor];
        let mut add = |part: &[Use], share: Both| {
            for used in part {
                let at = 2 * usize::from(used.weight);
                into[at] += share[0] * f64::from(used.times);
                into[at + 1] += share[1] * f64::from(used.times);
            }
        };
        let [linear, white, black] = self.split();
        add(linear, share);
        for (part, danger, sign) in [(white, danger[0], -1.0), (black, danger[1], 1.0)] {
            let slope = [
                2.0 * danger[0].max(0.0) / f64::from(DANGER_SQUARED),
                if danger[1] > 0.0 { 1.0 / f64::from(DANGER_IN_ENDGAME) } else { 0.0 },
            ];
            add(part, [sign * slope[0] * share[0], sign * slope[1] * share[1]]);
        }
    }

    /// What an endgame point counts. The better side decides what it can use of it.
    fn endgame_share(&self, endgame: f64) -> f64 {
        let better = if endgame >= 0.0 { Color::White } else { Color::Black };
        (1.0 - f64::from(self.middlegame)) * f64::from(self.usable[better as usize])
    }

    fn split(&self) -> [&[Use]; 3] {
        let [white, black] = self.parts.map(usize::from);
        [&self.uses[..white], &self.uses[white..black], &self.uses[black..]]
    }

    fn sums(&self, parameters: &[f64]) -> Sums {
        let [linear, white, black] = self.split().map(|part| {
            part.iter().fold([0.0; 2], |[middlegame, endgame]: Both, used| {
                let (at, times) = (2 * usize::from(used.weight), f64::from(used.times));
                [middlegame + parameters[at] * times, endgame + parameters[at + 1] * times]
            })
        });
        let harm = |danger: Both| {
            let squared = danger[0].max(0.0);
            [squared * squared / f64::from(DANGER_SQUARED), danger[1].max(0.0) / f64::from(DANGER_IN_ENDGAME)]
        };
        let (white_harm, black_harm) = (harm(white), harm(black));
        let score = [0, 1].map(|half| linear[half] - white_harm[half] + black_harm[half]);
        Sums { score, danger: [white, black] }
    }
}

struct Sums {
    /// What counts for White.
    score: Both,
    /// What endangers each king. [colour]
    danger: [Both; 2],
}

fn used(counts: impl Iterator<Item = i16>) -> impl Iterator<Item = Use> {
    counts
        .enumerate()
        .filter(|(_, times)| *times != 0)
        .map(|(weight, times)| Use { weight: weight as u16, times })
}

/// Whether a position is quiet enough to learn a static evaluation from: nobody is in check, nothing can be won at first sight, and the best
/// move takes and promotes nothing.
pub fn is_worth_keeping(position: &Chess, best: Move) -> bool {
    playouts::is_quiet(position)
        && !to_cozy(best).is_some_and(|best| playouts::is_loud(position.cozy(), best))
}

/// How reluctant a parameter is to leave its place, compared with others: those of large tables, each of which few positions use, are more so.
pub fn reluctance(parameter: usize) -> f64 {
    let is_in = |term: &&super::terms::TermInfo| term.range().contains(&(parameter / 2));
    if TERMS.iter().find(is_in).is_some_and(|term| term.range().len() >= LARGE_TABLE) { 4.0 } else { 1.0 }
}

/// A table of weights this large is one of squares.
const LARGE_TABLE: usize = 28;

/// The parameters in use.
pub fn current() -> Vec<f64> {
    WEIGHTS.iter().flat_map(|weight| [weight.middlegame(), weight.endgame()]).map(f64::from).collect()
}

/// Plain guesses, from which tuning can start without knowing anything.
pub fn first_guesses() -> Vec<f64> {
    let guess = |term: &'static super::terms::TermInfo| {
        (0..term.range().len()).flat_map(move |index| {
            let (middlegame, endgame) = term.first_guess(index);
            [f64::from(middlegame), f64::from(endgame)]
        })
    };
    TERMS.iter().flat_map(guess).collect()
}

/// The file `weights.rs` with these parameters, rounded.
pub fn source(parameters: &[f64]) -> String {
    let mut text = String::from(HEADER);
    for term in TERMS {
        let axes = if term.axes.is_empty() { String::new() } else { format!(" [{}]", term.axes) };
        text += &format!("    // {}{axes}\n", term.name);
        let range = term.range();
        let in_line = if range.len() % 4 == 0 && range.len() >= 32 { 8 } else { 9 };
        for weights in range.collect::<Vec<_>>().chunks(in_line) {
            let numbers: Vec<String> = weights
                .iter()
                .map(|weight| {
                    let [middlegame, endgame] =
                        [0, 1].map(|half| parameters[2 * weight + half].round() as i32);
                    format!("p({middlegame}, {endgame})")
                })
                .collect();
            text += &format!("    {},\n", numbers.join(", "));
        }
    }
    text + "];\n"
}

const HEADER: &str = "\
//! The values of all weights, in the order of `terms.rs`: middlegame, endgame. Written by `outplay tune eval`.

use super::pair::Pair;
use super::terms::WEIGHT_COUNT;

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// [weight]
#[rustfmt::skip]
pub(super) static WEIGHTS: [Pair; WEIGHT_COUNT] = [
";
