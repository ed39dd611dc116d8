//! What a game's own solver knows for certain, as something to learn from.

use outplay_core::Game;

/// A solver of a game that labels positions of games played to learn from. A position has the same label whatever was asked before, so that a game can
/// be played again; and a label costs little: about a millisecond at most.
pub trait ExactLabels<G: Game>: Send + Sync {
    /// What a thread needs to label positions: one for each.
    fn begin(&self) -> Box<dyn Labeller<G>>;
}

/// Labels the positions of one thread.
pub trait Labeller<G: Game> {
    /// By how much the player to move wins with best play of both, below zero for a loss; `None` where that is not known, or would take too long to find out. The game
    /// is not over.
    fn label(&mut self, position: &G) -> Option<i16>;
}
