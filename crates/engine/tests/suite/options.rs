//! What the rows of every game and search say of themselves is true.

use outplay_engine::{CATALOGUE, Session, open};
use outplay_search::stop::StopOptions;
use outplay_search::{Attribute, Limits, OptionKind, OptionRow, OptionSet, OptionValue};

/// The rows of every search of every game, with their values.
fn all_rows() -> Vec<(OptionRow, OptionValue)> {
    let mut rows = Vec::new();
    for info in CATALOGUE {
        let mut session = open(info.example).expect("a game");
        for search in session.searches() {
            session.set_option("search", search.name).expect("a search");
            rows.extend(session.options().expect("options"));
        }
    }
    rows
}

#[test]
fn seeds_files_and_costs_are_marked_as_such() {
    for (row, value) in all_rows() {
        assert_eq!(row.name.ends_with("seed"), row.is(Attribute::Seed), "{}", row.name);
        assert_eq!(row.name.contains("threads"), row.is(Attribute::Threads), "{}", row.name);
        let endings = ["_file", "_path", "network"];
        let names_a_file = endings.iter().any(|ending| row.name.ends_with(ending));
        assert_eq!(names_a_file, matches!(row.kind, OptionKind::File { .. }), "{}", row.name);
        let is_integer = matches!(row.kind, OptionKind::Integer { .. });
        assert!(is_integer || !(row.is_costly() || row.is(Attribute::Seed)), "{} is counted", row.name);
        assert!(!row.is(Attribute::Kept) || row.bytes_per_unit().is_some(), "{} keeps memory", row.name);
        // Which search it is was chosen above.
        assert!(row.default == value || row.name == "search", "{} begins with its default", row.name);
    }
}

#[test]
fn a_row_is_marked_as_selective_only_if_it_can_be_switched_off() {
    for (row, _) in all_rows() {
        if row.is(Attribute::Selective) || row.is(Attribute::Proving) {
            assert_eq!(row.kind, OptionKind::Switch, "{}", row.name);
        }
    }
}

#[test]
fn what_matters_only_with_time_changes_no_search_without_it() {
    let found = |session: &mut dyn Session| {
        session.clear().expect("idle");
        session
            .go(Limits { nodes: Some(300), ..Limits::default() }, Box::new(|_, _| ()))
            .expect("a position");
        let report = session.wait().expect("a report");
        (report.depth, report.counters.nodes, report.lines)
    };
    for search in ["pvs", "mcts"] {
        let mut session = open("othello").expect("a game");
        session.set_option("search", search).expect("a search");
        let usual = found(&mut *session);
        for row in StopOptions::default().rows().into_iter().filter(|row| row.is(Attribute::Clock)) {
            for value in row.samples() {
                session.set_option(&row.name, &value.to_string()).expect("a value of the row");
                assert_eq!(found(&mut *session), usual, "{search} {}={value}", row.name);
            }
            session.set_option(&row.name, &row.default.to_string()).expect("its default");
        }
    }
}
