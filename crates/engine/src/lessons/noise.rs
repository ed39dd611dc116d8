//! Noise on the priors of the root.

use outplay_core::Rng;
use outplay_search::Limits;
use outplay_search::mcts::add_noise;
use serde::Serialize;

use super::{LessonSettings, puct};
use crate::{Session, SessionError};

/// Draws of noise that are shown.
const DRAWS: u64 = 4;

/// What noise does to priors, and to the visits that follow from them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Noise {
    /// Who chooses at the root.
    pub to_move: &'static str,
    /// The parameter of Dirichlet's distribution.
    pub alpha: f64,
    /// The share of the noise.
    pub epsilon: f64,
    /// The moves in the order of their priors.
    pub moves: Vec<NoisyMove>,
}

/// A move with its prior and what noise makes of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NoisyMove {
    /// The move as people write it.
    #[serde(rename = "move")]
    pub text: String,
    /// The prior of the network.
    pub p: f64,
    /// The same in some draws: (1 − ε) · P + ε · noise.
    pub draws: Vec<f64>,
    /// Visits without noise.
    pub n: u64,
    /// Visits of a search with noise.
    pub n_with_noise: u64,
}

/// Draws noise, and searches with it and without.
pub(super) fn mix(session: &mut dyn Session, settings: &LessonSettings) -> Result<Noise, SessionError> {
    let opinion = puct::prepare(session)?;
    let (alpha, epsilon) = (settings.number("alpha"), settings.number("epsilon"));
    let (seed, simulations) = (settings.whole("seed"), settings.whole("simulations"));
    let draws: Vec<Vec<f32>> = (0..DRAWS)
        .map(|draw| {
            let mut priors: Vec<f32> = opinion.policy.iter().map(|policy| policy.probability).collect();
            add_noise(&mut priors, epsilon, alpha, &mut Rng::new(outplay_core::mix(seed) + draw));
            priors
        })
        .collect();
    let mut visits = |epsilon: f64| {
        session.set_option("noise_epsilon", &epsilon.to_string())?;
        session.set_option("noise_alpha", &alpha.to_string())?;
        session.set_option("seed", &seed.to_string())?;
        session.clear()?;
        session.go(Limits { nodes: Some(simulations + 1), ..Limits::default() }, Box::new(|_, _| ()))?;
        session.wait();
        let tried = session.grown_tree(1, 1)?.map_or(Vec::new(), |root| root.replies);
        let of = |text: &str| tried.iter().find(|reply| reply.played == text).map_or(0, |reply| reply.visits);
        Ok::<Vec<u64>, SessionError>(opinion.policy.iter().map(|policy| of(&policy.text)).collect())
    };
    let (without, with) = (visits(0.0)?, visits(epsilon)?);
    let moves = opinion.policy.iter().enumerate().map(|(index, policy)| NoisyMove {
        text: policy.text.clone(),
        p: policy.probability.into(),
        draws: draws.iter().map(|draw| draw[index].into()).collect(),
        n: without[index],
        n_with_noise: with[index],
    });
    let to_move = session.players()[session.to_move().index()];
    Ok(Noise { to_move, alpha, epsilon, moves: moves.collect() })
}
