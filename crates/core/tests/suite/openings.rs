//! Tables of openings, on a game that is not one of ours.

use outplay_core::OpeningNames;

use crate::twice::Sound;

#[test]
fn tables_with_mistakes_are_refused_with_their_line() {
    let read = |table| OpeningNames::read::<Sound>(&(), table).err().map(|error| error.to_string());
    assert_eq!(read("# none\n\nA1 | one | a1\nB2 | two | a2 b1\n"), None);
    assert_eq!(read("one | a1\n"), None, "a code is not needed");
    for (table, part) in [
        ("A1 | one | a1\nA2 | two | a1", "one"),
        ("A1 | one | a1\nA2 | one | a2", "name"),
        ("A1 | one | a1\nA2 | two | z9", "line 2"),
        ("only words", "code | name | moves"),
        ("a | b | c | d", "line 1"),
    ] {
        let error = read(table).unwrap_or_else(|| panic!("{table} was accepted"));
        assert!(error.contains(part), "{table}: {error}");
    }
}
