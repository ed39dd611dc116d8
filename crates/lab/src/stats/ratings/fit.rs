//! Ratings of maximum likelihood and their covariance.
//!
//! With ratings `θ` in units of 400 / ln 10 Elo and `E` the expected score of a pairing, the log-likelihood
//! `Σ points ln E` is concave. Its gradient is, for each player, the points made minus those expected; its
//! second derivatives are minus the Laplacian `H` of the graph in which a pairing weighs `games · E (1 - E)`.
//!
//! The error bars are those of the sandwich formula, `H⁻¹ J H⁻¹`, where `J` is the Laplacian in which a
//! pairing weighs the variance that its results show (P. J. Huber 1967; H. White 1982). The information
//! matrix `H` alone would take each game for a coin that falls on one of two sides, and overstate the error
//! by half again where most games are drawn. For two players the formula is the delta method that a match is
//! commonly reported with.

use super::super::Wdl;
use super::Anchor;
use super::cholesky::{Cholesky, Matrix};
use super::groups::mutually_reachable;

/// The results between two players, as numbers that a prior may be added to.
pub(super) struct Pairing {
    pub(super) a: usize,
    pub(super) b: usize,
    /// Games that `a` won, drew and lost.
    wins: f64,
    draws: f64,
    losses: f64,
}

/// Ratings, and their covariance row by row, in Elo.
pub(super) struct Fit {
    pub(super) elo: Vec<f64>,
    pub(super) covariance: Vec<f64>,
}

/// Elo for each unit of `θ`.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

impl Pairing {
    pub(super) fn new(a: usize, b: usize, Wdl { wins, draws, losses }: Wdl) -> Pairing {
        Pairing { a, b, wins: wins as f64, draws: draws as f64, losses: losses as f64 }
    }

    fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    fn points(&self) -> f64 {
        self.wins + 0.5 * self.draws
    }

    /// The expected score of `a`.
    fn expected(&self, theta: &[f64]) -> f64 {
        1.0 / (1.0 + (theta[self.b] - theta[self.a]).exp())
    }

    /// The squared deviations of all games from the expected score.
    fn squared_deviations(&self, expected: f64) -> f64 {
        self.wins * (1.0 - expected).powi(2)
            + self.draws * (0.5 - expected).powi(2)
            + self.losses * expected.powi(2)
    }
}

/// One game for each of `owners`, shared out among its pairings by the games played: what falls to each
/// pairing, half from either side. `owner_of` says to whom a player belongs.
fn shares_of_one_game<'a>(
    owners: usize,
    owner_of: impl Fn(usize) -> usize,
    pairings: impl Iterator<Item = &'a Pairing> + Clone,
) -> impl Iterator<Item = f64> {
    let mut games = vec![0.0; owners];
    for pairing in pairings.clone() {
        games[owner_of(pairing.a)] += pairing.games();
        games[owner_of(pairing.b)] += pairing.games();
    }
    pairings.map(move |pairing| {
        let of_side = |player| pairing.games() / games[owner_of(player)];
        0.5 * (of_side(pairing.a) + of_side(pairing.b))
    })
}

/// Adds the weak prior where there is no maximum of the likelihood without it; returns how many draws it is.
///
/// There is one if and only if every player reaches every other along "made at least a draw against" (L. R.
/// Ford 1957). The groups that the pool falls into by that are joined by parts of a draw; pairings within a
/// group remain as they were.
pub(super) fn invent_draws(players: usize, pairings: &mut [Pairing]) -> f64 {
    let scored = pairings.iter().flat_map(|pairing| {
        let a_scored = (pairing.points() > 0.0).then_some((pairing.a, pairing.b));
        let b_scored = (pairing.points() < pairing.games()).then_some((pairing.b, pairing.a));
        a_scored.into_iter().chain(b_scored)
    });
    let group_of = mutually_reachable(players, scored);
    let joins_groups = |pairing: &Pairing| group_of[pairing.a] != group_of[pairing.b];
    let joining = pairings.iter().filter(|pairing| joins_groups(pairing));
    let shares: Vec<f64> = shares_of_one_game(players, |player| group_of[player], joining).collect();
    for (pairing, share) in pairings.iter_mut().filter(|pairing| joins_groups(pairing)).zip(&shares) {
        pairing.draws += share;
    }
    shares.iter().sum()
}

/// The ratings of maximum likelihood. All players are joined by pairings, and a maximum exists.
pub(super) fn fit(players: usize, pairings: &[Pairing], anchor: Anchor) -> Fit {
    if players == 0 {
        return Fit { elo: Vec::new(), covariance: Vec::new() };
    }
    let fixed = match anchor {
        Anchor::Mean(_) => 0,
        Anchor::Player { player, .. } => player,
    };
    let theta = most_likely(players, pairings, fixed);
    let mut elo: Vec<f64> = theta.iter().map(|theta| theta * ELO_PER_UNIT).collect();
    let mut covariance = sandwich(&theta, pairings, fixed);
    let shift = match anchor {
        Anchor::Player { player, elo: known } => known - elo[player],
        Anchor::Mean(mean) => {
            centre(&mut covariance, players);
            mean - elo.iter().sum::<f64>() / players as f64
        }
    };
    elo.iter_mut().for_each(|elo| *elo += shift);
    Fit { elo, covariance: covariance.into_entries() }
}

