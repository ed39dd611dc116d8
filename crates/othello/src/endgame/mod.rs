//! Endgames solved exactly.
//!
//! Every search asks one question, whether the mover wins by more than a margin, and [`Solver`] asks until the bounds meet. It has three
//! tiers: `near.rs` the last six empty squares, written out for each instruction set; `local.rs` those above them, with a small table of
//! the thread's own; `search.rs` the rest, with `table.rs`, which threads share as `team.rs` says. `foresee.rs` searches to a depth by an
//! evaluation, which prepares those to the end; `look.rs`, `ordering.rs`, `stability.rs` and `squares.rs` have what is known sooner than that.
//!
//! ```
//! use outplay_core::Notation;
//! use outplay_othello::Othello;
//! use outplay_othello::endgame::{Limits, Solver};
//!
//! let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXXOXOXXOOOX--XOOXXX---XXXO---XXXXXX- X";
//! let position = Othello::parse_position(&(), text)?;
//! let bounds = Solver::default().value(&position, &mut Limits::default());
//! assert!(bounds.exact().is_some());
//! # Ok::<(), outplay_core::ParseError>(())
//! ```

mod foresee;
mod local;
mod look;
mod near;
mod ordering;
mod search;
mod selectivity;
mod squares;
mod stability;
mod table;
mod team;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use outplay_core::{Game, Move, MoveList};
use outplay_search::Evaluation;

use crate::kernels::count_bits;
use crate::{Othello, Patterns};
use local::Own;
use search::Search;
use selectivity::STAGED;
pub use selectivity::{Calibration, Confidence};
use table::Table;
use team::{Member, SHARED, Team};

/// What is certain of a margin, for the player to move: the least and the most that it can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    least: i16,
    most: i16,
}

impl Bounds {
    const OPEN: Bounds = Bounds { least: -64, most: 64 };

    /// The least that it can be.
    pub fn least(self) -> i16 {
        self.least
    }

    /// The most that it can be.
    pub fn most(self) -> i16 {
        self.most
    }

    /// What it is, if that is certain.
    pub fn exact(self) -> Option<i16> {
        (self.least == self.most).then_some(self.least)
    }

    fn seen_by_opponent(self) -> Bounds {
        Bounds { least: -self.most, most: -self.least }
    }
}

/// How far a [`Solver`] has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions visited so far.
    pub nodes: u64,
    /// What is known of the position that is being searched: the one asked about, or one after a move.
    pub bounds: Bounds,
    /// How sure that is.
    pub confidence: Confidence,
}

/// What ends a question early, and who is told of it; nothing and nobody by default.
#[derive(Default)]
pub struct Limits<'a> {
    /// Ends the search when it is set.
    pub stop: Option<&'a AtomicBool>,
    /// The same, asked every now and then, by the thread that calls the solver.
    pub is_late: Option<&'a dyn Fn() -> bool>,
    /// Ends the search when [`Solver::nodes`] come to this, some hundreds more or less. Threads that search together share what is left
    /// evenly, and the first that has used its part ends it for all.
    pub nodes: Option<u64>,
    /// Told whenever a bound has moved.
    pub watch: Option<&'a mut Watch<'a>>,
}

/// See [`Limits::watch`].
pub type Watch<'a> = dyn FnMut(Progress) + 'a;

/// Solves positions. What it has found out stays in its table for the next question.
///
/// The evaluation is asked in searches to a depth, and what to leave out in the selective ones, which prepare the certain one. It
/// changes no value.
pub struct Solver<V: Evaluation<Othello> = Patterns> {
    table: Table,
    foreseen: Table,
    evaluation: V,
    calibration: Calibration,
    threads: Vec<OfThread<V>>,
}

/// What each thread keeps for itself.
struct OfThread<V: Evaluation<Othello>> {
    own: Own,
    state: V::State,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new(64, 0)
    }
}

impl Solver {
    /// With so many MiB for its tables; the seed says which positions share a place in it, and changes no
    /// value.
    pub fn new(mebibytes: usize, seed: u64) -> Solver {
        Solver::with_evaluation(mebibytes, seed, Patterns::default(), Calibration::PATTERNS)
    }
}

impl<V: Evaluation<Othello>> Solver<V> {
    /// The same with another evaluation, and what that is worth as evidence.
    pub fn with_evaluation(
        mebibytes: usize,
        seed: u64,
        evaluation: V,
        calibration: Calibration,
    ) -> Solver<V> {
        let quarter = mebibytes.max(1) * 1024 / 4;
        let (table, foreseen) = (Table::new(3 * quarter, seed), Table::new(quarter, seed));
        Solver { table, foreseen, evaluation, calibration, threads: Vec::new() }.with_threads(1)
    }

