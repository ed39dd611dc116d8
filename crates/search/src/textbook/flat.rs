//! Flat Monte Carlo: as many random games after each move, and the best average wins.

use outplay_core::{Game, Line, Move, Outcome, Rng};

use super::playout;
use crate::stop::Pace;
use crate::{
    Bound, Control, Counters, Meaning, OptionSet, PrincipalVariation, Report, Search, StopReason, options,
};

options! {
    /// Settings of [`FlatMonteCarlo`].
    pub struct FlatOptions {
        /// Random games after each move; other limits may end the search sooner.
        pub playouts: i64 = 1_000, in 1..=1_000_000_000,
        /// Where the random numbers start: the same seed gives the same games.
        pub seed: i64 = 1, in 0..=i64::MAX,
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
        control.pace = Pace::Steps;
        let root = line.position();
        let player = root.to_move();
        let mut rng = Rng::new(self.options.seed as u64);
        let mut history = line.history().clone();
        history.push(root);
        let mut candidates: Vec<Candidate> = (super::root::root_moves(line, control.limits).into_iter())
            .map(|m| Candidate { m, ended: history.outcome(&root.after(m)), games: 0, total: 0 })
            .collect();
        if candidates.is_empty() {
            control.finish(StopReason::GameOver);
            return report(&candidates, 0, control);
        }
        let mut played = 0;
        let mut next_report = 1;
        'search: for round in 1..=self.options.playouts as u64 {
            for candidate in &mut candidates {
                let outcome = candidate.ended.unwrap_or_else(|| playout(root.after(candidate.m), &mut rng));
                candidate.total += i64::from(outcome.for_player(player).signum());
                candidate.games += 1;
                played += 1;
                if control.should_stop(played) {
                    break 'search;
                }
            }
            if round >= next_report {
                next_report = round * 2;
                let report = report(&candidates, played, control);
                control.report(report);
            }
        }
        control.finish(StopReason::Playouts);
        report(&candidates, played, control)
    }

    fn options(&self) -> &dyn OptionSet {
        &self.options
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        &mut self.options
    }
}

fn report(candidates: &[Candidate], played: u64, control: &Control) -> Report {
    let mut ranked: Vec<&Candidate> = candidates.iter().collect();
    // Moves that have not been tried yet come last.
    ranked.sort_by(|a, b| (b.games > 0).cmp(&(a.games > 0)).then(b.mean().total_cmp(&a.mean())));
    let lines = ranked.iter().take(control.limits.lines.max(1)).map(|candidate| PrincipalVariation {
        score: Meaning::Expected(candidate.mean()),
        bound: Bound::Exact,
        visits: Some(candidate.games),
        nodes: None,
        statistics: None,
        moves: vec![candidate.m],
    });
    Report {
        depth: 1,
        selective_depth: 1,
        time: control.elapsed(),
        counters: Counters { nodes: played, leaves: played, ..Counters::default() },
        lines: lines.collect(),
        current: None,
        table_permille: None,
        stopped: control.reason(),
    }
}
