//! A conversation with the server in memory.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use outplay_protocols::serve::ServeError;
use outplay_protocols::serve::uci::{Engine, serve};

pub use crate::talk::PATIENCE;
use crate::talk::Talk;

/// The engine as it is, with nothing to measure.
pub fn engine() -> Engine {
    Engine::outplay(Arc::new(|| "Bench: 1 nodes 1 nps".to_string()))
}

/// A talk with the server in UCI.
pub struct Conversation(Talk);

impl Deref for Conversation {
    type Target = Talk;

    fn deref(&self) -> &Talk {
        &self.0
    }
}

impl Conversation {
    /// Talks to our engine.
    pub fn start() -> Conversation {
        Conversation::with(engine)
    }

    /// Talks to another one.
    pub fn with(engine: impl FnOnce() -> Engine + Send + 'static) -> Conversation {
        Conversation(Talk::with(move |input, out| serve(&engine(), input, out)))
    }

    /// All lines up to the one that begins with a word.
    pub fn until(&self, word: &str) -> Vec<String> {
        self.0.until(|line| line.split_whitespace().next() == Some(word))
    }

    /// What is said to a line, not counting a search that it begins.
    pub fn ask(&self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// What a search says, `bestmove` last.
    pub fn search(&self, go: &str) -> Vec<String> {
        self.send(go);
        self.until("bestmove")
    }

    /// The move that a search finds.
    pub fn best(&self, go: &str) -> String {
        best_of(&self.search(go))
    }

    /// Makes sure that nothing is said for a while.
    pub fn silence(&self, time: Duration) {
        let said: Vec<String> =
            self.heard_within(time).into_iter().filter(|line| !line.starts_with("info")).collect();
        assert!(said.is_empty(), "{said:?}");
    }

    /// Ends our side, and waits for the server to end. What it said last.
    pub fn end(self) -> (Vec<String>, Result<(), ServeError>) {
        self.0.end()
    }

    /// Takes our ears away and goes on talking until the server has noticed.
    pub fn hang_up(self) -> Result<(), ServeError> {
        self.0.hang_up("isready")
    }
}

/// The move of a `bestmove` line, which comes last.
pub fn best_of(lines: &[String]) -> String {
    let last = lines.last().expect("an answer");
    last.split_whitespace().nth(1).unwrap_or_else(|| panic!("no move in {last}")).to_string()
}

/// What stands behind a word of a line.
pub fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|found| *found != word).nth(1)
}

/// The moves of an `info` line.
pub fn line_of_play(line: &str) -> Vec<&str> {
    line.split_whitespace().skip_while(|found| *found != "pv").skip(1).collect()
}
