//! What is tuned: rows of the options table, each with the range in which it is looked for.

use outplay_core::names::{did_you_mean, meant};
use outplay_search::{Attribute, OptionKind, OptionRow, OptionValue, Word};
use serde::Deserialize;

/// A setting that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// The name of its row.
    pub name: Word,
    /// What values it has.
    pub kind: AxisKind,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// By how much it is varied in the end: a change whose effect is just worth seeing.
    pub step: f64,
    /// Where it begins.
    pub start: f64,
}

/// What values an axis has.
#[derive(Clone, PartialEq, Debug)]
pub enum AxisKind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Words, such as those of a switch; a value is the number of its word.
    Word(Vec<Word>),
}

/// A value for each axis.
pub type Point = Vec<f64>;

/// Why something cannot be tuned.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AxisError {
    /// The file is none of ours.
    #[error("{0}")]
    Syntax(String),
    /// There is no such row.
    #[error("no setting {name:?}: {meant}see `outplay options`")]
    Unknown {
        /// The name.
        name: String,
        /// What may have been meant.
        meant: String,
    },
    /// The row cannot be an axis, or not like this.
    #[error("{name}: {reason}")]
    Unfit {
        /// The row.
        name: Word,
        /// Why.
        reason: String,
    },
    /// Nothing belongs to the technique.
    #[error("no technique or group {name:?}: {meant}expected one of {known}")]
    NoTechnique {
        /// The name.
        name: String,
        /// What may have been meant.
        meant: String,
        /// What there is.
        known: String,
    },
    /// There is nothing to tune.
    #[error("there is nothing to tune: name parameters, as in [[param]] name = \"futility_margin\"")]
    Nothing,
}

/// A file of parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterFile {
    #[serde(default)]
    param: Vec<Line>,
}

/// What a file says of one parameter.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Line {
    name: String,
    min: Option<f64>,
    max: Option<f64>,
    step: Option<f64>,
    start: Option<toml::Value>,
}

/// Reads a file of parameters: a table `[[param]]` for each, with its `name` and, where the row or the rule does not suit, `min`, `max`, `step`
/// and `start`. `rows` are those of the search, with their values.
pub fn read_axes(file: &str, rows: &[(OptionRow, OptionValue)]) -> Result<Vec<Axis>, AxisError> {
    let file: ParameterFile =
        toml::from_str(file).map_err(|error| AxisError::Syntax(error.to_string().trim_end().to_string()))?;
    let axes = file.param.iter().map(|line| {
        let wanted = line.name.trim();
        let found = rows.iter().find(|(row, _)| row.is_named(wanted)).ok_or_else(|| AxisError::Unknown {
            name: wanted.to_string(),
            meant: did_you_mean(meant(wanted, rows.iter().map(|(row, _)| &*row.name))),
        })?;
        Axis::new(&found.0, &found.1, line)
    });
    let axes = axes.collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<&Word> = axes.iter().map(|axis| &axis.name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(unfit(pair[0], "it is named twice")),
        None if axes.is_empty() => Err(AxisError::Nothing),
        None => Ok(axes),
    }
}

/// The numbers of a technique, which is a switch of the table: those that follow it; or of a group, by its title: those of all that is on in it.
pub fn axes_of(name: &str, rows: &[(OptionRow, OptionValue)]) -> Result<Vec<Axis>, AxisError> {
    let wanted = name.trim();
    let is_on = |place: usize| {
        let technique = (0..=place).rev().map(|at| &rows[at]).find(|(row, _)| row.kind == OptionKind::Switch);
        let belongs = technique.filter(|(row, _)| row.group == rows[place].0.group);
        belongs.is_none_or(|(_, value)| *value == OptionValue::Switch(true))
    };
    let places: Vec<usize> = match rows.iter().position(|(row, _)| row.is_named(wanted)) {
        Some(place) if rows[place].0.kind == OptionKind::Switch => {
            if !is_on(place) {
                return Err(unfit(&rows[place].0.name, "it is off: add --set with it and true"));
            }
            let same_group = |at: &usize| rows[*at].0.group == rows[place].0.group;
            let is_number = |at: &usize| {
                matches!(rows[*at].0.kind, OptionKind::Integer { .. } | OptionKind::Number { .. })
            };
            (place + 1..rows.len()).take_while(|at| is_number(at) && same_group(at)).collect()
        }
        _ => (0..rows.len())
            .filter(|&place| rows[place].0.group.eq_ignore_ascii_case(wanted) && is_on(place))
            .collect(),
    };
    let axes = places.into_iter().map(|place| &rows[place]).filter(|(row, _)| may_be_tuned(row));
    let axes = axes.map(|(row, value)| Axis::new(row, value, &Line::default()));
    let axes = axes.collect::<Result<Vec<_>, _>>()?;
    if axes.is_empty() {
        let mut known: Vec<&str> =
            rows.iter().map(|(row, _)| &*row.group).filter(|group| !group.is_empty()).collect();
        known.dedup();
        let meant = did_you_mean(meant(wanted, known.iter().copied()));
        return Err(AxisError::NoTechnique { name: wanted.to_string(), meant, known: known.join(", ") });
    }
    Ok(axes)
}

/// Whether a row is a number that makes a search better or worse rather than larger.
fn may_be_tuned(row: &OptionRow) -> bool {
    let other = [Attribute::Seed, Attribute::Layout, Attribute::Meaning, Attribute::Clock, Attribute::Play];
    let is_number = matches!(row.kind, OptionKind::Integer { .. } | OptionKind::Number { .. });
    is_number && !row.is_costly() && !other.iter().any(|&attribute| row.is(attribute))
}

