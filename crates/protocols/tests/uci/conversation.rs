//! A conversation with the server in memory.

use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use outplay_protocols::serve::uci::{Engine, ServeError, serve};

/// Longer than any answer takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The engine as it is, with nothing to measure.
pub fn engine() -> Engine {
    Engine::outplay(Arc::new(|| "Bench: 1 nodes 1 nps".to_string()))
}

/// A server on a thread of its own, and both ends of the talk with it.
pub struct Conversation {
    /// `None` once we have nothing more to say.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    thread: JoinHandle<Result<(), ServeError>>,
}

impl Conversation {
    /// Talks to our engine.
    pub fn start() -> Conversation {
        Conversation::with(engine)
    }

    /// Talks to another one.
    pub fn with(engine: impl FnOnce() -> Engine + Send + 'static) -> Conversation {
        let ((input, received), (sent, output)) = (mpsc::channel(), mpsc::channel());
        let thread = std::thread::spawn(move || {
            let mut out = Lines { sent, line: Vec::new() };
            serve(&engine(), BufReader::new(Bytes { received, left: Vec::new() }), &mut out)
        });
        Conversation { input: Some(input), output, thread }
    }

    /// Sends a line. One that comes after the end is not heard.
    pub fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            drop(input.send(format!("{line}\n").into_bytes()));
        }
    }

    /// The next line, if one comes in time.
    pub fn next(&self, within: Duration) -> Option<String> {
        self.output.recv_timeout(within).ok()
    }

    /// All lines up to the one that begins with a word.
    pub fn until(&self, word: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next(deadline.saturating_duration_since(Instant::now())) else {
                panic!("no {word} after {lines:?}");
            };
            lines.push(line);
            if lines.last().is_some_and(|line| line.split_whitespace().next() == Some(word)) {
                return lines;
            }
        }
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

    /// All that is said in a while.
    pub fn heard_within(&self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        std::iter::from_fn(|| self.next(deadline.saturating_duration_since(Instant::now()))).collect()
    }

    /// Ends our side, and waits for the server to end. What it said last.
    pub fn end(mut self) -> (Vec<String>, Result<(), ServeError>) {
        self.input = None;
        let lines = std::iter::from_fn(|| self.output.recv_timeout(PATIENCE).ok()).collect();
        (lines, self.thread.join().expect("no panic"))
    }

    /// Takes our ears away and goes on talking until the server has noticed.
    pub fn hang_up(self) -> Result<(), ServeError> {
        let Conversation { input, output, thread } = self;
        drop(output);
        let begun = Instant::now();
        while !thread.is_finished() {
            assert!(begun.elapsed() < PATIENCE, "it goes on talking");
            drop(input.as_ref().map(|input| input.send(b"isready\n".to_vec())));
            std::thread::sleep(Duration::from_millis(5));
        }
        thread.join().expect("no panic")
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

/// The reading end, whose bytes come from a channel.
struct Bytes {
    received: Receiver<Vec<u8>>,
    left: Vec<u8>,
}

impl Read for Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.is_empty() {
            self.left = self.received.recv().unwrap_or_default();
        }
        let count = self.left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.left[..count]);
        self.left.drain(..count);
        Ok(count)
    }
}

/// The writing end, whose lines go to a channel when they are flushed.
struct Lines {
    sent: Sender<String>,
    line: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.line)).expect("text");
        assert!(text.is_empty() || text.ends_with('\n'), "half a line: {text:?}");
        text.lines()
            .try_for_each(|line| self.sent.send(line.to_string()))
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
