//! Flat Monte Carlo: as many random games after each move, and the best average wins.

mod recording;

use outplay_core::{Game, Line, Move, Outcome, Rng};

use super::{NotRecorded, Recording, playout};
use crate::stop::Granularity;
use crate::{
    Bound, Control, Counters, Limits, MOST_SEED, Meaning, OptionSet, PrincipalVariation, Report, Search,
    StopReason, options,
};

options! {
    /// Settings of [`FlatMonteCarlo`].
    pub struct FlatOptions {
        /// Random games after each move; other limits may end the search sooner.
        pub playouts: u64 = 1_000, in 1..=1_000_000_000,
        /// Where the random numbers start: the same seed gives the same games.
        pub seed: u64 = 1, in 0..=MOST_SEED, is [Seed],
    }
}

/// Values each move by random games after it.
#[derive(Default)]
pub struct FlatMonteCarlo {
    options: FlatOptions,
}

/// A move and the results of its games, as the player at the root sees them.
struct Candidate {
    m: Move,
    /// How the game has ended after the move, repetition included, if it has.
    ended: Option<Outcome>,
    games: u64,
    total: i64,
}

impl Candidate {
    fn mean(&self) -> f64 {
        self.total as f64 / self.games.max(1) as f64
    }
}

impl<G: Game> Search<G> for FlatMonteCarlo {
    fn search(&mut self, line: &Line<G>, control: &mut Control) -> Report {
        control.granularity = Granularity::Steps;
        let mut games = Games::new(line, control.limits, self.options);
        if games.candidates.is_empty() {
            control.finish(StopReason::GameOver);
            return games.report(control);
        }
        let mut next_report = games.candidates.len() as u64;
        while let Some(turn) = games.turn() {
            games.play(turn);
            if control.should_stop(games.played) {
                break;
            }
            if games.played >= next_report {
                next_report *= 2;
                let report = games.report(control);
                control.report(report);
            }
        }
        control.finish(StopReason::Playouts);
        games.report(control)
    }

    fn record(&self, line: &Line<G>, simulations: u64, most_rows: usize) -> Result<Recording, NotRecorded> {
        recording::record(line, simulations, most_rows, self.options)
    }

    fn options(&self) -> &dyn OptionSet {
        &self.options
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.options
    }
}

/// The random games of a search so far.
struct Games<'a, G: Game> {
    root: &'a G,
    rng: Rng,
    candidates: Vec<Candidate>,
    played: u64,
    /// How many there may be.
    most: u64,
}

impl<'a, G: Game> Games<'a, G> {
    fn new(line: &'a Line<G>, limits: &Limits, options: FlatOptions) -> Games<'a, G> {
        let root = line.position();
        let mut history = line.history().clone();
        history.push(root);
        let candidates: Vec<Candidate> = (super::root::root_moves(line, limits).into_iter())
            .map(|m| Candidate { m, ended: history.outcome(&root.after(m)), games: 0, total: 0 })
            .collect();
        let most = options.playouts * candidates.len() as u64;
        Games { root, rng: Rng::new(options.seed), candidates, played: 0, most }
    }

    /// The candidate whose turn it is: one after the other, until each has had all its games.
    fn turn(&self) -> Option<usize> {
        (self.played < self.most).then(|| (self.played % self.candidates.len() as u64) as usize)
    }

    /// Plays a game after a candidate.
    fn play(&mut self, turn: usize) -> Outcome {
        let candidate = &mut self.candidates[turn];
        let outcome = candidate.ended.unwrap_or_else(|| playout(self.root.after(candidate.m), &mut self.rng));
        candidate.total += i64::from(outcome.for_player(self.root.to_move()).signum());
        candidate.games += 1;
        self.played += 1;
        outcome
    }

    /// So many root moves, the best first.
    fn lines(&self, most: usize) -> Vec<PrincipalVariation> {
        let mut ranked: Vec<&Candidate> = self.candidates.iter().collect();
        // Moves that have not been tried yet come last.
        ranked.sort_by(|a, b| (b.games > 0).cmp(&(a.games > 0)).then(b.mean().total_cmp(&a.mean())));
        let lines = ranked.iter().take(most).map(|candidate| PrincipalVariation {
            score: Meaning::Expected(candidate.mean()),
            bound: Bound::Exact,
            visits: Some(candidate.games),
            nodes: None,
            statistics: None,
            moves: vec![candidate.m],
        });
        lines.collect()
    }

    fn report(&self, control: &Control) -> Report {
        Report {
            depth: 1,
            selective_depth: 1,
            time: control.elapsed(),
            counters: Counters { nodes: self.played, leaves: self.played, ..Counters::default() },
            lines: self.lines(control.limits.lines.max(1)),
            current: None,
            table_permille: None,
            stopped: control.reason(),
            failure: None,
            notice: None,
        }
    }
}
