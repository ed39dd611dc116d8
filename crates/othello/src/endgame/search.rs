//! The search above the last few empty squares: null windows only, a table, stability, selective cuts, and the best-looking moves first.

use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Game, Move};
use outplay_search::Evaluation;

use super::local::{LOCAL, Own, solve_local};
use super::near::final_margin;
use super::ordering::{EVALUATED, STABLE_FROM, look_depth};
use super::selectivity::{Calibration, Confidence, SELECTIVE};
use super::squares::odd_quadrants;
use super::stability::stable_discs;
use super::table::{Known, Table};
use super::team::{Member, SHARED, Step};
use crate::kernels::count_bits;
use crate::{Othello, PASS};

/// One thread's side of a search.
pub(super) struct Search<'a, V: Evaluation<Othello>> {
    pub table: &'a Table,
    /// What searches to a depth have found out.
    pub foreseen: &'a Table,
    pub own: &'a mut Own,
    pub evaluation: &'a V,
    pub calibration: &'a Calibration,
    /// Stands at the position that is searched, as long as that is evaluated.
    pub state: &'a mut V::State,
    /// How sure a cut has to be.
    pub confidence: Confidence,
    /// Set from outside to end the search.
    pub stop: &'a AtomicBool,
    /// The same, asked instead.
    pub is_late: Option<&'a dyn Fn() -> bool>,
    /// How many positions this thread had visited when a search to a depth last asked whether to end.
    pub asked_at: u64,
    /// Whether the search was ended before its time: then values mean nothing.
    pub is_stopped: bool,
    /// What ties it to the other threads, if there are any.
    pub member: Option<Member<'a>>,
}

/// A move, and the position after it.
#[derive(Clone, Copy)]
pub(super) struct Reply {
    pub rank: i32,
    pub square: u32,
    pub position: Othello,
}

