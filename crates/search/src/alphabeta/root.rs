//! The root: its moves, and one pass over them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::slice::SliceIndex;

use outplay_core::{Game, Move};

use super::ordering::Picked;
use super::pvs::Node;
use super::window::{Pv, Window};
use super::worker::Worker;
use crate::{
    Bound, CurrentMove, Evaluation, ForcedWin, Knowledge, Limits, PrincipalVariation, Score, Tactics, Tier,
};

/// A root move and what is known of it.
#[derive(Clone)]
pub(super) struct RootMove {
    pub m: Move,
    /// The number of its group among [`Limits::tiers`]: whatever is found, no move of a later one is preferred.
    tier: usize,
    /// What is certain of it: the value lies in between, both ends included.
    certain: Window,
    /// The value of this iteration; below everything while there is none, or if the move is not among the best.
    pub score: Score,
    /// The value of the last iteration.
    pub previous: Score,
    /// Whether that is the value or a bound.
    pub bound: Bound,
    pub line: Vec<Move>,
    /// The nodes spent on it in this search.
    pub nodes: u64,
}

impl RootMove {
    fn new(m: Move, tiers: &[Tier]) -> RootMove {
        let tier = tiers.iter().position(|tier| tier.moves.contains(&m)).unwrap_or(tiers.len());
        let certain = tiers.get(tier).map_or(Window::open(), |tier| Window {
            alpha: tier.certainty.least(),
            beta: tier.certainty.most(),
        });
        let (score, previous) = (-Score::INFINITE, -Score::INFINITE);
        RootMove { m, tier, certain, score, previous, bound: Bound::Exact, line: vec![m], nodes: 0 }
    }

    /// The value that is known, of this iteration or the last.
    pub fn known_score(&self) -> Score {
        let found = match (self.score, self.previous) {
            (score, _) if score > -Score::INFINITE => score,
            (_, previous) if previous > -Score::INFINITE => previous,
            _ => Score::DRAW,
        };
        found.clamp(self.certain.alpha, self.certain.beta)
    }
}

/// Puts the moves first that ordering_score most at sight; equals stay as they are.
pub(super) fn sort_by_ordering_score<G: Game, T: Tactics<G>>(
    tactics: &T,
    state: &mut T::State,
    position: &G,
    moves: &mut [Move],
) {
    let mut scores = HashMap::new();
    tactics.visit_quiet(state, position, |m, _, ordering_score| {
        scores.insert(m, ordering_score);
    });
    moves.sort_by_cached_key(|m| Reverse(scores.get(m).copied().unwrap_or(Some(0))));
}

/// What a thread knows at the root.
#[derive(Clone, Default)]
pub(super) struct Root {
    /// All moves, the best first.
    pub moves: Vec<RootMove>,
    /// How many of them are to have exact values.
    pub shown: usize,
    /// The last iteration that was completed.
    pub depth: i32,
}

impl Root {
    pub fn new(moves: Vec<Move>, limits: &Limits) -> Root {
        let shown = limits.lines.clamp(1, moves.len().max(1));
        let moves = moves.into_iter().map(|m| RootMove::new(m, &limits.tiers)).collect();
        let mut root = Root { moves, shown, depth: 0 };
        root.sort(0..);
        root
    }

    /// The moves from number `first` on that may be preferred to it.
    fn tier(&self, first: usize) -> std::ops::Range<usize> {
        let is_same = |root_move: &RootMove| root_move.tier == self.moves[first].tier;
        first..first + self.moves[first..].iter().take_while(|root_move| is_same(root_move)).count()
    }

