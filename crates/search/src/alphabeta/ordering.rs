//! In which order moves are tried: the better the first ones, the less there is to search.
//!
//! Moves come in stages, and what is not needed is not even generated: the move that the table knows; noisy moves that win or
//! keep the balance, the most urgent first; quiet moves by their histories, refutations ahead; noisy moves that lose.

use outplay_core::{Game, Move};

use super::worker::Worker;
use crate::Evaluator;

/// Moves that refuted at this ply, and the answer to the last move, come before all other quiet moves.
const KILLER: i32 = 1 << 20;
const SECOND_KILLER: i32 = KILLER - 1;
const ANSWER: i32 = KILLER - 2;
/// Moves that lose at once come after all others.
const HOPELESS: i32 = -1 << 30;

/// A move and the value by which it is chosen, in one word that orders as the value does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ranked(u64);

impl Ranked {
    #[inline]
    fn new(m: Move, rank: i32) -> Ranked {
        // Flipping the sign bit makes the order of signed numbers that of unsigned ones.
        Ranked(u64::from(rank as u32 ^ 1 << 31) << 32 | u64::from(m.bits()))
    }

    #[inline]
    fn m(self) -> Move {
        Move::new(self.0 as u16)
    }
}

/// Where a move comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    GenerateNoisy,
    Noisy,
    GenerateQuiet,
    Quiet,
    GenerateChecks,
    Checks,
    Losing,
    Done,
}

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// All.
    All,
    /// Noisy ones that do not lose.
    GoodNoisy,
    /// And quiet ones that must be answered and do not lose.
    GoodNoisyAndChecks,
}

/// Takes the moves of one position one by one. They lie in the worker's list, from `begin` on: first the losing noisy ones, then those
/// that are left of the stage.
pub(super) struct Picker {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<Move>,
    begin: usize,
    losing_end: usize,
    next: usize,
    /// Quiet moves are not wanted any more.
    pub skip_quiet: bool,
    /// Noisy moves that win less are not wanted.
    pub least_gain: i32,
    /// The most that one of those would have won.
    pub left_out: Option<i32>,
}

impl Picker {
    /// Whether the quiet moves have not been looked at yet, and will be.
    #[inline]
    pub fn has_quiet_ahead(&self) -> bool {
        !self.skip_quiet && matches!(self.stage, Stage::Table | Stage::GenerateNoisy | Stage::Noisy)
    }
}

/// A move to be tried.
#[derive(Clone, Copy)]
pub(super) struct Picked {
    pub m: Move,
    pub is_noisy: bool,
    /// A noisy move that loses material.
    pub is_losing: bool,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, '_, G, E> {
    pub(super) fn picker(&self, position: &G, table_move: Option<Move>, wanted: Wanted) -> Picker {
        let begin = self.ranked.len();
        let fits = |&m: &Move| {
            position.is_legal(m) && (wanted == Wanted::All || self.evaluator.is_noisy(position, m))
        };
        let table_move = table_move.filter(fits);
        let stage = if table_move.is_some() { Stage::Table } else { Stage::GenerateNoisy };
        Picker {
            stage,
            wanted,
            table_move,
            begin,
            losing_end: begin,
            next: begin,
            skip_quiet: false,
            least_gain: i32::MIN,
            left_out: None,
        }
    }

