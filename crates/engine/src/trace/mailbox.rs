//! From the search's thread to the one that puts its records into words: with bounded room, and without anybody waiting for room.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use outplay_search::Report;
use outplay_search::trace::TraceEvent;

/// So many of the largest trees that were asked for may wait.
const TREES: usize = 8;
/// So many records may wait, however small.
const RECORDS: usize = 256;

#[derive(Default)]
struct State {
    waiting: VecDeque<TraceEvent>,
    /// The nodes of those that wait.
    nodes: usize,
    /// Dropped since the last one was taken.
    dropped: u64,
    report: Option<Report>,
    is_over: bool,
}

struct Mailbox {
    state: Mutex<State>,
    changed: Condvar,
    most_nodes: usize,
}

impl Mailbox {
    /// A thread that died here left nothing half done: each change is complete before anything can fail.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The search's end. When it goes, even because the search has died, the other end hears of it.
pub(crate) struct Outbox(Arc<Mailbox>);

/// The reader's end.
pub(crate) struct Inbox(Arc<Mailbox>);

/// Both ends of a mailbox for trees of up to `most_nodes`.
pub(crate) fn mailbox(most_nodes: usize) -> (Outbox, Inbox) {
    let most_nodes = TREES * most_nodes.max(1);
    let shared = Arc::new(Mailbox { state: Mutex::default(), changed: Condvar::new(), most_nodes });
    (Outbox(shared.clone()), Inbox(shared))
}

fn size(event: &TraceEvent) -> usize {
    match event {
        TraceEvent::Iteration(iteration) => iteration.tree.len(),
        TraceEvent::Snapshot(snapshot) => snapshot.tree.len(),
    }
}

impl Outbox {
    /// Leaves a record. Where there is no room for it, the oldest ones go: who watches wants to see what is, not what was.
    pub fn send(&self, event: TraceEvent) {
        let mut state = self.0.state();
        state.nodes += size(&event);
        state.waiting.push_back(event);
        while state.waiting.len() > 1 && (state.nodes > self.0.most_nodes || state.waiting.len() > RECORDS) {
            if let Some(oldest) = state.waiting.pop_front() {
                state.nodes -= size(&oldest);
                state.dropped += 1;
            }
        }
        drop(state);
        self.0.changed.notify_one();
    }

    /// Leaves the last report.
    pub fn end(self, report: Report) {
        self.0.state().report = Some(report);
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        self.0.state().is_over = true;
        self.0.changed.notify_one();
    }
}

impl Inbox {
    /// Waits for the next record, with how many were dropped before it; `None` once the search is over.
    pub fn next(&self) -> Option<(TraceEvent, u64)> {
        let mut state = self.0.state();
        loop {
            if let Some(event) = state.waiting.pop_front() {
                state.nodes -= size(&event);
                return Some((event, std::mem::take(&mut state.dropped)));
            }
            if state.is_over {
                return None;
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The last report, once the search is over; `None` if it died.
    pub fn report(self) -> (Option<Report>, u64) {
        let mut state = self.0.state();
        (state.report.take(), state.dropped)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use outplay_search::Meaning;
    use outplay_search::trace::{GrownNode, TreeSnapshot};

    use super::*;

    fn snapshot(playouts: u64, nodes: usize) -> TraceEvent {
        let score = Meaning::Expected(0.0);
        let node = GrownNode { parent: None, m: None, ply: 0, visits: 1, score, statistics: None };
        let (time, tree) = (Duration::ZERO, vec![node; nodes]);
        TraceEvent::Snapshot(TreeSnapshot { time, playouts, is_last: false, left_out: 0, tree })
    }

    #[test]
    fn the_oldest_records_go_and_are_counted() {
        let (outbox, inbox) = mailbox(10);
        (0..100).for_each(|number| outbox.send(snapshot(number, 10)));
        drop(outbox);
        let taken: Vec<_> = std::iter::from_fn(|| inbox.next()).collect();
        assert_eq!(taken.len(), TREES);
        assert_eq!(taken[0], (snapshot(100 - TREES as u64, 10), 100 - TREES as u64));
        assert_eq!(taken[TREES - 1], (snapshot(99, 10), 0));
        assert_eq!(inbox.report(), (None, 0), "the search died");
    }

    #[test]
    fn small_records_are_bounded_by_their_number() {
        let (outbox, inbox) = mailbox(1_000_000);
        (0..1000).for_each(|number| outbox.send(snapshot(number, 1)));
        assert_eq!(inbox.0.state().waiting.len(), RECORDS);
        assert_eq!(inbox.next().map(|(_, dropped)| dropped), Some(1000 - RECORDS as u64));
    }

    #[test]
    fn one_record_is_kept_whatever_its_size() {
        let (outbox, inbox) = mailbox(1);
        outbox.send(snapshot(7, 100));
        assert_eq!(inbox.next(), Some((snapshot(7, 100), 0)));
    }
}
