//! In which order moves are tried: the better the first ones, the less there is to search.
//!
//! Moves come in stages, and what is not needed is not even generated: the move that the table knows; noisy moves that win or
//! keep the balance, the most urgent first; quiet moves by their histories, refutations ahead; noisy moves that lose.

use outplay_core::{Game, Move};

use super::worker::Worker;
use crate::{Evaluation, Knowledge, Tactics};

/// Moves that refuted at this ply, and the answer to the last move, come before all other quiet moves.
const KILLER: i32 = 1 << 20;
const SECOND_KILLER: i32 = KILLER - 1;
const COUNTER_MOVE: i32 = KILLER - 2;
/// Moves that lose at once come after all others.
const LOSES_AT_ONCE: i32 = -1 << 30;

/// A move and the value by which it is chosen, in one word that orders as the value does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScoredMove(u64);

impl ScoredMove {
    #[inline]
    fn new(m: Move, rank: i32) -> ScoredMove {
        // Flipping the sign bit makes the order of signed numbers that of unsigned ones.
        ScoredMove(u64::from(rank as u32 ^ 1 << 31) << 32 | u64::from(m.bits()))
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
pub(super) struct MovePicker {
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

impl MovePicker {
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
    /// A quiet move that must be answered, tried though quiet moves are left out.
    pub is_late_check: bool,
}

impl Picked {
    fn of(m: Move, is_noisy: bool) -> Picked {
        Picked { m, is_noisy, is_losing: false, is_late_check: false }
    }
}

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    pub(super) fn picker(&self, position: &G, table_move: Option<Move>, wanted: Wanted) -> MovePicker {
        let begin = self.scored.len();
        let fits =
            |&m: &Move| position.is_legal(m) && (wanted == Wanted::All || self.tactics.is_noisy(position, m));
        let table_move = table_move.filter(fits);
        let stage = if table_move.is_some() { Stage::Table } else { Stage::GenerateNoisy };
        MovePicker {
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
    pub(super) fn next_move(&mut self, picker: &mut MovePicker, position: &G, ply: usize) -> Option<Picked> {
        loop {
            match picker.stage {
                Stage::Table => {
                    picker.stage = Stage::GenerateNoisy;
                    let m = picker.table_move?;
                    let is_noisy = self.tactics.is_noisy(position, m);
                    return Some(Picked::of(m, is_noisy));
                }
                Stage::GenerateNoisy => {
                    self.score_noisy(picker, position);
                    picker.stage = Stage::Noisy;
                }
                Stage::Noisy => {
                    let Some(scored) = self.take_best(picker) else {
                        self.scored.truncate(picker.losing_end);
                        picker.next = picker.losing_end;
                        picker.stage = match picker.wanted {
                            Wanted::GoodNoisy => Stage::Done,
                            Wanted::GoodNoisyAndChecks => Stage::GenerateChecks,
                            Wanted::All if picker.skip_quiet && self.options.late_checks => {
                                Stage::GenerateChecks
                            }
                            Wanted::All if picker.skip_quiet => self.losing(picker),
                            Wanted::All => Stage::GenerateQuiet,
                        };
                        continue;
                    };
                    if self.tactics.see_at_least(position, scored.m(), 0) {
                        return Some(Picked::of(scored.m(), true));
                    }
                    self.scored[picker.losing_end] = scored;
                    picker.losing_end += 1;
                }
                Stage::GenerateQuiet => {
                    self.score_quiet(picker, position, ply);
                    picker.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    let next = if picker.skip_quiet { None } else { self.take_best(picker) };
                    if let Some(scored) = next {
                        return Some(Picked::of(scored.m(), false));
                    }
                    picker.stage = match picker.skip_quiet && self.options.late_checks {
                        true => self.checks_left(picker, position),
                        false => self.losing(picker),
                    };
                }
                Stage::GenerateChecks => {
                    self.score_checks(picker, position);
                    picker.stage = Stage::Checks;
                }
                Stage::Checks => {
                    let Some(scored) = self.take_best(picker) else {
                        picker.stage = match picker.wanted {
                            Wanted::All => self.losing(picker),
                            _ => Stage::Done,
                        };
                        continue;
                    };
                    if self.tactics.see_at_least(position, scored.m(), 0) {
                        let is_late_check = picker.wanted == Wanted::All;
                        let counter = match is_late_check {
                            true => &mut self.techniques.late_checks,
                            false => &mut self.techniques.quiescence_checks,
                        };
                        *counter += 1;
                        return Some(Picked { is_late_check, ..Picked::of(scored.m(), false) });
                    }
                }
                Stage::Losing => {
                    if picker.next < picker.losing_end {
                        picker.next += 1;
                        let m = self.scored[picker.next - 1].m();
                        return Some(Picked { is_losing: true, ..Picked::of(m, true) });
                    }
                    picker.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Of the quiet moves that have not been tried, those that must be answered.
    fn checks_left(&mut self, picker: &MovePicker, position: &G) -> Stage {
        let (begin, scored) = (picker.next, &mut self.scored);
        let mut end = begin;
        self.tactics.visit_checks(position, |m, _| {
            if let Some(place) = scored[end..].iter().position(|scored| scored.m() == m) {
                scored.swap(end, end + place);
                end += 1;
            }
        });
        scored.truncate(end);
        Stage::Checks
    }

    /// Gives back the room that a picker's moves have taken.
    pub(super) fn end(&mut self, picker: &MovePicker) {
        self.scored.truncate(picker.begin);
    }

    /// Goes on with the losing moves, which have been kept.
    fn losing(&mut self, picker: &mut MovePicker) -> Stage {
        self.scored.truncate(picker.losing_end);
        picker.next = picker.begin;
        Stage::Losing
    }

    /// Takes the highest of the moves that are left in the stage.
    fn take_best(&mut self, picker: &mut MovePicker) -> Option<ScoredMove> {
        let rest = self.scored.get_mut(picker.next..)?;
        let mut best = (0, *rest.first()?);
        for (number, &scored) in rest.iter().enumerate() {
            best = if scored > best.1 { (number, scored) } else { best };
        }
        rest.swap(0, best.0);
        picker.next += 1;
        Some(rest[0])
    }

    fn score_noisy(&mut self, picker: &mut MovePicker, position: &G) {
        let (tactics, histories) = (self.tactics, self.histories);
        let (mover, unit) = (position.to_move(), self.evaluation.unit());
        let uses_history = self.options.noisy_history;
        let (scored, techniques) = (&mut self.scored, &mut self.techniques);
        tactics.visit_noisy(position, |m, kind| {
            if Some(m) == picker.table_move {
                return;
            }
            let gain = tactics.gain(position, m);
            if gain < picker.least_gain {
                techniques.delta_prunings += 1;
                picker.left_out = picker.left_out.max(Some(gain));
                return;
            }
            let mut rank = gain * 16;
            if uses_history {
                rank += histories.noisy(histories.played(mover, kind), gain / unit);
            }
            scored.push(ScoredMove::new(m, rank));
        });
    }

    fn score_checks(&mut self, picker: &MovePicker, position: &G) {
        let (histories, scored) = (self.histories, &mut self.scored);
        let (mover, uses_history) = (position.to_move(), self.options.history);
        self.tactics.visit_checks(position, |m, kind| {
            if Some(m) != picker.table_move {
                let rank = if uses_history { histories.quiet(histories.played(mover, kind)) } else { 0 };
                scored.push(ScoredMove::new(m, rank));
            }
        });
    }

    fn score_quiet(&mut self, picker: &MovePicker, position: &G, ply: usize) {
        let (histories, options) = (self.histories, self.options);
        let mover = position.to_move();
        let before = self.stack.before(ply);
        let [first, second] = self.stack[ply].killers;
        let answer =
            before[0].filter(|_| options.counter_moves).and_then(|played| histories.counter_move(played));
        let before = before.map(|before| before.filter(|_| options.continuation_history));
        let known = histories.of_quiet(options.history, before);
        let scored = &mut self.scored;
        self.tactics.visit_quiet(&mut self.states.tactics, position, |m, kind, ordering_score| {
            if Some(m) == picker.table_move || ordering_score.is_none() && options.oracle {
                return;
            }
            let learned = if Some(m) == first {
                KILLER
            } else if Some(m) == second {
                SECOND_KILLER
            } else if Some(m) == answer {
                COUNTER_MOVE
            } else {
                known.of(histories.played(mover, kind))
            };
            scored.push(ScoredMove::new(m, learned + ordering_score.unwrap_or(LOSES_AT_ONCE)));
        });
    }
}