    /// With so many threads that search one position together.
    pub fn with_threads(mut self, threads: usize) -> Solver<V> {
        let (evaluation, of_threads) = (&self.evaluation, &mut self.threads);
        of_threads
            .resize_with(threads.max(1), || OfThread { own: Own::default(), state: evaluation.state() });
        self
    }

    /// Positions visited since it was made, those that were only looked at for the order of moves among them.
    pub fn nodes(&self) -> u64 {
        self.threads.iter().map(|thread| thread.own.nodes).sum()
    }

    /// How many more may be visited.
    fn nodes_left(&self, limits: &Limits) -> Option<u64> {
        limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes()))
    }

    /// By how much the player to move wins.
    pub fn value(&mut self, position: &Othello, limits: &mut Limits) -> Bounds {
        self.value_within(position, -64..=64, limits)
    }

    /// Who wins: bounds that are both above zero, both zero or both below.
    pub fn result(&mut self, position: &Othello, limits: &mut Limits) -> Bounds {
        self.value_within(position, -1..=1, limits)
    }

    /// The margin as far as it matters: exact if it lies strictly within the window, otherwise only on which side it is. The ends of
    /// the whole range of margins count as within.
    pub fn value_within(
        &mut self,
        position: &Othello,
        window: RangeInclusive<i16>,
        limits: &mut Limits,
    ) -> Bounds {
        if let Some(outcome) = position.outcome() {
            let margin = outcome.for_player(position.to_move());
            return Bounds { least: margin, most: margin };
        }
        let mut guess = self.guess(position, limits);
        for confidence in passes(count_bits(position.empty())) {
            let bounds = self.pass(position, &window, guess, confidence, limits);
            let (least, most) = (i32::from(bounds.least), i32::from(bounds.most));
            guess = guess.clamp(least, most);
        }
        self.pass(position, &window, guess, Confidence::CERTAIN, limits)
    }

    /// What can be said with this confidence, beginning at a guess.
    fn pass(
        &mut self,
        position: &Othello,
        window: &RangeInclusive<i16>,
        guess: i32,
        confidence: Confidence,
        limits: &mut Limits,
    ) -> Bounds {
        let mut bounds = Bounds::OPEN;
        // Every margin is even, so questions are asked at odd ones.
        let mut asked = guess.clamp(-62, 62) - 1;
        let is_open = |bounds: Bounds| {
            bounds.exact().is_none() && bounds.least < *window.end() && bounds.most > *window.start()
        };
        while is_open(bounds) {
            let (low, high) = (bounds.least.max(*window.start() - 1), bounds.most.min(*window.end() + 1));
            asked = asked.clamp(i32::from(low) | 1, (i32::from(high) - 1) | 1);
            let Some(value) = self.exceeds(position, asked, confidence, limits) else { break };
            // Where the answer was yes by just so much, the next margin is asked about, and the other way round. A selective search
            // may contradict itself: then the last answer counts.
            if value > asked {
                bounds.least = bounds.least.max(even(value, 1));
                bounds.most = bounds.most.max(bounds.least);
                asked = i32::from(bounds.least) + 1;
            } else {
                bounds.most = bounds.most.min(even(value, -1));
                bounds.least = bounds.least.min(bounds.most);
                asked = i32::from(bounds.most) - 1;
            }
            let nodes = self.nodes();
            if let Some(watch) = &mut limits.watch {
                watch(Progress { nodes, bounds, confidence });
            }
        }
        bounds
    }

    /// A first guess of the margin, by searches to greater and greater depths: what they find orders the moves of those to the end.
    fn guess(&mut self, position: &Othello, limits: &Limits) -> i32 {
        let empties = count_bits(position.empty());
        let nodes = self.nodes_left(limits);
        let Solver { table, foreseen, evaluation, calibration, threads } = self;
        let (confidence, stop) = (Confidence(0), limits.stop.unwrap_or(&NEVER));
        let asked = Asked { table, foreseen, evaluation, calibration, position, confidence, stop, nodes };
        let mut search = asked.search(&mut threads[0], None);
        search.is_late = limits.is_late;
        let mut value = search.look(position, 2, -look::INFINITE, look::INFINITE);
        if empties >= STAGED {
            /// The last of them leaves so many squares empty.
            const UNSEEN: u32 = 8;
            let last = empties - UNSEEN;
            for depth in (4 + last % 2..=last).step_by(2) {
                value = search.foreseen_value(position, value, depth);
            }
        }
        let margin = (value as f32 * calibration.slope / 100.0) as i32;
        (margin.clamp(-64, 64) / 2) * 2
    }

    /// Whether the mover wins by more than `alpha`, as [`Search::exceeds`] answers; none if it was stopped.
    fn exceeds(
        &mut self,
        position: &Othello,
        alpha: i32,
        confidence: Confidence,
        limits: &Limits,
    ) -> Option<i32> {
        // Where one thread is done before another has begun, it is alone.
        let is_alone = self.threads.len() == 1 || count_bits(position.empty()) < SHARED + 2;
        let members = if is_alone { 1 } else { self.threads.len() as u64 };
        let nodes = self.nodes_left(limits).map(|nodes| nodes / members);
        let Solver { table, foreseen, evaluation, calibration, threads } = self;
        let stop = limits.stop.unwrap_or(&NEVER);
        let asked = Asked { table, foreseen, evaluation, calibration, position, confidence, stop, nodes };
        let (first, others) = threads.split_first_mut().expect("there is a thread");
        if is_alone {
            let mut search = asked.search(first, None);
            search.is_late = limits.is_late;
            let value = search.exceeds(position, alpha);
            return (!search.is_stopped).then_some(value);
        }
        let (team, answer) = (Team::default(), OnceLock::new());
        let run = |mut search: Search<V>| {
            let value = search.exceeds(position, alpha);
            if !search.is_stopped {
                answer.get_or_init(|| value);
            }
            team.is_over.store(true, Ordering::Relaxed);
        };
        thread::scope(|scope| {
            for other in others {
                let (asked, team, run) = (&asked, &team, &run);
                scope.spawn(move || run(asked.search(other, Some(Member::new(team)))));
            }
            let mut search = asked.search(first, Some(Member::new(&team)));
            search.is_late = limits.is_late;
            run(search);
        });
        answer.into_inner()
    }

    /// What each legal move is worth to the player who makes it.
    pub fn move_values(&mut self, position: &Othello, limits: &mut Limits) -> Vec<(Move, Bounds)> {
        let moves: Vec<Move> = position.legal_moves().each().collect();
        let value = |m: Move| (m, self.value(&position.after(m), limits).seen_by_opponent());
        moves.into_iter().map(value).collect()
    }

    /// A best line to the end of the game from a position with this margin; as far as it is known when the search is ended early.
    pub fn line(&mut self, position: &Othello, margin: i16, limits: &mut Limits) -> Vec<Move> {
        let (mut position, mut margin, mut line) = (*position, margin, Vec::new());
        while position.outcome().is_none() {
            let mut keeps = |solver: &mut Self, m: Move| {
                let reply = position.after(m);
                solver.value_within(&reply, -margin..=1 - margin, limits).most <= -margin
            };
            let mut moves: Vec<Move> = position.legal_moves().each().collect();
            let remembered = self.table.get(position.mover(), position.opponent()).map(|known| known.square);
            moves.sort_by_key(|m| Some(u32::from(m.bits())) != remembered);
            let Some(best) = moves.into_iter().find(|&m| keeps(self, m)) else { break };
            line.push(best);
            position = position.after(best);
            margin = -margin;
        }
        line
    }
}

