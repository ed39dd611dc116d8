//! Recorded games as PGN, problems as EPD.

use std::ops::ControlFlow;

use outplay_core::problem::{self, ProblemVisitor};
use outplay_core::{Game, ParseError, Record, RecordVisitor, Records, pgn, record, text};

use crate::{Chess, ChessRules, Epd, fen};

/// What stands for "unknown" in a tag of the roster.
fn unknown(tag: &str) -> &'static str {
    if tag == "Date" { "????.??.??" } else { "?" }
}

/// The tag that names the rules, and its value where they are not the standard ones.
const VARIANT: (&str, &str) = ("Variant", "Chess960");

/// Whether a game so named is played by the rules here; sites name the standard ones in several ways.
fn is_known_variant(name: &str) -> bool {
    ["standard", "chess", "normal", "from position", "chess960", "chess 960", "fischerandom", "fischerrandom"]
        .contains(&name.to_ascii_lowercase().as_str())
}

impl Records for Chess {
    /// Reads PGN, and files of FEN or EPD lines as games without moves.
    ///
    /// Tags of the roster that only say "unknown" are dropped, and so is `Variant` where it says what the rules
    /// say already.
    fn visit_records(
        rules: &ChessRules,
        bytes: &[u8],
        visit: &mut RecordVisitor<Chess>,
    ) -> Result<(), ParseError> {
        let text = text::decode(bytes);
        if is_list_of_positions(&text) {
            return visit_positions(rules, &text, visit);
        }
        if record::is_list(&text) {
            return record::visit_list(rules, &text, visit);
        }
        let is_chess960 = matches!(rules, ChessRules::Chess960(_));
        let mut other_variant = None;
        pgn::visit(rules, bytes, &mut |mut record: Record<Chess>| {
            if let Some(variant) = record.tag(VARIANT.0).filter(|variant| !is_known_variant(variant)) {
                let reason = "expected a game of chess or Chess960: the rules of this variant are not known";
                other_variant = Some(ParseError::refused("PGN variant", variant, reason));
                return ControlFlow::Break(());
            }
            record.tags.retain(|(name, value)| {
                let (name, value) = (name.as_str(), value.as_str());
                let says_unknown = pgn::ROSTER.contains(&name) && value == unknown(name);
                let says_what_the_rules_say = is_chess960 && (name, value) == VARIANT;
                !says_unknown && !says_what_the_rules_say
            });
            visit(record)
        })?;
        other_variant.map_or(Ok(()), Err)
    }

    /// Writes the whole roster, in its order. A game of Chess960 always carries its start position, so that it
    /// can be read without knowing the array's number.
    fn write_record(rules: &ChessRules, record: &Record<Chess>) -> String {
        let in_roster = |name: &str| pgn::ROSTER.contains(&name);
        let mut tags: Vec<(String, String)> = Vec::new();
        for name in pgn::ROSTER {
            tags.push((name.to_string(), record.tag(name).unwrap_or(unknown(name)).to_string()));
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

    /// Reads EPD, with its counters. The form that every game has is just that.
    fn visit_problems(
        rules: &ChessRules,
        bytes: &[u8],
        visit: &mut ProblemVisitor<Chess>,
    ) -> Result<(), ParseError> {
        problem::visit_lines(bytes, visit, |line| {
            let begin = problem::operations_begin(line);
            let (position, begin) = match line[..begin].trim() {
                "" => (Chess::start(rules), begin),
                _ => Epd::parse_from(rules, line).map(|(epd, begin)| (epd.position, begin))?,
            };
            problem::read_operations(line, begin, position).map(Some)
        })
    }
}

/// Whether the first line that says anything begins with a board: eight ranks with slashes between them.
fn is_list_of_positions(text: &str) -> bool {
    let first = text::content_lines(text).next();
    first
        .and_then(|(_, line)| line.split_whitespace().next())
        .is_some_and(|word| word.matches('/').count() == 7)
}

fn visit_positions(
    rules: &ChessRules,
    text: &str,
    visit: &mut RecordVisitor<Chess>,
) -> Result<(), ParseError> {
    for (number, line) in text::content_lines(text) {
        let epd = Epd::parse(rules, line).map_err(|error| error.on_line(number))?;
        let mut record = Record::new(epd.position.clone());
        if let Some(id) = epd.id() {
            record.set_tag("Event", id);
        }
        if visit(record).is_break() {
            break;
        }
    }
    Ok(())
}
