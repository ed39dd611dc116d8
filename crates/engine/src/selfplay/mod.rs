//! Games that a network plays against itself, and what there is to learn from them.
//!
//! `player.rs` plays: each thread has some games, gathers a leaf of each of their searches, has all of them evaluated at once and applies what was said. `playing.rs` is what
//! happens in a game between two searches. `record.rs`
//! is what is kept of a game, `samples.rs` what a network learns from it. [`Learner`] is all of that without the type of the game.

mod options;
mod player;
mod playing;
mod record;
mod samples;

use std::sync::Arc;

use outplay_core::Symmetric;
use outplay_net::{Backend, NetError};
use outplay_search::mcts::{EvaluationError, HashRandom, LeafEvaluator};

use crate::many::{self, LeafSource, ManySearched, ManySearches};
use crate::networks::{EncoderInfo, Encoders, NetworkEvaluator};

pub use options::{SelfPlayOptions, chances};
pub use player::SelfPlayJob;
pub use record::{Ending, GameRecord, OtherVersion, SHARES, Searched};
pub use samples::{Sample, Sampling};

/// A game that can be learned.
pub trait Learner: Send + Sync {
    /// How its positions can be shown to networks, the usual way first.
    fn encoders(&self) -> Vec<EncoderInfo>;

    /// Plays games by a network and delivers each as soon as it is finished.
    ///
    /// # Errors
    /// If the network does not fit the game, or cannot be run; what was delivered until then counts.
    fn play(
        &self,
        backend: Arc<dyn Backend>,
        job: &SelfPlayJob,
        deliver: &(dyn Fn(GameRecord) + Sync),
    ) -> Result<(), NetError>;

    /// Searches many games at once and counts what that took.
    ///
    /// # Errors
    /// If the network does not fit the game, or cannot be run.
    fn search_many(&self, source: &LeafSource, task: &ManySearches) -> Result<ManySearched, NetError>;

    /// What there is to learn from a game by a network that is shown positions by this encoder: a sample for each position that was searched in full, in each
    /// symmetry of the game if that is asked for.
    ///
    /// # Errors
    /// If there is no such encoder, or the game is not one by the rules.
    fn samples(
        &self,
        record: &GameRecord,
        encoder: &str,
        sampling: Sampling,
        see: &mut dyn FnMut(Sample),
    ) -> Result<(), NetError>;
}

/// A game with its rules and encoders.
pub(crate) struct GameLearner<G: Symmetric> {
    pub rules: G::Rules,
    pub encoders: Encoders<G>,
}

impl<G: Symmetric> Learner for GameLearner<G>
where
    G::Rules: Send + Sync,
{
    fn encoders(&self) -> Vec<EncoderInfo> {
        self.encoders.iter().map(EncoderInfo::of).collect()
    }

    fn play(
        &self,
        backend: Arc<dyn Backend>,
        job: &SelfPlayJob,
        deliver: &(dyn Fn(GameRecord) + Sync),
    ) -> Result<(), NetError> {
        let encoder = self.encoders.fit(backend.description())?;
        let evaluator = NetworkEvaluator::new(backend, encoder);
        let played = player::play::<G>(&self.rules, (&evaluator, self.encoders.labels()), job, deliver);
        played.map_err(|EvaluationError(reason)| NetError::Device(reason))
    }

    fn search_many(&self, source: &LeafSource, task: &ManySearches) -> Result<ManySearched, NetError> {
        let evaluator: Box<dyn LeafEvaluator<G>> = match source {
            LeafSource::Random => Box::new(HashRandom { seed: task.options.seed }),
            LeafSource::Network(backend) => {
                let encoder = self.encoders.fit(backend.description())?;
                Box::new(NetworkEvaluator::new(backend.clone(), encoder))
            }
        };
        let searched = many::search_many::<G>(&self.rules, &*evaluator, task);
        searched.map_err(|EvaluationError(reason)| NetError::Device(reason))
    }

    fn samples(
        &self,
        record: &GameRecord,
        encoder: &str,
        sampling: Sampling,
        see: &mut dyn FnMut(Sample),
    ) -> Result<(), NetError> {
        let encoder = self.encoders.named(encoder)?;
        samples::samples::<G>(&self.rules, &encoder, record, sampling, see).map_err(NetError::Misfit)
    }
}