/// The selective searches before the certain one.
fn passes(empties: u32) -> impl Iterator<Item = Confidence> {
    Confidence::passes().filter(move |_| empties >= STAGED)
}

/// A bound as an even number.
fn even(bound: i32, towards: i32) -> i16 {
    (if bound % 2 == 0 { bound } else { bound + towards }) as i16
}

static NEVER: AtomicBool = AtomicBool::new(false);

/// What all threads are asked, and what they answer it with.
struct Asked<'a, V> {
    table: &'a Table,
    foreseen: &'a Table,
    evaluation: &'a V,
    calibration: &'a Calibration,
    position: &'a Othello,
    confidence: Confidence,
    stop: &'a AtomicBool,
    /// How many positions each thread may visit.
    nodes: Option<u64>,
}

impl<'a, V: Evaluation<Othello>> Asked<'a, V> {
    /// One thread's side of it.
    fn search(&self, thread: &'a mut OfThread<V>, member: Option<Member<'a>>) -> Search<'a, V> {
        let Asked { table, foreseen, evaluation, calibration, position, confidence, stop, nodes } = *self;
        let OfThread { own, state } = thread;
        own.most_nodes = nodes.map_or(u64::MAX, |nodes| own.nodes.saturating_add(nodes));
        let asked_at = own.nodes;
        evaluation.reset(state, position);
        let (is_late, is_stopped) = (None, false);
        Search {
            table,
            foreseen,
            own,
            evaluation,
            calibration,
            state,
            confidence,
            stop,
            is_late,
            asked_at,
            is_stopped,
            member,
        }
    }
}
