//! What tables say of a position, and what the fifty-move rule makes of it.
//!
//! Our own tables know the plies to mate and nothing of the fifty-move rule. A mate that comes before the count reaches its end is certain,
//! however the count began. Of one that comes later it is only certain who cannot lose: a capture or a pawn move on the way may begin the
//! count anew, or not. Draws stay draws under any rule.
//!
//! Syzygy's tables know the rule, for a count that begins at nought: they are asked inside the tree only where it does.

use std::sync::Arc;

use outplay_core::{Game, Move, MoveList};
use outplay_search::Certainty;

use super::options::LibraryOptions;
use crate::Chess;
use crate::endgame::{EndgameTables, Verdict, Wdl};
use crate::syzygy::{FiftyMoves, Syzygy};

/// The game is drawn when so many plies were reversible.
pub(super) const MOST_REVERSIBLE: usize = 100;

/// All tables that are open, and how to ask them.
#[derive(Clone)]
pub(super) struct Endings {
    pub ours: Option<Arc<EndgameTables>>,
    pub syzygy: Option<Arc<Syzygy>>,
    probe_depth: i32,
    probe_limit: u32,
    fifty_moves: FiftyMoves,
}

impl Default for Endings {
    fn default() -> Endings {
        let nothing = Endings {
            ours: None,
            syzygy: None,
            probe_depth: 0,
            probe_limit: 0,
            fifty_moves: FiftyMoves::Count,
        };
        nothing.with_settings(&LibraryOptions::default())
    }
}

impl Endings {
    /// The same tables, asked as the options say.
    pub fn with_settings(self, options: &LibraryOptions) -> Endings {
        Endings {
            probe_depth: options.syzygy_probe_depth,
            probe_limit: options.syzygy_probe_limit,
            fifty_moves: match options.syzygy_50_move_rule {
                true => FiftyMoves::Count,
                false => FiftyMoves::Ignore,
            },
            ..self
        }
    }

    /// Whether wins that take too long are draws.
    pub fn fifty_moves(&self) -> FiftyMoves {
        self.fifty_moves
    }

    /// No position with more men is known; nought without tables.
    pub fn most_men(&self) -> u32 {
        let ours = self.ours.as_ref().map_or(0, |tables| tables.most_men());
        ours.max(self.most_men_of_syzygy())
    }

    /// Nor one with more men than this by Syzygy's tables.
    pub fn most_men_of_syzygy(&self) -> u32 {
        self.syzygy.as_ref().map_or(0, |tables| tables.most_men()).min(self.probe_limit)
    }

    /// What is certain of a position in the tree with so many plies to go.
    pub fn certain(&self, position: &Chess, depth: i32) -> Option<Certainty> {
        self.by_our_tables(position).or_else(|| self.by_syzygy(position, depth))
    }

    /// What our tables say, as far as it holds under the fifty-move rule.
    pub fn by_our_tables(&self, position: &Chess) -> Option<Certainty> {
        let Verdict { result, plies } = self.ours.as_ref()?.probe(position)?;
        let plies = plies.unwrap_or(0);
        let is_in_time = position.reversible_plies() + usize::from(plies) <= MOST_REVERSIBLE;
        Some(match result {
            Wdl::Draw => Certainty::DRAW,
            Wdl::Win if is_in_time => Certainty::win_in(plies.into()),
            Wdl::Win => Certainty::NOT_LOST,
            Wdl::Loss if is_in_time => Certainty::loss_in(plies.into()),
            Wdl::Loss => Certainty::NOT_WON,
        })
    }

    fn by_syzygy(&self, position: &Chess, depth: i32) -> Option<Certainty> {
        let men = position.cozy().occupied().len();
        let most = self.most_men_of_syzygy();
        // The largest tables are the slowest, and often not in memory.
        let least_depth = if men < most { 1 } else { self.probe_depth };
        if men > most || depth < least_depth || position.reversible_plies() > 0 {
            return None;
        }
        let verdict = self.syzygy.as_ref()?.wdl(position)?.verdict(self.fifty_moves);
        Some(match verdict.result {
            Wdl::Win => Certainty::WIN,
            Wdl::Draw => Certainty::DRAW,
            Wdl::Loss => Certainty::LOSS,
        })
    }

    /// A move that mates soonest, or is mated latest, by our tables; `None` of a draw, or where they do not know all moves.
    pub fn best_move(&self, position: &Chess) -> Option<Move> {
        let ours = self.ours.as_ref()?;
        ours.probe(position)?.plies?;
        let mut best = None;
        for m in position.legal_moves().each() {
            let value = ours.probe(&position.after(m))?.before();
            if best.is_none_or(|(other, _)| value > other) {
                best = Some((value, m));
            }
        }
        best.map(|(_, m)| m)
    }
}
