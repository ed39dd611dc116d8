//! Iterative deepening: one ply, then two, each iteration guided by the last.

use std::time::Duration;

use outplay_core::{Game, Line};

use super::Aim;
use super::root::Root;
use super::window::Window;
use super::worker::Worker;
use crate::stop::Completed;
use crate::{CurrentMove, Knowledge, Meaning, Report, Score, StopReason};

/// The move that is looked at, and values that are only bounds, are reported after so much time: before, they change too fast to be read.
const WORTH_TELLING: Duration = Duration::from_secs(3);
/// The deepest iteration.
const MOST_DEPTH: i32 = 118;

impl<G: Game, K: Knowledge<G>> Worker<'_, '_, G, K> {
    /// Searches deeper and deeper until the leader's control says stop, or the leader does.
    pub(super) fn deepen(&mut self, line: &Line<G>, root: &mut Root, first_depth: i32) {
        let mut stability = Stability::default();
        self.root_depth = first_depth.min(MOST_DEPTH);
        while self.root_depth <= MOST_DEPTH {
            root.begin_iteration();
            self.horizon_seen = false;
            self.watch_iteration(root.moves.len());
            self.search_iteration(line, root);
            self.watched_iteration();
            if self.aborted && !self.take_finished(root) {
                // The moves that it came to are worth what it found, the others what they were.
                root.sort(0..);
                return;
            }
            self.root_depth = root.depth + 1;
            stability.iteration_done(root, self.counters.nodes);
            let completed = self.completed(root, stability.patience());
            let nodes = self.nodes_of_all();
            let Some(control) = &mut self.control else { continue };
            if control.should_stop_after(nodes, completed) {
                return;
            }
            self.report(root, root.depth, None);
        }
        if let Some(control) = &mut self.control {
            control.finish(StopReason::Depth);
        }
    }

    /// One iteration: as many moves as are to be shown get their values.
    fn search_iteration(&mut self, line: &Line<G>, root: &mut Root) {
        let depth = self.root_depth;
        for first in 0..root.shown {
            match self.options.aim {
                Aim::Value => self.search_around(line, root, first, depth),
                Aim::Result => self.search_for_result(line, root, first, depth),
            }
            if self.aborted {
                return;
            }
            // A line that is searched later may turn out better.
            root.sort(..=first);
        }
        root.depth = depth;
        if self.shared.nodes.len() > 1 {
            self.shared.finished.tell(root, self.horizon_seen);
        }
    }

    /// Goes on with the iteration that another thread has finished, if that is why this one gave its own up.
    fn take_finished(&mut self, root: &mut Root) -> bool {
        let Some(finished) = self.shared.finished.since(self.root_depth) else { return false };
        (*root, self.horizon_seen) = finished;
        self.aborted = false;
        true
    }

    /// Searches the root moves from number `first` on, with a window around the value that is expected.
    fn search_around(&mut self, line: &Line<G>, root: &mut Root, first: usize, depth: i32) {
        let expected = root.moves[first].previous;
        let mut margin = self.margin(self.options.aspiration_margin).max(1);
        let is_expected =
            self.options.aspiration && depth >= self.options.aspiration_depth && !expected.is_decided();
        let mut window = match is_expected {
            true => Window { alpha: expected - margin, beta: expected + margin },
            false => Window::open(),
        };
        loop {
            let best = self.search_root(line.position(), root, first, window, depth, Self::report_current);
            root.sort(first..);
            if self.aborted {
                return;
            }
            // The further off, the further the next guess; beyond any opinion nothing is guessed.
            margin += margin * self.options.aspiration_growth / 100 + 3;
            let too_far = Score::MOST_HEURISTIC.raw() / 8;
            if best <= window.alpha && window.alpha > -Score::INFINITE {
                let alpha = if margin > too_far {
                    -Score::INFINITE
                } else {
                    best.max(-Score::MOST_HEURISTIC) - margin
                };
                window = Window { alpha, beta: window.beta };
            } else if best >= window.beta && window.beta < Score::INFINITE {
                let beta =
                    if margin > too_far { Score::INFINITE } else { best.min(Score::MOST_HEURISTIC) + margin };
                window = Window { alpha: window.alpha, beta };
            } else {
                return;
            }
            self.techniques.aspiration_failures += 1;
            if first == 0
                && root.shown == 1
                && self.control.as_ref().is_some_and(|control| control.elapsed() > WORTH_TELLING)
            {
                self.report(root, depth, None);
            }
        }
    }