    /// A new iteration: what is known is what the last one has found.
    pub fn begin_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous = root_move.score;
            root_move.score = -Score::INFINITE;
        }
    }

    /// Puts the best of these moves first; equals stay as they are.
    pub fn sort(&mut self, moves: impl SliceIndex<[RootMove], Output = [RootMove]>) {
        self.moves[moves].sort_by_key(|root_move| (root_move.tier, Reverse(root_move.score)));
    }

    /// Puts the first move of a win by force first.
    pub fn take_win<G: Game>(&mut self, win: &ForcedWin) {
        let Some(index) = self.moves.iter().position(|root_move| Some(&root_move.m) == win.line.first())
        else {
            return;
        };
        self.moves[..=index].rotate_right(1);
        let best = &mut self.moves[0];
        best.score = win.score::<G>();
        best.line.clone_from(&win.line);
        self.depth = win.plies as i32;
    }

    /// Takes what a solver has found of the best moves.
    pub fn take_solved(&mut self, lines: &[(Score, Vec<Move>)]) {
        for (place, (score, line)) in lines.iter().enumerate() {
            let Some(index) = self.moves.iter().position(|root_move| Some(&root_move.m) == line.first())
            else {
                continue;
            };
            self.moves[place..=index].rotate_right(1);
            let best = &mut self.moves[place];
            (best.score, best.bound) = (*score, Bound::Exact);
            best.line.clone_from(line);
            self.depth = self.depth.max(line.len() as i32);
        }
    }

    /// Whether the value of the best move is one, and not a bound.
    pub fn is_exact(&self) -> bool {
        self.depth > 0 && self.moves.first().is_some_and(|best| best.bound == Bound::Exact)
    }

    /// The best lines.
    pub fn lines<G: Game>(&self) -> Vec<PrincipalVariation> {
        let shown = self.moves.iter().take(self.shown);
        shown
            .map(|root_move| PrincipalVariation {
                score: root_move.known_score().meaning::<G>(),
                // Without a completed iteration, moves are missing that may be better.
                bound: if self.depth == 0 { Bound::AtLeast } else { root_move.bound },
                visits: None,
                nodes: None,
                statistics: None,
                moves: root_move.line.clone(),
            })
            .collect()
    }
}

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// Tries the root moves from number `first` on, as far as one may be preferred to it; returns the best value.
    pub(super) fn search_root(
        &mut self,
        position: &G,
        root: &mut Root,
        first: usize,
        mut window: Window,
        depth: i32,
        mut about: impl FnMut(&mut Self, &Root, CurrentMove),
    ) -> Score {
        let in_check = self.tactics.in_check(position);
        let node = Node::root(position, depth, in_check);
        let mut best = -Score::INFINITE;
        self.stack[0].evaluation = (!in_check)
            .then(|| Score::heuristic(self.evaluation.evaluate(&mut self.states.evaluation, position)).raw());
        self.stack[1].killers = [None; 2];
        self.watch_root(window, depth);
        // First all moves that no other thread is busy with, then the rest.
        let mut order: Vec<_> = root.tier(first).map(|index| (index, false)).collect();
        let mut next = 0;
        let candidates = self.candidates(position, depth).map_or(usize::MAX, |candidates| {
            candidates + (self.options.candidate_growth * f64::from(depth)) as usize
        });
        while let Some(&(index, was_deferred)) = order.get(next) {
            next += 1;
            let number = index - first + 1;
            if number > candidates && !best.is_loss() {
                self.horizon_seen = true;
                root.moves[index].score = -Score::INFINITE;
                continue;
            }
            let m = root.moves[index].m;
            let busy_key = self.busy_key(&node, m, number);
            if !was_deferred && self.is_busy(busy_key) {
                self.techniques.moves_deferred += 1;
                order.push((index, true));
                continue;
            }
            about(self, root, CurrentMove { m, number: number as u32 });
            let nodes_before = self.counters.nodes;
            let is_noisy = self.tactics.is_noisy(position, m);
            let is_losing = is_noisy && !self.tactics.see_at_least(position, m, 0);
            let picked = Picked { m, is_noisy, is_losing, is_late_check: false };
            let played = self.played(position, m);
            let history_score = self.history_score(position, &picked, played, 0);
            let child = position.after(m);
            let gives_check = self.gives_check(position, &child);
            let entry = &mut self.stack[0];
            (entry.m, entry.played, entry.is_noisy) = (Some(m), Some(played), is_noisy);
            let extension = self.extension(&node, &picked, gives_check);
            self.stack[0].place = (number as u16, extension as i8);
            let reduction = match number {
                1 => 0,
                _ => self.reduction::<Pv>(&node, &picked, (number, history_score), gives_check),
            };
            self.history.push(position);
            self.make(position, Some(m), &child);
            self.begin_move(busy_key);
            let score = self.search_move::<Pv>(
                &node,
                &child,
                window,
                (depth - 1 + extension, reduction),
                number == 1,
            );
            self.end_move(busy_key);
            self.unmake(position);
            self.history.pop::<G>();
            if self.aborted {
                break;
            }
            let is_better = score > window.alpha;
            let line = (number == 1 || is_better)
                .then(|| std::iter::once(m).chain(self.pv(1).iter().copied()).collect());
            let root_move = &mut root.moves[index];
            root_move.nodes += self.counters.nodes - nodes_before;
            if let Some(line) = line {
                root_move.score = score;
                root_move.line = line;
                root_move.bound = if score >= window.beta {
                    Bound::AtLeast
                } else if is_better {
                    Bound::Exact
                } else {
                    Bound::AtMost
                };
            } else {
                root_move.score = -Score::INFINITE;
            }
            best = best.max(score);
            if is_better {
                if score >= window.beta {
                    break;
                }
                window.alpha = score;
            }
        }
        self.watched_root(best);
        best
    }
}
