//! Positions of which something is certain, because the game's oracle knows it.

use std::sync::atomic::Ordering;

use outplay_core::Game;

use super::window::Window;
use super::worker::{Worker, table_key};
use crate::table::TableEntry;
use crate::trace::NodeEnd;
use crate::{Bound, Certainty, Knowledge, Meaning, Oracle, PrincipalVariation, Score};

/// What was looked up is kept longer than anything that was searched.
const MOST_KEPT: i8 = 126;

/// What a certainty is worth to whoever searches a position.
pub(super) enum Probe {
    /// This is the value, or a bound that settles the matter.
    Cutoff(Score),
    /// What the value lies between, both ends included; that leaves the matter open.
    Bound(Window),
}

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// Counts what is certain of a position, and compares it with the window that matters.
    #[cold]
    pub(super) fn take_probe(
        &mut self,
        position: &G,
        certainty: Certainty,
        window: Window,
        ply: usize,
    ) -> Probe {
        *self.counters.endgame_hits.get_or_insert(0) += 1;
        let (least, most) = certainty.seen_from_root::<G>(ply, self.draw(position.to_move()));
        let (score, bound) = match () {
            () if least == most => (least, Bound::Exact),
            () if least >= window.beta => (least, Bound::AtLeast),
            () if most <= window.alpha => (most, Bound::AtMost),
            () => return Probe::Bound(Window { alpha: least, beta: most }),
        };
        self.counters.leaves += 1;
        self.ending = NodeEnd::Known;
        // A bound is true for good, but the value may still be found.
        self.horizon_seen |= bound != Bound::Exact;
        let entry = TableEntry {
            best: None,
            value: 0,
            bound: Some(bound),
            evaluation: None,
            depth: MOST_KEPT,
            is_certain: true,
        };
        self.store(table_key(position), ply, score, entry);
        Probe::Cutoff(score)
    }

    /// The value of a position at the horizon, if it is certain who wins or what settles it: better than any evaluation.
    #[inline]
    pub(super) fn probe_at_horizon(&mut self, position: &G, window: Window, ply: usize) -> Option<Score> {
        let certainty = self.oracle.probe(position, 0)?;
        self.ending = NodeEnd::Known;
        self.value_of_probe(position, certainty, window, ply)
    }

    /// The same by a win by force, which takes time to find: ask only where it matters.
    pub(super) fn forced_win_at_horizon(
        &mut self,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Option<Score> {
        let settled = self
            .is_won_by_force(position, 0)
            .then(|| self.value_of_probe(position, Certainty::WIN, window, ply))?;
        self.ending = NodeEnd::ForcedWin;
        settled
    }

    /// Whether the mover wins by force, as far as it is worth finding out.
    #[inline]
    pub(super) fn is_won_by_force(&mut self, position: &G, depth: i32) -> bool {
        if !self.options.forced_wins {
            return false;
        }
        let (control, stop) = (self.control.as_deref(), &self.shared.stop);
        let is_late = || match control {
            Some(control) => control.is_out_of_time(),
            None => stop.load(Ordering::Relaxed),
        };
        let state = &mut self.states.oracle;
        let Some(is_won) = self.oracle.wins_by_force(state, position, depth, &is_late) else { return false };
        self.techniques.forced_wins_asked += 1;
        self.techniques.forced_wins_found += u64::from(is_won);
        is_won
    }

    fn value_of_probe(
        &mut self,
        position: &G,
        certainty: Certainty,
        window: Window,
        ply: usize,
    ) -> Option<Score> {
        match self.take_probe(position, certainty, window, ply) {
            Probe::Cutoff(score) => Some(score),
            Probe::Bound(Window { alpha: least, beta: most }) => {
                self.horizon_seen = true;
                match certainty.result() {
                    Some(1) => Some(least),
                    Some(-1) => Some(most),
                    _ => None,
                }
            }
        }
    }

    /// Follows lines that end where something is certain to the end of the game, so that whoever reads "win in 9" sees the nine plies.
    pub(super) fn complete(&self, lines: &mut [PrincipalVariation]) {
        if self.counters.endgame_hits.is_none() {
            return;
        }
        for line in lines {
            let (Meaning::WinIn(plies) | Meaning::LossIn(plies)) = line.score else { continue };
            let root = self.root_position().clone();
            let mut position = line.moves.iter().fold(root, |position, &m| position.after(m));
            while line.moves.len() < plies as usize && position.outcome().is_none() {
                let Some(m) = self.oracle.probe_move(&position) else { break };
                line.moves.push(m);
                position = position.after(m);
            }
        }
    }
}