    /// Asks of the root moves from number `first` on whether one wins, and if not, whether one holds.
    fn search_for_result(&mut self, line: &Line<G>, root: &mut Root, first: usize, depth: i32) {
        for window in [Window::null_above(Score::DRAW), Window::null_below(Score::DRAW)] {
            let best = self.search_root(line.position(), root, first, window, depth, Self::report_current);
            root.sort(first..);
            if self.aborted || best >= window.beta {
                return;
            }
        }
    }

    /// An iteration is done.
    fn completed(&self, root: &Root, patience: f64) -> Completed {
        let depth = root.depth as u32;
        // Where moves are left out, so may be the quickest win: wins are looked for twice as deep.
        let is_seen_to_its_end = |score: Score| match score.meaning::<G>() {
            Meaning::WinIn(plies) | Meaning::LossIn(plies) => 2 * plies <= depth,
            _ => false,
        };
        let is_certain = |score: Score| match self.options.aim {
            Aim::Value => is_seen_to_its_end(score),
            Aim::Result => score.is_decided(),
        };
        let is_settled = root.moves.iter().take(root.shown).all(|shown| is_certain(shown.score));
        Completed {
            depth,
            // Where moves are left out, a win of any length may be missed.
            wins_seen: if self.shared.is_selective { 0 } else { depth },
            value: root.moves[0].known_score().meaning::<G>(),
            exact: !self.horizon_seen || is_settled,
            patience,
        }
    }

    /// Tells which move is being looked at, once that can be read.
    fn report_current(&mut self, root: &Root, current: CurrentMove) {
        if self.control.as_ref().is_some_and(|control| control.elapsed() > WORTH_TELLING) {
            self.report(root, self.root_depth, Some(current));
        }
    }

    /// Tells how it stands, in the iteration of this depth.
    fn report(&mut self, root: &Root, depth: i32, current: Option<CurrentMove>) {
        let report = Report { depth: depth as u32, ..self.state(root, current) };
        if let Some(control) = &mut self.control {
            control.report(report);
        }
    }

    /// What there is to say.
    pub(super) fn state(&self, root: &Root, current: Option<CurrentMove>) -> Report {
        let mut counters = self.counters;
        counters.nodes = self.nodes_of_all();
        counters.techniques = Some(self.techniques);
        let control = self.control.as_ref();
        let mut lines = root.lines::<G>();
        self.complete(&mut lines);
        Report {
            depth: root.depth as u32,
            selective_depth: self.deepest as u32,
            time: control.map_or(Duration::ZERO, |control| control.elapsed()),
            counters,
            lines,
            current,
            table_permille: self.shared.table.map(|table| table.permille()),
            stopped: control.and_then(|control| control.reason()),
            failure: None,
            notice: None,
        }
    }
}

/// How settled the best move is: by how long it has been the same, how much of the work went into it, and whether its value falls.
#[derive(Default)]
struct Stability {
    best: Option<outplay_core::Move>,
    iterations: u32,
    share: f64,
    previous: Option<Score>,
    falling_by: i32,
}

impl Stability {
    fn iteration_done(&mut self, root: &Root, nodes: u64) {
        let best = &root.moves[0];
        self.iterations = if self.best == Some(best.m) { self.iterations + 1 } else { 0 };
        self.best = Some(best.m);
        self.share = best.nodes as f64 / nodes.max(1) as f64;
        self.falling_by = self.previous.map_or(0, |previous| previous.raw() - best.score.raw());
        self.previous = Some(best.score);
    }

    /// What part of its share of the clock the search should take: less than 1 if the move is clear, more if it is in doubt.
    fn patience(&self) -> f64 {
        let by_work = (1.6 - self.share) * 1.3;
        let by_age = 1.3 - 0.06 * f64::from(self.iterations.min(8));
        let by_fall = 1.0 + f64::from(self.falling_by.clamp(0, 60)) / 100.0;
        (by_work * by_age * by_fall).clamp(0.3, 2.5)
    }
}
