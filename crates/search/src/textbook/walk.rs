//! The walk through a game tree that the recursive searches share.

use outplay_core::{Game, History, Move};

use super::Horizon;
use crate::{Control, Counters, Score};

/// Sees what a tree search does. `()` sees nothing and costs nothing.
pub trait Observer {
    /// Asked at every node: whether to give up the search.
    #[inline]
    fn give_up(&mut self, counters: &Counters) -> bool {
        let _ = counters;
        false
    }

    /// The search goes down along `m`.
    #[inline]
    fn down(&mut self, m: Move) {
        let _ = m;
    }

    /// The node is searched for a value between these two.
    #[inline]
    fn window(&mut self, alpha: Score, beta: Score) {
        let _ = (alpha, beta);
    }

    /// The node was valued without search, as the end of a game or by the evaluation.
    #[inline]
    fn leaf(&mut self, game_over: bool) {
        let _ = game_over;
    }

    /// The node is left early: these moves need not be looked at.
    #[inline]
    fn cutoff(&mut self, pruned: impl Iterator<Item = Move>) {
        let _ = pruned;
    }

    /// The search comes back up with a value in the view of the player above.
    #[inline]
    fn up(&mut self, value: Score) {
        let _ = value;
    }
}

impl Observer for () {}

/// Under a control, a walk gives up when the control says so.
impl Observer for Control<'_> {
    #[inline]
    fn give_up(&mut self, counters: &Counters) -> bool {
        self.should_stop(counters.nodes)
    }
}

/// The state of one recursive search.
pub struct Walk<'a, H, O> {
    /// What was counted so far.
    pub counters: Counters,
    /// The deepest ply reached.
    pub deepest: usize,
    /// Whether any position was cut off by the horizon: if not, the value is exact.
    pub horizon_seen: bool,
    /// Whether the walk was given up: its values mean nothing then.
    pub given_up: bool,
    horizon: &'a mut H,
    observer: &'a mut O,
    history: History,
    ply: usize,
    // [ply]: the best line found from there on.
    best_lines: Vec<Vec<Move>>,
}

impl<'a, H, O: Observer> Walk<'a, H, O> {
    /// A walk that starts where `history` ends.
    pub fn new(history: &History, horizon: &'a mut H, observer: &'a mut O) -> Walk<'a, H, O> {
        Walk {
            counters: Counters::default(),
            deepest: 0,
            horizon_seen: false,
            given_up: false,
            horizon,
            observer,
            history: history.clone(),
            ply: 0,
            best_lines: vec![Vec::new(), Vec::new()],
        }
    }

    /// Counts a node; false if the walk has been given up, so that all there is to do is to come back up.
    #[inline]
    pub fn visit(&mut self) -> bool {
        if !self.given_up {
            self.counters.nodes += 1;
            self.given_up = self.observer.give_up(&self.counters);
        }
        !self.given_up
    }

    /// Counts a node. If it needs no search, returns its value for the player to move there: the utility of a
    /// finished game, the evaluation of a position at the horizon.
    #[inline]
    pub fn leaf<G: Game>(&mut self, position: &G) -> Option<Score>
    where
        H: Horizon<G>,
    {
        self.best_lines[self.ply].clear();
        if !self.visit() {
            return Some(Score::DRAW);
        }
        let outcome = self.history.outcome(position);
        let value = match outcome {
            Some(outcome) => Score::decided::<G>(outcome, position.to_move(), self.ply),
            None => {
                let evaluation = self.horizon.cutoff(position, self.ply)?;
                self.horizon_seen = true;
                Score::heuristic(evaluation)
            }
        };
        self.counters.leaves += 1;
        self.observer.leaf(outcome.is_some());
        Some(value)
    }

    /// Goes down along a move; returns the position there.
    #[inline]
    pub fn down<G: Game>(&mut self, position: &G, m: Move) -> G {
        self.history.push(position);
        self.observer.down(m);
        self.ply += 1;
        self.deepest = self.deepest.max(self.ply);
        if self.best_lines.len() <= self.ply + 1 {
            self.best_lines.push(Vec::new());
        }
        position.after(m)
    }

    /// Comes back up with a value in the view of the player above.
    #[inline]
    pub fn up<G: Game>(&mut self, value: Score) {
        self.history.pop::<G>();
        self.ply -= 1;
        self.observer.up(value);
    }

    /// The move just searched is the best so far at this node.
    #[inline]
    pub fn keep(&mut self, m: Move) {
        let (upper, lower) = self.best_lines.split_at_mut(self.ply + 1);
        let line = &mut upper[self.ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }

    /// The node is searched for a value between these two.
    #[inline]
    pub fn window(&mut self, alpha: Score, beta: Score) {
        debug_assert!(alpha < beta, "an empty window: {alpha:?} {beta:?}");
        self.observer.window(alpha, beta);
    }

    /// The rest of the node's moves cannot matter: a cutoff, if there is any left.
    #[inline]
    pub fn cutoff(&mut self, at_first_move: bool, pruned: impl Iterator<Item = Move>) {
        let mut pruned = pruned.peekable();
        if pruned.peek().is_some() {
            let cutoffs = self.counters.cutoffs.get_or_insert_default();
            cutoffs.all += 1;
            cutoffs.at_first_move += u64::from(at_first_move);
            self.observer.cutoff(pruned);
        }
    }

    /// The best line from the current node on.
    pub fn best_line(&self) -> &[Move] {
        &self.best_lines[self.ply]
    }
}
