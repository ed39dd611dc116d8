//! The options that we offer: the rows of the session's table under the names that the protocol has for them.
//!
//! A row of the session, of a search, or of the protocol's own [`Settings`] becomes one option. Searches that have the same row share
//! the option, so that it does not matter whether `Threads` is set before or after `Search`. A row that means something else in
//! another search, or begins with another value there, is offered once more, with that search's name before it.

use std::mem::discriminant;

use outplay_engine::{Session, SessionError};
use outplay_search::{OptionKind, OptionRow, OptionSet, OptionValue, options};

use super::strength;

options! {
    /// What the protocol itself has to know.
    pub struct Settings {
        /// How many lines to show.
        pub multipv: usize = 1, in 1..=256,
        /// Whether the opponent's time may be used; the board program decides, and tells us by `go ponder`.
        pub ponder: bool = false,
        /// Whether games may begin with any of the 960 start arrays.
        pub uci_chess960: bool = false,
        /// Whether to tell chances beside scores.
        pub uci_showwdl: bool = false,
        /// Whether to play at the strength that follows.
        pub uci_limitstrength: bool = false,
        /// The strength to play at.
        pub uci_elo: u32 = strength::USUAL_ELO, in strength::LEAST_ELO..=strength::MOST_ELO,
        /// Whether positions are analysed and no game is played: then strength is not limited, and no book is asked.
        pub uci_analysemode: bool = false,
    }
}

/// The button that forgets what searches have learned.
pub const CLEAR_HASH: &str = "Clear Hash";

/// The names that programs know, in the order in which they are offered. A row with such a name, or such an alias, is offered under
/// it; capitals, spaces and underscores make no difference.
const STANDARD_NAMES: [&str; 29] = [
    "Search",
    "Hash",
    "Threads",
    "MultiPV",
    "Ponder",
    "Move Overhead",
    "Contempt",
    "OwnBook",
    "BookFile",
    "BookDepth",
    "BookRandom",
    "BookSeed",
    "BookPlies",
    "BookMargin",
    "UseProfile",
    "ProfileFile",
    "ProfileOpponent",
    "SyzygyPath",
    "SyzygyProbeDepth",
    "SyzygyProbeLimit",
    "Syzygy50MoveRule",
    "EndgamePath",
    "EvalFile",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "UCI_LimitStrength",
    "UCI_Elo",
    "UCI_AnalyseMode",
    "UCI_Opponent",
];

/// Which row an option sets.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// The row of [`Settings`] at this index.
    Protocol(usize),
    /// A row that belongs to the session, or to these searches of it.
    Session {
        /// The names that [`Searching::set_option`](outplay_engine::Searching::set_option) knows it by.
        names: Vec<String>,
    },
}

/// An option as programs see it.
#[derive(Clone, PartialEq, Debug)]
pub struct Offer {
    /// Its name in the protocol.
    pub name: String,
    /// The row that says what values it takes.
    pub row: OptionRow,
    /// What it sets.
    pub target: Target,
}

/// All options.
#[derive(Clone, PartialEq, Debug)]
pub struct Offers(Vec<Offer>);

impl Offers {
    /// The options of a session and of the protocol.
    pub fn of(session: &mut dyn Session) -> Result<Offers, SessionError> {
        let all = session.options()?;
        let chosen = all.iter().find(|(row, _)| row.name == "search");
        let chosen = chosen.map_or(String::new(), |(_, value)| value.to_string());
        let of_chosen = session.options_of(&chosen)?.len();
        let mut offers = Offers(Vec::new());
        for (row, value) in all.into_iter().rev().skip(of_chosen).rev() {
            let names = vec![row.name.to_string()];
            offers.add(with_default(row, value), Target::Session { names });
        }
        let mut searches = session.searches();
        // What is said of an option that several searches have is true of the one that is used.
        searches.sort_by_key(|search| search.name != chosen);
        for search in searches {
            for (row, value) in session.options_of(search.name)? {
                offers.add_of_search(search.name, with_default(row, value));
            }
            for (row, value) in session.dormant_options_of(search.name)? {
                offers.add_of_search(search.name, with_default(row, value));
            }
        }
        for (index, row) in Settings::default().rows().into_iter().enumerate() {
            if offers.find(&row.name).is_none() {
                offers.add(row, Target::Protocol(index));
            }
        }
        offers.0.sort_by_key(|offer| {
            STANDARD_NAMES.iter().position(|name| *name == offer.name).unwrap_or(usize::MAX)
        });
        Ok(offers)
    }

