//! The principal-variation search: alpha-beta that expects the first move to be the best, and all the techniques around it.
//!
//! A position on the best line is searched for its value; of all others it has only to be shown that they are no better, with a
//! window that holds no value at all. Most of them are *cut* nodes, where one good move refutes what led there, or *all* nodes, where
//! none does. Everything selective rests on a guess which of the two a position is.
//!
//! A value is fail-soft: exact within the window, otherwise a bound that may lie beyond it.

use outplay_core::{Game, Move};

use super::frames::MOST_PLIES;
use super::known::Known;
use super::ordering::{Picked, Wanted};
use super::pruning::Hope;
use super::quiescence::better_estimate;
use super::under_way::PutOff;
use super::window::{Beside, BestLine, Kind, Window};
use super::worker::{Tried, Worker, table_key};
use crate::table::{Bounded, Found};
use crate::trace::Ending;
use crate::{Certainty, Evaluator, Score};

/// A position being searched.
pub(super) struct Node<'p, G> {
    pub position: &'p G,
    pub ply: usize,
    pub depth: i32,
    /// Whether a refutation is expected.
    pub is_cut: bool,
    pub must_answer: bool,
    /// What the position looks like, by the evaluation and the table; `None` where a threat must be answered.
    pub estimate: Option<Score>,
    /// Whether it looks better than two plies ago.
    pub is_improving: bool,
    /// How many moves are tried at most, unless all of them lose.
    pub width: Option<usize>,
    pub table_move: Option<Move>,
    pub found: Option<Found>,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, '_, G, E> {
    /// The value of a position, searched so deep.
    pub(super) fn pvs<K: Kind>(
        &mut self,
        position: &G,
        mut window: Window,
        depth: i32,
        ply: usize,
        is_cut: bool,
    ) -> Score {
        debug_assert!(window.alpha < window.beta && (K::IS_BEST_LINE || window.is_null()));
        if depth <= 0 || ply >= MOST_PLIES {
            return self.settle::<K>(position, window, 0, ply);
        }
        // Best lines are shown, so that they are searched as they are; so are positions of which a move is left out.
        if !K::IS_BEST_LINE
            && !G::REPEATS
            && self.frames[ply].excluded.is_none()
            && let Some(representative) = self.evaluator.representative(position)
        {
            return self.pvs::<K>(&representative, window, depth, ply, is_cut);
        }
        if !self.enter(ply) {
            return Score::DRAW;
        }
        let excluded = self.frames[ply].excluded;
        if excluded.is_none()
            && let Some(score) = self.ended(position, ply)
        {
            return score;
        }
        if let Some(score) = self.beyond_mate(position, window, ply) {
            return score;
        }
        let key = table_key(position);
        let found = if excluded.is_none() { self.probe(key, ply) } else { None };
        if !K::IS_BEST_LINE
            && let Some(score) = found.and_then(|found| self.settles(&found, depth, window))
        {
            return score;
        }
        let mut known = Window::open();
        if excluded.is_none()
            && let Some(certainty) = self.evaluator.certain(position, depth)
        {
            match self.take_certainty(position, certainty, window, ply) {
                Known::Settled(score) => return score,
                Known::Bound(score, bound) => known = Window::bounded(score, bound),
            }
            window = window.within(known);
        }
        let horizon_seen_before = std::mem::replace(&mut self.horizon_seen, false);

        let must_answer = self.evaluator.must_answer(position);
        let (raw, evaluation) = match (must_answer, excluded) {
            (true, _) => (None, None),
            _ if !self.shared.judges_at_sight => (None, None),
            (false, Some(_)) => (None, self.frames[ply].evaluation),
            (false, None) => {
                let (raw, evaluation) = self.evaluate(position, found.as_ref());
                (Some(raw), Some(evaluation))
            }
        };
        self.frames[ply].evaluation = evaluation;
        self.frames[ply + 1].killers = [None; 2];
        let estimate = evaluation.map(|evaluation| {
            let evaluation = Score::heuristic(evaluation);
            found.as_ref().and_then(|found| better_estimate(found, evaluation)).unwrap_or(evaluation)
        });
        let mut node = Node {
            position,
            ply,
            depth,
            is_cut,
            must_answer,
            estimate,
            is_improving: self.is_improving(evaluation, ply),
            width: self.width(position, depth),
            table_move: found.and_then(|found| found.best),
            found,
        };
        if !K::IS_BEST_LINE
            && excluded.is_none()
            && let Some(score) = self.prune(&node, window)
        {
            self.horizon_seen = true;
            return score;
        }
        if excluded.is_none()
            && estimate.is_none_or(|estimate| estimate < window.beta)
            && self.is_won_by_force(position, depth)
        {
            match self.take_certainty(position, Certainty::Win, window, ply) {
                Known::Settled(score) => {
                    self.horizon_seen = true;
                    self.ending = Ending::ForcedWin;
                    return score;
                }
                Known::Bound(score, bound) => known = known.within(Window::bounded(score, bound)),
            }
            window = window.within(known);
        }
        // What was tried in vain says nothing about the moves.
        self.horizon_seen = false;
        if self.options.internal_reduction
            && node.table_move.is_none()
            && excluded.is_none()
            && node.depth >= self.options.internal_reduction_depth
            && (K::IS_BEST_LINE || is_cut)
        {
            self.techniques.internal_reductions += 1;
            node.depth -= 1;
        }

        let alpha = window.alpha;
        let (best, best_move) = self.try_moves::<K>(&node, window);
        if self.given_up {
            return Score::DRAW;
        }
        if excluded.is_some() {
            return if best == -Score::INFINITE { alpha } else { best };
        }
        let best = best.clamp(known.alpha, known.beta);
        let bound = match best_move {
            _ if best >= window.beta => Bounded::AtLeast,
            Some(_) if K::IS_BEST_LINE => Bounded::Exact,
            _ => Bounded::AtMost,
        };
        self.learn_error(&node, (raw, best), bound, best_move);
        // What was followed to the end of the game is true for good; so is a win, whatever else was not looked at.
        let is_certain = !self.horizon_seen || best.is_win() && bound == Bounded::AtLeast;
        self.horizon_seen = horizon_seen_before || !is_certain;
        let evaluation = raw.map(|raw| raw as i16);
        let depth = node.depth as i8;
        let entry = Found { best: best_move, value: 0, bound, evaluation, depth, is_certain };
        self.store(key, ply, best, entry);
        best
    }

    /// How many moves of a position are worth a try.
    #[inline]
    pub(super) fn width(&self, position: &G, depth: i32) -> Option<usize> {
        let width = self.evaluator.width(position, depth).filter(|_| self.options.candidates)?;
        Some(((width as f64 * self.shared.candidate_share) as usize).max(1))
    }

    /// Whether the position looks better for its mover than the one before the last.
    #[inline]
    fn is_improving(&self, evaluation: Option<i32>, ply: usize) -> bool {
        let Some(evaluation) = evaluation else { return false };
        let earlier = [2, 4].iter().find_map(|&plies| self.frames.earlier(ply, plies).evaluation);
        earlier.is_none_or(|earlier| evaluation > earlier)
    }

    /// Tries the moves one by one; returns the best value, and the move that it belongs to if it is above the window's lower end.
    fn try_moves<K: Kind>(&mut self, node: &Node<G>, mut window: Window) -> (Score, Option<Move>) {
        let Node { position, ply, .. } = *node;
        let excluded = self.frames[ply].excluded;
        let (first_tried, first_put_off) = (self.tried.len(), self.put_off.len());
        let mut next_put_off = first_put_off;
        let mut picker = self.picker(position, node.table_move, Wanted::All);
        let (mut best, mut best_move, mut numbered) = (-Score::INFINITE, None, 0);
        let mut ending = Ending::Searched;
        self.history.push(position);
        loop {
            // Quiet moves that would all be left out are not even generated.
            if numbered > 0
                && picker.has_quiet_ahead()
                && !best.is_loss()
                && self.are_quiet_hopeless(node, window.alpha, numbered + 1)
            {
                self.horizon_seen = true;
                picker.skip_quiet = true;
            }
            let (picked, number, was_put_off) = match self.next_move(&mut picker, position, ply) {
                Some(picked) if Some(picked.m) == excluded => continue,
                Some(picked) => {
                    numbered += 1;
                    (picked, numbered, false)
                }
                None => {
                    let Some(&PutOff { picked, number }) = self.put_off.get(next_put_off) else { break };
                    next_put_off += 1;
                    (picked, number, true)
                }
            };
            let Picked { m, is_noisy, .. } = picked;
            let played = self.played(position, m);
            // The first move is neither left out nor reduced.
            let standing = if number > 1 { self.standing(position, &picked, played, ply) } else { 0 };
            if !best.is_loss() && number > 1 {
                match self.is_hopeless(node, window.alpha, &picked, number, standing) {
                    Hope::Good => {}
                    Hope::None => {
                        self.horizon_seen = true;
                        continue;
                    }
                    Hope::NoneForQuiet => {
                        self.horizon_seen = true;
                        picker.skip_quiet = true;
                        continue;
                    }
                }
            }
            let mark = self.mark(node, m, number);
            if !was_put_off && self.is_under_way(mark) {
                self.techniques.moves_put_off += 1;
                self.put_off.push(PutOff { picked, number });
                continue;
            }
            let extension = match self.singularity(node, &picked, window, excluded) {
                Ok(extension) => extension,
                Err(score) => {
                    (best, best_move, ending) = (score, None, Ending::MultiCut);
                    break;
                }
            };
            if self.given_up {
                break;
            }
            let child = position.after(m);
            self.prefetch(&child);
            let gives_check = self.threatens(position, &child);
            let extension = extension.unwrap_or_else(|| self.extension(node, &picked, gives_check));
            let doubled = self.frames.earlier(ply, 1).doubled + u8::from(extension > 1);
            let frame = &mut self.frames[ply];
            (frame.m, frame.played, frame.is_noisy) = (Some(m), Some(played), is_noisy);
            (frame.doubled, frame.place) = (doubled, (number as u16, extension as i8));
            let depth = node.depth - 1 + extension;
            let reduction = match number {
                1 => 0,
                _ => self.reduction::<K>(node, &picked, (number, standing), gives_check),
            };
            self.begin_move(mark);
            let score = self.value_of_move::<K>(node, &child, window, (depth, reduction), number == 1);
            self.end_move(mark);
            if self.given_up {
                break;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(m);
                    if K::IS_BEST_LINE {
                        self.keep(ply, m);
                    }
                    if score >= window.beta {
                        self.count_cutoff(number == 1);
                        self.count_refutation(node, m, is_noisy);
                        self.learn_refutation(node, m, is_noisy, first_tried);
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
        self.put_off.truncate(first_put_off);
        self.ending = ending;
        (best, best_move)
    }

    /// The value of a move: first with a window without room, and perhaps less deep; again if that is not enough.
    pub(super) fn value_of_move<K: Kind>(
        &mut self,
        node: &Node<G>,
        child: &G,
        window: Window,
        (depth, reduction): (i32, i32),
        is_first: bool,
    ) -> Score {
        if is_first && K::IS_BEST_LINE {
            return self.below::<BestLine>(node, child, window, depth, false);
        }
        let narrow = Window::null_above(window.alpha);
        let mut score;
        if reduction > 0 && depth > 1 {
            self.techniques.reduced_moves += 1;
            let reduced = (depth - reduction).max(1);
            score = self.below::<Beside>(node, child, narrow, reduced, true);
            if score > window.alpha && reduced < depth && !self.given_up {
                self.techniques.reduced_again += 1;
                score = self.below::<Beside>(node, child, narrow, depth, !node.is_cut);
            }
        } else {
            score = self.below::<Beside>(node, child, narrow, depth, K::IS_BEST_LINE || !node.is_cut);
        }
        if K::IS_BEST_LINE && score > window.alpha && score < window.beta && !self.given_up {
            self.techniques.windows_opened += 1;
            score = self.below::<BestLine>(node, child, window, depth, false);
        }
        score
    }

    /// The value of the position after a move, for the player who made it.
    #[inline]
    pub(super) fn below<K: Kind>(
        &mut self,
        node: &Node<G>,
        child: &G,
        window: Window,
        depth: i32,
        is_cut: bool,
    ) -> Score {
        if node.ply < self.watched_plies {
            return self.watch_below::<K>(node, child, window, depth, is_cut);
        }
        self.unwatched_below::<K>(node, child, window, depth, is_cut)
    }

    /// The same, seen or not.
    #[inline]
    pub(super) fn unwatched_below<K: Kind>(
        &mut self,
        node: &Node<G>,
        child: &G,
        window: Window,
        depth: i32,
        is_cut: bool,
    ) -> Score {
        let ply = node.ply + 1;
        if !G::ALTERNATES && child.to_move() == node.position.to_move() {
            // The same player goes on: what was expected of the position is expected of this one.
            self.pvs::<K>(child, window, depth, ply, node.is_cut)
        } else {
            -self.pvs::<K>(child, window.turned(), depth, ply, is_cut)
        }
    }
}

impl<'p, G: Game> Node<'p, G> {
    /// The root, as far as its moves are concerned.
    pub(super) fn root(position: &'p G, depth: i32, must_answer: bool) -> Node<'p, G> {
        Node {
            position,
            ply: 0,
            depth,
            is_cut: false,
            must_answer,
            estimate: None,
            is_improving: true,
            width: None,
            table_move: None,
            found: None,
        }
    }
}