/// Newton's method, with steps halved as long as they overshoot; the rating of `fixed` stays 0.
fn most_likely(players: usize, pairings: &[Pairing], fixed: usize) -> Vec<f64> {
    const PRECISION: f64 = 1e-11;
    const MOST_ROUNDS: usize = 200;
    let mut theta = vec![0.0; players];
    for _ in 0..MOST_ROUNDS {
        let mut gradient = vec![0.0; players];
        for pairing in pairings {
            let surplus = pairing.points() - pairing.games() * pairing.expected(&theta);
            gradient[pairing.a] += surplus;
            gradient[pairing.b] -= surplus;
        }
        let mut step = Cholesky::of(&information(&theta, pairings, fixed)).solve(&gradient);
        let moved = |step: &[f64]| -> Vec<f64> { theta.iter().zip(step).map(|(a, b)| a + b).collect() };
        let likelihood = log_likelihood(&theta, pairings);
        // A step may look worse by rounding alone.
        let least = likelihood - 1e-12 * likelihood.abs();
        let size = |step: &[f64]| step.iter().fold(0.0, |size: f64, part| size.max(part.abs()));
        while size(&step) > PRECISION && log_likelihood(&moved(&step), pairings) < least {
            step.iter_mut().for_each(|part| *part /= 2.0);
        }
        theta = moved(&step);
        if size(&step) <= PRECISION {
            break;
        }
    }
    theta
}

fn log_likelihood(theta: &[f64], pairings: &[Pairing]) -> f64 {
    let of_pairing = |pairing: &Pairing| {
        // ln(1 / (1 + e^-d)) for both sides of the difference, without overflow.
        let difference = theta[pairing.a] - theta[pairing.b];
        let log_expected = |d: f64| d.min(0.0) - (-d.abs()).exp().ln_1p();
        pairing.points() * log_expected(difference)
            + (pairing.games() - pairing.points()) * log_expected(-difference)
    };
    pairings.iter().map(of_pairing).sum()
}

/// The information matrix `H`, made invertible by one more on the diagonal at `fixed`.
///
/// Rows of a Laplacian sum to 0 and so do gradients, so that this only makes the solution 0 at `fixed`; and
/// in the sandwich it cancels, as it adds a matrix of ones to the inverse, which `J` turns to 0.
fn information(theta: &[f64], pairings: &[Pairing], fixed: usize) -> Matrix {
    let weights = pairings.iter().map(|pairing| {
        let expected = pairing.expected(theta);
        pairing.games() * expected * (1.0 - expected)
    });
    let mut information = laplacian(theta.len(), pairings, weights);
    *information.at_mut(fixed, fixed) += 1.0;
    information
}

/// The covariance of the ratings in Elo, with `fixed` known for certain.
///
/// The variance that few games show is not to be trusted (all of them drawn show none), so the variance
/// without draws, which is the largest there is, joins it with the weight of one game for each player.
fn sandwich(theta: &[f64], pairings: &[Pairing], fixed: usize) -> Matrix {
    let shares = shares_of_one_game(theta.len(), |player| player, pairings.iter());
    let weights = pairings.iter().zip(shares).map(|(pairing, share)| {
        let expected = pairing.expected(theta);
        let cautious = share * expected * (1.0 - expected);
        let per_game = (cautious + pairing.squared_deviations(expected)) / (share + pairing.games());
        ELO_PER_UNIT.powi(2) * per_game * pairing.games()
    });
    let spread = laplacian(theta.len(), pairings, weights);
    let inverse = Cholesky::of(&information(theta, pairings, fixed)).inverse();
    inverse.times(&spread).times(&inverse)
}

/// The Laplacian of the graph of pairings with these weights.
fn laplacian(players: usize, pairings: &[Pairing], weights: impl Iterator<Item = f64>) -> Matrix {
    let mut matrix = Matrix::zero(players);
    for (&Pairing { a, b, .. }, weight) in pairings.iter().zip(weights) {
        *matrix.at_mut(a, a) += weight;
        *matrix.at_mut(b, b) += weight;
        *matrix.at_mut(a, b) -= weight;
        *matrix.at_mut(b, a) -= weight;
    }
    matrix
}

/// From the covariance of ratings to that of their deviations from the mean rating.
fn centre(covariance: &mut Matrix, players: usize) {
    let n = players as f64;
    let means: Vec<f64> = (0..players)
        .map(|row| (0..players).map(|column| covariance.at(row, column)).sum::<f64>() / n)
        .collect();
    let mean = means.iter().sum::<f64>() / n;
    for row in 0..players {
        for column in 0..players {
            *covariance.at_mut(row, column) += mean - means[row] - means[column];
        }
    }
}
