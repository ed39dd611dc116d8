//! Positions of which something is certain, because the evaluator has it by heart.

use outplay_core::Game;

use super::window::Window;
use super::worker::{TO_THE_END, Worker};
use crate::table::{Bounded, Found};
use crate::{Certainty, Evaluator, Meaning, PrincipalVariation, Score};

/// What a certainty is worth to whoever searches a position.
pub(super) enum Known {
    /// This is the value, or a bound that settles the matter.
    Settled(Score),
    /// The value lies in between, both ends included.
    Within(Window),
}

impl<G: Game, E: Evaluator<G>> Worker<'_, '_, G, E> {
    /// Counts what is certain of a position, and compares it with the window that matters.
    #[cold]
    pub(super) fn take_certainty(
        &mut self,
        position: &G,
        certainty: Certainty,
        window: Window,
        ply: usize,
    ) -> Known {
        *self.counters.endgame_hits.get_or_insert(0) += 1;
        let (score, bound) = certainty.value(ply, self.draw(position.to_move()));
        let (alpha, beta) = match bound {
            Bounded::AtLeast if score < window.beta => (score, Score::INFINITE),
            Bounded::AtMost if score > window.alpha => (-Score::INFINITE, score),
            _ => {
                self.counters.leaves += 1;
                // A bound is true for good, but the value may still be found.
                self.horizon_seen |= bound != Bounded::Exact;
                let entry = Found { best: None, value: 0, bound, evaluation: None, depth: TO_THE_END };
                self.store(position.key(), ply, score, entry);
                return Known::Settled(score);
            }
        };
        Known::Within(Window { alpha, beta })
    }

    /// The value of a position at the horizon, if what is certain of it settles it.
    #[inline]
    pub(super) fn settled_by_heart(&mut self, position: &G, window: Window, ply: usize) -> Option<Score> {
        let certainty = self.evaluator.certain(position, 0)?;
        match self.take_certainty(position, certainty, window, ply) {
            Known::Settled(score) => Some(score),
            Known::Within(_) => None,
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
                let Some(m) = self.evaluator.certain_move(&position) else { break };
                line.moves.push(m);
                position = position.after(m);
            }
        }
    }
}
