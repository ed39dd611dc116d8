//! What a game knows for certain.

use outplay_core::{Game, Move, Outcome, Player};

use crate::{Certainty, Control, Score};

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

    /// About how many nodes the game's solver needs for a position, to the end of the game; `None` if there is no solver, or no hope.
    fn solver_nodes(&self, position: &G) -> Option<u64> {
        let _ = position;
        None
    }

    /// Solves the position where a search begins; only asked where [`Oracle::solver_nodes`] is an answer.
    fn solve(&self, position: &G, question: &SolverQuestion) -> Solved {
        let _ = (position, question);
        Solved::default()
    }
}

/// What a search asks a game's solver at its root.
pub struct SolverQuestion<'a> {
    /// The moves to choose from, one at least.
    pub moves: &'a [Move],
    /// How many of them are to be valued.
    pub lines: usize,
    /// Threads that may work on it.
    pub threads: usize,
    /// Mebibytes that it may take.
    pub mebibytes: usize,
    /// Nodes that it may visit, a thousand more or less.
    pub nodes: u64,
    /// Whether it has to come to an end; to be asked every now and then.
    pub is_late: &'a dyn Fn() -> bool,
}

/// What a solver says.
#[derive(Clone, Default, Debug)]
pub struct Solved {
    /// What the best moves are worth for who makes them, the best first, each with a best line that it begins; none if the limits came
    /// first.
    pub lines: Vec<(Score, Vec<Move>)>,
    /// Nodes that it has visited.
    pub nodes: u64,
}

/// A solver is begun where it can be expected to visit so many nodes a second.
const SOLVER_SPEED: f64 = 1e7;
/// Nodes that it may take where nothing is limited.
const UNLIMITED_SOLVER_NODES: u64 = 50_000_000;
/// With fewer it is not worth its beginning, and could not keep to them.
const LEAST_SOLVER_NODES: u64 = 2_000;

/// Nodes that a solver may visit before a search under this control, if it can be expected to be done with them: half of what the search
/// may take at most. A search to a depth is left alone.
pub(crate) fn solver_budget(expected: u64, nodes_of_search: Option<u64>, control: &Control) -> Option<u64> {
    let limits = control.limits;
    if limits.depth.is_some() || limits.mate.is_some() || !limits.tiers.is_empty() {
        return None;
    }
    let nodes = nodes_of_search.map(|nodes| nodes / 2);
    let in_time = control.share_of_time(SOLVER_SHARE).map(|time| (time.as_secs_f64() * SOLVER_SPEED) as u64);
    let is_unlimited = nodes.is_none() && in_time.is_none();
    let most = if is_unlimited { UNLIMITED_SOLVER_NODES } else { u64::MAX };
    let hoped = [nodes, in_time, Some(most)].into_iter().flatten().min()?;
    let budget = nodes.unwrap_or(u64::MAX);
    (expected <= hoped && budget >= LEAST_SOLVER_NODES).then_some(budget)
}

/// The part of a move's time that may go to a solver before the search begins.
pub(crate) const SOLVER_SHARE: f64 = 0.5;

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
