//! An evaluation with tables at hand.

use std::sync::Arc;

use outplay_core::Move;
use outplay_search::{Certainty, Evaluator, forward_evaluation};

use super::Shelf;
use super::endings::Endings;
use crate::Chess;

/// Judges as another evaluation does, and knows for certain what the tables on a [`Shelf`] say. They are fetched when a search begins and
/// given back when it ends; in between it needs no lock to ask them, and without any it costs a comparison.
pub struct Informed<E> {
    evaluator: E,
    shelf: Shelf,
    endings: Option<Arc<Endings>>,
    most_men: u32,
}

impl<E> Informed<E> {
    /// An evaluation that looks at a shelf.
    pub fn new(evaluator: E, shelf: Shelf) -> Informed<E> {
        Informed { evaluator, shelf, endings: None, most_men: 0 }
    }
}

/// The clone has to fetch the tables for itself.
impl<E: Clone> Clone for Informed<E> {
    fn clone(&self) -> Informed<E> {
        Informed::new(self.evaluator.clone(), self.shelf.clone())
    }
}

impl<E: Evaluator<Chess>> Evaluator<Chess> for Informed<E> {
    forward_evaluation!(Chess: self => self.evaluator);

    #[inline]
    fn certain(&self, position: &Chess, depth: i32) -> Option<Certainty> {
        if position.cozy().occupied().len() > self.most_men {
            return None;
        }
        self.endings.as_ref()?.certain(position, depth)
    }

    fn certain_move(&self, position: &Chess) -> Option<Move> {
        self.endings.as_ref()?.best_move(position)
    }

    fn search_begins(&mut self) {
        self.evaluator.search_begins();
        let endings = self.shelf.take();
        self.most_men = endings.most_men();
        self.endings = Some(endings);
    }

    fn search_ends(&mut self) {
        self.evaluator.search_ends();
        (self.endings, self.most_men) = (None, 0);
    }
}
