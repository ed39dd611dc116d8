//! Settings as rows of one typed table.
//!
//! A search declares its settings once, with [`options!`](crate::options): name, type, default, range, meaning and
//! attributes. From that row come the struct field that the search reads, the protocol option, the command-line setting, the
//! control on the page and the tuner's axis; and its [attributes](Attribute) say what a change costs and affects.

mod attributes;
mod declare;
mod types;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use outplay_core::names::{did_you_mean, meant};
use serde::Serialize;

pub use attributes::{Attribute, BYTES_OF_FORCED_WIN_NODE, Declared, MEBIBYTE, MOST_SEED};
pub use types::OptionType;

/// A name or a help text: of a row that is declared, or of one that is found while the program runs.
pub type Word = Cow<'static, str>;

/// One setting.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OptionRow {
    /// The name, in lower case with underscores.
    pub name: Word,
    /// What it means, in one line.
    pub help: Word,
    /// The title of the rows that it stands among; empty for none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub group: Word,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: OptionKind,
    /// The value it has unless set.
    pub default: OptionValue,
    /// A short name that the literature has for it, such as `c`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<Word>,
    /// What it is, beyond its values.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub attributes: &'static [Attribute],
    /// The values that show what the setting is worth, beside the default: a switch the other way round, a constant without
    /// effect or of another size.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ablations: Vec<OptionValue>,
}

/// The values that a setting takes.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OptionKind {
    /// On or off.
    Switch,
    /// A whole number in a range, both ends included.
    Integer {
        /// The smallest value.
        least: i64,
        /// The largest value.
        most: i64,
    },
    /// A number in a range, both ends included.
    Number {
        /// The smallest value.
        least: f64,
        /// The largest value.
        most: f64,
    },
    /// One of several words.
    Choice {
        /// The words.
        words: Vec<Word>,
    },
    /// Any text; empty for none.
    Text,
    /// The name of a file or folder, or several as the system separates paths; empty for none.
    File {
        /// Names that stand for files which are known already, such as those of a folder that is searched: as good as paths, and safe to offer to
        /// strangers.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        offered: Vec<Word>,
    },
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionKind::Switch => write!(f, "true or false"),
            OptionKind::Integer { least, most } => write!(f, "a whole number from {least} to {most}"),
            OptionKind::Number { least, most } => write!(f, "a number from {least} to {most}"),
            OptionKind::Choice { words } => write!(f, "one of {}", words.join(", ")),
            OptionKind::Text => write!(f, "text"),
            OptionKind::File { offered } if offered.is_empty() => write!(f, "the name of a file"),
            OptionKind::File { offered } => write!(f, "the name of a file, or one of {}", offered.join(", ")),
        }
    }
}

/// The value of a setting.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// Of a switch.
    Switch(bool),
    /// Of a whole number.
    Integer(i64),
    /// Of a number.
    Number(f64),
    /// Of a choice.
    Choice(Word),
    /// Of a text or a file.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionValue::Switch(value) => write!(f, "{value}"),
            OptionValue::Integer(value) => write!(f, "{value}"),
            OptionValue::Number(value) => write!(f, "{value}"),
            OptionValue::Choice(value) => write!(f, "{value}"),
            OptionValue::Text(value) => write!(f, "{value}"),
        }
    }
}

impl OptionRow {
    /// Whether this is its name or its short name, in large or small letters.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
            || self.alias.as_ref().is_some_and(|alias| alias.eq_ignore_ascii_case(name))
    }

    /// Whether it has an attribute.
    pub fn is(&self, attribute: Attribute) -> bool {
        self.attributes.contains(&attribute)
    }

    /// Whether a larger value takes more of the machine: threads, memory, or time that no stop signal ends.
    pub fn is_costly(&self) -> bool {
        self.is(Attribute::Threads) || self.bytes_per_unit().is_some() || self.deaf_per_unit().is_some()
    }

    /// How many bytes each unit takes, if it costs memory.
    pub fn bytes_per_unit(&self) -> Option<u64> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Memory { bytes } => Some(*bytes),
            _ => None,
        })
    }

    /// How long the search does not hear the stop signal for each unit, if that depends on it.
    pub fn deaf_per_unit(&self) -> Option<Duration> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Deaf { nanoseconds } => Some(Duration::from_nanos(*nanoseconds)),
            _ => None,
        })
    }

    /// Values from one end of its range to the other, for whoever tries every setting: all words, both ends, but little of what costs something.
    /// None of texts and files.
    pub fn samples(&self) -> Vec<OptionValue> {
        match &self.kind {
            OptionKind::Switch => [false, true].map(OptionValue::Switch).into(),
            OptionKind::Integer { least, .. } if self.is_costly() => {
                [*least, least + 1].map(OptionValue::Integer).into()
            }
            OptionKind::Integer { least, most } => [*least, *most].map(OptionValue::Integer).into(),
            OptionKind::Number { least, most } => [*least, *most].map(OptionValue::Number).into(),
            OptionKind::Choice { words } => words.iter().cloned().map(OptionValue::Choice).collect(),
            OptionKind::Text | OptionKind::File { .. } => Vec::new(),
        }
    }

    /// Reads a value and checks it against the row.
    pub fn parse(&self, text: &str) -> Result<OptionValue, OptionError> {
        let trimmed = text.trim();
        let value = match &self.kind {
            OptionKind::Switch => match trimmed.to_ascii_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => Some(OptionValue::Switch(true)),
                "false" | "off" | "no" | "0" => Some(OptionValue::Switch(false)),
                _ => None,
            },
            OptionKind::Integer { least, most } => {
                trimmed.parse().ok().filter(|v| (least..=most).contains(&v)).map(OptionValue::Integer)
            }
            OptionKind::Number { least, most } => {
                trimmed.parse().ok().filter(|v| (least..=most).contains(&v)).map(OptionValue::Number)
            }
            OptionKind::Choice { words } => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(trimmed))
                .map(|word| OptionValue::Choice(word.clone())),
            OptionKind::Text | OptionKind::File { .. } => Some(OptionValue::Text(trimmed.to_string())),
        };
        value.ok_or_else(|| OptionError::BadValue {
            name: self.name.clone(),
            value: outplay_core::text::shortened(text),
            expected: self.kind.to_string(),
        })
    }
}

