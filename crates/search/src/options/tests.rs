//! What rows say and take.

use std::path::PathBuf;

use super::*;
use crate::{choices, options};

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

options! {
    /// Of all kinds and in groups.
    pub owned struct Grouped {
        group "Speed" []:
        /// A technique.
        pub brisk: bool = true, is [Selective],
        /// Another.
        pub hasty: bool = true,
        group "Cost" [Expert]:
        /// A number of things.
        pub things: u32 = 3, in 1..=u32::MAX, is [Memory { bytes: 100 }],
        /// A very large number.
        pub large: u64 = 7,
        /// Something to read.
        pub file: PathBuf = PathBuf::new(), alias "f",
    }
}

#[test]
fn rows_say_what_they_are() {
    let rows = Grouped::default().rows();
    let attributes: Vec<_> = rows.iter().map(|row| row.attributes).collect();
    let memory = [Attribute::Expert, Attribute::Memory { bytes: 100 }];
    assert_eq!(
        attributes,
        [&[Attribute::Selective][..], &[], &memory, &[Attribute::Expert], &[Attribute::Expert]]
    );
    assert_eq!(
        rows.iter().map(|row| &*row.group).collect::<Vec<_>>(),
        ["Speed", "Speed", "Cost", "Cost", "Cost"]
    );
    assert_eq!(rows.iter().map(OptionRow::is_costly).collect::<Vec<_>>(), [false, false, true, false, false]);
    let samples = |row: &OptionRow| row.samples().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(samples(&rows[2]), ["1", "2"], "little of what costs something");
    assert_eq!(samples(&rows[3]), ["0", &i64::MAX.to_string()], "as much as a row can say");
}

#[test]
fn files_are_a_kind_of_their_own() {
    let mut grouped = Grouped::default();
    grouped.set("f", " some/book.bin ").expect("a name");
    assert_eq!(grouped.file, PathBuf::from("some/book.bin"));
    assert_eq!(
        (grouped.rows()[4].kind.clone(), grouped.value(4).to_string()),
        (OptionKind::File { offered: Vec::new() }, "some/book.bin".into())
    );
}

#[test]
fn settings_are_told_apart_by_their_attributes() {
    let usual = Grouped::default();
    let other = Grouped { brisk: false, hasty: false, things: 9, ..usual.clone() };
    assert!(other.differs(Attribute::Selective, &usual) && other.differs(Attribute::Expert, &usual));
    assert!(!other.differs(Attribute::Seed, &usual));
    assert_eq!(usual.without(Attribute::Selective), Grouped { brisk: false, ..usual.clone() });
    assert_eq!(usual.taking(Attribute::Expert, &other), Grouped { things: 9, ..usual.clone() });
}

choices! {
    /// For the tests.
    pub enum Way {
        /// One.
        Here = "here",
        /// The other.
        There = "over_there",
    }
}

#[test]
fn choices_print_and_parse_themselves() {
    for way in [Way::Here, Way::There] {
        assert_eq!(way.to_string().parse(), Ok(way));
    }
    assert_eq!(" Over_There ".parse(), Ok(Way::There));
    let error = "nowhere".parse::<Way>().expect_err("no such way").to_string();
    assert_eq!(error, "no \"nowhere\": expected one of here, over_there");
}

#[test]
fn a_row_may_be_found_at_run_time() {
    let found: Vec<String> = (1..=2).map(|number| format!("network{number}")).collect();
    let row = OptionRow {
        name: format!("{}_name", "network").into(),
        help: "Which network evaluates.".into(),
        group: Word::default(),
        kind: OptionKind::Choice { words: found.iter().cloned().map(Word::from).collect() },
        default: OptionValue::Choice(found[0].clone().into()),
        alias: None,
        attributes: &[Attribute::Meaning],
        ablations: Vec::new(),
    };
    assert_eq!(row.parse("NETWORK2"), Ok(OptionValue::Choice("network2".into())));
    assert!(row.is_named("network_name") && row.parse("network3").is_err());
}