    fn add(&mut self, row: OptionRow, target: Target) {
        self.0.push(Offer { name: protocol_name(&row), row, target });
    }

    fn add_of_search(&mut self, search: &str, row: OptionRow) {
        let full_name = format!("{search}.{}", row.name);
        let name = protocol_name(&row);
        let is_standard = STANDARD_NAMES.contains(&name.as_str());
        match self.0.iter_mut().find(|offer| offer.name == name) {
            None => self.add(row, Target::Session { names: vec![full_name] }),
            Some(Offer { row: first, target: Target::Session { names }, .. })
                if (is_standard && discriminant(&first.kind) == discriminant(&row.kind))
                    || (first.kind == row.kind && first.default == row.default) =>
            {
                names.push(full_name);
            }
            Some(_) => {
                self.0.push(Offer {
                    name: full_name.clone(),
                    row,
                    target: Target::Session { names: vec![full_name] },
                });
            }
        }
    }

    /// The option with this name, however it is written.
    pub fn find(&self, name: &str) -> Option<&Offer> {
        let wanted = squeezed(name);
        let by_name = self.0.iter().find(|offer| squeezed(&offer.name) == wanted);
        by_name.or_else(|| self.0.iter().find(|offer| is_called(&offer.row, &wanted)))
    }

    /// What `uci` is answered with.
    pub fn lines(&self) -> Vec<String> {
        let button = format!("option name {CLEAR_HASH} type button");
        self.0.iter().map(Offer::line).chain([button]).collect()
    }
}

impl Offer {
    fn line(&self) -> String {
        let shown = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into());
        let kind = match (&self.row.kind, &self.row.default) {
            (OptionKind::Switch, default) => format!("type check default {default}"),
            // Board programs keep such numbers in 32 bits.
            (OptionKind::Integer { least, most }, OptionValue::Integer(default)) => {
                format!("type spin default {} min {} max {}", shown(*default), shown(*least), shown(*most))
            }
            (OptionKind::Choice { words }, default) => {
                format!("type combo default {default} var {}", words.join(" var "))
            }
            (_, default) => match default.to_string() {
                empty if empty.is_empty() => "type string default <empty>".to_string(),
                default => format!("type string default {default}"),
            },
        };
        format!("option name {} {kind}", self.name)
    }
}

/// The row as it stands: what an engine was opened with is what it has unless told otherwise.
fn with_default(row: OptionRow, default: OptionValue) -> OptionRow {
    OptionRow { default, ..row }
}

/// A name without what makes no difference.
pub fn squeezed(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '_')).flat_map(char::to_lowercase).collect()
}

fn is_called(row: &OptionRow, squeezed_name: &str) -> bool {
    let alias = row.alias.as_deref().map(squeezed);
    squeezed(&row.name) == squeezed_name || alias.is_some_and(|alias| alias == squeezed_name)
}

fn protocol_name(row: &OptionRow) -> String {
    let standard = STANDARD_NAMES.into_iter().find(|name| is_called(row, &squeezed(name)));
    standard.unwrap_or(&row.name).to_string()
}

#[cfg(test)]
mod tests {
    use outplay_search::Word;

    use super::*;

    fn row(name: &'static str, kind: OptionKind, default: OptionValue) -> OptionRow {
        let nothing = Word::from("");
        OptionRow {
            name: name.into(),
            help: nothing.clone(),
            group: nothing,
            kind,
            default,
            alias: None,
            attributes: &[],
            ablations: Vec::new(),
        }
    }

