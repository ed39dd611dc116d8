//! The types that a setting can have: each search reads its settings in the types that it computes with, and what a table or a protocol says is
//! converted here.

use std::path::PathBuf;

use super::{OptionKind, OptionValue};

/// A field type that a row can describe.
pub trait OptionType: Clone {
    /// What the range of this type is written with.
    type Range;

    /// The row's kind.
    fn kind(range: Option<Self::Range>) -> OptionKind;

    /// The value for a row.
    fn to_value(&self) -> OptionValue;

    /// The value from a row; `None` if it is of another type.
    fn from_value(value: &OptionValue) -> Option<Self>;

    /// The same, switched off, if it is a switch.
    fn off(&self) -> Self {
        self.clone()
    }

    /// The values to compare this one with where the row names none.
    fn ablations(&self) -> Vec<OptionValue> {
        Vec::new()
    }
}

impl OptionType for bool {
    type Range = ();

    fn kind(_: Option<()>) -> OptionKind {
        OptionKind::Switch
    }

    fn to_value(&self) -> OptionValue {
        OptionValue::Switch(*self)
    }

    fn from_value(value: &OptionValue) -> Option<bool> {
        if let OptionValue::Switch(value) = value { Some(*value) } else { None }
    }

    fn off(&self) -> bool {
        false
    }

    fn ablations(&self) -> Vec<OptionValue> {
        vec![OptionValue::Switch(!*self)]
    }
}

/// Whole numbers of any size are [`OptionKind::Integer`] rows, in which 64 bits with a sign are the most that there is.
macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl OptionType for $integer {
            type Range = std::ops::RangeInclusive<$integer>;

            fn kind(range: Option<Self::Range>) -> OptionKind {
                let range = range.unwrap_or(<$integer>::MIN..=<$integer>::MAX);
                let (least, most) = range.into_inner();
                OptionKind::Integer {
                    least: i64::try_from(least).unwrap_or(i64::MAX),
                    most: i64::try_from(most).unwrap_or(i64::MAX),
                }
            }

            fn to_value(&self) -> OptionValue {
                OptionValue::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
            }

            fn from_value(value: &OptionValue) -> Option<$integer> {
                match value {
                    OptionValue::Integer(value) => <$integer>::try_from(*value).ok(),
                    _ => None,
                }
            }
        }
    )*};
}

integers!(i32, i64, u16, u32, u64, usize);

impl OptionType for f64 {
    type Range = std::ops::RangeInclusive<f64>;

    fn kind(range: Option<Self::Range>) -> OptionKind {
        let range = range.unwrap_or(f64::MIN..=f64::MAX);
        OptionKind::Number { least: *range.start(), most: *range.end() }
    }

    fn to_value(&self) -> OptionValue {
        OptionValue::Number(*self)
    }

    fn from_value(value: &OptionValue) -> Option<f64> {
        if let OptionValue::Number(value) = value { Some(*value) } else { None }
    }
}

impl OptionType for String {
    type Range = ();

    fn kind(_: Option<()>) -> OptionKind {
        OptionKind::Text
    }

    fn to_value(&self) -> OptionValue {
        OptionValue::Text(self.clone())
    }

    fn from_value(value: &OptionValue) -> Option<String> {
        if let OptionValue::Text(value) = value { Some(value.clone()) } else { None }
    }
}

impl OptionType for PathBuf {
    type Range = ();

    fn kind(_: Option<()>) -> OptionKind {
        OptionKind::File { offered: Vec::new() }
    }

    fn to_value(&self) -> OptionValue {
        OptionValue::Text(self.display().to_string())
    }

    fn from_value(value: &OptionValue) -> Option<PathBuf> {
        if let OptionValue::Text(value) = value { Some(value.into()) } else { None }
    }
}
