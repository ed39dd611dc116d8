//! A search that panics is answered for, and the talk goes on.

use outplay_connect::{Connect, OpenWindows, Rules};
use outplay_core::Line;
use outplay_engine::{Evaluations, GameSession, SearchEntry, SearchInfo, Session};
use outplay_protocols::serve::{GameEngine, connect6, gtp};
use outplay_search::{Control, OptionSet, Report, Search, options};

use crate::heard;
use crate::talk::Talk;

options! {
    /// No rows to speak of.
    pub struct Rows {
        /// Nothing.
        pub nothing: bool = false,
    }
}

#[derive(Default)]
struct Broken(Rows);

impl Search<Connect> for Broken {
    fn search(&mut self, _: &Line<Connect>, _: &mut Control) -> Report {
        panic!("as it was made to");
    }

    fn options(&self) -> &dyn OptionSet {
        &self.0
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.0
    }
}

fn engine() -> GameEngine {
    let open = |_: &str| {
        let info = SearchInfo { name: "broken", summary: "panics", counts_playouts: false };
        let make = || -> Box<dyn Search<Connect>> { Box::<Broken>::default() };
        let searches = vec![SearchEntry { info, make: Box::new(make) }];
        let evaluations = Evaluations::new("windows", OpenWindows);
        let session = GameSession::<Connect>::with_searches(Rules::CONNECT6, evaluations, searches);
        Ok(Box::new(session) as Box<dyn Session>)
    };
    GameEngine { open: Box::new(open), ..GameEngine::outplay(Vec::new()) }
}

#[test]
fn any_stones_are_placed_and_the_game_goes_on() {
    let talk = Talk::with(|input, out| connect6::serve(&engine(), input, out));
    for (line, answer) in [("move JJ", "move AABA"), ("move KKLL", "move CADA")] {
        talk.send(line);
        assert_eq!(heard(&talk), answer);
    }
    assert!(talk.end().1.is_ok());
    let talk = Talk::with(|input, out| gtp::serve(&engine(), "connect6", input, out));
    for (line, answer) in [("genmove b", "= A1"), ("genmove w", "= B1"), ("genmove w", "= C1")] {
        talk.send(line);
        assert_eq!(talk.until(str::is_empty)[0], answer);
    }
}