    fn offered(row: OptionRow) -> String {
        Offer { name: protocol_name(&row), row, target: Target::Protocol(0) }.line()
    }

    #[test]
    fn each_kind_of_row_has_a_type_of_option() {
        let integer = |least, most| OptionKind::Integer { least, most };
        for (row, expected) in [
            (
                row("hash", integer(1, 9), OptionValue::Integer(4)),
                "option name Hash type spin default 4 min 1 max 9",
            ),
            (
                row("seed", integer(0, i64::MAX), OptionValue::Integer(1)),
                "option name seed type spin default 1 min 0 max 2147483647",
            ),
            (
                row("own_book", OptionKind::Switch, OptionValue::Switch(true)),
                "option name OwnBook type check default true",
            ),
            (
                row("x", OptionKind::Number { least: 0.0, most: 1.0 }, OptionValue::Number(0.5)),
                "option name x type string default 0.5",
            ),
            (
                row(
                    "search",
                    OptionKind::Choice { words: vec!["a".into(), "b".into()] },
                    OptionValue::Choice("b".into()),
                ),
                "option name Search type combo default b var a var b",
            ),
        ] {
            assert_eq!(offered(row), expected);
        }
        let aliased = OptionRow {
            alias: Some("hash".into()),
            ..row("ram_limit_mb", integer(0, 9), OptionValue::Integer(0))
        };
        assert_eq!(offered(aliased), "option name Hash type spin default 0 min 0 max 9");
    }

    #[test]
    fn names_are_found_however_they_are_written_and_no_two_options_share_one() {
        let mut session = outplay_engine::open("chess").expect("a game");
        let offers = Offers::of(&mut *session).expect("a table");
        for name in ["Move Overhead", "move overhead", "MOVE_OVERHEAD", "moveoverhead"] {
            assert_eq!(offers.find(name).map(|offer| offer.name.as_str()), Some("Move Overhead"));
        }
        assert!(offers.find("multi pv").is_some() && offers.find("no such thing").is_none());
        let mut names: Vec<String> = offers.0.iter().map(|offer| squeezed(&offer.name)).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn rows_that_differ_are_offered_apart_unless_the_protocol_knows_them() {
        let number = |name, default| {
            row(name, OptionKind::Integer { least: 0, most: 9 }, OptionValue::Integer(default))
        };
        let mut offers = Offers(Vec::new());
        for (search, name, default) in
            [("a", "seed", 1), ("b", "seed", 1), ("c", "seed", 2), ("a", "hash", 1), ("b", "hash", 2)]
        {
            offers.add_of_search(search, number(name, default));
        }
        let targets = |offers: &Offers, name: &str| offers.find(name).expect("an option").target.clone();
        let names =
            |names: &[&str]| Target::Session { names: names.iter().map(|name| name.to_string()).collect() };
        assert_eq!(targets(&offers, "seed"), names(&["a.seed", "b.seed"]));
        assert_eq!(targets(&offers, "c.seed"), names(&["c.seed"]));
        assert_eq!(targets(&offers, "Hash"), names(&["a.hash", "b.hash"]));
        offers.add_of_search("c", row("hash", OptionKind::Switch, OptionValue::Switch(true)));
        assert_eq!(
            offers.find("c.hash").map(|offer| offer.row.default.clone()),
            Some(OptionValue::Switch(true))
        );
    }

    #[test]
    fn searches_with_the_same_row_share_an_option_and_others_have_their_own() {
        let mut session = outplay_engine::open("chess").expect("a game");
        let offers = Offers::of(&mut *session).expect("a table");
        let names = |name: &str| match &offers.find(name).expect("an option").target {
            Target::Session { names } => names.clone(),
            Target::Protocol(_) => Vec::new(),
        };
        assert!(names("evaluation").contains(&"mcts.evaluation".to_string()));
        assert!(names("evaluation").contains(&"deepening.evaluation".to_string()));
        assert!(names("Threads").contains(&"mcts.threads".to_string()));
        assert_eq!(names("move_overhead"), ["move_overhead"]);
    }
}
