//! Ratings of a pool of players from the results between them.
//!
//! The model is that of Bradley and Terry (1952), as Elo rates: `a` scores `1 / (1 + 10^((r_b - r_a) / 400))`
//! against `b`, and a draw is half a win and half a loss. The ratings are those of maximum likelihood: each
//! player's expected points, summed over all opponents, are exactly the points made.

mod cholesky;
mod fit;
mod groups;

use std::collections::BTreeMap;

use serde::Serialize;
use thiserror::Error;

use super::Wdl;
use super::elo::Estimate;
use super::normal::{Z_95, cumulative};
use fit::{Fit, Pairing};

/// Who scored how much against whom.
#[derive(Clone, PartialEq, Debug)]
pub struct Crosstable {
    names: Vec<String>,
    /// From the view of the first player, whose number is the smaller one.
    results: BTreeMap<(usize, usize), Wdl>,
}

/// Where the scale of ratings, which is only known by its differences, is nailed down.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Anchor {
    /// The mean of all ratings is this.
    Mean(f64),
    /// One player's rating is this, without error; the errors of the others are those of the difference.
    Player {
        /// The number of the player.
        player: usize,
        /// The rating.
        elo: f64,
    },
}

/// A player of a pool, rated.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The name.
    pub name: String,
    /// The rating.
    pub elo: Estimate,
    /// All games of this player.
    pub games: u64,
    /// The points made in them.
    pub points: f64,
}

/// The ratings of a pool.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// The players, in the order of the table that they came from.
    pub players: Vec<Rating>,
    /// How many draws had to be invented; 0 if the results alone determine all ratings.
    ///
    /// Someone who won every game is infinitely strong by maximum likelihood; so is a group that gave away
    /// nothing to the others. Between such groups, and only there, a weak prior is added: one drawn game for
    /// each group, shared out among its games with other groups. For two players that turns `n` wins in `n`
    /// games into a score of `n + ½` in `n + 1`.
    pub invented_draws: f64,
    /// The covariance of the ratings, row by row.
    #[serde(skip)]
    covariance: Vec<f64>,
}

/// Why a pool cannot be rated.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RatingError {
    /// Nothing ties the groups to each other, so that no difference between them is known.
    #[error("no results join {}", join_groups(.groups))]
    Disconnected {
        /// The names in each group of players who are joined by results, the largest group first.
        groups: Vec<Vec<String>>,
    },
    /// The anchor is not in the pool.
    #[error("the anchor is player {player} of a pool of {players}")]
    UnknownAnchor {
        /// The number given, counted from 0.
        player: usize,
        /// How many players there are.
        players: usize,
    },
}

fn join_groups(groups: &[Vec<String>]) -> String {
    groups.iter().map(|names| names.join(", ")).collect::<Vec<_>>().join(" | ")
}

impl Crosstable {
    /// A table without results. A player's number is the place in this list.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Crosstable {
        Crosstable { names: names.into_iter().map(Into::into).collect(), results: BTreeMap::new() }
    }

    /// Adds results between two players as `player` sees them.
    ///
    /// # Panics
    /// If the two are the same, or either is not in the table.
    pub fn add(&mut self, player: usize, opponent: usize, results: Wdl) {
        let players = self.names.len();
        assert!(
            player < players && opponent < players,
            "{player} or {opponent} is not one of {players} players"
        );
        assert_ne!(player, opponent, "a player has no result against itself");
        if player < opponent {
            *self.results.entry((player, opponent)).or_default() += results;
        } else {
            *self.results.entry((opponent, player)).or_default() += results.reversed();
        }
    }

    /// The names, in the order of the players' numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The results between two players as `player` sees them.
    pub fn results(&self, player: usize, opponent: usize) -> Wdl {
        let stored = |a, b| self.results.get(&(a, b)).copied().unwrap_or_default();
        if player < opponent { stored(player, opponent) } else { stored(opponent, player).reversed() }
    }

    /// All results of one player.
    pub fn total(&self, player: usize) -> Wdl {
        let opponents = (0..self.names.len()).filter(|&opponent| opponent != player);
        opponents.map(|opponent| self.results(player, opponent)).sum()
    }

    /// The ratings of maximum likelihood.
    pub fn ratings(&self, anchor: Anchor) -> Result<Ratings, RatingError> {
        let players = self.names.len();
        if let Anchor::Player { player, .. } = anchor
            && player >= players
        {
            return Err(RatingError::UnknownAnchor { player, players });
        }
        let mut pairings = self.pairings();
        self.check_connected(&pairings)?;
        let invented_draws = fit::invent_draws(players, &mut pairings);
        let Fit { elo, covariance } = fit::fit(players, &pairings, anchor);
        let rating = |player: usize| {
            let total = self.total(player);
            let error = covariance[player * players + player].max(0.0).sqrt();
            Rating {
                name: self.names[player].clone(),
                elo: Estimate::symmetric(elo[player], error),
                games: total.games(),
                points: total.points(),
            }
        };
        Ok(Ratings { players: (0..players).map(rating).collect(), invented_draws, covariance })
    }

    fn pairings(&self) -> Vec<Pairing> {
        let played = self.results.iter().filter(|(_, results)| results.games() > 0);
        played.map(|(&(a, b), &results)| Pairing::new(a, b, results)).collect()
    }

    fn check_connected(&self, pairings: &[Pairing]) -> Result<(), RatingError> {
        let both_ways = pairings.iter().flat_map(|pairing| [(pairing.a, pairing.b), (pairing.b, pairing.a)]);
        let group_of = groups::mutually_reachable(self.names.len(), both_ways);
        let mut groups: Vec<Vec<String>> = Vec::new();
        for (name, &group) in self.names.iter().zip(&group_of) {
            groups.resize_with(groups.len().max(group + 1), Vec::new);
            groups[group].push(name.clone());
        }
        if groups.len() <= 1 {
            return Ok(());
        }
        groups.sort_by_key(|names| std::cmp::Reverse(names.len()));
        Err(RatingError::Disconnected { groups })
    }
}

impl Ratings {
    /// The players from the strongest to the weakest.
    pub fn ranking(&self) -> Vec<&Rating> {
        let mut ranking: Vec<&Rating> = self.players.iter().collect();
        ranking.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
        ranking
    }

    /// By how much the first player, given by number, is better than the second.
    ///
    /// More precise than the two ratings taken apart: their errors depend on each other.
    ///
    /// # Panics
    /// If either number is not that of a player.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        let covariance = |i: usize, j: usize| self.covariance[i * self.players.len() + j];
        let variance = covariance(a, a) + covariance(b, b) - 2.0 * covariance(a, b);
        Estimate::symmetric(self.players[a].elo.value - self.players[b].elo.value, variance.max(0.0).sqrt())
    }

    /// How sure it is that the first player is better than the second, from 0 to 1.
    ///
    /// # Panics
    /// If either number is not that of a player.
    pub fn likelihood_of_superiority(&self, a: usize, b: usize) -> f64 {
        let difference = self.difference(a, b);
        let standard_error = difference.error() / Z_95;
        if standard_error > 0.0 { cumulative(difference.value / standard_error) } else { 0.5 }
    }
}
