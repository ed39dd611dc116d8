//! What SGF's properties are called in a record: tags, marks and results.

use outplay_core::{Outcome, Player};

/// Properties of a game and the tags that they are in a [`Record`](outplay_core::Record).
const TAGS: [(&str, &str); 19] = [
    ("PB", "Black"),
    ("PW", "White"),
    ("BR", "BlackRank"),
    ("WR", "WhiteRank"),
    ("BT", "BlackTeam"),
    ("WT", "WhiteTeam"),
    ("EV", "Event"),
    ("RO", "Round"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("TM", "TimeControl"),
    ("OT", "Overtime"),
    ("ON", "Opening"),
    ("GN", "Name"),
    ("GC", "Remarks"),
    ("AN", "Annotator"),
    ("SO", "Source"),
    ("US", "Recorder"),
    ("CP", "Copyright"),
];

/// Our own property for tags that no other property can hold: `TAG[name:value]`.
pub(super) const TAG: &str = "TAG";
/// Our own property for marks that SGF has no property for, by their number.
const MARK: &str = "NAG";
/// The tag for what a result says besides the winner.
pub(super) const TERMINATION: &str = "Termination";

/// Properties with a meaning of their own, which are therefore never tags.
const NOT_TAGS: [&str; 20] = [
    "FF", "GM", "CA", "AP", "ST", "SZ", "RU", "RE", "AB", "AW", "AE", "PL", "B", "W", "C", "TE", "BM", "IT",
    "DO", MARK,
];

/// The tag that holds a property of the root, or `None` if it is no tag.
pub(super) fn tag_of_property(property: &str) -> Option<&str> {
    if NOT_TAGS.contains(&property) || property == TAG {
        return None;
    }
    Some(TAGS.iter().find(|(name, _)| *name == property).map_or(property, |(_, tag)| tag))
}

/// The property that [`tag_of_property`] reads this tag from, if there is one.
pub(super) fn property_of_tag(tag: &str) -> Option<&str> {
    if let Some((property, _)) = TAGS.iter().find(|(_, name)| *name == tag) {
        return Some(property);
    }
    let is_property = !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_uppercase());
    (is_property && tag_of_property(tag) == Some(tag)).then_some(tag)
}

/// The numeric annotation glyph that a property stands for: `TE` is `!` and with emphasis `!!`, and so on.
pub(super) fn mark_of_property(property: &str, value: &str) -> Option<u8> {
    match (property, value) {
        ("TE", "2") => Some(3),
        ("TE", _) => Some(1),
        ("BM", "2") => Some(4),
        ("BM", _) => Some(2),
        ("IT", _) => Some(5),
        ("DO", _) => Some(6),
        (MARK, number) => number.parse().ok(),
        _ => None,
    }
}

/// A numeric annotation glyph as a property.
pub(super) fn property_of_mark(mark: u8) -> String {
    match mark {
        1 => "TE[1]".to_string(),
        2 => "BM[1]".to_string(),
        3 => "TE[2]".to_string(),
        4 => "BM[2]".to_string(),
        5 => "IT[]".to_string(),
        6 => "DO[]".to_string(),
        other => format!("{MARK}[{other}]"),
    }
}

/// Reads a result, and what it says besides the winner: `B+Resign` gives Black's win and `Resign`.
pub(super) fn parse_result(text: &str) -> (Option<Outcome>, &str) {
    let text = text.trim();
    let (winner, rest) = match text.split_once('+') {
        Some(("B" | "b" | "Black", rest)) => (Player::First, rest),
        Some(("W" | "w" | "White", rest)) => (Player::Second, rest),
        _ => {
            return match text.to_ascii_lowercase().as_str() {
                "0" | "draw" | "jigo" => (Some(Outcome::DRAW), ""),
                "?" | "void" => (None, ""),
                _ => (None, text),
            };
        }
    };
    (Some(Outcome::win(winner)), rest.trim())
}

/// Writes a result; `how` is one of the standard's words for how a game was won, or nothing.
pub(super) fn result_text(outcome: Option<Outcome>, how: &str) -> String {
    match outcome.map(Outcome::winner) {
        None => "?".to_string(),
        Some(None) => "Draw".to_string(),
        Some(Some(Player::First)) => format!("B+{how}"),
        Some(Some(Player::Second)) => format!("W+{how}"),
    }
}

/// Whether the standard has this word for how a game was won.
pub(super) fn is_how_won(text: &str) -> bool {
    ["R", "Resign", "T", "Time", "F", "Forfeit"].contains(&text)
}
