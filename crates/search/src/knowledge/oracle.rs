//! What a game knows for certain.

use outplay_core::{Game, Move, Outcome, Player};

use crate::{Certainty, Score};

/// Results that need no search: seen at once, looked up in tables, or proved by a search of the game's own. All that is
/// said here must be true whatever the players do.
///
/// What finding out needs besides the position is kept in a state, one a thread; `()` if nothing.
pub trait Oracle<G: Game>: Send + Sync {
    /// Working memory of a thread.
    type State: Send;

    /// Fresh working memory.
    fn state(&self) -> Self::State;

    /// A search begins: what may have changed since the last one is fetched now. What is certain need only be known until
    /// [`Oracle::search_ends`].
    fn search_begins(&mut self) {}

    /// The search is over: what was fetched for it is given back.
    fn search_ends(&mut self) {}

    /// A search begins in which this state is used.
    fn renew(&self, state: &mut Self::State) {
        let _ = state;
    }

    /// How the game ends and in how many plies, where that can be seen without a look-up: both with best play, the winner
    /// as soon and the loser as late as possible. Asked before the transposition table is.
    #[inline]
    fn at_sight(&self, position: &G) -> Option<(Outcome, usize)> {
        let _ = position;
        None
    }

    /// What is known for certain of a position in the tree, below which so many plies are still to be searched (none at
    /// the horizon). Asked of every position: where nothing is known, say so quickly.
    #[inline]
    fn probe(&self, position: &G, depth: i32) -> Option<Certainty> {
        let _ = (position, depth);
        None
    }

    /// A best move where the distance to the end is known; for showing how the game would end.
    fn probe_move(&self, position: &G) -> Option<Move> {
        let _ = position;
        None
    }

    /// Whether the player to move is found to win by force, in a position below which so many plies are still to be
    /// searched; `None` if there is nothing to look for. Asked of every position that does not look good enough as it is:
    /// so a short search will do. When it is late, which may be asked every now and then, whatever has been found until
    /// then is the answer.
    #[inline]
    fn wins_by_force(
        &self,
        state: &mut Self::State,
        position: &G,
        depth: i32,
        is_late: &dyn Fn() -> bool,
    ) -> Option<bool> {
        let _ = (state, position, depth, is_late);
        None
    }

    /// A win by force of the player to move, looked for where a search begins, with so many nodes of whatever search that
    /// is, or until it is late: to be asked every now and then.
    fn forced_win(
        &self,
        state: &mut Self::State,
        position: &G,
        nodes: u64,
        is_late: &dyn Fn() -> bool,
    ) -> Option<ForcedWin> {
        let _ = (state, position, nodes, is_late);
        None
    }
}

/// How a win by force goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForcedWin {
    /// The moves of both sides, the first one at least, if the other side holds out as long as it can.
    pub line: Vec<Move>,
    /// Within how many plies it is won.
    pub plies: usize,
}

impl ForcedWin {
    /// The part of a move's time that may go to looking for one before the search begins.
    pub(crate) const MOST_TIME: f64 = 0.5;

    /// What it is worth to the winner.
    pub fn score<G: Game>(&self) -> Score {
        Score::decided::<G>(Outcome::win(Player::First), Player::First, self.plies)
    }
}
