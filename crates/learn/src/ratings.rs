//! How strong the networks of a run are: matches of the lab against fixed opponents, from the same openings for every generation.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_engine::NamedGame;
use outplay_lab::stats::{Estimate, Summary, elo_from_score};
use outplay_lab::{Ending, GameRules, Plan, Threads, random_openings, run_match};
use serde::Serialize;

use crate::folder::{Folder, RunError};
use crate::opponents::{network, opponents};
use crate::settings::RatingOptions;

/// What the openings begin with: the same for all runs, so that these can be compared.
const SEED: u64 = 1;

/// How the network of a generation fares against an opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The generation.
    pub generation: u32,
    /// Who the opponent is.
    pub opponent: String,
    /// Playouts of the network's searches.
    pub playouts: u32,
    /// Games played.
    pub games: u64,
    /// Games won by the network.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points over games.
    pub score: f64,
    /// How much stronger the network is, in Elo. Where all games end alike nobody knows, and half a point is taken off: that much at least.
    pub elo: f64,
    /// Half of the interval that holds the truth 95 times in a hundred.
    pub elo_error: f64,
    /// Seconds of self-play that the run had taken by then.
    pub play_seconds: f64,
    /// Seconds of training.
    pub train_seconds: f64,
    /// Games that had been played to learn from.
    pub total_games: u64,
}

/// What is rated, and how.
pub struct RatingJob<'j> {
    /// The run.
    pub folder: &'j Folder,
    /// Its game.
    pub game: &'j NamedGame,
    /// How.
    pub options: &'j RatingOptions,
    /// Games at once.
    pub threads: usize,
    /// Ends it; what is not finished then is played again another time.
    pub stop: &'j AtomicBool,
}

/// How far a match of a rating has come.
#[derive(Clone, Debug)]
pub struct RatingProgress<'p> {
    /// The opponent.
    pub opponent: &'p str,
    /// Games so far.
    pub games: usize,
    /// Of so many.
    pub of: usize,
}

