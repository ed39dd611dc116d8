//! The end of the main search: noisy moves are played out, because no evaluation can tell what an exchange will bring.

use outplay_core::Game;

use super::Aim;
use super::ordering::Wanted;
use super::stack::MAX_PLY;
use super::window::{NodeType, Window};
use super::worker::{Worker, table_key};
use crate::table::TableEntry;
use crate::trace::NodeEnd;
use crate::{Bound, Evaluation, Knowledge, Score, Tactics};

/// The depths that the table knows beyond the horizon.
const WITH_CHECKS: i8 = 0;
const WITHOUT_CHECKS: i8 = -1;

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// The value of a position at the horizon (depth 0) or beyond it, fail-soft.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        position: &G,
        mut window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        if !self.enter(ply) {
            return Score::DRAW;
        }
        if let Some(score) = self.game_result(position, ply) {
            return score;
        }
        if let Some(score) = self.probe_at_horizon(position, window, ply) {
            return score;
        }
        if !self.options.quiescence || ply >= MAX_PLY {
            if let Some(score) = self.forced_win_at_horizon(position, window, ply) {
                return score;
            }
            self.horizon_seen = true;
            self.counters.leaves += 1;
            self.ending = NodeEnd::Evaluated;
            return match self.options.aim {
                Aim::Value => {
                    Score::heuristic(self.evaluation.evaluate(&mut self.states.evaluation, position))
                }
                Aim::Result => Score::DRAW,
            };
        }
        self.techniques.quiescence_nodes += 1;
        // Where fewer moves are tried, the value is worth less.
        let tries_checks = self.options.quiescence_checks && depth > -self.options.quiescence_check_plies;
        let depth_told = if tries_checks { WITH_CHECKS } else { WITHOUT_CHECKS };
        let key = table_key(position);
        let uses_table = self.tables_beyond_horizon(depth);
        let found = if uses_table { self.probe(key, ply) } else { None };
        if !N::PV
            && let Some(score) = found.and_then(|found| self.table_cutoff(&found, depth_told.into(), window))
        {
            return score;
        }
        let horizon_seen_before = self.horizon_seen;
        let in_check = self.tactics.in_check(position);
        let (mut raw, mut best) = (None, -Score::INFINITE);
        if !in_check {
            // The mover need not do anything: it is at least as good as it looks.
            self.horizon_seen = true;
            let (uncorrected, evaluation) = self.evaluate(position, found.as_ref());
            raw = Some(uncorrected as i16);
            best = Score::heuristic(evaluation);
            if let Some(better) = found.as_ref().and_then(|found| better_estimate(found, best)) {
                best = better;
            }
            if best >= window.beta {
                self.counters.leaves += 1;
                self.ending = NodeEnd::Evaluated;
                if found.is_none() && uses_table {
                    let found = quiet_entry(None, depth_told, raw);
                    self.store(key, ply, best, found);
                }
                return best;
            }
        }
        if let Some(score) = self.forced_win_at_horizon(position, window, ply) {
            return score;
        }
        let stand_pat = best;
        window.alpha = window.alpha.max(best);
        let wanted = match in_check {
            true => Wanted::All,
            false if tries_checks => Wanted::GoodNoisyAndChecks,
            false => Wanted::GoodNoisy,
        };
        let mut picker = self.picker(position, found.and_then(|found| found.best), wanted);
        // Delta pruning: what a move wins, and a margin, must bring the value up.
        let hoped = stand_pat.raw() + self.margin(self.options.delta_margin);
        if self.options.delta_pruning && !in_check {
            picker.least_gain = window.alpha.raw() + 1 - hoped;
        }
        let (mut best_move, mut tried) = (None, 0_usize);
        self.history.push(position);
        while let Some(picked) = self.next_move(&mut picker, position, ply) {
            tried += 1;
            let child = position.after(picked.m);
            if self.tables_beyond_horizon(depth - 1) {
                self.prefetch(&child);
            }
            self.stack[ply].m = Some(picked.m);
            self.stack[ply].played = Some(self.played(position, picked.m));
            self.make(position, Some(picked.m), &child);
            let score = self.quiescence_below::<N>(position, &child, window, depth - 1, ply);
            self.unmake(position);
            if self.aborted {
                break;
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > window.alpha {
                best_move = Some(picked.m);
                if N::PV {
                    self.update_pv(ply, picked.m);
                }
                if score >= window.beta {
                    break;
                }
                window.alpha = score;
            }
            if in_check && !best.is_loss() {
                // One answer that holds is enough to see that there is one: the other quiet ones are not looked at.
                picker.skip_quiet = true;
                self.horizon_seen = true;
            }
        }
        self.history.pop::<G>();
        self.end(&picker);
        if self.aborted {
            return Score::DRAW;
        }
        if let Some(gain) = picker.left_out {
            best = best.max(Score::heuristic(hoped + gain));
        }
        if best >= window.beta {
            self.count_cutoff(tried == 1);
        }
        self.ending = NodeEnd::Quiescence;
        let bound = if best >= window.beta { Bound::AtLeast } else { Bound::AtMost };
        self.horizon_seen |= horizon_seen_before;
        if uses_table {
            self.store(
                key,
                ply,
                best,
                TableEntry { best: best_move, ..quiet_entry(Some(bound), depth_told, raw) },
            );
        }
        best
    }

    /// Whether the table is asked at such a depth: far beyond the horizon, waiting for it takes longer than looking again.
    #[inline]
    fn tables_beyond_horizon(&self, depth: i32) -> bool {
        depth > -self.options.quiescence_table_plies
    }

    /// The value of the position after a move, for the player who made it.
    #[inline]
    fn quiescence_below<N: NodeType>(
        &mut self,
        position: &G,
        child: &G,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        if !G::ALTERNATES && child.to_move() == position.to_move() {
            self.quiescence::<N>(child, window, depth, ply + 1)
        } else {
            -self.quiescence::<N>(child, window.turned(), depth, ply + 1)
        }
    }

    /// Has what the table knows about a position brought near.
    #[inline]
    pub(super) fn prefetch(&self, position: &G) {
        if let Some(table) = self.shared.table {
            table.prefetch(table_key(position));
        }
    }

    #[inline]
    pub(super) fn count_cutoff(&mut self, at_first_move: bool) {
        if let Some(cutoffs) = &mut self.counters.cutoffs {
            cutoffs.all += 1;
            cutoffs.at_first_move += u64::from(at_first_move);
        }
    }
}

/// What the table says of a position's value, if that is more to the point than its evaluation.
#[inline]
pub(super) fn better_estimate(found: &TableEntry, evaluation: Score) -> Option<Score> {
    let value = Score::from_raw(found.value.into());
    let is_better = match found.bound {
        None => false,
        Some(Bound::Exact) => true,
        Some(Bound::AtLeast) => value > evaluation,
        Some(Bound::AtMost) => value < evaluation,
    };
    (is_better && !value.is_decided()).then_some(value)
}

fn quiet_entry(bound: Option<Bound>, depth: i8, evaluation: Option<i16>) -> TableEntry {
    TableEntry { best: None, value: 0, bound, evaluation, depth, is_certain: false }
}
