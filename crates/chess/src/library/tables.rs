//! What the tables on a shelf know, for searches.

use std::sync::Arc;

use outplay_core::Move;
use outplay_search::{Bundle, Certainty, Oracle};

use super::Shelf;
use super::endings::Endings;
use crate::{Chess, ChessPolicy, ChessTactics};

/// Knows for certain what the tables on a [`Shelf`] say. They are fetched when a search begins and given back when it ends; in between
/// it needs no lock to ask them, and without any it costs a comparison.
pub struct Tables {
    shelf: Shelf,
    endings: Option<Arc<Endings>>,
    most_men: u32,
}

/// All that is known of chess with this evaluation, the tables on a shelf included.
pub fn knowledge_with_tables<V>(evaluation: V, shelf: Shelf) -> Bundle<V, ChessTactics, Tables, ChessPolicy> {
    Bundle { evaluation, tactics: ChessTactics, oracle: Tables::new(shelf), policy: ChessPolicy }
}

impl Tables {
    /// An oracle that looks at a shelf.
    pub fn new(shelf: Shelf) -> Tables {
        Tables { shelf, endings: None, most_men: 0 }
    }
}

/// The clone has to fetch the tables for itself.
impl Clone for Tables {
    fn clone(&self) -> Tables {
        Tables::new(self.shelf.clone())
    }
}

impl Oracle<Chess> for Tables {
    type State = ();

    fn state(&self) {}

    fn search_begins(&mut self) {
        let endings = self.shelf.take();
        self.most_men = endings.most_men();
        self.endings = Some(endings);
    }

    fn search_ends(&mut self) {
        (self.endings, self.most_men) = (None, 0);
    }

    #[inline]
    fn probe(&self, position: &Chess, depth: i32) -> Option<Certainty> {
        if position.cozy().occupied().len() > self.most_men {
            return None;
        }
        self.endings.as_ref()?.certain(position, depth)
    }

    fn probe_move(&self, position: &Chess) -> Option<Move> {
        self.endings.as_ref()?.best_move(position)
    }
}
