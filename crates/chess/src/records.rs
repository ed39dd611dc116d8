//! Recorded games as PGN.

use outplay_core::{Game, ParseError, Record, Records, pgn};

use crate::{Chess, ChessRules, fen};

/// The tags that the standard wants first and in this order, before the result, and what stands for "unknown".
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// The tag that names the rules, and its value where they are not the standard ones.
const VARIANT: (&str, &str) = ("Variant", "Chess960");

impl Records for Chess {
    /// Tags of the roster that only say "unknown" are dropped, and so is `Variant` where it says what the rules
    /// say already.
    fn read_records(rules: &ChessRules, bytes: &[u8]) -> Result<Vec<Record<Chess>>, ParseError> {
        let mut records = pgn::read(rules, bytes)?;
        let is_chess960 = matches!(rules, ChessRules::Chess960(_));
        for record in &mut records {
            record.tags.retain(|(name, value)| {
                let tag = (name.as_str(), value.as_str());
                !(ROSTER.contains(&tag) || is_chess960 && tag == VARIANT)
            });
        }
        Ok(records)
    }

    /// Writes the whole roster, in its order. A game of Chess960 always carries its start position, so that it
    /// can be read without knowing the array's number.
    fn write_record(rules: &ChessRules, record: &Record<Chess>) -> String {
        let in_roster = |name: &str| ROSTER.iter().any(|(tag, _)| *tag == name);
        let mut tags: Vec<(String, String)> = Vec::new();
        for (name, unknown) in ROSTER {
            tags.push((name.to_string(), record.tag(name).unwrap_or(unknown).to_string()));
        }
        tags.extend(record.tags.iter().filter(|(name, _)| !in_roster(name)).cloned());
        let mut written = Record { tags, ..record.clone() };
        let first_number = record.start.cozy().fullmove_number().into();
        if *rules == ChessRules::Standard {
            return pgn::write(&written, &Chess::start(rules), first_number);
        }
        written.set_tag(VARIANT.0, VARIANT.1);
        written.set_tag("SetUp", "1");
        written.set_tag("FEN", fen::write(&record.start));
        // The tag is there already: no start is the usual one that goes without saying.
        pgn::write(&written, &record.start, first_number)
    }
}
