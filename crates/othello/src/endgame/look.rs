//! Shallow searches by the evaluation: they put moves into order, and say where a position is so good or so bad that searching it
//! further is not worth while yet.

use std::cmp::Reverse;

use outplay_core::{Game, Move};
use outplay_search::Evaluation;

use super::near::final_margin;
use super::ordering::{CORNER_STABLE, EVALUATION, MOBILITY, PARITY, POTENTIAL, look_depth};
use super::search::{EVALUATED, Reply, Search, replies_to};
use super::selectivity::{Confidence, SELECTIVE, cut_depth};
use super::squares::{CORNERS, QUADRANT, WORTH, odd_quadrants};
use super::stability::{around, stable_corners};
use crate::kernels::count_bits;
use crate::{Othello, PASS};

/// More than any evaluation.
const INFINITE: i32 = 30_000;
/// How far the evaluation at sight may fall short of a cut for a search to be worth trying, in hundredths.
const HOPE: i32 = 300;

impl<V: Evaluation<Othello>> Search<'_, V> {
    /// Whether the mover wins by more than `alpha`, as sure as the search wants it, if a shallow search says so clearly.
    pub fn selective_cut(&mut self, position: &Othello, alpha: i32) -> Option<i32> {
        let empties = count_bits(position.empty());
        if self.confidence == Confidence::CERTAIN || empties < SELECTIVE {
            return None;
        }
        let depth = cut_depth(empties);
        let [low, high] = self.calibration.bounds(empties, depth, alpha, self.confidence);
        let now = self.evaluation.evaluate(self.state, position);
        if now >= high - HOPE && self.look(position, depth, high - 1, high) >= high {
            return Some(alpha + 1);
        }
        if now <= low + HOPE && self.look(position, depth, low, low + 1) <= low {
            return Some(alpha);
        }
        None
    }

    /// Puts moves into order, best first.
    pub fn rank(&mut self, position: &Othello, table_square: u32, replies: &mut [Reply]) {
        if replies.len() < 2 {
            return;
        }
        let empties = count_bits(position.empty());
        let odd = odd_quadrants(position.empty());
        let depth = look_depth(empties);
        self.own.nodes += replies.len() as u64;
        for reply in &mut *replies {
            reply.rank = sight(reply, odd);
            if reply.square == table_square {
                reply.rank = i32::MAX;
            } else if empties >= EVALUATED {
                self.evaluation.make(
                    self.state,
                    position,
                    Some(Move::new(reply.square as u16)),
                    &reply.position,
                );
                let value = -self.look(&reply.position, depth, -INFINITE, INFINITE);
                self.evaluation.unmake(self.state, position);
                reply.rank += value * EVALUATION / 100;
            }
        }
        replies.sort_unstable_by_key(|reply| Reverse((reply.rank, reply.square)));
    }

    /// Alpha-beta by the evaluation, so many plies deep.
    pub fn look(&mut self, position: &Othello, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.own.nodes += 1;
        if position.outcome().is_some() {
            return 100 * final_margin(position.mover(), position.opponent());
        }
        if depth == 0 {
            return self.evaluation.evaluate(self.state, position);
        }
        if position.must_pass() {
            let after = position.after(PASS);
            self.evaluation.make(self.state, position, Some(PASS), &after);
            let value = -self.look(&after, depth, -beta, -alpha);
            self.evaluation.unmake(self.state, position);
            return value;
        }
        let mut replies = [Reply { rank: 0, square: 64, position: *position }; 34];
        let count = replies_to(position, &mut replies);
        let replies = &mut replies[..count];
        if depth > 1 {
            let odd = odd_quadrants(position.empty());
            for reply in &mut *replies {
                reply.rank = sight(reply, odd);
            }
            replies.sort_unstable_by_key(|reply| Reverse((reply.rank, reply.square)));
        }
        let mut best = -INFINITE;
        for reply in &*replies {
            self.evaluation.make(self.state, position, Some(Move::new(reply.square as u16)), &reply.position);
            let value = -self.look(&reply.position, depth - 1, -beta, -alpha);
            self.evaluation.unmake(self.state, position);
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// A first guess of the margin.
    pub fn guess(&mut self, position: &Othello) -> i32 {
        let value = self.look(position, 3, -INFINITE, INFINITE) / 100;
        (value.clamp(-64, 64) / 2) * 2
    }
}

/// What a move looks like without an evaluation: the fewer replies it leaves, the better.
fn sight(reply: &Reply, odd: u8) -> i32 {
    let Reply { square, position, .. } = reply;
    let moves = position.legal_moves().squares();
    let mobility = count_bits(moves) + count_bits(moves & CORNERS);
    let potential = around(position.opponent()) & position.empty();
    let potential = count_bits(potential) + count_bits(potential & CORNERS);
    let parity = if QUADRANT[*square as usize] & odd != 0 { PARITY } else { 0 };
    i32::from(WORTH[*square as usize]) + parity + CORNER_STABLE * stable_corners(position.opponent()) as i32
        - MOBILITY * mobility as i32
        - POTENTIAL * potential as i32
}
