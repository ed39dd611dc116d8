//! Settings as rows of one typed table.
//!
//! A search declares its settings once, with [`options!`](crate::options): name, type, default, range and meaning.
//! From that row come the struct field that the search reads, the protocol option, the command-line setting, the
//! control on the page and the tuner's axis.

mod types;

use std::fmt;

use serde::Serialize;

pub use types::OptionType;

/// One setting.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OptionRow {
    /// The name, in lower case with underscores.
    pub name: &'static str,
    /// What it means, in one line.
    pub help: &'static str,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: OptionKind,
    /// The value it has unless set.
    pub default: OptionValue,
    /// A short name that the literature has for it, such as `c`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<&'static str>,
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
        words: Vec<&'static str>,
    },
    /// Any text, such as the name of a file; empty for none.
    Text,
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionKind::Switch => write!(f, "true or false"),
            OptionKind::Integer { least, most } => write!(f, "a whole number from {least} to {most}"),
            OptionKind::Number { least, most } => write!(f, "a number from {least} to {most}"),
            OptionKind::Choice { words } => write!(f, "one of {}", words.join(", ")),
            OptionKind::Text => write!(f, "text"),
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
    Choice(&'static str),
    /// Of a text.
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
            || self.alias.is_some_and(|alias| alias.eq_ignore_ascii_case(name))
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
                .map(|word| OptionValue::Choice(word)),
            OptionKind::Text => Some(OptionValue::Text(trimmed.to_string())),
        };
        value.ok_or_else(|| OptionError::BadValue {
            name: self.name,
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
        known: Vec<&'static str>,
    },
    /// The value does not fit.
    BadValue {
        /// The setting.
        name: &'static str,
        /// The value given, in quotes.
        value: String,
        /// What would fit.
        expected: String,
    },
    /// The value fits, but what it names cannot be used.
    Unusable {
        /// The setting.
        name: &'static str,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionError::Unknown { name, known } if known.is_empty() => {
                write!(f, "no option {name}: there is none")
            }
            OptionError::Unknown { name, known } => {
                write!(f, "no option {name}: expected one of {}", known.join(", "))
            }
            OptionError::BadValue { name, value, expected } => {
                write!(f, "option {name} cannot be {value}: expected {expected}")
            }
            OptionError::Unusable { name, reason } => write!(f, "option {name}: {reason}"),
        }
    }
}

impl std::error::Error for OptionError {}

/// A group of settings; [`options!`](crate::options) implements it.
pub trait OptionSet: Send {
    /// The rows, in the order in which they were declared.
    fn rows(&self) -> Vec<OptionRow>;

    /// The current value of the row at `index`.
    fn value(&self, index: usize) -> OptionValue;

    /// Sets the row at `index` to a value that [`OptionRow::parse`] has checked.
    fn assign(&mut self, index: usize, value: OptionValue);

