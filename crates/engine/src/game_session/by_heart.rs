//! What is known before a search begins.

use std::time::Duration;

use outplay_core::{Folded, MoveList, Records};
use outplay_search::{Bound, Counters, Limits, Meaning, PrincipalVariation, Report, StopReason};

use super::GameSession;

impl<G: Records> GameSession<G> {
    /// The answer of the opening book, where a move is to be played.
    pub(super) fn opening(&mut self, limits: &Limits) -> Option<Report> {
        if !is_to_be_played(limits) {
            return None;
        }
        let m = self.library.as_mut()?.opening_move(&self.line)?;
        let is_asked_for = limits.only.is_empty() || limits.only.contains(&m);
        let line = PrincipalVariation {
            score: Meaning::Opinion(0),
            bound: Bound::Exact,
            visits: None,
            nodes: None,
            statistics: None,
            moves: vec![m],
        };
        is_asked_for.then(|| Report {
            depth: 0,
            selective_depth: 0,
            time: Duration::ZERO,
            counters: Counters::default(),
            lines: vec![line],
            current: None,
            table_permille: None,
            stopped: Some(StopReason::Book),
            failure: None,
            notice: None,
        })
    }

    /// A position as books know it; a game without books may have symmetries that nobody has told us of.
    pub(super) fn fold(&self, position: &G) -> Folded<G> {
        let unfolded = || {
            let moves = position.legal_moves();
            Folded { position: position.clone(), moves: moves.each().map(|m| (m, m)).collect() }
        };
        self.library.as_ref().map_or_else(unfolded, |library| library.folded(position))
    }

    /// Leaves moves out that are certainly worse than others, but for as many lines as are to be shown.
    pub(super) fn prefer_certain(&self, limits: &mut Limits) {
        let known = self.library.as_ref().and_then(|library| library.tiers(&self.line));
        let Some(mut tiers) = known else { return };
        for tier in &mut tiers {
            tier.moves.retain(|m| limits.only.is_empty() || limits.only.contains(m));
        }
        tiers.retain(|tier| !tier.moves.is_empty());
        let mut only = Vec::new();
        for tier in &tiers {
            if only.len() < limits.lines.max(1) {
                only.extend_from_slice(&tier.moves);
            }
        }
        (limits.only, limits.tiers) = (only, tiers);
    }
}

/// Whether a search is for a move: whoever analyses, looks for a win or thinks on the opponent's time wants to know the best one.
pub(super) fn is_to_be_played(limits: &Limits) -> bool {
    !(limits.analysis || limits.infinite || limits.ponder || limits.mate.is_some())
}
