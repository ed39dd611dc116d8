//! What a game knows about its moves.

use outplay_core::{Game, Move, MoveList};

/// What a search wants to know about moves without searching them. Every answer that is given here is right for every
/// game: a game says what it knows better.
///
/// What working it out needs besides the position is kept in a state, one a thread; `()` if nothing.
pub trait Tactics<G: Game>: Send + Sync {
    /// Working memory of a thread.
    type State: Send;

    /// Fresh working memory.
    fn state(&self) -> Self::State;

    /// Whether the player to move is in check, or must answer another threat that would decide the game: then nothing is
    /// evaluated before the answer is seen.
    #[inline]
    fn in_check(&self, position: &G) -> bool {
        let _ = position;
        false
    }

    /// Whether a static evaluation can be trusted: nothing hangs, no threat is about to be carried out.
    #[inline]
    fn is_quiet(&self, position: &G) -> bool {
        let _ = position;
        true
    }

    /// Visits the noisy moves, which change the balance at once, such as captures, each with its
    /// [kind](Tactics::move_kind): the only ones that quiescence search tries.
    #[inline]
    fn visit_noisy(&self, position: &G, visit: impl FnMut(Move, usize))
    where
        Self: Sized,
    {
        let _ = (position, visit);
    }

    /// Visits all other legal moves, each with its kind and its *ordering score*: what speaks for it at sight. A search
    /// adds what it learns of moves, which is within two million either way: moves that lie further apart than that are
    /// tried in the order of their scores. At most a billion. `None` if the move loses at once and another may not, so
    /// that it need not be tried.
    #[inline]
    fn visit_quiet(
        &self,
        state: &mut Self::State,
        position: &G,
        mut visit: impl FnMut(Move, usize, Option<i32>),
    ) where
        Self: Sized,
    {
        let _ = state;
        position.legal_moves().each().for_each(|m| visit(m, self.move_kind(position, m), Some(0)));
    }

    /// Visits those of the quiet moves that give [check](Tactics::in_check), as far as that is cheap to see.
    #[inline]
    fn visit_checks(&self, position: &G, visit: impl FnMut(Move, usize))
    where
        Self: Sized,
    {
        let _ = (position, visit);
    }

    /// Whether a legal move is one of the noisy ones.
    #[inline]
    fn is_noisy(&self, position: &G, m: Move) -> bool {
        let _ = (position, m);
        false
    }

    /// The most that a noisy move can win at once.
    #[inline]
    fn gain(&self, position: &G, m: Move) -> i32 {
        let _ = (position, m);
        0
    }

    /// Static exchange evaluation: whether a move wins at least so much (or loses no more, if that is negative) when both
    /// sides take back what they can.
    #[inline]
    fn see_at_least(&self, position: &G, m: Move, threshold: i32) -> bool {
        let _ = (position, m, threshold);
        true
    }

    /// Whether a move takes back what the last one has taken.
    #[inline]
    fn is_recapture(&self, position: &G, m: Move, last: Move) -> bool {
        let _ = (position, m, last);
        false
    }

    /// The position after a null move: with the other player to move, as if the mover had passed. `None` where that is not
    /// allowed, or may well be better than any move (zugzwang).
    #[inline]
    fn null_move(&self, position: &G) -> Option<G> {
        let _ = position;
        None
    }

    /// How many quiet moves are worth a try, those with the best ordering scores, in a position below which so many plies
    /// are still to be searched; `None` for all.
    #[inline]
    fn candidates(&self, position: &G, depth: i32) -> Option<usize> {
        let _ = (position, depth);
        None
    }

    /// The canonical image of a position under symmetry, worth the same, which is to be searched in place of this one;
    /// `None` for a position that is its own, and where looking for it does not pay. Not asked of games whose positions
    /// come again.
    #[inline]
    fn canonical(&self, position: &G) -> Option<G> {
        let _ = position;
        None
    }

    /// How many kinds of moves [`Tactics::move_kind`] tells apart; at least one.
    #[inline]
    fn move_kinds(&self) -> usize {
        512
    }

    /// Moves of one kind resemble each other wherever they are played, such as the same piece going to the same square:
    /// what a history learns of one is believed of the others.
    #[inline]
    fn move_kind(&self, position: &G, m: Move) -> usize {
        let _ = position;
        m.index() % 512
    }
}
