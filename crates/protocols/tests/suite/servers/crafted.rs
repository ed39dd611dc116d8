//! A search made for the test: it panics, or says as its nodes how large its table may be.

use outplay_connect::{Connect, Rules, knowledge_of_windows};
use outplay_core::{Game, Line, MoveList};
use outplay_engine::{Catalogue, Evaluations, GameSession, SearchEntry, SearchInfo, Searching, Session};
use outplay_protocols::serve::{GameEngine, connect6, gomocup, gtp};
use outplay_search::{
    Bound, Control, Counters, MEBIBYTE, Meaning, OptionSet, PrincipalVariation, Report, Search, StopReason,
    options,
};

use super::heard;
use crate::talk::Talk;

options! {
    /// The rows of the search.
    pub struct Rows {
        /// The memory of the table, in mebibytes.
        pub hash: u32 = 64, in 1..=4096, is [Memory { bytes: MEBIBYTE }, Kept],
        /// Whether to break.
        pub breaks: bool = false,
    }
}

#[derive(Default)]
struct Crafted(Rows);

impl Search<Connect> for Crafted {
    fn search(&mut self, line: &Line<Connect>, control: &mut Control) -> Report {
        assert!(!self.0.breaks, "as it was told to");
        control.finish(StopReason::Depth);
        let moves = line.position().legal_moves().each().take(1).collect();
        let (score, bound) = (Meaning::Opinion(0), Bound::Exact);
        let counters = Counters { nodes: self.0.hash.into(), ..Counters::default() };
        let line = PrincipalVariation { score, bound, visits: None, nodes: None, statistics: None, moves };
        let (depth, time) = (1, std::time::Duration::ZERO);
        let stopped = control.reason();
        Report {
            depth,
            selective_depth: depth,
            time,
            counters,
            lines: vec![line],
            current: None,
            table_permille: None,
            stopped,
            failure: None,
            notice: None,
        }
    }

    fn options(&self) -> &dyn OptionSet {
        &self.0
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.0
    }
}

fn engine(breaks: &'static str) -> GameEngine {
    let open = move |game: &str| {
        let info = SearchInfo {
            name: "crafted",
            title: "",
            for_experts: false,
            summary: "for the test",
            counts_playouts: false,
            shows_tree: false,
        };
        let make = || -> Box<dyn Search<Connect>> { Box::<Crafted>::default() };
        let searches = vec![SearchEntry { info, make: Box::new(make) }];
        let evaluations = Evaluations::new("windows", knowledge_of_windows());
        let rules: Rules = game.trim_start_matches("connect:").parse().expect("rules");
        let mut session = GameSession::<Connect>::with_searches(rules, evaluations, searches);
        session.set_option("breaks", breaks)?;
        Ok(Box::new(session) as Box<dyn Session>)
    };
    GameEngine { open: Box::new(open), ..GameEngine::outplay(Catalogue::standard(), Vec::new()) }
}

#[test]
fn a_search_that_panics_is_answered_for_and_the_game_goes_on() {
    let talk = Talk::with(|input, out| connect6::serve(&engine("true"), input, out));
    for (line, answer) in [("move JJ", "move AABA"), ("move KKLL", "move CADA")] {
        talk.send(line);
        assert_eq!(heard(&talk), answer);
    }
    assert!(talk.end().1.is_ok());
    let talk = Talk::with(|input, out| gtp::serve(&engine("true"), "connect6", input, out));
    for (line, answer) in [("genmove b", "= A1"), ("genmove w", "= B1"), ("genmove w", "= C1")] {
        talk.send(line);
        assert_eq!(talk.until(str::is_empty)[0], answer);
    }
}

#[test]
fn a_table_takes_half_of_the_memory_at_most_on_whatever_board() {
    let talk = Talk::with(|input, out| gomocup::serve(&engine("false"), input, out));
    let mebibytes = |talk: &Talk| {
        talk.send("YXNBEST 1");
        let said = talk.until(|line| !line.starts_with("MESSAGE"));
        said[0].split(' ').skip_while(|word| *word != "nodes").nth(1).map(str::to_string)
    };
    let start = |talk: &Talk| {
        talk.send("START 15");
        assert_eq!(heard(talk), "OK");
    };
    start(&talk);
    assert_eq!(mebibytes(&talk).as_deref(), Some("64"), "nothing was said");
    talk.send("INFO max_memory 83886080");
    assert_eq!(mebibytes(&talk).as_deref(), Some("40"));
    start(&talk);
    assert_eq!(mebibytes(&talk).as_deref(), Some("40"), "it counts for the next game");
    talk.send("INFO max_memory 0");
    start(&talk);
    assert_eq!(mebibytes(&talk).as_deref(), Some("64"), "there is no limit any more");
}
