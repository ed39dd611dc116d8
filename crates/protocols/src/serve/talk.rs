//! A conversation: lines from outside and news of a search, heard one after the other.

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use super::ServeError;
use crate::lines::pass_lines;

/// Longer lines are cut. A game of 200,000 moves fits.
const LONGEST_LINE: usize = 1 << 20;
/// How long a search that is told to stop because the conversation ends gets to answer.
const TIME_TO_ANSWER: Duration = Duration::from_millis(500);

/// What a server hears, one after the other.
pub(crate) enum Event<W> {
    /// A line from outside.
    Line(String),
    /// There will be no more lines.
    End,
    /// What a search, or other work, has to say while it goes on.
    Said(W),
    /// What was being done has ended with these last words.
    Done(W),
    /// A search has ended without a word: it is broken.
    Died,
}

/// Somebody who hears events.
pub(crate) trait Listener {
    /// What searches say.
    type Words;

    /// Takes an event; breaks at the end of the conversation.
    fn hear(&mut self, event: Event<Self::Words>) -> io::Result<ControlFlow<()>>;

    /// Takes an event after that end.
    fn finish(&mut self, event: Event<Self::Words>) -> io::Result<()>;

    /// Ends what is being done as soon as possible. Called when the conversation is over.
    fn stop(&mut self);

    /// Whether an answer is still to come.
    fn owes_an_answer(&self) -> bool;
}

/// Lets a listener hear what comes from `input` and from its own searches, until it has heard enough. Both arrive at `events`, of which
/// `sender` is the other end.
pub(crate) fn converse<L>(
    mut listener: L,
    input: impl BufRead + Send + 'static,
    sender: Sender<Event<L::Words>>,
    events: &Receiver<Event<L::Words>>,
) -> Result<(), ServeError>
where
    L: Listener<Words: Send + 'static>,
{
    // The thread ends with its input, or with the program.
    std::thread::Builder::new().name("listener".to_string()).spawn(move || {
        pass_lines(input, LONGEST_LINE, &[], &mut |line| match sender.send(Event::Line(line)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
        // Nobody listens any more if this fails.
        drop(sender.send(Event::End));
    })?;
    for event in events {
        if listener.hear(event)?.is_break() {
            break;
        }
    }
    take_leave(listener, events)
}

/// Lets a search that still runs say its last words. What else comes after the end is not heard.
fn take_leave<L: Listener>(mut listener: L, events: &Receiver<Event<L::Words>>) -> Result<(), ServeError> {
    listener.stop();
    let deadline = Instant::now() + TIME_TO_ANSWER;
    while listener.owes_an_answer() {
        match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => listener.finish(event)?,
            Err(_) => break,
        }
    }
    Ok(())
}

/// Passes on what a search says, from its thread. If the search panics, that is passed on too.
pub(crate) struct Reporter<W> {
    events: Sender<Event<W>>,
    is_done: bool,
}

impl<W> Reporter<W> {
    /// A reporter to whoever hears these events.
    pub fn new(events: Sender<Event<W>>) -> Reporter<W> {
        Reporter { events, is_done: false }
    }

    /// Passes on what is said while the search goes on. Whoever listens may be gone: then the search is about to be stopped.
    pub fn said(&self, words: W) {
        drop(self.events.send(Event::Said(words)));
    }

    /// Passes on the last words.
    pub fn done(&mut self, words: W) {
        self.is_done = true;
        drop(self.events.send(Event::Done(words)));
    }
}

impl<W> Drop for Reporter<W> {
    fn drop(&mut self) {
        if !self.is_done && std::thread::panicking() {
            drop(self.events.send(Event::Died));
        }
    }
}
