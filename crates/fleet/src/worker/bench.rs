//! What the threads of a worker share: jobs that wait, are played, and are to be delivered.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::fit::Fit;
use crate::wire::{self, Answer, Done, RunCard, WorkerCard};
use crate::{Lease, Name};

/// A job that somebody plays.
pub(super) struct InHand {
    pub lease: Lease,
}

/// An answer that is to be delivered.
pub(super) struct Finished {
    pub run: Name,
    pub id: Name,
    pub body: Vec<u8>,
    /// The job's lease, if it was taken in this life.
    pub lease: Option<Lease>,
    /// Whether it is on the disk.
    pub is_spooled: bool,
    /// Whether it stands for an answer that was too long to be delivered.
    pub is_too_long: bool,
}

impl Finished {
    /// The same, but that the pair cannot be played.
    pub fn failed(self, reason: String) -> Finished {
        let body = match wire::unpack::<Answer>(&self.body) {
            Ok(answer) => wire::pack(&Answer { result: Done::Failed(reason), ..answer }),
            Err(_) => self.body,
        };
        Finished { body, is_too_long: true, ..self }
    }
}

pub(super) struct Bench {
    threads: usize,
    state: Mutex<State>,
    /// Somebody has taken, finished or delivered something.
    news: Condvar,
}

/// How long anybody waits for news before looking whether it is time to leave.
const NEWS: Duration = Duration::from_millis(200);

#[derive(Default)]
struct State {
    /// The runs that we can play for, with what they say, and how many of their pairs fit into our memory.
    runs: BTreeMap<Name, (RunCard, usize)>,
    /// Runs that exist, though we may not fit.
    known: Vec<Name>,
    /// Whether the server has ever told us of its runs.
    has_looked: bool,
    /// Why we do not fit elsewhere; said once.
    misfits: BTreeMap<Name, String>,
    waiting: VecDeque<Lease>,
    /// Everything on lease, waiting, played or finished, with when it has to be renewed next.
    held: Vec<(Lease, Instant)>,
    finished: VecDeque<Finished>,
    nothing_more_comes: bool,
    is_cut_off: bool,
    playing: usize,
    card: WorkerCard,
}

