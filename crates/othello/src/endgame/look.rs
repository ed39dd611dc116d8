//! Plain searches of a few plies by the evaluation, and what puts moves into order.

use std::cmp::Reverse;

use outplay_core::{Game, Move};
use outplay_search::Evaluation;

use super::near::final_margin;
use super::ordering::{CORNER_STABLE, EVALUATION, MOBILITY, PARITY, POTENTIAL};
use super::search::{Reply, Search, replies_to};
use super::squares::{CORNERS, QUADRANT, WORTH, odd_quadrants};
use super::stability::{around, stable_corners};
use super::table::Known;
use crate::kernels::count_bits;
use crate::{Othello, PASS};

/// Moves that are worth less than what is asked about by so much are not told apart, in hundredths.
const WORSE: i32 = 800;

/// More than any evaluation.
pub(super) const INFINITE: i32 = 30_000;

impl<V: Evaluation<Othello>> Search<'_, V> {
    /// Puts moves into order, best first: by searches of so many plies after each, if the evaluation is to be asked. They need not tell
    /// moves apart that are worth much less than `alpha`, in hundredths.
    pub fn rank(
        &mut self,
        position: &Othello,
        known: Known,
        replies: &mut [Reply],
        depth: Option<u32>,
        alpha: i32,
    ) {
        if replies.len() < 2 {
            return;
        }
        let odd = odd_quadrants(position.empty());
        let floor = (alpha - WORSE).max(-INFINITE);
        self.own.nodes += replies.len() as u64;
        for reply in &mut *replies {
            if reply.square == known.square {
                reply.rank = i32::MAX;
                continue;
            }
            let value = depth.map_or(0, |depth| {
                self.evaluation.make(
                    self.state,
                    position,
                    Some(Move::new(reply.square as u16)),
                    &reply.position,
                );
                let value = -self.look(&reply.position, depth, -INFINITE, -floor);
                self.evaluation.unmake(self.state, position);
                value.max(floor)
            });
            reply.rank = sight(reply, odd) + value * EVALUATION / 100;
        }
        replies.sort_unstable_by_key(|reply| Reverse((reply.rank, reply.square)));
    }

    /// Alpha-beta by the evaluation, so many plies deep.
    pub fn look(&mut self, position: &Othello, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.own.nodes += 1;
        if depth == 0 && position.outcome().is_none() {
            return self.evaluation.evaluate(self.state, position);
        }
        if position.must_pass() {
            let after = position.after(PASS);
            self.evaluation.make(self.state, position, Some(PASS), &after);
            let value = -self.look(&after, depth, -beta, -alpha);
            self.evaluation.unmake(self.state, position);
            return value;
        }
        if position.outcome().is_some() {
            return 100 * final_margin(position.mover(), position.opponent());
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
