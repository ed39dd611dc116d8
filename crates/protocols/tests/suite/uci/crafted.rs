//! Searches made for the test: with the rows that other searches will have, with every kind of report, and one that breaks.

use std::sync::Arc;
use std::time::Duration;

use outplay_chess::{Chess, ChessRules, Material, StartArray};
use outplay_core::{Game, Line, MoveList};
use outplay_engine::{Evaluations, GameSession, SearchEntry, SearchInfo};
use outplay_protocols::serve::uci::{Engine, Variant};
use outplay_search::{
    Bound, Bundle, Control, Counters, CurrentMove, Meaning, OptionSet, PrincipalVariation, Report, Search,
    StopReason, options,
};

use super::conversation::Conversation;

options! {
    /// Rows that protocols have names for.
    pub struct Rows {
        /// The memory of the table, in mebibytes.
        pub hash: u32 = 16, in 1..=4096,
        /// The threads.
        pub threads: u32 = 1, in 1..=64,
        /// How little a draw is liked.
        pub contempt: i32 = 0, in -100..=100,
        /// Whether to use the book.
        pub own_book: bool = true,
        /// Whether to break.
        pub breaks: bool = false,
    }
}

/// Says all that there is to say, and as its nodes what its rows are.
#[derive(Default)]
struct Talkative(Rows);

impl Talkative {
    fn report(&self, line: &Line<Chess>, score: Meaning, bound: Bound) -> Report {
        Report {
            depth: 7,
            selective_depth: 12,
            time: Duration::from_millis(3_500),
            counters: Counters {
                nodes: (1_000 * self.0.threads + self.0.hash).into(),
                endgame_hits: Some(5),
                ..Counters::default()
            },
            lines: vec![PrincipalVariation {
                score,
                bound,
                visits: None,
                nodes: None,
                statistics: None,
                moves: line.position().legal_moves().each().take(1).collect(),
            }],
            current: None,
            table_permille: Some(321),
            stopped: None,
            failure: None,
            notice: None,
        }
    }
}

impl Search<Chess> for Talkative {
    fn search(&mut self, line: &Line<Chess>, control: &mut Control) -> Report {
        assert!(!self.0.breaks, "as it was told to");
        control.report(self.report(line, Meaning::Opinion(30), Bound::AtLeast));
        control.report(self.report(line, Meaning::Opinion(-30), Bound::AtMost));
        let move_at = |ms, number| Report {
            time: Duration::from_millis(ms),
            current: line.position().legal_moves().each().nth(1).map(|m| CurrentMove { m, number }),
            ..self.report(line, Meaning::Opinion(0), Bound::Exact)
        };
        control.report(move_at(2_900, 2));
        control.report(move_at(3_100, 3));
        control.finish(StopReason::Depth);
        Report { stopped: control.reason(), ..self.report(line, Meaning::LossIn(4), Bound::Exact) }
    }

    fn options(&self) -> &dyn OptionSet {
        &self.0
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.0
    }
}

/// An engine with two such searches.
fn engine() -> Engine {
    let entry = |name| SearchEntry {
        info: SearchInfo {
            name,
            title: "",
            for_experts: false,
            summary: "says all that there is to say",
            counts_playouts: false,
            shows_tree: false,
        },
        make: Box::new(|| -> Box<dyn Search<Chess>> { Box::<Talkative>::default() }),
    };
    let open = move |variant| {
        let rules = match variant {
            Variant::Standard => ChessRules::Standard,
            Variant::Chess960 => ChessRules::Chess960(StartArray::STANDARD),
        };
        let searches = vec![entry("one"), entry("two")];
        let session = GameSession::<Chess>::with_searches(
            rules,
            Evaluations::new("material", Bundle::of(Material)),
            searches,
        );
        Ok(Box::new(session) as Box<dyn outplay_engine::Session>)
    };
    let bench = Arc::new(|| "Bench: 12 nodes 34 nps".to_string());
    Engine { name: "Crafted".to_string(), author: "a test".to_string(), open: Box::new(open), bench }
}

