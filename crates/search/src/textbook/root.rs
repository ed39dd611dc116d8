//! Running the recursive searches from a root: the root's moves, iterations, lines and reports.

use outplay_core::{Game, Line, Move, MoveList};

use super::{AtDepth, Exact, Horizon, Observer, Trace, Walk, alphabeta, minimax, negamax};
use crate::stop::{Completed, Granularity};
use crate::{
    Bound, Control, Counters, Cutoffs, Evaluator, Limits, OptionSet, PrincipalVariation, Report, Score,
    Search, StopReason, options,
};

/// Which recursive search to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// [`minimax`].
    Minimax,
    /// [`negamax`].
    Negamax,
    /// [`alphabeta`].
    AlphaBeta,
}

/// How deep a [`TreeSearch`] looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deepening {
    /// Once, to the depth limit if there is one, to the end of every game otherwise.
    Once,
    /// Once, to the depth limit if there is one, to the depth in the settings otherwise.
    ToSetDepth,
    /// One ply, then two, and so on until a limit stops it; each iteration begins with the best moves of the last.
    Iterative,
}

options! {
    /// Settings of a [`TreeSearch`] to a set depth.
    pub struct TreeOptions {
        /// How many plies a search of fixed depth looks ahead when the limits do not say.
        pub depth: usize = 4, in 1..=100,
    }
}

options! {
    /// Settings of a [`TreeSearch`] that deepens.
    pub struct DeepeningOptions {
        /// Leave moves out that cannot matter, by alpha-beta; without it, the search is minimax.
        pub cutoffs: bool = true,
        /// Begin each iteration with the best moves of the last.
        pub best_first: bool = true,
    }
}

/// A recursive search as something that finds moves.
pub struct TreeSearch<G> {
    algorithm: Algorithm,
    deepening: Deepening,
    evaluator: Box<dyn Evaluator<G>>,
    set_depth: TreeOptions,
    iterative: DeepeningOptions,
    no_options: (),
}

impl<G: Game> TreeSearch<G> {
    /// A search by `algorithm` that evaluates positions at its horizon by `evaluator`.
    pub fn new(
        algorithm: Algorithm,
        deepening: Deepening,
        evaluator: Box<dyn Evaluator<G>>,
    ) -> TreeSearch<G> {
        TreeSearch {
            algorithm,
            deepening,
            evaluator,
            set_depth: TreeOptions::default(),
            iterative: DeepeningOptions::default(),
            no_options: (),
        }
    }
}

impl<G: Game> Search<G> for TreeSearch<G> {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        control.granularity = match self.deepening {
            Deepening::Iterative => Granularity::Iterations,
            Deepening::Once | Deepening::ToSetDepth => Granularity::AtOnce,
        };
        let algorithm = if self.iterative.cutoffs { self.algorithm } else { Algorithm::Negamax };
        let mut root = Root::new(line, algorithm, self.iterative.best_first, control.limits);
        if root.moves.is_empty() {
            control.finish(StopReason::GameOver);
            return root.report(control);
        }
        // A win in so many moves is seen at its own depth: nothing below needs to be looked at.
        let enough_for_mate = control.limits.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1));
        let limit = control.limits.depth.into_iter().chain(enough_for_mate).min();
        let limit = limit.map(|depth| depth.max(1) as usize);
        let first_depth = match self.deepening {
            Deepening::Iterative => Some(1),
            Deepening::ToSetDepth => limit.or(Some(self.set_depth.depth)),
            Deepening::Once => limit,
        };
        let mut next_depth = first_depth;
        loop {
            let completed = match next_depth {
                None => root.iterate(None, &mut Exact, control),
                Some(depth) => {
                    let mut horizon = AtDepth { depth, evaluator: &mut *self.evaluator };
                    root.iterate(next_depth, &mut horizon, control)
                }
            };
            let Some(completed) = completed else { break };
            if control.should_stop_after(root.counters.nodes, completed) {
                break;
            }
            if self.deepening != Deepening::Iterative {
                control.finish(StopReason::Depth);
                break;
            }
            let report = root.report(control);
            control.report(report);
            next_depth = next_depth.map(|depth| depth + 1);
        }
        root.report(control)
    }

    fn options(&self) -> &dyn OptionSet {
        match self.deepening {
            Deepening::Once => &self.no_options,
            Deepening::ToSetDepth => &self.set_depth,
            Deepening::Iterative => &self.iterative,
        }
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        match self.deepening {
            Deepening::Once => &mut self.no_options,
            Deepening::ToSetDepth => &mut self.set_depth,
            Deepening::Iterative => &mut self.iterative,
        }
    }
}

/// The moves to consider at the root: none if the game is over and cannot be played on.
pub(crate) fn root_moves<G: Game>(line: &Line<G>, limits: &Limits) -> Vec<Move> {
    let position = line.position();
    if !position.can_play_on() {
        return Vec::new();
    }
    let asked_for = |m: &Move| limits.only.is_empty() || limits.only.contains(m);
    position.legal_moves().each().filter(asked_for).collect()
}

/// A root move with the line that follows it.
#[derive(Clone)]
struct RootMove {
    m: Move,
    /// Its number in the game's own order.
    number: usize,
    score: Score,
    line: Vec<Move>,
}

/// What a search knows at its root.
struct Root<'a, G: Game> {
    line: &'a Line<G>,
    algorithm: Algorithm,
    best_first: bool,
    /// How many lines to show.
    shown: usize,
    /// All moves: first those to be shown, with exact values, best first.
    moves: Vec<RootMove>,
    depth: usize,
    deepest: usize,
    counters: Counters,
}

