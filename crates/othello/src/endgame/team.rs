//! Threads that search one tree together, through the table that they share: each searches the whole tree, but leaves a move for later
//! while another thread is at it. What was left is then mostly found in the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use outplay_core::mix;

use super::selectivity::Confidence;
use super::table::Table;

/// From so many empty squares on, threads look at what others do.
pub(super) const SHARED: u32 = 13;

const PLACES: usize = 1 << 12;

/// What the threads of one question share beside the table.
pub(super) struct Team {
    /// The positions that are being searched, by their hashes; one may be missing, and is then searched twice.
    busy: Vec<AtomicU64>,
    /// How many positions have been settled so far.
    settled: AtomicU64,
    /// Whether a thread has the answer.
    pub is_over: AtomicBool,
}

/// A position on the way from the root to where a thread is, and what is asked about it.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub mover: u64,
    pub opponent: u64,
    pub alpha: i32,
    pub confidence: Confidence,
}

/// One thread's way through the tree.
pub(super) struct Member<'a> {
    team: &'a Team,
    path: Vec<Step>,
    settled: u64,
    /// A place on the path that another thread has settled meanwhile, and the answer there: the way back leads to it.
    pub found: Option<(usize, i32)>,
}

impl Default for Team {
    fn default() -> Team {
        Team {
            busy: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
            settled: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        }
    }
}

impl<'a> Member<'a> {
    pub fn new(team: &'a Team) -> Member<'a> {
        Member { team, path: Vec::with_capacity(64), settled: 0, found: None }
    }

    pub fn is_over(&self) -> bool {
        self.team.is_over.load(Ordering::Relaxed)
    }

    /// Goes on to a position; its place on the path. None if something above it has been settled since.
    pub fn enter(&mut self, step: Step, table: &Table) -> Option<usize> {
        let settled = self.team.settled.load(Ordering::Relaxed);
        if settled != self.settled {
            self.settled = settled;
            self.found = self.path.iter().enumerate().find_map(|(place, step)| {
                let known = table.get(step.mover, step.opponent)?.as_sure_as(step.confidence);
                match step.alpha {
                    alpha if known.least > alpha => Some((place, known.least)),
                    alpha if known.most <= alpha => Some((place, known.most)),
                    _ => None,
                }
            });
        }
        if self.found.is_some() {
            return None;
        }
        self.path.push(step);
        Some(self.path.len() - 1)
    }

    /// Goes back from the position at this place; the answer if the way back was to it.
    pub fn leave(&mut self, place: usize) -> Option<i32> {
        self.path.truncate(place);
        self.found.take_if(|(found, _)| *found == place).map(|(_, value)| value)
    }

    /// Tells the others that a position is settled.
    pub fn settle(&self) {
        self.team.settled.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether another thread is at a position.
    pub fn is_busy(&self, mover: u64, opponent: u64) -> bool {
        let hash = hash(mover, opponent);
        self.team.busy[place(hash)].load(Ordering::Relaxed) == hash
    }

    /// Says that this thread is at a position, or no longer.
    pub fn mark(&self, mover: u64, opponent: u64, is_busy: bool) {
        let hash = hash(mover, opponent);
        self.team.busy[place(hash)].store(if is_busy { hash } else { 0 }, Ordering::Relaxed);
    }
}

fn hash(mover: u64, opponent: u64) -> u64 {
    mix(mover ^ mix(opponent)) | 1
}

fn place(hash: u64) -> usize {
    (hash >> 32) as usize % PLACES
}
