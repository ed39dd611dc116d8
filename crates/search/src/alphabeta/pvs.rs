//! The principal-variation search: alpha-beta that expects the first move to be the best, and all the techniques around it.
//!
//! A PV node is searched for its value; of a non-PV node it has only to be shown that it is no better, with a null window, which
//! holds no value at all. Most of those are *cut* nodes, where one good move refutes what led there, or *all* nodes, where none
//! does. Everything selective rests on a guess which of the two a position is.
//!
//! A value is fail-soft: exact within the window, otherwise a bound that may lie beyond it.

use outplay_core::{Game, Move};

use super::abdada::Deferred;
use super::ordering::{Picked, Wanted};
use super::probe::Probe;
use super::pruning::MovePruning;
use super::quiescence::better_estimate;
use super::stack::MAX_PLY;
use super::window::{NodeType, NonPv, Pv, Window};
use super::worker::{Tried, Worker, table_key};
use crate::table::TableEntry;
use crate::trace::NodeEnd;
use crate::{Bound, Certainty, Evaluation, Knowledge, Oracle, Score, Tactics};

/// A position being searched.
pub(super) struct Node<'p, G> {
    pub position: &'p G,
    pub ply: usize,
    pub depth: i32,
    /// Whether a refutation is expected.
    pub cut_node: bool,
    pub in_check: bool,
    /// What the position looks like, by the evaluation and the table; `None` in check.
    pub estimate: Option<Score>,
    /// Whether it looks better than two plies ago.
    pub is_improving: bool,
    /// How many moves are tried at most, unless all of them lose.
    pub candidates: Option<usize>,
    pub table_move: Option<Move>,
    pub found: Option<TableEntry>,
}

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// The value of a position, searched so deep.
    pub(super) fn pvs<N: NodeType>(
        &mut self,
        position: &G,
        mut window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(window.alpha < window.beta && (N::PV || window.is_null()));

        // Quiescence search at the horizon.
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence::<N>(position, window, 0, ply);
        }

        // Symmetry: the canonical image stands for all. PV nodes are shown, so that they are searched as they are; so are
        // positions of which a move is excluded.
        if !N::PV
            && !G::REPEATS
            && self.stack[ply].excluded.is_none()
            && let Some(canonical) = self.tactics.canonical(position)
        {
            self.evaluation.reset(&mut self.states.evaluation, &canonical);
            let score = self.pvs::<N>(&canonical, window, depth, ply, cut_node);
            self.evaluation.reset(&mut self.states.evaluation, position);
            return score;
        }

        // End of the game, and repetition.
        if !self.enter(ply) {
            return Score::DRAW;
        }
        let excluded = self.stack[ply].excluded;
        if excluded.is_none()
            && let Some(score) = self.game_result(position, ply)
        {
            return score;
        }

        // Mate-distance pruning.
        if let Some(score) = self.mate_distance_pruning(position, window, ply) {
            return score;
        }

        // Transposition table.
        let key = table_key(position);
        let found = if excluded.is_none() { self.probe(key, ply) } else { None };
        if !N::PV
            && let Some(score) = found.and_then(|found| self.table_cutoff(&found, depth, window))
        {
            return score;
        }

        // Known results: endgame tables, solvers.
        let mut known = Window::open();
        if excluded.is_none()
            && let Some(certainty) = self.oracle.probe(position, depth)
        {
            match self.take_probe(position, certainty, window, ply) {
                Probe::Cutoff(score) => return score,
                Probe::Bound(bounds) => known = bounds,
            }
            window = window.within(known);
        }
        let horizon_seen_before = std::mem::replace(&mut self.horizon_seen, false);

        // Static evaluation.
        let in_check = self.tactics.in_check(position);
        let (raw, evaluation) = match (in_check, excluded) {
            (true, _) => (None, None),
            _ if !self.shared.is_selective => (None, None),
            (false, Some(_)) => (None, self.stack[ply].evaluation),
            (false, None) => {
                let (raw, evaluation) = self.evaluate(position, found.as_ref());
                (Some(raw), Some(evaluation))
            }
        };
        self.stack[ply].evaluation = evaluation;
        self.stack[ply + 1].killers = [None; 2];
        let estimate = evaluation.map(|evaluation| {
            let evaluation = Score::heuristic(evaluation);
            found.as_ref().and_then(|found| better_estimate(found, evaluation)).unwrap_or(evaluation)
        });
        let mut node = Node {
            position,
            ply,
            depth,
            cut_node,
            in_check,
            estimate,
            is_improving: self.is_improving(evaluation, ply),
            candidates: self.candidates(position, depth),
            table_move: found.and_then(|found| found.best),
            found,
        };

        // Razoring, reverse futility pruning, null-move pruning.
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, window)
        {
            self.horizon_seen = true;
            return score;
        }

        // Wins by force, where the position does not look good enough as it is.
        if excluded.is_none()
            && estimate.is_none_or(|estimate| estimate < window.beta)
            && self.is_won_by_force(position, depth)
        {
            match self.take_probe(position, Certainty::WIN, window, ply) {
                Probe::Cutoff(score) => {
                    self.horizon_seen = true;
                    self.ending = NodeEnd::ForcedWin;
                    return score;
                }
                Probe::Bound(bounds) => known = known.within(bounds),
            }
            window = window.within(known);
        }
        // What was tried in vain says nothing about the moves.
        self.horizon_seen = false;

        // Internal iterative reduction.
        if self.options.internal_iterative_reduction
            && node.table_move.is_none()
            && excluded.is_none()
            && node.depth >= self.options.internal_iterative_reduction_depth
            && (N::PV || cut_node)
        {
            self.techniques.internal_reductions += 1;
            node.depth -= 1;
        }

        // Moves loop.
        let alpha = window.alpha;
        let (best, best_move) = self.search_moves::<N>(&node, window);
        if self.aborted {
            return Score::DRAW;
        }
        if excluded.is_some() {
            return if best == -Score::INFINITE { alpha } else { best };
        }

        // Correction history and transposition table.
        let best = best.clamp(known.alpha, known.beta);
        let bound = match best_move {
            _ if best >= window.beta => Bound::AtLeast,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::AtMost,
        };
        self.update_correction(&node, (raw, best), bound, best_move);
        // What was followed to the end of the game is true for good; so is a win, whatever else was not looked at.
        let is_certain = !self.horizon_seen || best.is_win() && bound == Bound::AtLeast;
        self.horizon_seen = horizon_seen_before || !is_certain;
        let evaluation = raw.map(|raw| raw as i16);
        let depth = node.depth as i8;
        let entry =
            TableEntry { best: best_move, value: 0, bound: Some(bound), evaluation, depth, is_certain };
        self.store(key, ply, best, entry);
        best
    }

    /// How many moves of a position are worth a try.
    #[inline]
    pub(super) fn candidates(&self, position: &G, depth: i32) -> Option<usize> {
        let candidates = self.tactics.candidates(position, depth).filter(|_| self.options.candidates)?;
        Some(((candidates as f64 * self.shared.candidate_share) as usize).max(1))
    }

    /// Whether the position looks better for its mover than the one before the last.
    #[inline]
    fn is_improving(&self, evaluation: Option<i32>, ply: usize) -> bool {
        let Some(evaluation) = evaluation else { return false };
        let earlier = [2, 4].iter().find_map(|&plies| self.stack.back(ply, plies).evaluation);
        earlier.is_none_or(|earlier| evaluation > earlier)
    }

    /// Tries the moves one by one; returns the best value, and the move that it belongs to if it is above the window's lower end.
    fn search_moves<N: NodeType>(&mut self, node: &Node<G>, mut window: Window) -> (Score, Option<Move>) {
        let Node { position, ply, .. } = *node;
        let excluded = self.stack[ply].excluded;
        let (first_tried, first_deferred) = (self.tried.len(), self.deferred.len());
        let mut next_deferred = first_deferred;
        let mut picker = self.picker(position, node.table_move, Wanted::All);
        let (mut best, mut best_move, mut numbered) = (-Score::INFINITE, None, 0);
        let mut ending = NodeEnd::Searched;
        self.history.push(position);
        loop {
            // Quiet moves that would all be pruned are not even generated.
            if numbered > 0
                && picker.has_quiet_ahead()
                && !best.is_loss()
                && self.prune_quiets(node, window.alpha, numbered + 1)
            {
                self.horizon_seen = true;
                picker.skip_quiet = true;
            }

            // The next move of the picker, or one that was deferred.
            let (picked, number, was_deferred) = match self.next_move(&mut picker, position, ply) {
                Some(picked) if Some(picked.m) == excluded => continue,
                Some(picked) => {
                    numbered += 1;
                    (picked, numbered, false)
                }
                None => {
                    let Some(&Deferred { picked, number }) = self.deferred.get(next_deferred) else { break };
                    next_deferred += 1;
                    (picked, number, true)
                }
            };
            let Picked { m, is_noisy, .. } = picked;
            let played = self.played(position, m);

            // Late-move, futility, history and SEE pruning. The first move is neither pruned nor reduced.
            let history_score =
                if number > 1 { self.history_score(position, &picked, played, ply) } else { 0 };
            if !best.is_loss() && number > 1 {
                match self.prune_move(node, window.alpha, &picked, number, history_score) {
                    MovePruning::Keep => {}
                    MovePruning::Skip => {
                        self.horizon_seen = true;
                        continue;
                    }
                    MovePruning::SkipQuiets => {
                        self.horizon_seen = true;
                        picker.skip_quiet = true;
                        continue;
                    }
                }
            }

            // ABDADA: a move that another thread is searching is deferred.
            let busy_key = self.busy_key(node, m, number);
            if !was_deferred && self.is_busy(busy_key) {
                self.techniques.moves_deferred += 1;
                self.deferred.push(Deferred { picked, number });
                continue;
            }

            // Extensions: singular (or multi-cut), check, recapture.
            let extension = match self.singular_extension(node, &picked, window, excluded) {
                Ok(extension) => extension,
                Err(score) => {
                    (best, best_move, ending) = (score, None, NodeEnd::MultiCut);
                    break;
                }
            };
            if self.aborted {
                break;
            }
            let child = position.after(m);
            self.prefetch(&child);
            let gives_check = self.gives_check(position, &child);
            let extension = extension.unwrap_or_else(|| self.extension(node, &picked, gives_check));
            let doubled = self.stack.back(ply, 1).doubled + u8::from(extension > 1);
            let entry = &mut self.stack[ply];
            (entry.m, entry.played, entry.is_noisy) = (Some(m), Some(played), is_noisy);
            (entry.doubled, entry.place) = (doubled, (number as u16, extension as i8));

            // Late-move reductions, and the search of the move.
            let depth = node.depth - 1 + extension;
            let reduction = match number {
                1 => 0,
                _ => self.reduction::<N>(node, &picked, (number, history_score), gives_check),
            };
            self.begin_move(busy_key);
            self.make(position, Some(m), &child);
            let score = self.search_move::<N>(node, &child, window, (depth, reduction), number == 1);
            self.unmake(position);
            self.end_move(busy_key);
            if self.aborted {
                break;
            }

            // A new best move, perhaps a beta cutoff.
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(m);
                    if N::PV {
                        self.update_pv(ply, m);
                    }
                    if score >= window.beta {
                        self.count_cutoff(number == 1);
                        self.count_cutoff_move(node, m, is_noisy);
                        self.update_histories(node, m, is_noisy, first_tried);
                        break;
                    }
                    window.alpha = score;
                }
            }
            let gain = is_noisy.then(|| self.gain_in_units(position, m));
            self.tried.push(Tried { played, gain });
        }
        self.history.pop::<G>();
        self.end(&picker);
        self.tried.truncate(first_tried);
        self.deferred.truncate(first_deferred);
        self.ending = ending;
        (best, best_move)
    }

    /// The value of a move: first with a null window, and perhaps reduced; again if that is not enough.
    pub(super) fn search_move<N: NodeType>(
        &mut self,
        node: &Node<G>,
        child: &G,
        window: Window,
        (depth, reduction): (i32, i32),
        is_first: bool,
    ) -> Score {
        if is_first && N::PV {
            return self.below::<Pv>(node, child, window, depth, false);
        }
        let narrow = Window::null_above(window.alpha);
        let mut score;
        if reduction > 0 && depth > 1 {
            self.techniques.reduced_moves += 1;
            let reduced = (depth - reduction).max(1);
            score = self.below::<NonPv>(node, child, narrow, reduced, true);
            if score > window.alpha && reduced < depth && !self.aborted {
                self.techniques.reduced_again += 1;
                score = self.below::<NonPv>(node, child, narrow, depth, !node.cut_node);
            }
        } else {
            score = self.below::<NonPv>(node, child, narrow, depth, N::PV || !node.cut_node);
        }
        if N::PV && score > window.alpha && score < window.beta && !self.aborted {
            self.techniques.windows_opened += 1;
            score = self.below::<Pv>(node, child, window, depth, false);
        }
        score
    }

    /// The value of the position after a move, for the player who made it.
    #[inline]
    pub(super) fn below<N: NodeType>(
        &mut self,
        node: &Node<G>,
        child: &G,
        window: Window,
        depth: i32,
        cut_node: bool,
    ) -> Score {
        if node.ply < self.watched_plies {
            return self.watch_below::<N>(node, child, window, depth, cut_node);
        }
        self.unwatched_below::<N>(node, child, window, depth, cut_node)
    }

    /// The same, seen or not.
    #[inline]
    pub(super) fn unwatched_below<N: NodeType>(
        &mut self,
        node: &Node<G>,
        child: &G,
        window: Window,
        depth: i32,
        cut_node: bool,
    ) -> Score {
        let ply = node.ply + 1;
        if !G::ALTERNATES && child.to_move() == node.position.to_move() {
            // The same player goes on: what was expected of the position is expected of this one.
            self.pvs::<N>(child, window, depth, ply, node.cut_node)
        } else {
            -self.pvs::<N>(child, window.turned(), depth, ply, cut_node)
        }
    }
}

impl<'p, G: Game> Node<'p, G> {
    /// The root, as far as its moves are concerned.
    pub(super) fn root(position: &'p G, depth: i32, in_check: bool) -> Node<'p, G> {
        Node {
            position,
            ply: 0,
            depth,
            cut_node: false,
            in_check,
            estimate: None,
            is_improving: true,
            candidates: None,
            table_move: None,
            found: None,
        }
    }
}
