//! The alpha-beta search for use: iterative deepening, principal variation, a shared table, and each technique of the classical
//! toolbox as a switch.
//!
//! Read `pvs.rs` for the search of one position, `ordering.rs` for the order of moves, `quiescence.rs` for what happens at the
//! horizon, `root.rs` and `deepening.rs` for the root, `histories.rs` for what is learned on the way. What a game knows comes from its
//! [`Knowledge`]: noisy moves, exchanges, checks, null moves. A game that knows nothing of it is still searched, by what is true of all.
//!
//! With every technique switched off that is selective, the value is that of plain alpha-beta at the same depth: that is tested.
//!
//! Several threads search the same root and share the table: each finds there what the others have found out. So that they do not all look
//! for the same, a thread defers moves that another is searching (`abdada.rs`); what one has finished, the others take
//! (`finished.rs`). At the end they vote.

mod abdada;
mod adjustment;
mod counts;
mod deepening;
mod depth;
mod finished;
mod histories;
mod learning;
mod options;
mod ordering;
mod probcut;
mod probe;
mod pruning;
mod pvs;
mod quiescence;
mod reductions;
mod root;
mod stack;
#[cfg(test)]
mod tests;
mod trace;
mod window;
mod worker;

use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Game, Line, Move};

pub use counts::Techniques;
pub use options::{Aim, AlphaBetaOptions};

use crate::knowledge::{SOLVER_SHARE, solver_budget};
use crate::stop::Granularity;
use crate::table::Table;
use crate::textbook::root_moves;
use crate::{
    Attribute, Control, Declared, ForcedWin, Knowledge, OptionSet, Oracle, Report, Score, Search, Solved,
    SolverQuestion, States, StopReason, Tactics,
};
use abdada::BusyMoves;
use adjustment::Adjustment;
use finished::Finished;
use histories::Histories;
use reductions::Reductions;
use root::{Root, sort_by_ordering_score};
use worker::{NodeCount, Shared, Worker};

/// The search, with what it remembers between moves.
pub struct AlphaBeta<G: Game, K: Knowledge<G>> {
    knowledge: K,
    /// One for each thread.
    states: Vec<States<G, K>>,
    /// The settings.
    pub options: AlphaBetaOptions,
    /// Made when it is needed.
    table: Option<Table>,
    /// What it was filled for: what is not certain means something else for another aim.
    table_options: AlphaBetaOptions,
    /// One for all threads, or one for each.
    histories: Vec<Histories>,
    /// What this game has taught about candidates.
    adjustment: Adjustment,
}

impl<G: Game, K: Knowledge<G>> AlphaBeta<G, K> {
    /// A search that goes by what `knowledge` says of the game.
    pub fn new(knowledge: K) -> AlphaBeta<G, K> {
        AlphaBeta {
            knowledge,
            states: Vec::new(),
            options: AlphaBetaOptions::default(),
            table: None,
            table_options: AlphaBetaOptions::default(),
            histories: Vec::new(),
            adjustment: Adjustment::default(),
        }
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for AlphaBeta<G, K> {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        control.granularity = match self.options.first_depth {
            1 => Granularity::Iterations,
            // The first iteration may take for ever: it is not waited for.
            _ => Granularity::AtOnce,
        };
        self.prepare();
        let report = self.run(line, control);
        self.adjustment.learn(&report.counters, &self.options);
        self.knowledge.search_ends();
        report
    }

    fn options(&self) -> &dyn OptionSet {
        &self.options
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.options
    }

    fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.histories.clear();
        self.adjustment = Adjustment::default();
        self.states.clear();
    }
}

impl<G: Game, K: Knowledge<G>> AlphaBeta<G, K> {
    /// Makes what a search with so many threads as are asked for needs.
    fn prepare(&mut self) {
        let (size, large_pages) = (self.options.hash, self.options.large_pages);
        if self.table.as_ref().is_none_or(|table| !table.is_made_for(size, large_pages)) {
            // The old one goes first, so that there are never two.
            self.table = None;
            self.table = Some(Table::new(size, large_pages));
        }
        if let Some(table) = &mut self.table {
            if self.options.differs(Attribute::Meaning, &self.table_options) {
                table.clear();
            }
            self.table_options = self.options;
            table.begin_search();
        }
        let threads = self.options.threads;
        self.knowledge.search_begins();
        let knowledge = &self.knowledge;
        self.states.resize_with(threads, || States::new(knowledge));
        self.states.iter_mut().for_each(|states| knowledge.oracle().renew(&mut states.oracle));
        let kinds = knowledge.tactics().move_kinds();
        let memories = if self.options.share_histories { 1 } else { threads };
        self.histories.resize_with(memories, || Histories::new(kinds));
    }

    /// A win by force that the game's knowledge finds at once, if that is all that is asked.
    fn forced_win(
        &mut self,
        line: &Line<G>,
        control: &Control,
        options: &AlphaBetaOptions,
    ) -> Option<ForcedWin> {
        let is_asked = control.limits.ask_for_best_alone()
            && options.forced_wins
            && options.aim == Aim::Value
            && options.forced_win_nodes > 0;
        let nodes = options.forced_win_nodes;
        let is_late = || control.has_used(ForcedWin::MOST_TIME);
        let (oracle, state) = (self.knowledge.oracle(), &mut self.states[0].oracle);
        is_asked.then(|| oracle.forced_win(state, line.position(), nodes, &is_late))?
    }