/// Why a setting was not changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// No setting has this name.
    Unknown {
        /// The name asked for, in quotes.
        name: String,
        /// The names that there are.
        known: Vec<Word>,
    },
    /// The value does not fit.
    BadValue {
        /// The setting.
        name: Word,
        /// The value given, in quotes.
        value: String,
        /// What would fit.
        expected: String,
    },
    /// The value fits, but what it names cannot be used.
    Unusable {
        /// The setting.
        name: Word,
        /// What is wrong.
        reason: String,
    },
}

fn unquoted(text: &str) -> &str {
    text.trim_matches('"')
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionError::Unknown { name, known } if known.is_empty() => {
                write!(f, "no option {name}: there is none")
            }
            OptionError::Unknown { name, known } => {
                let meant = did_you_mean(meant(unquoted(name), known));
                write!(f, "no option {name}: {meant}expected one of {}", known.join(", "))
            }
            OptionError::BadValue { name, value, expected } => {
                let words = expected.strip_prefix("one of ").unwrap_or_default().split(", ");
                let meant = did_you_mean(meant(unquoted(value), words));
                write!(f, "option {name} cannot be {value}: {meant}expected {expected}")
            }
            OptionError::Unusable { name, reason } => write!(f, "option {name}: {reason}"),
        }
    }
}

impl std::error::Error for OptionError {}

/// A word that is not among the choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchChoice {
    /// The word, in quotes.
    pub word: String,
    /// The choices.
    pub choices: &'static [&'static str],
}

impl NoSuchChoice {
    /// For a text that is none of the choices.
    pub fn new(text: &str, choices: &'static [&'static str]) -> NoSuchChoice {
        NoSuchChoice { word: outplay_core::text::shortened(text), choices }
    }
}

impl fmt::Display for NoSuchChoice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let meant = did_you_mean(meant(unquoted(&self.word), self.choices));
        write!(f, "no {}: {meant}expected one of {}", self.word, self.choices.join(", "))
    }
}

impl std::error::Error for NoSuchChoice {}

/// A group of settings; [`options!`](crate::options) implements it.
pub trait OptionSet: Send {
    /// The rows, in the order in which they were declared.
    fn rows(&self) -> Vec<OptionRow>;

    /// The current value of the row at `index`.
    fn value(&self, index: usize) -> OptionValue;

    /// Sets the row at `index` to a value that [`OptionRow::parse`] has checked. What cannot be used is left as it was.
    fn assign(&mut self, index: usize, value: OptionValue);

    /// The same, which says why a value cannot be used after all: a file that is not there, or holds something else.
    fn try_assign(&mut self, index: usize, value: OptionValue) -> Result<(), OptionError> {
        self.assign(index, value);
        Ok(())
    }

    /// Rows that mean nothing until another is set, with their values: [`OptionSet::set`] knows them already, so that the order of settings does not
    /// matter.
    fn dormant(&self) -> Vec<(OptionRow, OptionValue)> {
        Vec::new()
    }

    /// Sets a value by name; names are compared without regard to case, and spaces count as underscores.
    fn set(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        let rows = self.rows();
        let wanted = name.trim().replace(' ', "_");
        let index =
            rows.iter().position(|row| row.is_named(&wanted)).ok_or_else(|| OptionError::Unknown {
                name: outplay_core::text::shortened(name),
                known: rows.iter().map(|row| row.name.clone()).collect(),
            })?;
        self.try_assign(index, rows[index].parse(text)?)
    }
}

/// No settings at all.
impl OptionSet for () {
    fn rows(&self) -> Vec<OptionRow> {
        Vec::new()
    }

    fn value(&self, index: usize) -> OptionValue {
        unreachable!("row {index} of an empty table")
    }

    fn assign(&mut self, index: usize, _: OptionValue) {
        unreachable!("row {index} of an empty table")
    }
}

#[cfg(test)]
mod tests;
