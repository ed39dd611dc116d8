//! One thread of the search: what it owns, and the small steps that its functions share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use outplay_core::{Game, History, Line, Move, Outcome, Player, mix};

use super::abdada::{BusyMoves, Deferred};
use super::counts::Techniques;
use super::finished::Finished;
use super::histories::{Histories, Played};
use super::ordering::ScoredMove;
use super::reductions::Reductions;
use super::stack::{MAX_PLY, Stack};
use super::trace::Recorder;
use super::{AlphaBetaOptions, window::Window};
use crate::table::{Table, TableEntry};
use crate::trace::NodeEnd;
use crate::{
    Bound, Control, Counters, Cutoffs, Evaluation, Knowledge, Oracle, Score, States, TableUse, Tactics,
};

/// Threads tell each other how many nodes they have visited whenever they have visited so many more.
const TELL_EVERY: u64 = 1024;

/// From so many reversible plies on, the table tells positions apart by their number too.
const COUNTED_FROM: usize = 40;
/// So many of them are taken for one.
const COUNTED_TOGETHER: usize = 8;

/// The key under which the table keeps a position. Where a draw by counting comes near, what was found while it was far is not
/// true any more.
#[inline]
pub(super) fn table_key<G: Game>(position: &G) -> u64 {
    match position.reversible_plies() {
        plies @ COUNTED_FROM.. if G::REPEATS => position.key() ^ mix((plies / COUNTED_TOGETHER) as u64),
        _ => position.key(),
    }
}

/// A search that is stopped at once still looks one ply ahead, if that takes no longer than this: a move out of the air helps nobody.
const TIME_FOR_FIRST: Duration = Duration::from_millis(5);

/// What the threads of a search share.
pub(super) struct Shared<'a> {
    pub options: &'a AlphaBetaOptions,
    pub table: Option<&'a Table>,
    pub reductions: Reductions,
    /// Whether anything depends on what positions look like before they are searched.
    pub is_selective: bool,
    /// How many moves are tried, as a share of what the game's knowledge thinks worth it.
    pub candidate_share: f64,
    pub busy: BusyMoves,
    pub finished: Finished,
    pub stop: AtomicBool,
    /// The nodes that each thread has visited, each number in a cache line of its own.
    pub nodes: Vec<NodeCount>,
}

/// A number that one thread writes and others read.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct NodeCount(AtomicU64);

/// One thread.
pub(super) struct Worker<'a, 'c, G: Game, K: Knowledge<G>> {
    pub shared: &'a Shared<'a>,
    pub options: &'a AlphaBetaOptions,
    pub evaluation: &'a K::Evaluation,
    pub tactics: &'a K::Tactics,
    pub oracle: &'a K::Oracle,
    /// What the three keep for this thread. The evaluation's stands at the position that is being searched.
    pub states: &'a mut States<G, K>,
    pub histories: &'a Histories,
    pub stack: Stack,
    /// The moves of the positions on the way, see [`super::ordering`].
    pub scored: Vec<ScoredMove>,
    /// The moves that were tried in the positions on the way, in vain so far.
    pub tried: Vec<Tried>,
    /// The moves that were deferred in the positions on the way.
    pub deferred: Vec<Deferred>,
    // [ply]: the best line from there on.
    lines: Vec<Vec<Move>>,
    pub history: History,
    line: &'a Line<G>,
    pub root_player: Player,
    pub root_depth: i32,
    pub deepest: usize,
    pub counters: Counters,
    pub techniques: Techniques,
    /// What is known about the positions below depends on something that was not looked at.
    pub horizon_seen: bool,
    /// The search was given up: its values mean nothing.
    pub aborted: bool,
    /// Passing is not allowed above this ply, while a cutoff is verified.
    pub no_pass_before: usize,
    /// The ply of the position whose cut by passing is being verified.
    pub verified: Option<usize>,
    /// Why the position that was left last was left: noting it takes less than asking whether anybody wants to know.
    pub ending: NodeEnd,
    /// What somebody who watches is shown; the leader's alone.
    pub recorder: Option<Box<Recorder<G>>>,
    /// The plies whose moves are recorded: none, if nobody watches.
    pub watched_plies: usize,
    /// The leader's line to the outside; the others only look whether to stop.
    pub control: Option<&'a mut Control<'c>>,
    number: usize,
    nodes_of_others: u64,
}

/// What a thread has counted.
pub(super) struct Counted {
    deepest: usize,
    counters: Counters,
    techniques: Techniques,
}

/// A move that was tried and did not refute.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub played: Played,
    /// What a noisy move wins, in units; `None` for a quiet one.
    pub gain: Option<i32>,
}

