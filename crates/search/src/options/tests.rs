//! What rows say and take.

use super::*;
use crate::options;

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
    for (name, value) in [("count", "0"), ("count", "11"), ("count", "x"), ("share", "NaN"), ("fast", "2")] {
        let before = sample;
        let error = sample.set(name, value).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(value), "{error}");
        assert_eq!(sample, before, "a refused value changes nothing");
    }
    let error = sample.set("speed", "1").unwrap_err().to_string();
    assert_eq!(error, "no option \"speed\": expected one of fast, count, share");
}
