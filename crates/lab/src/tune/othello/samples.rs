//! Positions with the margin that they lead to.

use std::path::Path;

use outplay_core::{Game, Notation, ParseError, Player};
use outplay_othello::endgame::{Limits, Solver};
use outplay_othello::wthor::{Database, Names};
use outplay_othello::{Othello, PASS};
use outplay_search::Evaluation;

use super::super::loss::best_slope;
use super::super::positions::{PositionFileError, visit_games};

/// A position, and by how many discs the player to move wins from there.
#[derive(Clone, Copy, Debug)]
pub struct PatternSample {
    mover: u64,
    opponent: u64,
    /// The margin for the player to move.
    pub margin: i8,
    /// Which game it comes from.
    pub game: u32,
}

impl PatternSample {
    fn new(position: &Othello, margin: i16, game: u32) -> PatternSample {
        PatternSample { mover: position.mover(), opponent: position.opponent(), margin: margin as i8, game }
    }

    /// The position, with the first player to move: which of them it is makes no difference.
    pub fn position(&self) -> Othello {
        Othello::from_discs(self.mover, self.opponent, Player::First).expect("it was a position")
    }

    /// The number of empty squares.
    pub fn empties(&self) -> u32 {
        (!(self.mover | self.opponent)).count_ones()
    }
}

/// The positions of a file of `tune games` with no more empty squares than this. Games are counted on from file to file.
pub fn read_pattern_samples(
    path: &Path,
    most_empty: u32,
    into: &mut Vec<PatternSample>,
) -> Result<(), PositionFileError> {
    let first = into.last().map_or(0, |last| last.game + 1);
    visit_games(path, &mut |game| {
        for kept in game {
            let Ok(position) = Othello::parse_position(&(), &kept.position) else { continue };
            let margin = (f64::from(kept.score) / 100.0).round().clamp(-64.0, 64.0) as i16;
            let sign = if position.to_move() == Player::First { 1 } else { -1 };
            if position.empty().count_ones() <= most_empty {
                into.push(PatternSample::new(&position, sign * margin, first + kept.game));
            }
        }
    })
}

/// From so few empty squares on, positions of WTHOR are solved here.
const SOLVED_HERE: u32 = 12;

/// Positions of a file of WTHOR: those before its games were solved have the margin of perfect play from there, the last ones their own. One
/// game of `one_of` is taken.
pub fn wthor_samples(file: &[u8], one_of: usize, into: &mut Vec<PatternSample>) -> Result<(), ParseError> {
    let database = Database::read(file)?;
    let mut solver = Solver::new(1, 0);
    for stored in database.games.iter().step_by(one_of.max(1)) {
        let Ok(record) = stored.record(&Names::default()) else { continue };
        let game = into.last().map_or(0, |last| last.game + 1);
        let best = 2 * i16::from(stored.best_black_discs) - 64;
        let mut position = Othello::start(&());
        for m in record.tree.main_line() {
            let empties = position.empty().count_ones();
            let black = match empties {
                _ if m == PASS => None,
                ..=SOLVED_HERE => solver
                    .value(&position, &mut Limits::default())
                    .exact()
                    .map(|margin| if position.to_move() == Player::First { margin } else { -margin }),
                _ => (empties >= u32::from(database.solved_empties)).then_some(best),
            };
            if let Some(black) = black {
                let margin = if position.to_move() == Player::First { black } else { -black };
                into.push(PatternSample::new(&position, margin, game));
            }
            position.play(m);
        }
    }
    Ok(())
}

/// Where phases end: each has the numbers of empty squares from here to the one before.
pub const PHASES: [u32; 7] = [48, 40, 32, 24, 16, 8, 0];

/// By how many discs an evaluation is wrong about positions of a phase.
#[derive(Clone, Copy, Default, Debug)]
pub struct ErrorByPhase {
    /// How many positions there are.
    pub positions: usize,
    /// In the mean.
    pub absolute: f64,
    /// The root of the mean square.
    pub square: f64,
}

/// How wrong an evaluation is in each of [`PHASES`]. An evaluation whose unit is no disc of the final margin is `scaled`: a factor is found
/// for each phase with which it is least wrong.
pub fn errors_by_phase(
    evaluation: &impl Evaluation<Othello>,
    samples: &[PatternSample],
    scaled: bool,
) -> [ErrorByPhase; PHASES.len()] {
    let mut values: [Vec<(f64, f64)>; PHASES.len()] = Default::default();
    let mut state = evaluation.state();
    for sample in samples {
        let position = sample.position();
        evaluation.reset(&mut state, &position);
        let value = f64::from(evaluation.evaluate(&mut state, &position)) / 100.0;
        let phase = PHASES.iter().position(|&end| sample.empties() >= end).unwrap_or(PHASES.len() - 1);
        values[phase].push((value, f64::from(sample.margin)));
    }
    values.map(|values| {
        let sum = |of: fn(&(f64, f64)) -> f64| values.iter().map(of).sum::<f64>();
        let count = values.len().max(1) as f64;
        let factor = if scaled {
            sum(|(value, margin)| value * margin) / sum(|(value, _)| value * value).max(1.0)
        } else {
            1.0
        };
        let errors = || values.iter().map(|(value, margin)| value * factor - margin);
        ErrorByPhase {
            positions: values.len(),
            absolute: errors().map(f64::abs).sum::<f64>() / count,
            square: (errors().map(|error| error * error).sum::<f64>() / count).sqrt(),
        }
    })
}

/// How steeply the value of an evaluation becomes the chance to win, per hundredth: the logistic curve that foretells best who won.
pub fn steepness(evaluation: &impl Evaluation<Othello>, samples: &[PatternSample]) -> f64 {
    let mut state = evaluation.state();
    let known = samples.iter().map(|sample| {
        let position = sample.position();
        evaluation.reset(&mut state, &position);
        let value = evaluation.evaluate(&mut state, &position);
        (f64::from(value), f64::from(sample.margin.signum() + 1) / 2.0)
    });
    best_slope(&known.collect::<Vec<_>>())
}
