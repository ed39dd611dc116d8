//! The types that a setting can have.

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
    fn from_value(value: OptionValue) -> Option<Self>;

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

    fn from_value(value: OptionValue) -> Option<bool> {
        if let OptionValue::Switch(value) = value { Some(value) } else { None }
    }

    fn ablations(&self) -> Vec<OptionValue> {
        vec![OptionValue::Switch(!*self)]
    }
}

impl OptionType for i64 {
    type Range = std::ops::RangeInclusive<i64>;

    fn kind(range: Option<Self::Range>) -> OptionKind {
        let range = range.unwrap_or(i64::MIN..=i64::MAX);
        OptionKind::Integer { least: *range.start(), most: *range.end() }
    }

    fn to_value(&self) -> OptionValue {
        OptionValue::Integer(*self)
    }

    fn from_value(value: OptionValue) -> Option<i64> {
        if let OptionValue::Integer(value) = value { Some(value) } else { None }
    }
}

impl OptionType for f64 {
    type Range = std::ops::RangeInclusive<f64>;

    fn kind(range: Option<Self::Range>) -> OptionKind {
        let range = range.unwrap_or(f64::MIN..=f64::MAX);
        OptionKind::Number { least: *range.start(), most: *range.end() }
    }

    fn to_value(&self) -> OptionValue {
        OptionValue::Number(*self)
    }

    fn from_value(value: OptionValue) -> Option<f64> {
        if let OptionValue::Number(value) = value { Some(value) } else { None }
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

    fn from_value(value: OptionValue) -> Option<String> {
        if let OptionValue::Text(value) = value { Some(value) } else { None }
    }
}
