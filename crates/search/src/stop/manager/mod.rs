//! How the time of a game is shared out among its moves.
//!
//! A [`TimeManager`] lives as long as the game and remembers, for each player, what it needs between moves. Before a
//! search it says how much time there is ([`Budget`]); afterwards it is told what was used ([`Spent`]). The managers
//! differ in what they plan; what they may plan at all is decided here, once ([`Situation`]), so that none can overstep
//! the clock.

mod legacy;
mod percent;
mod share;
mod smooth;

use std::time::Duration;

use outplay_core::Player;

use super::{StopOptions, TimeManagement};
use crate::Clock;

/// For so many moves, each of them late by all of the overhead, a game without increments can go on when its time is used
/// up; for three times as many if they are late by a third.
const MOVES_AT_THE_END: u32 = 100;
/// But no more than this part of the clock is kept back for that.
const KEPT_AT_MOST: f64 = 0.25;

/// A move's part of the clock.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Budget {
    /// After this much, the search stops wherever it is.
    pub most: Duration,
    /// What a search in steps may take beyond its share while its best move is in doubt; within `most`.
    pub reserve: Duration,
    /// The speed to expect, if it is known from earlier moves.
    pub nodes_per_second: Option<f64>,
    /// What this move would take if nothing were known from earlier searches.
    wanted: Duration,
    /// What this move should take at most.
    ceiling: Duration,
    /// By how many seconds each visit from earlier searches makes the share smaller.
    seconds_per_reused: f64,
}

impl Budget {
    /// This share, and this much at the very most, whatever is known from earlier searches.
    pub fn fixed(share: Duration, most: Duration) -> Budget {
        Budget { most, wanted: share, ceiling: share, ..Budget::default() }
    }

    /// What this move should take, if the tree holds so many visits from earlier searches.
    pub fn share(&self, reused: u64) -> Duration {
        let saved = seconds(reused as f64 * self.seconds_per_reused);
        self.wanted.saturating_sub(saved).min(self.ceiling)
    }
}

/// Whose move it is, and how far the game has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The player to move.
    pub mover: Player,
    /// The plies played so far.
    pub ply: usize,
}

/// What a search has used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spent {
    /// Its own time: without that of the opponent, if it pondered.
    pub time: Duration,
    /// Its nodes.
    pub nodes: u64,
    /// The visits that its tree held when it began.
    pub reused: u64,
}

/// Shares the time of a game out among its moves; one for each game.
#[derive(Clone, Default, Debug)]
pub struct TimeManager {
    players: [Memory; 2],
}

impl TimeManager {
    /// How much to spend on this move: never the overhead, however little is left. A turn that comes before the last one
    /// begins a new game.
    pub fn budget(&mut self, clock: &Clock, turn: Turn, options: &StopOptions) -> Budget {
        let memory = &mut self.players[turn.mover.index()];
        if turn.ply < memory.ply {
            *memory = Memory::default();
        }
        memory.ply = turn.ply;
        memory.richest = memory.richest.max(clock.remaining[turn.mover.index()]);
        memory.planned_by = Some(options.time_manager);
        let situation = Situation::new(clock, turn, memory, options);
        match options.time_manager {
            TimeManagement::Share => share::budget(&situation),
            TimeManagement::Legacy => memory.legacy.budget(&situation),
            TimeManagement::Smooth => memory.smooth.budget(&situation),
            TimeManagement::AlphaZero => percent::alphazero(&situation),
            TimeManagement::Simple => percent::simple(&situation),
        }
    }

    /// The search that `mover` had a budget for has ended. Nothing happens if there was none.
    pub fn finished(&mut self, mover: Player, spent: &Spent, options: &StopOptions) {
        let memory = &mut self.players[mover.index()];
        match memory.planned_by.take() {
            None => return,
            Some(TimeManagement::Legacy) => memory.legacy.finished(spent),
            Some(TimeManagement::Smooth) => memory.smooth.finished(spent, options),
            Some(_) => {}
        }
        memory.has_moved = true;
    }
}

