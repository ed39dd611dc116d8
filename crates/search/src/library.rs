//! What a game knows by heart.

use outplay_core::{Folded, Game, Line, Move};

use crate::{Certainty, OptionSet};

/// Openings and endings that need not be thought about, from wherever the options say. It is asked before a search begins; what is known
/// inside the tree, an [`Oracle`](crate::Oracle) tells.
pub trait Library<G: Game>: Send {
    /// The settings.
    fn options(&self) -> &dyn OptionSet;

    /// The settings, to be changed. [`OptionSet::set`] refuses what cannot be opened, and leaves everything as it was.
    fn options_mut(&mut self) -> &mut dyn OptionSet;

    /// A legal move to play at the end of a line without thinking; `None` if no book has one.
    fn opening_move(&mut self, line: &Line<G>) -> Option<Move>;

    /// The legal moves at the end of a line in groups, the best first, where it is certain that no move of a group is better than one of
    /// an earlier group; `None` if nothing is known.
    fn tiers(&self, line: &Line<G>) -> Option<Vec<Tier>>;

    /// What opening books of the game are called: only those with this name fit.
    fn book_game(&self) -> &str;

    /// A position as opening books know it.
    fn folded(&self, position: &G) -> Folded<G>;
}

/// Moves that are equally good, as far as is certain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tier {
    /// What they are worth to whoever makes one of them.
    pub certainty: Certainty,
    /// The moves.
    pub moves: Vec<Move>,
}