impl<'a, 'c, G: Game, K: Knowledge<G>> Worker<'a, 'c, G, K> {
    pub fn new(
        shared: &'a Shared<'a>,
        number: usize,
        knowledge: &'a K,
        (states, histories): (&'a mut States<G, K>, &'a Histories),
        line: &'a Line<G>,
        control: Option<&'a mut Control<'c>>,
    ) -> Worker<'a, 'c, G, K> {
        let counters = Counters {
            cutoffs: Some(Cutoffs::default()),
            table: shared.table.map(|_| TableUse::default()),
            ..Counters::default()
        };
        knowledge.evaluation().begin(&mut states.evaluation, line);
        let watcher = control.as_ref().and_then(|control| control.watcher.as_ref());
        let recorder = watcher.map(|watcher| Box::new(Recorder::new(watcher.options)));
        Worker {
            shared,
            options: shared.options,
            evaluation: knowledge.evaluation(),
            tactics: knowledge.tactics(),
            oracle: knowledge.oracle(),
            states,
            histories,
            stack: Stack::new(),
            scored: Vec::new(),
            tried: Vec::new(),
            deferred: Vec::new(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            history: line.history().clone(),
            line,
            root_player: line.position().to_move(),
            root_depth: 0,
            deepest: 0,
            counters,
            techniques: Techniques::default(),
            horizon_seen: false,
            aborted: false,
            no_pass_before: 0,
            verified: None,
            ending: NodeEnd::Searched,
            watched_plies: recorder.as_ref().map_or(0, |recorder| recorder.plies()),
            recorder,
            control,
            number,
            nodes_of_others: 0,
        }
    }

    /// Enters a position: counts it and forgets the line below. False if the search has been given up.
    #[inline]
    pub fn enter(&mut self, ply: usize) -> bool {
        self.lines[ply].clear();
        if self.aborted {
            return false;
        }
        self.counters.nodes += 1;
        if ply > self.deepest {
            self.deepest = ply;
        }
        let nodes = self.counters.nodes;
        if nodes.is_multiple_of(TELL_EVERY) && self.shared.nodes.len() > 1 {
            self.shared.nodes[self.number].0.store(nodes, Ordering::Relaxed);
            self.nodes_of_others = self.nodes_of_all() - nodes;
            // Another thread has done what this one is about.
            self.aborted = self.shared.finished.depth() >= self.root_depth;
        }
        self.aborted |= match &mut self.control {
            Some(control) => {
                let is_granted = self.root_depth == 1
                    && control.limits.nodes.is_none()
                    && control.elapsed() < TIME_FOR_FIRST;
                !is_granted && control.should_stop(nodes + self.nodes_of_others)
            }
            None => self.shared.stop.load(Ordering::Relaxed),
        };
        !self.aborted
    }

    /// A move was made, or none: the evaluation follows.
    #[inline]
    pub fn make(&mut self, before: &G, m: Option<Move>, after: &G) {
        self.evaluation.make(&mut self.states.evaluation, before, m, after);
    }

    /// It was taken back.
    #[inline]
    pub fn unmake(&mut self, before: &G) {
        self.evaluation.unmake(&mut self.states.evaluation, before);
    }

    /// The nodes of all threads, as far as they have told.
    pub fn nodes_of_all(&self) -> u64 {
        let others = self.shared.nodes.iter().enumerate().filter(|&(number, _)| number != self.number);
        self.counters.nodes + others.map(|(_, told)| told.0.load(Ordering::Relaxed)).sum::<u64>()
    }

    /// The value of a position whose game is over, or which counts as drawn because it has stood on the board before.
    #[inline]
    pub fn game_result(&mut self, position: &G, ply: usize) -> Option<Score> {
        let last_seen = self.history.last_seen(position);
        let outcome = match last_seen {
            None => position.outcome(),
            Some(_) => self.history.outcome(position),
        };
        if let Some(outcome) = outcome {
            self.counters.leaves += 1;
            self.ending = NodeEnd::GameOver;
            // Where positions come again, a draw may be one by counting: true of the way here, not of the position.
            self.horizon_seen |= G::REPEATS && outcome == Outcome::DRAW;
            return Some(self.decided(outcome, position.to_move(), ply));
        }
        if last_seen.is_some_and(|seen| seen >= self.line.history().len()) {
            // Whoever can repeat once can repeat again.
            self.horizon_seen = true;
            self.ending = NodeEnd::Repetition;
            return Some(self.draw(position.to_move()));
        }
        if self.options.oracle
            && let Some((outcome, plies)) = self.oracle.at_sight(position)
        {
            self.counters.leaves += 1;
            self.techniques.foreseen += 1;
            self.ending = NodeEnd::Foreseen;
            return Some(self.decided(outcome, position.to_move(), ply + plies));
        }
        None
    }

    fn decided(&self, outcome: Outcome, mover: Player, ply: usize) -> Score {
        match outcome {
            Outcome::DRAW => self.draw(mover),
            outcome => Score::decided::<G>(outcome, mover, ply),
        }
    }

    /// What a draw is worth for a player.
    #[inline]
    pub fn draw(&self, player: Player) -> Score {
        Score::heuristic(-self.options.contempt).seen_by(player, self.root_player)
    }

    /// What is known about a position, its value as seen from the root.
    #[inline]
    pub fn probe(&mut self, key: u64, ply: usize) -> Option<TableEntry> {
        let table = self.shared.table?;
        let found = table.probe(key);
        if let Some(counted) = &mut self.counters.table {
            counted.probes += 1;
            counted.hits += u64::from(found.is_some());
        }
        let mut found = found?;
        found.value = Score::from_raw(found.value.into()).seen_from_root::<G>(ply).raw() as i16;
        Some(found)
    }

    /// Notes what was found out about a position.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, value: Score, found: TableEntry) {
        if let Some(table) = self.shared.table {
            let value = value.seen_from_ply::<G>(ply).raw() as i16;
            table.store(key, TableEntry { value, ..found });
        }
    }