impl RatingJob<'_> {
    /// Rates the network of a generation against all opponents that it was not yet rated against in this way, and adds each result to the folder. False if it
    /// was stopped.
    ///
    /// # Errors
    /// If there is no such network, or a file cannot be written.
    pub fn rate(
        &self,
        generation: u32,
        progress: &mut dyn FnMut(RatingProgress),
        see: &mut dyn FnMut(Rating),
    ) -> Result<bool, RunError> {
        let net = self.folder.net(generation);
        if !net.is_file() {
            let net = net.display();
            return Err(RunError::Folder(format!("{net} is not there: name a generation of this run")));
        }
        let (pairs, playouts) = (self.options.rate_games.div_ceil(2) as usize, self.options.rate_playouts);
        let known = self.folder.read_lines(&self.folder.ratings(), |_| true)?;
        let openings = random_openings(self.game, pairs, self.options.rate_plies as usize, SEED)
            .map_err(outplay_lab::MatchError::from)?;
        let totals = self.totals(generation)?;
        for opponent in
            opponents(self.game, self.options, generation, &|generation| self.folder.net(generation))
        {
            let name = opponent.name.clone();
            let is_known = known.iter().any(|line| {
                line["generation"] == generation
                    && line["opponent"] == name.as_str()
                    && line["playouts"] == playouts
                    && line["games"] == 2 * pairs
            });
            if is_known {
                continue;
            }
            let plan = Plan {
                game: self.game.clone(),
                entrants: vec![network("network", &net, playouts), opponent],
                pairings: vec![[0, 1]],
                openings: openings.clone(),
                pairs,
                rules: GameRules::default(),
                sprt: None,
            };
            plan.check().map_err(outplay_lab::MatchError::from)?;
            let (mut games, mut fault) = (0, None);
            let standings = run_match(&plan, &Threads(self.threads), &(), self.stop, &mut |pair, _| {
                games += 2;
                progress(RatingProgress { opponent: &name, games, of: 2 * pairs });
                // What a broken player loses says nothing about strength.
                fault = pair.games.iter().find(|game| matches!(game.ending, Ending::Fault { .. })).cloned();
                if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            if let Some(game) = fault {
                let what = game.ending;
                return Err(RunError::Folder(format!("the rating against {name} cannot go on: {what}")));
            }
            if games < 2 * pairs || self.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let rating =
                Rating { generation, opponent: name, playouts, ..totals.with(&standings.summary(0)) };
            self.folder.add_line(&self.folder.ratings(), &rating)?;
            self.folder.log(&rating.to_string());
            see(rating);
        }
        Ok(true)
    }

    /// What it took to come to a generation.
    fn totals(&self, generation: u32) -> Result<Totals, RunError> {
        let mut totals = Totals::default();
        for line in self.folder.read_lines(&self.folder.metrics(), |_| true)? {
            if line["generation"].as_u64().is_some_and(|of| of <= generation.into()) {
                totals.play_seconds += line["play_seconds"].as_f64().unwrap_or(0.0);
                totals.train_seconds += line["train_seconds"].as_f64().unwrap_or(0.0);
                totals.games += line["games"].as_u64().unwrap_or(0);
            }
        }
        Ok(totals)
    }
}

/// Whether a generation is to be rated on the way.
pub fn is_rated(options: &RatingOptions, generation: u32) -> bool {
    options.rate_every > 0 && generation.is_multiple_of(options.rate_every)
}

#[derive(Default)]
struct Totals {
    play_seconds: f64,
    train_seconds: f64,
    games: u64,
}

impl Totals {
    /// A rating by the result of a match.
    fn with(&self, summary: &Summary) -> Rating {
        let (elo, elo_error) = bounded(summary);
        Rating {
            generation: 0,
            opponent: String::new(),
            playouts: 0,
            games: summary.games,
            wins: summary.wdl.wins,
            draws: summary.wdl.draws,
            losses: summary.wdl.losses,
            score: summary.score.unwrap_or(0.5),
            elo,
            elo_error,
            play_seconds: self.play_seconds,
            train_seconds: self.train_seconds,
            total_games: self.games,
        }
    }
}

/// The difference in Elo and its error as numbers that end: no end of the interval goes beyond what half a point less would show.
fn bounded(summary: &Summary) -> (f64, f64) {
    let most = elo_from_score(1.0 - 0.5 / (summary.games.max(1) as f64));
    let unknown = Estimate { value: 0.0, low: -most, high: most };
    let Estimate { value, low, high } = summary.elo.unwrap_or(unknown);
    let [value, low, high] = [value, low, high].map(|elo| elo.clamp(-most, most));
    (value, (high - low) / 2.0)
}

impl std::fmt::Display for Rating {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Rating { generation, opponent, playouts, wins, draws, losses, score, elo, elo_error, .. } = self;
        write!(
            f,
            "generation {generation}, {playouts} playouts, against {opponent}: +{wins} ={draws} -{losses}, \
             {:.1} %, Elo {elo:+.0} ± {elo_error:.0}",
            100.0 * score
        )
    }
}

#[cfg(test)]
mod tests {
    use outplay_lab::stats::Wdl;

    use super::*;

    #[test]
    fn elo_is_a_number_even_if_all_games_end_alike() {
        let rating = |wins, draws, losses| bounded(&Summary::of_games(Wdl { wins, draws, losses }, None));
        let (all, error) = rating(40, 0, 0);
        // 39½ of 40 points.
        assert!((all - 400.0 * 79f64.log10()).abs() < 1e-9 && error > 100.0 && error.is_finite());
        assert_eq!(rating(0, 0, 40), (-all, error));
        let (even, _) = rating(10, 20, 10);
        assert!(even.abs() < 1e-9);
        let (nothing, error) = rating(0, 0, 0);
        assert!(nothing == 0.0 && error.is_finite());
    }
}