fn unfit(name: &Word, reason: impl Into<String>) -> AxisError {
    AxisError::Unfit { name: name.clone(), reason: reason.into() }
}

/// Of its value a number is varied by this share, if nothing else is said.
const USUAL_STEP: f64 = 0.1;
/// A range reaches so many steps to either side, if nothing else is said.
const USUAL_REACH: f64 = 10.0;
/// A whole number that is varied by less would not change.
pub(super) const LEAST_WHOLE_STEP: f64 = 0.5;

impl Axis {
    fn new(row: &OptionRow, value: &OptionValue, line: &Line) -> Result<Axis, AxisError> {
        let start = match &line.start {
            None => value.clone(),
            Some(start) => {
                let text = start.as_str().map_or_else(|| start.to_string(), str::to_string);
                row.parse(&text).map_err(|error| unfit(&row.name, error.to_string()))?
            }
        };
        let (kind, least, most, start) = match (&row.kind, &start) {
            (&OptionKind::Integer { least, most }, &OptionValue::Integer(start)) => {
                (AxisKind::Whole, least as f64, most as f64, start as f64)
            }
            (&OptionKind::Number { least, most }, &OptionValue::Number(start)) => {
                (AxisKind::Number, least, most, start)
            }
            (OptionKind::Switch, &OptionValue::Switch(on)) => {
                let words = ["false", "true"].map(Word::from).to_vec();
                (AxisKind::Word(words), 0.0, 1.0, f64::from(u8::from(on)))
            }
            (OptionKind::Choice { words }, OptionValue::Choice(word)) => {
                let start = words.iter().position(|other| other == word).unwrap_or(0);
                (AxisKind::Word(words.clone()), 0.0, (words.len() - 1) as f64, start as f64)
            }
            _ => return Err(unfit(&row.name, "only numbers, switches and words can be tuned")),
        };
        if matches!(kind, AxisKind::Word(_)) {
            if line.min.is_some() || line.max.is_some() || line.step.is_some() {
                return Err(unfit(&row.name, "words have no min, max or step: leave them out"));
            }
            return Ok(Axis { name: row.name.clone(), kind, min: least, max: most, step: 1.0, start });
        }
        let usual = match &kind {
            AxisKind::Whole => (USUAL_STEP * start.abs()).max(LEAST_WHOLE_STEP),
            _ if start == 0.0 => USUAL_STEP * (most - least).min(1.0),
            _ => USUAL_STEP * start.abs(),
        };
        let step = line.step.unwrap_or(usual);
        let min = line.min.unwrap_or_else(|| (start - USUAL_REACH * step).max(least));
        let max = line.max.unwrap_or_else(|| (start + USUAL_REACH * step).min(most));
        let whole = |value: f64| if kind == AxisKind::Whole { value.round() } else { value };
        let axis = Axis { name: row.name.clone(), min: whole(min), max: whole(max), step, start, kind };
        axis.check(least, most)
    }

    fn check(self, least: f64, most: f64) -> Result<Axis, AxisError> {
        let Axis { min, max, step, start, .. } = self;
        let wrong = match &self.kind {
            _ if step <= 0.0 => format!("step {step}: expected more than 0"),
            _ if ![min, max, step].iter().all(|number| number.is_finite()) || min >= max => {
                format!("min {min} and max {max}: expected a range")
            }
            _ if min < least || max > most => {
                format!("{min} to {max} is too much: the setting takes {least} to {most}")
            }
            _ if !(min..=max).contains(&start) => format!("it starts at {start}, outside {min} to {max}"),
            _ if step > max - min => {
                format!("step {step}: expected {} at most", max - min)
            }
            AxisKind::Whole if step < LEAST_WHOLE_STEP => {
                format!("step {step}: whole numbers need {LEAST_WHOLE_STEP} at least")
            }
            _ => return Ok(self),
        };
        Err(unfit(&self.name, wrong))
    }

    /// Whether it has an order, along which a tuner can move.
    pub fn is_ordered(&self) -> bool {
        !matches!(self.kind, AxisKind::Word(_))
    }

    /// A value that lies within the range.
    pub fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }

    /// A value as a search is told it. A whole number is the next below or above, decided by `dither` from 0 to 1 such that the mean over all of
    /// those is the value; 0.5 rounds.
    pub fn text(&self, value: f64, dither: f64) -> String {
        let value = self.clamped(value);
        match &self.kind {
            AxisKind::Whole => self.clamped((value + dither).floor()).to_string(),
            AxisKind::Number => {
                // As exact as matters, and short to read.
                let decimals = (3.0 - self.step.log10()).ceil().clamp(0.0, 12.0) as usize;
                let text = format!("{value:.decimals$}");
                let number = text.parse::<f64>().unwrap_or(value);
                self.clamped(number).to_string()
            }
            AxisKind::Word(words) => {
                words.get(value.round() as usize).map_or_else(String::new, |word| word.to_string())
            }
        }
    }

    /// A setting of this axis.
    pub fn setting(&self, value: f64, dither: f64) -> (String, String) {
        (self.name.to_string(), self.text(value, dither))
    }

    /// How far a value is from the start, in steps.
    pub fn drift(&self, value: f64) -> f64 {
        (value - self.start) / self.step
    }
}

/// Where all axes start.
pub fn start_of(axes: &[Axis]) -> Point {
    axes.iter().map(|axis| axis.start).collect()
}

/// A point as settings, rounded.
pub fn settings_of(axes: &[Axis], point: &[f64]) -> Vec<(String, String)> {
    axes.iter().zip(point).map(|(axis, &value)| axis.setting(value, 0.5)).collect()
}
