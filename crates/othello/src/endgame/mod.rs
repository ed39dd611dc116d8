//! Endgames solved exactly.
//!
//! Every search asks one question, whether the mover wins by more than a margin, and [`Solver`] asks until the bounds meet. It has three
//! tiers: `near.rs` the last six empty squares, written out for each instruction set; `local.rs` those above them, with a small table of
//! the thread's own; `search.rs` the rest, with `table.rs`, which threads share as `team.rs` says. `ordering.rs`, `stability.rs` and
//! `squares.rs` have what is known without searching.
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

mod local;
mod near;
mod ordering;
mod search;
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

use crate::Othello;
use local::Own;
use search::Search;
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
    /// What is certain of the position that is being searched: the one asked about, or one after a move.
    pub bounds: Bounds,
}

/// What ends a question early, and who is told of it; nothing and nobody by default.
#[derive(Default)]
pub struct Limits<'a> {
    /// Ends the search when it is set.
    pub stop: Option<&'a AtomicBool>,
    /// Told whenever a bound has moved.
    pub watch: Option<&'a mut Watch<'a>>,
}

/// See [`Limits::watch`].
pub type Watch<'a> = dyn FnMut(Progress) + 'a;

/// Solves positions. What it has found out stays in its table for the next question.
pub struct Solver {
    table: Table,
    /// What each thread keeps for itself.
    own: Vec<Own>,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new(64, 0)
    }
}

impl Solver {
    /// With so many MiB for the table, rounded down to a power of two; the seed says which positions share a place in it, and changes no
    /// value.
    pub fn new(mebibytes: usize, seed: u64) -> Solver {
        Solver { table: Table::new(14 + mebibytes.max(1).ilog2(), seed), own: vec![Own::default()] }
    }

    /// With so many threads that search one position together.
    pub fn with_threads(mut self, threads: usize) -> Solver {
        self.own.resize_with(threads.max(1), Own::default);
        self
    }

    /// Positions visited since it was made.
    pub fn nodes(&self) -> u64 {
        self.own.iter().map(|own| own.nodes).sum()
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
        let stop = limits.stop.unwrap_or(&NEVER);
        let mut bounds = Bounds::OPEN;
        // Every margin is even, so questions are asked at odd ones.
        let mut asked = self.guess(position).clamp(-62, 62) - 1;
        let is_open = |bounds: Bounds| {
            bounds.exact().is_none() && bounds.least < *window.end() && bounds.most > *window.start()
        };
        while is_open(bounds) {
            let (low, high) = (bounds.least.max(*window.start() - 1), bounds.most.min(*window.end() + 1));
            asked = asked.clamp(i32::from(low) | 1, (i32::from(high) - 1) | 1);
            let Some(value) = self.exceeds(position, asked, stop) else { break };
            // Where the answer was yes by just so much, the next margin is asked about, and the other way round.
            if value > asked {
                bounds.least = bounds.least.max(value as i16);
                asked = value + 1;
            } else {
                bounds.most = bounds.most.min(value as i16);
                asked = value - 1;
            }
            let nodes = self.nodes();
            if let Some(watch) = &mut limits.watch {
                watch(Progress { nodes, bounds });
            }
        }
        bounds
    }

    /// A first guess of the margin.
    fn guess(&mut self, position: &Othello) -> i32 {
        search(&self.table, &mut self.own[0], &NEVER, None).guess(position.mover(), position.opponent())
    }

    /// Whether the mover wins by more than `alpha`, as [`Search::exceeds`] answers; none if it was stopped.
    fn exceeds(&mut self, position: &Othello, alpha: i32, stop: &AtomicBool) -> Option<i32> {
        let (mover, opponent) = (position.mover(), position.opponent());
        // Where one thread is done before another has begun, it is alone.
        let is_small = position.empty().count_ones() < SHARED + 2;
        let (first, others) = self.own.split_first_mut().expect("there is a thread");
        if is_small || others.is_empty() {
            let mut search = search(&self.table, first, stop, None);
            let value = search.exceeds(mover, opponent, alpha);
            return (!search.is_stopped).then_some(value);
        }
        let (table, team, answer) = (&self.table, Team::default(), OnceLock::new());
        let run = |own: &mut Own| {
            let mut search = search(table, own, stop, Some(Member::new(&team)));
            let value = search.exceeds(mover, opponent, alpha);
            if !search.is_stopped {
                answer.get_or_init(|| value);
                team.is_over.store(true, Ordering::Relaxed);
            }
        };
        thread::scope(|scope| {
            for own in others {
                scope.spawn(|| run(own));
            }
            run(first);
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
            let mut keeps = |solver: &mut Solver, m: Move| {
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

static NEVER: AtomicBool = AtomicBool::new(false);

fn search<'a>(
    table: &'a Table,
    own: &'a mut Own,
    stop: &'a AtomicBool,
    member: Option<Member<'a>>,
) -> Search<'a> {
    Search { table, own, stop, is_stopped: false, member }
}