    /// Sets a value by name; names are compared without regard to case, and spaces count as underscores.
    fn set(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        let rows = self.rows();
        let wanted = name.trim().replace(' ', "_");
        let index =
            rows.iter().position(|row| row.is_named(&wanted)).ok_or_else(|| OptionError::Unknown {
                name: outplay_core::text::shortened(name),
                known: rows.iter().map(|row| row.name).collect(),
            })?;
        self.assign(index, rows[index].parse(text)?);
        Ok(())
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

/// Declares a choice between named ways of doing something, which can be a field of [`options!`](crate::options). The first
/// word is what stands in tables and on command lines.
///
/// ```
/// use outplay_search::{OptionSet, choices, options};
///
/// choices! {
///     /// How to greet.
///     pub enum Greeting {
///         /// As among friends.
///         Warm = "warm",
///         /// As among strangers.
///         Polite = "polite",
///     }
/// }
/// options! {
///     /// Settings of some program.
///     pub struct Manners {
///         /// How to greet.
///         pub greeting: Greeting = Greeting::Polite,
///     }
/// }
///
/// let mut manners = Manners::default();
/// manners.set("greeting", "warm").unwrap();
/// assert_eq!(manners.greeting, Greeting::Warm);
/// assert!(manners.set("greeting", "cold").is_err());
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$enum_meta:meta])*
        pub enum $name:ident {
            $(#[doc = $help:literal] $variant:ident = $word:literal),* $(,)?
        }
    ) => {
        $(#[$enum_meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $(#[doc = $help] $variant),*
        }

        impl $crate::OptionType for $name {
            type Range = ();

            fn kind(_: Option<()>) -> $crate::OptionKind {
                $crate::OptionKind::Choice { words: vec![$($word),*] }
            }

            fn to_value(&self) -> $crate::OptionValue {
                match self {
                    $($name::$variant => $crate::OptionValue::Choice($word)),*
                }
            }

            fn from_value(value: $crate::OptionValue) -> Option<$name> {
                match value {
                    $($crate::OptionValue::Choice($word) => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

/// Declares a struct of settings: each field is one row of the options table, and its doc comment is the help.
///
/// After the default may stand, in this order, the range, a short name and the values that an ablation compares with. A struct with texts
/// in it is declared as `pub owned struct`: it can be cloned, but not copied.
///
/// ```
/// use outplay_search::{OptionSet, options};
///
/// options! {
///     /// Settings of some search.
///     pub struct Settings {
///         /// Whether to be brave.
///         pub brave: bool = true,
///         /// How many tries to make.
///         pub tries: i64 = 3, in 1..=100,
///         /// How much a try is worth.
///         pub worth: f64 = 0.5, in 0.0..=1.0, alias "w", ablate [0.0],
///     }
/// }
///
/// let mut settings = Settings::default();
/// settings.set("tries", "7").unwrap();
/// assert_eq!(settings.tries, 7);
/// assert!(settings.set("tries", "101").is_err());
/// settings.set("w", "0.25").unwrap();
/// assert_eq!(settings.worth, 0.25);
/// assert_eq!(settings.rows()[2].help, "How much a try is worth.");
/// ```
#[macro_export]
macro_rules! options {
    ($(#[$struct_meta:meta])* pub struct $($rest:tt)*) => {
        $crate::options!(@declare $(#[$struct_meta])* #[derive(Copy)] pub struct $($rest)*);
    };
    ($(#[$struct_meta:meta])* pub owned struct $($rest:tt)*) => {
        $crate::options!(@declare $(#[$struct_meta])* pub struct $($rest)*);
    };
    (
        @declare
        $(#[$struct_meta:meta])*
        pub struct $name:ident {
            $(
                #[doc = $help:literal]
                pub $field:ident : $type:ty = $default:expr
                    $(, in $range:expr)? $(, alias $alias:literal)? $(, ablate [$($ablation:expr),*])?
            ),* $(,)?
        }
    ) => {
        $(#[$struct_meta])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name {
            $(
                #[doc = $help]
                pub $field: $type,
            )*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default),* }
            }
        }

        impl $crate::OptionSet for $name {
            fn rows(&self) -> Vec<$crate::OptionRow> {
                let defaults = $name::default();
                let _ = &defaults;
                vec![$(
                    $crate::OptionRow {
                        name: stringify!($field),
                        help: $help.trim_ascii(),
                        kind: <$type as $crate::OptionType>::kind($crate::options!(@optional $($range)?)),
                        default: $crate::OptionType::to_value(&defaults.$field),
                        alias: $crate::options!(@optional $($alias)?),
                        ablations: $crate::options!(@ablations defaults.$field $(, [$($ablation),*])?),
                    }
                ),*]
            }

            fn value(&self, index: usize) -> $crate::OptionValue {
                let values = [$($crate::OptionType::to_value(&self.$field)),*];
                values[index].clone()
            }

            fn assign(&mut self, index: usize, value: $crate::OptionValue) {
                let mut row = 0..;
                $(
                    if row.next() == Some(index) {
                        if let Some(value) = <$type as $crate::OptionType>::from_value(value.clone()) {
                            self.$field = value;
                        }
                    }
                )*
                let _ = (row, value);
            }
        }
    };
    (@optional) => { None };
    (@optional $value:expr) => { Some($value) };
    (@ablations $default:expr) => { $crate::OptionType::ablations(&$default) };
    (@ablations $default:expr, [$($value:expr),*]) => { vec![$($crate::OptionType::to_value(&$value)),*] };
}

#[cfg(test)]
mod tests {
    use super::*;

    options! {
        /// For the tests.
        pub struct Sample {
            /// A switch.
            pub fast: bool = false,
            /// A count.
            pub count: i64 = 5, in 1..=10,
            /// A share.
            pub share: f64 = 0.25, in 0.0..=1.0, alias "s", ablate [0.0, 1.0],
        }
    }

    #[test]
    fn every_row_reads_back_its_default() {
        let sample = Sample::default();
        for (index, row) in sample.rows().into_iter().enumerate() {
            assert_eq!(sample.value(index), row.default);
            assert_eq!(row.parse(&row.default.to_string()), Ok(row.default.clone()));
        }
    }

    #[test]
    fn rows_know_what_to_compare_their_defaults_with() {
        let ablations: Vec<_> = Sample::default().rows().into_iter().map(|row| row.ablations).collect();
        let numbers = [0.0, 1.0].map(OptionValue::Number).to_vec();
        assert_eq!(ablations, [vec![OptionValue::Switch(true)], Vec::new(), numbers]);
    }

    options! {
        /// With a text in it.
        pub owned struct Named {
            /// A name.
            pub name: String = "nobody".to_string(), alias "n",
        }
    }

    #[test]
    fn texts_are_taken_as_they_are_but_for_space_around_them() {
        let mut named = Named::default();
        assert_eq!(named.value(0).to_string(), "nobody");
        for (text, expected) in [(" C:\\my tables ", "C:\\my tables"), ("", ""), ("a=b, c", "a=b, c")] {
            named.set("N", text).unwrap();
            assert_eq!((named.name.as_str(), named.value(0)), (expected, OptionValue::Text(expected.into())));
        }
        assert_eq!((&named.rows()[0].kind, named.rows()[0].ablations.len()), (&OptionKind::Text, 0));
    }

    #[test]
    fn values_are_set_by_name_and_checked() {
        let mut sample = Sample::default();
        sample.set("FAST", "on").unwrap();
        sample.set("count", " 10 ").unwrap();
        sample.set("S", "1e-3").unwrap();
        assert_eq!(sample, Sample { fast: true, count: 10, share: 0.001 });
        for (name, value) in
            [("count", "0"), ("count", "11"), ("count", "x"), ("share", "NaN"), ("fast", "2")]
        {
            let before = sample;
            let error = sample.set(name, value).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(value), "{error}");
            assert_eq!(sample, before, "a refused value changes nothing");
        }
        let error = sample.set("speed", "1").unwrap_err().to_string();
        assert_eq!(error, "no option \"speed\": expected one of fast, count, share");
    }
}