/// What is remembered for a player.
#[derive(Clone, Default, Debug)]
struct Memory {
    /// The plies played at the last turn.
    ply: usize,
    /// Whether there was a turn before, in this game.
    has_moved: bool,
    /// The most that the clock has shown in this game.
    richest: Duration,
    /// Who has planned the search that is running.
    planned_by: Option<TimeManagement>,
    legacy: legacy::Legacy,
    smooth: smooth::Smooth,
}

/// What a manager plans from.
struct Situation<'a> {
    /// What may be spent on this move and all that follow, increments aside.
    left: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    ply: usize,
    is_first_move: bool,
    options: &'a StopOptions,
}

impl<'a> Situation<'a> {
    fn new(clock: &Clock, turn: Turn, memory: &Memory, options: &'a StopOptions) -> Situation<'a> {
        let increment = clock.increment[turn.mover.index()];
        let overhead = options.overhead();
        // Every later move costs its overhead too, however little the search takes. Only half of an increment counts against that: what is
        // not kept is spent, and a clock that shows hardly more than the increment is lost at the first disturbance.
        let later_moves = clock.moves_to_go.map_or(MOVES_AT_THE_END, |moves| moves.max(1) - 1);
        let kept = overhead.saturating_sub(increment / 2).saturating_mul(later_moves);
        let kept = kept.min(scaled(memory.richest, KEPT_AT_MOST));
        Situation {
            left: clock.remaining[turn.mover.index()].saturating_sub(overhead).saturating_sub(kept),
            increment,
            moves_to_go: clock.moves_to_go,
            ply: turn.ply,
            is_first_move: !memory.has_moved,
            options,
        }
    }

    /// Among how many moves the clock is to be shared where nothing better is known.
    fn moves_ahead(&self) -> u32 {
        let ahead = self.options.moves_ahead;
        self.moves_to_go.unwrap_or(ahead).clamp(1, ahead)
    }

    /// The most that a single move may take.
    fn ceiling(&self) -> Duration {
        if self.moves_ahead() == 1 { self.left } else { scaled(self.left, self.options.most_share) }
    }

    /// The budget around a share, as far as the clock allows.
    fn budget(&self, share: Duration) -> Budget {
        let ceiling = self.ceiling();
        let share = share.min(ceiling);
        Budget::fixed(share, scaled(share, self.options.stretch).min(ceiling))
    }

    /// The moves that this player has still to make, if the lengths of games follow a log-logistic distribution: half of
    /// those that came so far will last at least so much longer. Moves are pairs of plies. From 1 / (1 + (t/m)^s), the
    /// part of games that last t moves, with midpoint m and steepness s, halved.
    fn expected_moves(&self, midpoint: f64, steepness: f64) -> f64 {
        let played = self.ply as f64 / 2.0;
        let median = midpoint * (1.0 + 2.0 * (played / midpoint).powf(steepness)).powf(steepness.recip());
        let to_come = (median - played).max(1.0);
        self.moves_to_go.map_or(to_come, |to_go| to_come.min(f64::from(to_go.max(1))))
    }
}

/// A time multiplied, without overflow.
fn scaled(time: Duration, factor: f64) -> Duration {
    seconds(time.as_secs_f64() * factor)
}

/// So many seconds; none for less than none, and no more than a duration holds.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_games_that_came_so_far_last_as_long_as_expected() {
        let lasting = |moves: f64| 1.0 / (1.0 + (moves / 51.5).powf(7.0));
        for ply in [0, 10, 60, 103, 200, 500] {
            let options = StopOptions::default();
            let turn = Turn { mover: Player::First, ply };
            let situation = Situation::new(&Clock::default(), turn, &Memory::default(), &options);
            let (played, more) = (ply as f64 / 2.0, situation.expected_moves(51.5, 7.0));
            assert!((lasting(played + more) / lasting(played) - 0.5).abs() < 1e-9, "{ply} plies");
        }
    }

    #[test]
    fn a_time_control_that_is_near_is_all_that_counts() {
        let options = StopOptions::default();
        let clock = Clock { moves_to_go: Some(5), ..Clock::default() };
        let turn = Turn { mover: Player::First, ply: 0 };
        let situation = Situation::new(&clock, turn, &Memory::default(), &options);
        assert_eq!(situation.expected_moves(51.5, 7.0), 5.0);
    }
}