impl<V: Evaluation<Othello>> Search<'_, V> {
    /// Whether the mover wins by more than `alpha`: a lower bound of the margin above it if so, an upper bound not above it otherwise.
    pub fn exceeds(&mut self, position: &Othello, alpha: i32) -> i32 {
        let (mover, opponent, empty) = (position.mover(), position.opponent(), position.empty());
        let empties = count_bits(empty);
        if empties <= LOCAL {
            let value = solve_local(mover, opponent, alpha, odd_quadrants(empty), self.own);
            self.is_stopped |= self.own.is_over();
            return value;
        }
        self.own.nodes += 1;
        if self.is_told_to_stop() {
            self.is_stopped = true;
        }
        if self.is_stopped {
            return alpha;
        }
        // Discs of the opponent that stay bound what can be won; worth counting only where much is asked for.
        if alpha >= STABLE_FROM[empties as usize] {
            let most = 64 - 2 * count_bits(stable_discs(opponent, mover)) as i32;
            if most <= alpha {
                return most;
            }
        }
        let legal = position.legal_moves().squares();
        if legal == 0 {
            if position.outcome().is_some() {
                return final_margin(mover, opponent);
            }
            let after = position.after(PASS);
            self.make(position, PASS, &after);
            let value = -self.exceeds(&after, -alpha - 1);
            self.unmake(position);
            return value;
        }
        let found = self.table.get(mover, opponent);
        let known = found.map_or(Known::NOTHING, |known| known.as_sure_as(self.confidence));
        if known.least > alpha || known.least == known.most {
            return known.least;
        }
        if known.most <= alpha {
            return known.most;
        }
        let mut replies = [Reply { rank: 0, square: 64, position: *position }; 34];
        let count = replies_to(position, &mut replies);
        let replies = &mut replies[..count];
        for reply in &*replies {
            let after = self.table.get(reply.position.mover(), reply.position.opponent());
            let least = after.map_or(-64, |known| -known.as_sure_as(self.confidence).most);
            if least > alpha {
                return least;
            }
        }
        if let Some(value) = self.selective_cut(position, alpha) {
            return value;
        }
        let best_before = match known.square {
            64 => self.foreseen.get(mover, opponent).unwrap_or(known),
            _ => known,
        };
        self.rank(position, best_before, replies, look_depth(empties), 100 * alpha);
        let place = match &mut self.member {
            Some(member) if empties >= SHARED => {
                let step = Step { mover, opponent, alpha, confidence: self.confidence };
                let Some(place) = member.enter(step, self.table) else {
                    return alpha;
                };
                Some(place)
            }
            _ => None,
        };
        let answer = self.try_replies(position, replies, alpha, place.is_some());
        if let (Some(place), Some(member)) = (place, &mut self.member)
            && let Some(value) = member.leave(place)
        {
            return value;
        }
        let Some((best, square)) = answer else { return alpha };
        let known = known.with(best, square, alpha, self.confidence_at(empties));
        self.table.put(mover, opponent, empties, known);
        if let (Some(_), Some(member)) = (place, &self.member) {
            member.settle();
        }
        best
    }

    /// How sure an answer is that was found with so many empty squares: where nothing is cut selectively, it is certain.
    fn confidence_at(&self, empties: u32) -> Confidence {
        if empties < SELECTIVE { Confidence::CERTAIN } else { self.confidence }
    }

    pub(super) fn is_told_to_stop(&self) -> bool {
        self.own.is_over()
            || self.stop.load(Ordering::Relaxed)
            || self.is_late.is_some_and(|is_late| is_late())
            || self.member.as_ref().is_some_and(Member::is_over)
    }

    /// The evaluation follows a move, if positions after it are still evaluated.
    #[inline]
    pub(super) fn make(&mut self, before: &Othello, m: Move, after: &Othello) {
        if is_followed(before) {
            self.evaluation.make(self.state, before, Some(m), after);
        }
    }

    /// Takes back what led on from a position.
    #[inline]
    pub(super) fn unmake(&mut self, before: &Othello) {
        if is_followed(before) {
            self.evaluation.unmake(self.state, before);
        }
    }

    /// The best value of these positions for who moved there, and the square, up to the first beyond `alpha`; none if the search was
    /// ended, or the position that they belong to need not be searched any more.
    fn try_replies(
        &mut self,
        position: &Othello,
        replies: &[Reply],
        alpha: i32,
        is_shared: bool,
    ) -> Option<(i32, u32)> {
        let (mut best, mut square) = (-64, 64);
        let mut waiting = (1u64 << replies.len()) - 1;
        // What others are at comes last.
        for may_wait in [is_shared, false] {
            let mut left = waiting;
            while left != 0 && best <= alpha {
                let nth = left.trailing_zeros();
                left &= left - 1;
                let reply = &replies[nth as usize];
                let (mover, opponent) = (reply.position.mover(), reply.position.opponent());
                if let Some(member) = self.member.as_ref().filter(|_| is_shared) {
                    if may_wait && square < 64 && member.is_busy(mover, opponent) {
                        continue;
                    }
                    member.mark(mover, opponent, true);
                }
                waiting &= !(1 << nth);
                self.make(position, Move::new(reply.square as u16), &reply.position);
                let value = -self.exceeds(&reply.position, -alpha - 1);
                self.unmake(position);
                if let Some(member) = self.member.as_ref().filter(|_| is_shared) {
                    member.mark(mover, opponent, false);
                    if member.found.is_some() {
                        return None;
                    }
                }
                if self.is_stopped {
                    return None;
                }
                if value > best || square == 64 {
                    (best, square) = (value, reply.square);
                }
            }
        }
        Some((best, square))
    }
}

/// Whether the evaluation follows what is played here. One question for taking a move back as for making it, and a pass leaves as many squares
/// empty as there were, so it is asked about the position before.
#[inline]
fn is_followed(before: &Othello) -> bool {
    count_bits(before.empty()) >= EVALUATED
}

/// The positions after each move on a square; how many.
pub(super) fn replies_to(position: &Othello, replies: &mut [Reply; 34]) -> usize {
    let mut legal = position.legal_moves().squares();
    let mut count = 0;
    while legal != 0 {
        let square = legal.trailing_zeros();
        legal &= legal - 1;
        replies[count] = Reply { rank: 0, square, position: position.after(Move::new(square as u16)) };
        count += 1;
    }
    count
}
