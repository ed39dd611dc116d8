//! A network with the encoder that it was made for.

use std::sync::Arc;

use outplay_core::{Game, Line, Move, MoveList, Symmetric};
use outplay_net::{NetError, Outputs};
use outplay_search::mcts::{Encoded, EvaluationError, LeafEncoder, LeafValue};
use outplay_search::{Opinion, Score};

use super::evaluator::{NetworkEvaluator, leaf_value, run};
use super::fitting::Encoders;
use super::folders;
use super::opened::OpenNetwork;
use super::options::{NetworkOptions, Symmetry};
use super::shipped::Place;
use super::symmetry::RandomImage;
use super::{past_of, softmax};

/// A network that is open and fits a game.
pub(super) struct Fitted<G> {
    pub opened: Arc<OpenNetwork>,
    /// Shows positions as the settings say.
    pub encoder: Arc<dyn LeafEncoder<G>>,
    /// Shows positions as they are.
    upright: Arc<dyn LeafEncoder<G>>,
    /// Stands for how positions are shown.
    pub shown: u64,
    /// How steeply scores of the game become winning chances, per hundredth.
    steepness: f64,
    name: String,
}

/// The chance to win is believed to be no nearer to certainty than this.
const LEAST_CHANCE: f64 = 1e-6;

impl<G: Symmetric> Fitted<G> {
    /// Opens the network that the settings name, or the one that comes with the program for the game; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be opened, is for another game, or the device is none that can be used.
    pub fn open(
        options: &NetworkOptions,
        encoders: &Encoders<G>,
        steepness: f64,
    ) -> Result<Option<Arc<Fitted<G>>>, NetError> {
        let device = options.device.parse()?;
        let place = match options.network.as_os_str().is_empty() {
            true => encoders.shipped().map(Place::Program),
            false => Some(folders::resolve(&options.network)),
        };
        let Some(place) = place else { return Ok(None) };
        let opened = OpenNetwork::open(&place, options.arithmetic, device)?;
        let fitting = encoders.fit(opened.backend.description());
        let upright = fitting.map_err(|error| NetError::File(format!("{place}: {error}")))?;
        let (encoder, shown): (Arc<dyn LeafEncoder<G>>, u64) = match options.symmetry {
            Symmetry::Off => (upright.clone(), 0),
            Symmetry::Random => {
                let image = RandomImage { encoder: upright.clone(), seed: options.symmetry_seed };
                // No seed gives 0.
                (Arc::new(image), options.symmetry_seed + 1)
            }
        };
        let name = place.short_name();
        Ok(Some(Arc::new(Fitted { opened, encoder, upright, shown, steepness, name })))
    }
}

impl<G: Game> Fitted<G> {
    /// The network as an evaluator of leaves.
    pub fn evaluator(&self) -> NetworkEvaluator<G> {
        NetworkEvaluator::new(self.opened.backend.clone(), self.encoder.clone())
    }

    /// What trees that were grown by it are known by.
    pub fn tree_name(&self) -> String {
        format!("network {:016x} {}", self.opened.hash, self.shown)
    }

    /// A value in hundredths of the game's unit.
    pub fn score(&self, value: LeafValue) -> i32 {
        let chance = (1.0 + f64::from(value.win_minus_loss)) / 2.0;
        let chance = chance.clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE);
        let hundredths = (chance / (1.0 - chance)).ln() / self.steepness;
        Score::heuristic(hundredths.round() as i32).raw()
    }

    /// All that the network says of the end of a line, shown as it is.
    pub fn opinion(&self, line: &Line<G>) -> Result<Opinion, EvaluationError> {
        let (position, moves, encoder) =
            (line.position(), line.position().legal_moves().each().collect::<Vec<Move>>(), &*self.upright);
        let past = past_of(line, encoder);
        let (mut encoded, mut outputs, mut logits) = (Encoded::default(), Outputs::default(), Vec::new());
        encoded.write(encoder, position, &past, &moves);
        run(&mut *self.opened.backend.begin(), &[&encoded.words], &mut outputs)?;
        encoded.pick(outputs.policy_of(0), &mut logits);
        let mut policy: Vec<_> = moves.into_iter().zip(softmax(&logits)).collect();
        policy.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let value = leaf_value(&outputs, 0);
        // Where cells belong to nobody in the end, what a network says of them means nothing.
        let mut owners = Vec::new();
        encoder.owners(position, &mut owners);
        let ownership = if owners.is_empty() { Vec::new() } else { outputs.ownership };
        Ok(Opinion {
            source: format!("{} ({})", self.name, self.opened.backend.name()),
            policy,
            value,
            score: self.score(value),
            moves_left: outputs.moves_left.first().copied(),
            margin: outputs.margin.first().copied(),
            ownership,
        })
    }
}
