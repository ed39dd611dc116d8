//! The search above the last few empty squares: null windows only, a table, stability, and the moves that leave the opponent least first.

use std::sync::atomic::{AtomicBool, Ordering};

use super::local::{LOCAL, Own, solve_local};
use super::near::final_margin;
use super::ordering::{MOBILITY, PARITY, STABLE_FROM};
use super::squares::{CORNERS, QUADRANT, WORTH, odd_quadrants};
use super::stability::stable_discs;
use super::table::{Known, Table};
use super::team::{Member, SHARED, Step};
use crate::eval::positional;
use crate::kernels::{count_bits, flips, legal_moves};

/// From so many empty squares on, moves whose position is settled by the table are looked for before any is searched.
const LEAST_ENHANCED: u32 = 9;
/// From so many empty squares on, a shallow search by the evaluation helps to put moves into order.
const LEAST_EVALUATED: u32 = 13;

/// One thread's side of a search.
pub(super) struct Search<'a> {
    pub table: &'a Table,
    pub own: &'a mut Own,
    /// Set from outside to end the search.
    pub stop: &'a AtomicBool,
    /// Whether the search was ended before its time: then values mean nothing.
    pub is_stopped: bool,
    /// What ties it to the other threads, if there are any.
    pub member: Option<Member<'a>>,
}

#[derive(Clone, Copy, Default)]
struct Reply {
    rank: i32,
    square: u32,
    mover: u64,
    opponent: u64,
}