impl<'a, G: Game> Root<'a, G> {
    fn new(line: &'a Line<G>, algorithm: Algorithm, best_first: bool, limits: &Limits) -> Root<'a, G> {
        let moves: Vec<RootMove> = (root_moves(line, limits).into_iter().enumerate())
            .map(|(number, m)| RootMove { m, number, score: Score::DRAW, line: vec![m] })
            .collect();
        let shown = limits.lines.clamp(1, moves.len().max(1));
        let cutoffs = (algorithm == Algorithm::AlphaBeta).then(Cutoffs::default);
        let counters = Counters { cutoffs, ..Counters::default() };
        Root { line, algorithm, best_first, shown, moves, depth: 0, deepest: 0, counters }
    }

    /// Searches every root move, `depth` plies deep or to the end. An iteration that is given up counts for nothing,
    /// unless there was none before: then the moves that it got through are ranked ahead of the rest.
    fn iterate<H: Horizon<G>>(
        &mut self,
        depth: Option<usize>,
        horizon: &mut H,
        control: &mut Control,
    ) -> Option<Completed> {
        let position = self.line.position();
        let mut walk = Walk::new(self.line.history(), horizon, control);
        walk.counters = self.counters;
        walk.visit();
        let mut best: Vec<RootMove> = Vec::new();
        let mut others: Vec<RootMove> = Vec::new();
        let mut candidates = self.moves.clone();
        if !self.best_first {
            candidates.sort_by_key(|root_move| root_move.number);
        }
        for (index, root_move) in candidates.iter().enumerate() {
            // Only a move that beats the last of those to be shown needs an exact value.
            let floor = if best.len() < self.shown { -Score::INFINITE } else { best[self.shown - 1].score };
            let child = walk.down(position, root_move.m);
            let score = value_of(self.algorithm, &mut walk, position, &child, floor);
            let line = std::iter::once(root_move.m).chain(walk.best_line().iter().copied()).collect();
            walk.up::<G>(score);
            if walk.given_up {
                others.extend_from_slice(&candidates[index..]);
                break;
            }
            let searched = RootMove { score, line, ..*root_move };
            if score > floor {
                best.insert(best.partition_point(|other| other.score >= score), searched);
                others.extend(best.drain(self.shown.min(best.len())..));
            } else {
                others.push(searched);
            }
        }
        self.counters = walk.counters;
        self.deepest = self.deepest.max(walk.deepest);
        let completed = (!walk.given_up).then(|| {
            // Deepening ply by ply, a forced win is first seen at its length: nothing shorter is to be found.
            let settled = G::MAX_MARGIN == 1 && best.iter().all(|shown| shown.score.is_decided());
            let depth = depth.unwrap_or(walk.deepest) as u32;
            Completed {
                depth,
                wins_seen: depth,
                value: best.first().map_or(Score::DRAW, |first| first.score).meaning::<G>(),
                exact: !walk.horizon_seen || settled,
                patience: 1.0,
            }
        });
        if completed.is_some() || self.depth == 0 {
            best.append(&mut others);
            self.moves = best;
        }
        self.depth = completed.map_or(self.depth, |completed| completed.depth as usize);
        completed
    }

    fn report(&self, control: &Control) -> Report {
        // Without a completed iteration, moves are missing that may be better than the best one so far.
        let bound = if self.depth == 0 && !self.moves.is_empty() { Bound::AtLeast } else { Bound::Exact };
        let lines = self.moves.iter().take(self.shown).map(|root_move| PrincipalVariation {
            score: root_move.score.meaning::<G>(),
            bound,
            visits: None,
            nodes: None,
            statistics: None,
            moves: root_move.line.clone(),
        });
        Report {
            depth: self.depth as u32,
            selective_depth: self.deepest as u32,
            time: control.elapsed(),
            counters: self.counters,
            lines: lines.collect(),
            current: None,
            table_permille: None,
            stopped: control.reason(),
            failure: None,
            notice: None,
        }
    }
}

/// The value of a root move for the player at the root; a bound if it is not above `floor`.
fn value_of<G: Game, H: Horizon<G>, O: Observer>(
    algorithm: Algorithm,
    walk: &mut Walk<H, O>,
    root: &G,
    child: &G,
    floor: Score,
) -> Score {
    let (player, next) = (root.to_move(), child.to_move());
    match algorithm {
        Algorithm::Minimax => minimax(walk, child, player),
        Algorithm::Negamax => negamax(walk, child).seen_by(player, next),
        Algorithm::AlphaBeta if player == next => alphabeta(walk, child, floor, Score::INFINITE),
        Algorithm::AlphaBeta => -alphabeta(walk, child, -Score::INFINITE, -floor),
    }
}

/// Searches from the end of `line` to a fixed depth and records every node; gives up, returning `None`, if there are
/// more than `most_nodes`.
pub fn explain<G: Game>(
    line: &Line<G>,
    algorithm: Algorithm,
    depth: usize,
    evaluator: &mut dyn Evaluator<G>,
    most_nodes: usize,
) -> Option<(Trace, Counters)> {
    let position = line.position();
    let mut trace = Trace::new(most_nodes);
    let mut horizon = AtDepth { depth, evaluator };
    let mut walk = Walk::new(line.history(), &mut horizon, &mut trace);
    let value = match algorithm {
        Algorithm::Minimax => minimax(&mut walk, position, position.to_move()),
        Algorithm::Negamax => negamax(&mut walk, position),
        Algorithm::AlphaBeta => alphabeta(&mut walk, position, -Score::INFINITE, Score::INFINITE),
    };
    let (counters, given_up) = (walk.counters, walk.given_up);
    trace.set_root_value(value);
    (!given_up).then_some((trace, counters))
}