    /// The value of a table's entry, if it settles the question whether the position matters.
    #[inline]
    pub fn table_cutoff(&mut self, found: &TableEntry, depth: i32, window: Window) -> Option<Score> {
        let value = Score::from_raw(found.value.into());
        let suits = match found.bound {
            None => false,
            Some(Bound::Exact) => true,
            Some(Bound::AtLeast) => value >= window.beta,
            Some(Bound::AtMost) => value <= window.alpha,
        };
        (suits && (found.is_certain || i32::from(found.depth) >= depth)).then(|| {
            self.techniques.table_cutoffs += 1;
            self.ending = NodeEnd::Table;
            self.horizon_seen |= !found.is_certain;
            value
        })
    }

    /// The static evaluation, corrected by what was learned; with the evaluation itself, for the table.
    #[inline]
    pub fn evaluate(&mut self, position: &G, found: Option<&TableEntry>) -> (i32, i32) {
        let raw = found.and_then(|found| found.evaluation).map(i32::from);
        let raw = raw.unwrap_or_else(|| {
            Score::heuristic(self.evaluation.evaluate(&mut self.states.evaluation, position)).raw()
        });
        let correction = match self.options.correction_history {
            true => self
                .evaluation
                .structure_key(position)
                .map_or(0, |structure| self.histories.correction(position.to_move(), structure)),
            false => 0,
        };
        self.techniques.corrections += u64::from(correction != 0);
        (raw, Score::heuristic(raw + correction).raw())
    }

    /// A margin of the settings in the units of this evaluation.
    #[inline]
    pub fn margin(&self, hundredths: i32) -> i32 {
        hundredths * self.evaluation.unit() / 100
    }

    /// The move just tried is the best so far at its ply.
    pub fn update_pv(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }

    /// The best line from a ply on.
    pub fn pv(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }

    /// What a noisy move wins at once, in units.
    #[inline]
    pub fn gain_in_units(&self, position: &G, m: Move) -> i32 {
        self.tactics.gain(position, m) / self.evaluation.unit()
    }

    /// The position at the root.
    pub fn root_position(&self) -> &G {
        self.line.position()
    }

    /// Adds what another thread has counted, but for its nodes, which it has told already.
    pub fn take_over(&mut self, other: &Counted) {
        self.deepest = self.deepest.max(other.deepest);
        self.counters.leaves += other.counters.leaves;
        if let (Some(mine), Some(theirs)) = (&mut self.counters.cutoffs, other.counters.cutoffs) {
            mine.all += theirs.all;
            mine.at_first_move += theirs.at_first_move;
        }
        if let (Some(mine), Some(theirs)) = (&mut self.counters.table, other.counters.table) {
            mine.probes += theirs.probes;
            mine.hits += theirs.hits;
        }
        if let Some(theirs) = other.counters.endgame_hits {
            *self.counters.endgame_hits.get_or_insert(0) += theirs;
        }
        self.techniques.add(&other.techniques);
    }

    /// What this thread has counted.
    pub fn counted(&self) -> Counted {
        Counted { deepest: self.deepest, counters: self.counters, techniques: self.techniques }
    }

    /// The kind of a move, by whoever is to move.
    #[inline]
    pub fn played(&self, position: &G, m: Move) -> Played {
        self.histories.played(position.to_move(), self.tactics.move_kind(position, m))
    }
}