    /// What the game's solver finds, if the end is near enough for it.
    fn solved(
        &self,
        line: &Line<G>,
        control: &Control,
        options: &AlphaBetaOptions,
        moves: &[Move],
    ) -> Solved {
        let (oracle, position) = (self.knowledge.oracle(), line.position());
        let expected = oracle.solver_nodes(position).filter(|_| {
            options.endgame_solver && options.aim == Aim::Value && options.contempt == 0 && !moves.is_empty()
        });
        let budget = expected.and_then(|nodes| solver_budget(nodes, control.limits.nodes, control));
        let Some(nodes) = budget else { return Solved::default() };
        let is_late = || control.has_used(SOLVER_SHARE);
        let (lines, threads) = (control.limits.lines.max(1), options.threads);
        oracle.solve(
            position,
            &SolverQuestion { moves, lines, threads, mebibytes: options.hash, nodes, is_late: &is_late },
        )
    }

    /// Searches, with everything made.
    fn run(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        let options = self.options.for_aim();
        let mut moves = root_moves(line, control.limits);
        sort_by_ordering_score(
            self.knowledge.tactics(),
            &mut self.states[0].tactics,
            line.position(),
            &mut moves,
        );
        let win = if moves.is_empty() { None } else { self.forced_win(line, control, &options) };
        let solved =
            if win.is_none() { self.solved(line, control, &options, &moves) } else { Solved::default() };
        let first_depth = options.first_depth;
        let shared = Shared {
            options: &options,
            table: self.table.as_ref().filter(|_| options.table),
            reductions: Reductions::new(&options),
            is_selective: options.is_selective(),
            candidate_share: self.adjustment.share(&options),
            busy: BusyMoves::new(),
            finished: Finished::default(),
            stop: AtomicBool::new(false),
            nodes: self.states.iter().map(|_| NodeCount::default()).collect(),
        };
        let knowledge = &self.knowledge;
        let mut workers = self.states.iter_mut().zip(self.histories.iter().cycle()).enumerate();
        let Some((_, first)) = workers.next() else { unreachable!("there is always one thread") };
        let mut root = Root::new(moves, control.limits);
        if root.moves.is_empty() {
            control.finish(StopReason::GameOver);
            return Worker::new(&shared, 0, knowledge, first, line, Some(control)).state(&root, None);
        }
        if let Some(win) = win {
            root.take_win::<G>(&win);
            control.finish(StopReason::Solved);
            return Worker::new(&shared, 0, knowledge, first, line, Some(control)).state(&root, None);
        }
        if !solved.lines.is_empty() {
            root.take_solved(&solved.lines);
            control.finish(StopReason::Solved);
            let mut worker = Worker::new(&shared, 0, knowledge, first, line, Some(control));
            worker.counters.nodes = solved.nodes;
            return worker.state(&root, None);
        }
        std::thread::scope(|scope| {
            let followers: Vec<_> = workers
                .map(|(number, own)| {
                    let (shared, mut root) = (&shared, root.clone());
                    scope.spawn(move || {
                        let mut worker = Worker::new(shared, number, knowledge, own, line, None);
                        worker.deepen(line, &mut root, first_depth);
                        (root, worker.counted())
                    })
                })
                .collect();
            let mut leader = Worker::new(&shared, 0, knowledge, first, line, Some(control));
            // What the solver has used in vain counts as well.
            leader.counters.nodes = solved.nodes;
            leader.deepen(line, &mut root, first_depth);
            shared.stop.store(true, Ordering::Relaxed);
            let mut roots = vec![];
            for follower in followers {
                match follower.join() {
                    Ok((root, counted)) => {
                        leader.take_over(&counted);
                        roots.push(root);
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            let is_solved =
                leader.control.as_ref().is_some_and(|control| control.reason() == Some(StopReason::Solved));
            if root.shown == 1 && !is_solved {
                vote(&mut root, roots);
            }
            leader.state(&root, None)
        })
    }
}

/// Takes the root of another thread if most of the threads, the deeper and the better the more, are for its move.
fn vote(root: &mut Root, others: Vec<Root>) {
    if !root.is_exact() {
        return;
    }
    let mut candidates: Vec<Root> = others.into_iter().filter(Root::is_exact).collect();
    candidates.insert(0, std::mem::take(root));
    let worst = candidates.iter().map(|root| root.moves[0].known_score()).min().unwrap_or(Score::DRAW);
    let weight =
        |root: &Root| i64::from(root.moves[0].known_score().raw() - worst.raw() + 20) * i64::from(root.depth);
    let votes = |root: &Root| -> i64 {
        let same = candidates.iter().filter(|other| other.moves[0].m == root.moves[0].m);
        same.map(weight).sum()
    };
    let mut chosen = 0;
    for number in 1..candidates.len() {
        let (new, old) = (&candidates[number], &candidates[chosen]);
        let (new_score, old_score) = (new.moves[0].known_score(), old.moves[0].known_score());
        let is_better = match old_score.is_decided() || new_score.is_decided() {
            true => new_score > old_score,
            false => (votes(new), weight(new)) > (votes(old), weight(old)),
        };
        if is_better {
            chosen = number;
        }
    }
    *root = candidates.swap_remove(chosen);
}