impl Bench {
    pub fn new(threads: usize) -> Bench {
        let card = WorkerCard { since: wire::now(), ..WorkerCard::default() };
        Bench {
            threads: threads.max(1),
            state: Mutex::new(State { card, ..State::default() }),
            news: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is made at once.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something happens, or for a little while.
    pub fn wait(&self) {
        drop(self.news.wait_timeout(self.state(), NEWS));
    }

    /// Remembers what went wrong last.
    pub fn note(&self, words: &str) {
        self.state().card.trouble = outplay_core::text::shortened(words);
    }

    pub fn card(&self) -> WorkerCard {
        let state = self.state();
        let (spooled, playing) = (state.finished.len() as u64, state.playing as u64);
        WorkerCard { spooled, playing, ..state.card.clone() }
    }

    /// The runs that there are now; returns what is worth saying about them.
    pub fn set_runs(&self, runs: Vec<(Name, RunCard, Fit)>) -> Vec<String> {
        let mut state = self.state();
        state.has_looked = true;
        state.known = runs.iter().map(|(run, ..)| run.clone()).collect();
        state.runs.clear();
        let mut words = Vec::new();
        let mut misfits = BTreeMap::new();
        for (run, card, fit) in runs {
            match fit {
                Fit::Fits(most) => drop(state.runs.insert(run, (card, most))),
                Fit::Not(reason) => {
                    if state.misfits.get(&run) != Some(&reason) {
                        words.push(format!("takes no part in {run}, {}: {reason}", card.what));
                    }
                    misfits.insert(run, reason);
                }
            }
        }
        state.misfits = misfits;
        words
    }

    pub fn has_ended(&self, run: &Name) {
        let mut state = self.state();
        state.runs.remove(run);
    }

    /// Whether the games of a run are still worth something, as far as we know.
    pub fn is_wanted(&self, run: &Name) -> bool {
        let state = self.state();
        !state.has_looked || state.known.contains(run)
    }

    /// The server could not be reached; whether that is news.
    pub fn cut_off(&self) -> bool {
        !std::mem::replace(&mut self.state().is_cut_off, true)
    }

    pub fn reached(&self) {
        self.state().is_cut_off = false;
    }

    /// The runs that jobs may be taken from, with how many; those that we hold least of come first. Beyond what is played, a quarter more is taken, so that nobody waits
    /// for the way to the server.
    pub fn room(&self) -> Vec<(Name, usize)> {
        let state = self.state();
        let free =
            (self.threads + self.threads.div_ceil(4)).saturating_sub(state.playing + state.waiting.len());
        let held = |run: &Name| state.held.iter().filter(|(lease, _)| lease.line.run() == run).count();
        let room = state.runs.iter().map(|(run, (_, most))| {
            let held = held(run);
            (held, run.clone(), free.min(most.saturating_sub(held)))
        });
        let mut room: Vec<_> = room.filter(|(.., most)| *most > 0).collect();
        room.sort();
        room.into_iter().map(|(_, run, most)| (run, most)).collect()
    }

    pub fn take(&self, lease: Lease) {
        let mut state = self.state();
        let renew = Instant::now() + state.renewal(&lease);
        state.held.push((lease.clone(), renew));
        state.waiting.push_back(lease);
        self.news.notify_all();
    }

    /// The next job; waits for one, for a little while.
    pub fn begin(&self) -> Option<InHand> {
        let mut state = self.state();
        if state.waiting.is_empty() {
            state = self.news.wait_timeout(state, NEWS).unwrap_or_else(PoisonError::into_inner).0;
        }
        let lease = state.waiting.pop_front()?;
        state.playing += 1;
        Some(InHand { lease })
    }

    /// Jobs that nobody has begun; they are not ours any more.
    pub fn not_begun(&self) -> Vec<Lease> {
        let mut state = self.state();
        let waiting: Vec<Lease> = state.waiting.drain(..).collect();
        state.held.retain(|(held, _)| waiting.iter().all(|lease| lease.receipt != held.receipt));
        waiting
    }

    /// A job that was begun and comes to nothing.
    pub fn drop_job(&self, lease: &Lease) {
        let mut state = self.state();
        state.playing = state.playing.saturating_sub(1);
        state.let_go(lease);
        self.news.notify_all();
    }

    pub fn count(&self, time: Duration, nodes: u64) {
        let mut state = self.state();
        state.card.busy += time.as_secs_f64();
        state.card.nodes = state.card.nodes.saturating_add(nodes);
    }

    /// An answer is there; its job is held until it is delivered.
    pub fn finished(&self, finished: Finished) {
        let mut state = self.state();
        if finished.lease.is_some() {
            state.playing = state.playing.saturating_sub(1);
        }
        state.finished.push_back(finished);
        self.news.notify_all();
    }

    /// The next answer to be delivered; waits for one. `None` when there will be no more, or when there is no time.
    pub fn to_deliver(&self, has_no_time: &dyn Fn() -> bool) -> Option<Finished> {
        let mut state = self.state();
        loop {
            if has_no_time() {
                return None;
            }
            if let Some(finished) = state.finished.pop_front() {
                return Some(finished);
            }
            if state.nothing_more_comes {
                return None;
            }
            state = self.news.wait_timeout(state, NEWS).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub fn delivered(&self, finished: &Finished, counts: bool) {
        let mut state = self.state();
        state.card.pairs += u64::from(counts);
        state.is_cut_off = false;
        if let Some(lease) = &finished.lease {
            state.let_go(lease);
        }
    }

    pub fn not_delivered(&self, finished: Finished) {
        self.state().finished.push_front(finished);
    }

    pub fn nothing_more_comes(&self) {
        self.state().nothing_more_comes = true;
        self.news.notify_all();
    }

    pub fn is_idle(&self) -> bool {
        let state = self.state();
        state.playing == 0 && state.waiting.is_empty()
    }

    /// Leases that have to be renewed now.
    pub fn leases_to_renew(&self) -> Vec<Lease> {
        let mut state = self.state();
        let now = Instant::now();
        let due: Vec<Lease> =
            state.held.iter().filter(|(_, renew)| *renew <= now).map(|(lease, _)| lease.clone()).collect();
        for lease in &due {
            let renew = now + state.renewal(lease);
            if let Some(held) = state.held.iter_mut().find(|(held, _)| held.receipt == lease.receipt) {
                held.1 = renew;
            }
        }
        due
    }
}

impl State {
    /// After which time a lease is renewed: a third of its own, so that two may be lost.
    fn renewal(&self, lease: &Lease) -> Duration {
        let time = self.runs.get(lease.line.run()).map(|(card, _)| card.lease());
        time.unwrap_or(Duration::from_secs(6)) / 3
    }

    fn let_go(&mut self, lease: &Lease) {
        self.held.retain(|(held, _)| held.receipt != lease.receipt);
    }
}
