//! A talk with a server in memory, whatever its protocol.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use outplay_protocols::serve::ServeError;

/// Longer than any answer takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A server on a thread of its own, and both ends of the talk with it.
pub struct Talk {
    /// `None` once we have nothing more to say.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    thread: JoinHandle<Result<(), ServeError>>,
}

/// What the server reads.
pub type Input = BufReader<Bytes>;

impl Talk {
    /// Talks to a server.
    pub fn with(
        serve: impl FnOnce(Input, &mut dyn Write) -> Result<(), ServeError> + Send + 'static,
    ) -> Talk {
        let ((input, received), (sent, output)) = (mpsc::channel(), mpsc::channel());
        let thread = std::thread::spawn(move || {
            let mut out = Lines { sent, line: Vec::new() };
            serve(BufReader::new(Bytes { received, left: Vec::new() }), &mut out)
        });
        Talk { input: Some(input), output, thread }
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

    /// All lines up to the one that is meant.
    pub fn until(&self, is_meant: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next(deadline.saturating_duration_since(Instant::now())) else {
                panic!("what is waited for does not come: {lines:?}");
            };
            lines.push(line);
            if lines.last().is_some_and(|line| is_meant(line)) {
                return lines;
            }
        }
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
    pub fn hang_up(self, line: &str) -> Result<(), ServeError> {
        let Talk { input, output, thread } = self;
        drop(output);
        let begun = Instant::now();
        while !thread.is_finished() {
            assert!(begun.elapsed() < PATIENCE, "it goes on talking");
            drop(input.as_ref().map(|input| input.send(format!("{line}\n").into_bytes())));
            std::thread::sleep(Duration::from_millis(5));
        }
        thread.join().expect("no panic")
    }
}

/// The reading end, whose bytes come from a channel.
pub struct Bytes {
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