#[test]
fn every_part_of_a_report_is_told() {
    let talk = Conversation::with(engine);
    let numbers = "nodes 1016 nps 290 hashfull 321 tbhits 5 time 3500 pv";
    let lines = talk.search("go depth 7");
    let first = lines[0].rsplit(' ').next().expect("a move");
    let second = lines[2].split_whitespace().nth(4).expect("a move");
    assert_ne!(first, second);
    assert_eq!(
        lines,
        [
            format!("info depth 7 seldepth 12 multipv 1 score cp 30 lowerbound {numbers} {first}"),
            format!("info depth 7 seldepth 12 multipv 1 score cp -30 upperbound {numbers} {first}"),
            format!("info depth 7 currmove {second} currmovenumber 3"),
            format!("info depth 7 seldepth 12 multipv 1 score mate -2 {numbers} {first}"),
            format!("bestmove {first}"),
        ]
    );
}

#[test]
fn rows_with_known_names_are_offered_under_them_and_set_in_every_search() {
    let talk = Conversation::with(engine);
    let offered = talk.ask("uci");
    for line in [
        "id name Crafted",
        "option name Hash type spin default 16 min 1 max 4096",
        "option name Threads type spin default 1 min 1 max 64",
        "option name Contempt type spin default 0 min -100 max 100",
        "option name OwnBook type check default true",
        "option name Move Overhead type spin default 10 min 0 max 10000",
        "option name Clear Hash type button",
    ] {
        assert!(offered.iter().any(|offer| offer == line), "{line}: {offered:?}");
    }
    assert!(
        offered
            .iter()
            .any(|offer| offer.starts_with("option name Search ") && offer.ends_with(" var one var two"))
    );
    talk.send("setoption name hash value 64");
    talk.send("setoption name THREADS value 3");
    for search in ["one", "two"] {
        talk.send(&format!("setoption name Search value {search}"));
        assert!(talk.search("go").iter().any(|line| line.contains(" nodes 3064 ")), "{search}");
    }
    // One of them alone.
    talk.send("setoption name two.hash value 1");
    assert!(talk.search("go").iter().any(|line| line.contains(" nodes 3001 ")));
    talk.send("setoption name Search value one");
    assert!(talk.search("go").iter().any(|line| line.contains(" nodes 3064 ")));
    // All of it survives another variant.
    talk.send("setoption name UCI_Chess960 value true");
    assert!(talk.search("go").iter().any(|line| line.contains(" nodes 3064 ")));
    let said = talk.ask("setoption name Hash value 5000");
    assert_eq!(said, ["info string option hash cannot be \"5000\": expected a whole number from 1 to 4096"]);
}

#[test]
fn a_search_that_breaks_is_answered_for_and_the_next_one_works() {
    let talk = Conversation::with(engine);
    talk.send("position startpos moves e2e4");
    talk.send("setoption name Hash value 77");
    talk.send("setoption name breaks value true");
    let lines = talk.search("go depth 3");
    assert!(lines[0].starts_with("info string the search has failed"), "{lines:?}");
    let legal = ["a7a6", "b8a6", "b8c6", "a7a5"];
    assert!(legal.contains(&lines[2].strip_prefix("bestmove ").expect("a move")), "{lines:?}");
    assert!(lines[1].contains(" score ") && lines[1].contains(" pv "), "{lines:?}");
    talk.send("setoption name breaks value false");
    let lines = talk.search("go");
    assert!(lines.iter().any(|line| line.contains(" nodes 1077 ")), "the options were kept: {lines:?}");
    assert!(talk.ask("d").iter().any(|line| line.contains("4P3")), "and so was the position");
}

#[test]
fn the_benchmark_does_not_stop_us_from_listening() {
    let talk = Conversation::with(engine);
    talk.send("bench");
    talk.send("go");
    let lines = talk.until("bestmove");
    assert_eq!(lines[0], "Bench: 12 nodes 34 nps", "searches wait for it");
}

#[test]
fn work_that_breaks_does_not_keep_others_waiting() {
    let talk = Conversation::with(|| Engine { bench: Arc::new(|| panic!("as it was told to")), ..engine() });
    talk.send("bench");
    assert_eq!(talk.search("go")[0], "info string that has failed");
}
