//! Searches to a depth, with null windows, a table and selective cuts of their own: they say where a position is so good or so bad that it
//! need not be searched to the end yet, and which moves are worth trying first.

use outplay_core::{Game, Move};
use outplay_search::{Evaluation, Foretelling};

use super::look::INFINITE;
use super::near::final_margin;
use super::search::{Reply, Search, replies_to};
use super::selectivity::{Confidence, SELECTIVE, cut_depth};
use super::table::Known;
use crate::kernels::count_bits;
use crate::{Othello, PASS};

/// Searches of so many plies or less are plain.
const PLAIN: u32 = 2;
/// From so many plies on, searches are cut where shallower ones foretell them.
const FORETOLD: u32 = 4;
/// How deep cuts are nested: a search that decides on a cut may have cuts of its own, but those none.
const NESTED: u32 = 2;
/// How far the evaluation at sight may fall short of a cut for a search to be worth trying, in hundredths.
const HOPE: i32 = 300;
/// How many positions are visited before it is asked again whether the search was ended.
const PATIENCE: u64 = 256;

impl<V: Evaluation<Othello>> Search<'_, V> {
    /// Whether the mover wins by more than `alpha`, as sure as the search wants it, if a shallow search says so clearly.
    pub fn selective_cut(&mut self, position: &Othello, alpha: i32) -> Option<i32> {
        let empties = count_bits(position.empty());
        if self.confidence == Confidence::CERTAIN || empties < SELECTIVE {
            return None;
        }
        let depth = cut_depth(empties);
        let [low, high] = self.calibration.bounds(depth, alpha, self.confidence);
        let now = self.evaluation.evaluate(self.state, position);
        if now >= high - HOPE && self.foresee(position, high - 1, depth, 1) >= high {
            return Some(alpha + 1);
        }
        if now <= low + HOPE && self.foresee(position, low, depth, 1) <= low {
            return Some(alpha);
        }
        None
    }

    /// Whether a search of so many plies is worth more than `alpha`: a lower bound of its value above it if so, an upper bound not above
    /// it otherwise.
    pub fn foresee(&mut self, position: &Othello, alpha: i32, depth: u32, nested: u32) -> i32 {
        if depth <= PLAIN {
            return self.look(position, depth, alpha, alpha + 1);
        }
        self.own.nodes += 1;
        // Positions are counted by several at once, so that a multiple may be stepped over.
        if self.own.nodes - self.asked_at >= PATIENCE {
            self.asked_at = self.own.nodes;
            self.is_stopped |= self.is_told_to_stop();
        }
        self.is_stopped |= self.own.is_over();
        if self.is_stopped {
            return alpha;
        }
        let (mover, opponent, empties) =
            (position.mover(), position.opponent(), count_bits(position.empty()));
        if position.must_pass() || position.outcome().is_some() {
            if position.outcome().is_some() {
                return 100 * final_margin(mover, opponent);
            }
            let after = position.after(PASS);
            self.evaluation.make(self.state, position, Some(PASS), &after);
            let value = -self.foresee(&after, -alpha - 1, depth, nested);
            self.evaluation.unmake(self.state, position);
            return value;
        }
        let found = self.foreseen.get(mover, opponent);
        let known = found.unwrap_or(Known::NOTHING.of_depth(0)).as_deep_as(depth, self.confidence);
        if known.least > alpha {
            return known.least;
        }
        if known.most <= alpha {
            return known.most;
        }
        if nested < NESTED
            && let Some(value) = self.foreseen_cut(position, alpha, depth, nested)
        {
            return value;
        }
        let mut replies = [Reply { rank: 0, square: 64, position: *position }; 34];
        let count = replies_to(position, &mut replies);
        let replies = &mut replies[..count];
        self.rank(position, known, replies, Some(0), alpha);
        let (mut best, mut square) = (-INFINITE, 64);
        for reply in &*replies {
            self.evaluation.make(self.state, position, Some(Move::new(reply.square as u16)), &reply.position);
            let value = -self.foresee(&reply.position, -alpha - 1, depth - 1, nested);
            self.evaluation.unmake(self.state, position);
            if self.is_stopped {
                return alpha;
            }
            if value > best {
                (best, square) = (value, reply.square);
                if best > alpha {
                    break;
                }
            }
        }
        let known = known.with(best, square, alpha, self.confidence);
        self.foreseen.put(mover, opponent, empties, Known { depth, ..known });
        best
    }

    /// What a search of this depth would say, if a shallower one says so clearly.
    fn foreseen_cut(&mut self, position: &Othello, alpha: i32, depth: u32, nested: u32) -> Option<i32> {
        if self.confidence == Confidence::CERTAIN || depth < FORETOLD {
            return None;
        }
        let rows = self.evaluation.foretold(position);
        let &Foretelling { slope, offset, deviation, .. } = Foretelling::of_depth(rows, depth as i32)?;
        let shallow = Foretelling::shallower(depth as i32) as u32;
        let clear = self.confidence.deviations() * deviation;
        let bound = |value: f32| ((value - offset) / slope) as i32;
        let (low, high) = (bound(alpha as f32 - clear), bound((alpha + 1) as f32 + clear));
        let now = self.evaluation.evaluate(self.state, position);
        if now >= high - HOPE && self.foresee(position, high - 1, shallow, nested + 1) >= high {
            return Some(alpha + 1);
        }
        if now <= low + HOPE && self.foresee(position, low, shallow, nested + 1) <= low {
            return Some(alpha);
        }
        None
    }

    /// What a search of so many plies is worth, to a disc, beginning at a guess; the guess if the search was ended.
    pub fn foreseen_value(&mut self, position: &Othello, guess: i32, depth: u32) -> i32 {
        const PRECISION: i32 = 100;
        let (mut least, mut most) = (-INFINITE, INFINITE);
        let mut asked = guess;
        while most - least > PRECISION {
            let value = self.foresee(position, asked, depth, 0);
            if self.is_stopped {
                return guess;
            }
            if value > asked {
                least = value;
                asked = (least + PRECISION).min(most - 1);
            } else {
                most = value;
                asked = (most - PRECISION - 1).max(least);
            }
        }
        (least + most) / 2
    }
}