impl Search<'_> {
    /// Whether the mover wins by more than `alpha`: a lower bound of the margin above it if so, an upper bound not above it otherwise.
    pub fn exceeds(&mut self, mover: u64, opponent: u64, alpha: i32) -> i32 {
        let empty = !(mover | opponent);
        let empties = count_bits(empty);
        if empties <= LOCAL {
            return solve_local(mover, opponent, alpha, odd_quadrants(empty), self.own);
        }
        self.own.nodes += 1;
        if empties >= LEAST_EVALUATED && self.is_told_to_stop() {
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
        let legal = legal_moves(mover, opponent);
        if legal == 0 {
            return match legal_moves(opponent, mover) {
                0 => final_margin(mover, opponent),
                _ => -self.exceeds(opponent, mover, -alpha - 1),
            };
        }
        let known = self.table.get(mover, opponent).unwrap_or(Known::NOTHING);
        if known.least > alpha || known.least == known.most {
            return known.least;
        }
        if known.most <= alpha {
            return known.most;
        }
        let mut replies = [Reply::default(); 34];
        let count = self.replies(mover, opponent, legal, &mut replies);
        if empties >= LEAST_ENHANCED {
            for reply in &replies[..count] {
                let least = self.table.get(reply.mover, reply.opponent).map_or(-64, |known| -known.most);
                if least > alpha {
                    return least;
                }
            }
        }
        self.rank(empties, known.square, &mut replies[..count]);
        let place = match &mut self.member {
            Some(member) if empties >= SHARED => {
                let Some(place) = member.enter(Step { mover, opponent, alpha }, self.table) else {
                    return alpha;
                };
                Some(place)
            }
            _ => None,
        };
        let answer = self.try_replies(&replies[..count], alpha, place.is_some());
        if let (Some(place), Some(member)) = (place, &mut self.member)
            && let Some(value) = member.leave(place)
        {
            return value;
        }
        let Some((best, square)) = answer else { return alpha };
        self.table.put(mover, opponent, empties, known.with(best, square, alpha));
        if let (Some(_), Some(member)) = (place, &self.member) {
            member.settle();
        }
        best
    }

    fn is_told_to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.member.as_ref().is_some_and(Member::is_over)
    }

    /// The best value of these positions for who moved there, and the square, up to the first beyond `alpha`; none if the search was
    /// ended, or the position that they belong to need not be searched any more.
    fn try_replies(&mut self, replies: &[Reply], alpha: i32, is_shared: bool) -> Option<(i32, u32)> {
        let (mut best, mut square) = (-64, 64);
        let mut waiting = (1u64 << replies.len()) - 1;
        // What others are at comes last.
        for may_wait in [is_shared, false] {
            let mut left = waiting;
            while left != 0 && best <= alpha {
                let nth = left.trailing_zeros();
                left &= left - 1;
                let reply = &replies[nth as usize];
                let member = self.member.as_ref().filter(|_| is_shared);
                if let Some(member) = member {
                    if may_wait && square < 64 && member.is_busy(reply.mover, reply.opponent) {
                        continue;
                    }
                    member.mark(reply.mover, reply.opponent, true);
                }
                waiting &= !(1 << nth);
                let value = -self.exceeds(reply.mover, reply.opponent, -alpha - 1);
                if let Some(member) = self.member.as_ref().filter(|_| is_shared) {
                    member.mark(reply.mover, reply.opponent, false);
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

    /// The positions after each move; how many.
    fn replies(&self, mover: u64, opponent: u64, mut legal: u64, replies: &mut [Reply; 34]) -> usize {
        let mut count = 0;
        while legal != 0 {
            let square = legal.trailing_zeros();
            legal &= legal - 1;
            let flipped = flips(mover, opponent, square);
            let (next, last) = (opponent ^ flipped, mover | flipped | 1 << square);
            replies[count] = Reply { rank: 0, square, mover: next, opponent: last };
            count += 1;
        }
        count
    }

    /// Puts moves into order, best first.
    fn rank(&mut self, empties: u32, table_square: u32, replies: &mut [Reply]) {
        if replies.len() < 2 {
            return;
        }
        let odd =
            odd_quadrants(!(replies[0].mover | replies[0].opponent)) ^ QUADRANT[replies[0].square as usize];
        let depth = match empties {
            ..LEAST_EVALUATED => None,
            LEAST_EVALUATED..16 => Some(0),
            16..19 => Some(1),
            19..21 => Some(2),
            21..23 => Some(3),
            _ => Some(4),
        };
        for reply in &mut *replies {
            if reply.square == table_square {
                reply.rank = i32::MAX;
                continue;
            }
            let moves = legal_moves(reply.mover, reply.opponent);
            let mobility = count_bits(moves) + count_bits(moves & CORNERS);
            let parity = if QUADRANT[reply.square as usize] & odd != 0 { PARITY } else { 0 };
            reply.rank = i32::from(WORTH[reply.square as usize]) + parity - MOBILITY * mobility as i32;
            if let Some(depth) = depth {
                let value = self.shallow(reply.mover, reply.opponent, depth, -30_000, 30_000);
                reply.rank -= value / 10;
            }
        }
        replies.sort_unstable_by_key(|reply| std::cmp::Reverse((reply.rank, reply.square)));
    }

    /// Alpha-beta by the evaluation of the middle game.
    fn shallow(&mut self, mover: u64, opponent: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.own.nodes += 1;
        let mut legal = legal_moves(mover, opponent);
        if legal == 0 {
            return match legal_moves(opponent, mover) {
                0 => 100 * final_margin(mover, opponent),
                _ => -self.shallow(opponent, mover, depth, -beta, -alpha),
            };
        }
        if depth == 0 {
            return positional(mover, opponent, legal);
        }
        let mut best = -30_000;
        while legal != 0 && alpha < beta {
            let square = legal.trailing_zeros();
            legal &= legal - 1;
            let flipped = flips(mover, opponent, square);
            let value =
                -self.shallow(opponent ^ flipped, mover | flipped | 1 << square, depth - 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(best);
        }
        best
    }

    /// A first guess of the margin.
    pub fn guess(&mut self, mover: u64, opponent: u64) -> i32 {
        let value = self.shallow(mover, opponent, 3, -30_000, 30_000) / 100;
        (value.clamp(-64, 64) / 2) * 2
    }
}