    /// The next move; `None` if there is none.
    pub(super) fn next_move(&mut self, picker: &mut Picker, position: &G, ply: usize) -> Option<Picked> {
        loop {
            match picker.stage {
                Stage::Table => {
                    picker.stage = Stage::GenerateNoisy;
                    let m = picker.table_move?;
                    let is_noisy = self.evaluator.is_noisy(position, m);
                    return Some(Picked { m, is_noisy, is_losing: false });
                }
                Stage::GenerateNoisy => {
                    self.rank_noisy(picker, position);
                    picker.stage = Stage::Noisy;
                }
                Stage::Noisy => {
                    let Some(ranked) = self.take_best(picker) else {
                        self.ranked.truncate(picker.losing_end);
                        picker.next = picker.losing_end;
                        picker.stage = match picker.wanted {
                            Wanted::GoodNoisy => Stage::Done,
                            Wanted::GoodNoisyAndChecks => Stage::GenerateChecks,
                            Wanted::All if picker.skip_quiet => self.losing(picker),
                            Wanted::All => Stage::GenerateQuiet,
                        };
                        continue;
                    };
                    if self.evaluator.exchange_wins(position, ranked.m(), 0) {
                        return Some(Picked { m: ranked.m(), is_noisy: true, is_losing: false });
                    }
                    self.ranked[picker.losing_end] = ranked;
                    picker.losing_end += 1;
                }
                Stage::GenerateQuiet => {
                    self.rank_quiet(picker, position, ply);
                    picker.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    let next = if picker.skip_quiet { None } else { self.take_best(picker) };
                    if let Some(ranked) = next {
                        return Some(Picked { m: ranked.m(), is_noisy: false, is_losing: false });
                    }
                    picker.stage = self.losing(picker);
                }
                Stage::GenerateChecks => {
                    self.rank_checks(picker, position);
                    picker.stage = Stage::Checks;
                }
                Stage::Checks => {
                    let Some(ranked) = self.take_best(picker) else {
                        picker.stage = Stage::Done;
                        continue;
                    };
                    if self.evaluator.exchange_wins(position, ranked.m(), 0) {
                        self.techniques.quiescence_checks += 1;
                        return Some(Picked { m: ranked.m(), is_noisy: false, is_losing: false });
                    }
                }
                Stage::Losing => {
                    if picker.next < picker.losing_end {
                        picker.next += 1;
                        let m = self.ranked[picker.next - 1].m();
                        return Some(Picked { m, is_noisy: true, is_losing: true });
                    }
                    picker.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Gives back the room that a picker's moves have taken.
    pub(super) fn end(&mut self, picker: &Picker) {
        self.ranked.truncate(picker.begin);
    }

    /// Goes on with the losing moves, which have been kept.
    fn losing(&mut self, picker: &mut Picker) -> Stage {
        self.ranked.truncate(picker.losing_end);
        picker.next = picker.begin;
        Stage::Losing
    }

    /// Takes the highest of the moves that are left in the stage.
    fn take_best(&mut self, picker: &mut Picker) -> Option<Ranked> {
        let rest = self.ranked.get_mut(picker.next..)?;
        let mut best = (0, *rest.first()?);
        for (number, &ranked) in rest.iter().enumerate() {
            best = if ranked > best.1 { (number, ranked) } else { best };
        }
        rest.swap(0, best.0);
        picker.next += 1;
        Some(rest[0])
    }

    fn rank_noisy(&mut self, picker: &mut Picker, position: &G) {
        let (evaluator, histories) = (&self.evaluator, self.histories);
        let (mover, unit) = (position.to_move(), evaluator.unit());
        let uses_history = self.options.noisy_history;
        let (ranked, techniques) = (&mut self.ranked, &mut self.techniques);
        evaluator.visit_noisy(position, |m, kind| {
            if Some(m) == picker.table_move {
                return;
            }
            let gain = evaluator.gain(position, m);
            if gain < picker.least_gain {
                techniques.delta_prunings += 1;
                picker.left_out = picker.left_out.max(Some(gain));
                return;
            }
            let mut rank = gain * 16;
            if uses_history {
                rank += histories.noisy(histories.played(mover, kind), gain / unit);
            }
            ranked.push(Ranked::new(m, rank));
        });
    }

    fn rank_checks(&mut self, picker: &Picker, position: &G) {
        let (evaluator, histories, ranked) = (&self.evaluator, self.histories, &mut self.ranked);
        let (mover, uses_history) = (position.to_move(), self.options.history);
        evaluator.visit_forcing(position, |m, kind| {
            if Some(m) != picker.table_move {
                let rank = if uses_history { histories.quiet(histories.played(mover, kind)) } else { 0 };
                ranked.push(Ranked::new(m, rank));
            }
        });
    }

    fn rank_quiet(&mut self, picker: &Picker, position: &G, ply: usize) {
        let (evaluator, histories, options) = (&self.evaluator, self.histories, self.options);
        let mover = position.to_move();
        let before = self.frames.before(ply);
        let [first, second] = self.frames[ply].killers;
        let answer = before[0].filter(|_| options.counter_moves).and_then(|played| histories.answer(played));
        let before = before.map(|before| before.filter(|_| options.continuation_history));
        let known = histories.of_quiet(options.history, before);
        let ranked = &mut self.ranked;
        evaluator.visit_quiet(position, |m, kind, promise| {
            if Some(m) == picker.table_move || promise.is_none() && options.foresight {
                return;
            }
            let learned = if Some(m) == first {
                KILLER
            } else if Some(m) == second {
                SECOND_KILLER
            } else if Some(m) == answer {
                ANSWER
            } else {
                known.of(histories.played(mover, kind))
            };
            ranked.push(Ranked::new(m, learned + promise.unwrap_or(HOPELESS)));
        });
    }
}
