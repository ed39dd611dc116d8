//! A generation in figures.

use outplay_core::Player;
use outplay_engine::selfplay::{GameRecord, Learner, Sample, Sampling, Searched};
use outplay_net::train::Losses;
use outplay_net::{Arithmetic, Backend, Network, Outputs, Processor};
use serde::Serialize;

use crate::folder::RunError;

/// What was played, and how fast.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Played {
    /// Positions of games that have ended.
    pub positions: usize,
    /// Positions that the network evaluated.
    pub evaluations: usize,
    /// In so many batches.
    pub batches: usize,
    /// Seconds that this took.
    pub seconds: f64,
}

impl Played {
    /// Evaluations a second.
    pub fn evaluations_per_second(&self) -> f64 {
        ratio(self.evaluations as f64, self.seconds)
    }

    /// Positions that the network evaluated at once, on average.
    pub fn mean_batch(&self) -> f64 {
        ratio(self.evaluations as f64, self.batches as f64)
    }
}

/// What was trained.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trained {
    pub batch: usize,
    pub steps: u64,
    pub losses: Vec<Losses>,
    /// The size of the last step.
    pub rate: f32,
    pub seconds: f64,
}

/// The figures of a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Generation {
    /// The generation of the network that was trained.
    pub generation: u32,
    /// Games from which it learned last.
    pub games: usize,
    /// Positions of these games.
    pub positions: usize,
    /// Samples in the window.
    pub window: usize,
    /// Mean length of the games, in moves.
    pub length: f64,
    /// The share of games that the first player won.
    pub first_wins: f64,
    /// The share of draws.
    pub draws: f64,
    /// How undecided searches were: the mean entropy of policies, in bits.
    pub entropy: f64,
    /// How far searches were from the network's policy, on average, in nats.
    pub surprise: f64,
    /// Of the resignations in games that were played on all the same, the share that would have been wrong; nothing where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign_errors: Option<f64>,
    /// Batches trained on.
    pub steps: u64,
    /// The size of the last step.
    pub learning_rate: f64,
    /// The mean of the sum of losses that is made small.
    pub loss: f64,
    /// Mean losses of the policy.
    pub policy_loss: f64,
    /// Mean losses of the value.
    pub value_loss: f64,
    /// Mean losses of the other heads, where there are any.
    #[serde(flatten)]
    pub other_losses: OtherLosses,
    /// What the new network says of positions that were just played.
    #[serde(flatten)]
    pub asked: Asked,
    /// Seconds of self-play since the run went on.
    pub play_seconds: f64,
    /// Evaluations in that time.
    pub evaluations: usize,
    /// And in each second of it.
    pub evaluations_per_second: f64,
    /// Positions evaluated at once, on average.
    pub mean_batch: f64,
    /// Seconds of training.
    pub train_seconds: f64,
    /// Samples trained on in each of them.
    pub samples_per_second: f64,
    /// Samples that there ever were.
    pub total_samples: u64,
    /// Games that were ever played.
    pub total_games: u64,
    /// Seconds of play and training in all generations so far.
    pub seconds: f64,
}

/// Losses of heads that a network may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the heads by their names")]
pub struct OtherLosses {
    #[serde(skip_serializing_if = "is_zero")]
    pub margin_loss: f64,
    #[serde(skip_serializing_if = "is_zero")]
    pub moves_left_loss: f64,
    #[serde(skip_serializing_if = "is_zero")]
    pub ownership_loss: f64,
    #[serde(skip_serializing_if = "is_zero")]
    pub reply_loss: f64,
}

/// What a network says of positions of the newest games: the mean cross-entropy of its policy, by thirds of the games, and how undecided it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Asked {
    /// The loss of the policy in the first third of games, in nats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_loss_opening: Option<f64>,
    /// The same in the second third.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_loss_middle: Option<f64>,
    /// The same in the last third.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_loss_end: Option<f64>,
    /// The mean entropy of its policy, in bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_entropy: Option<f64>,
}

/// Positions that a network is asked about, at most.
const ASKED: usize = 1_024;
/// So many at once.
const AT_ONCE: usize = 128;

impl Generation {
    pub(crate) fn new(games: &[GameRecord], played: &Played, trained: &Trained) -> Generation {
        let share = |count: usize| ratio(count as f64, games.len() as f64);
        let won = |by: Option<Player>| games.iter().filter(|game| game.outcome.winner() == by).count();
        let searched = || games.iter().flat_map(|game| &game.searched);
        let mean = |of: fn(&Losses) -> f32| {
            ratio(trained.losses.iter().map(|losses| f64::from(of(losses))).sum(), trained.steps as f64)
        };
        Generation {
            games: games.len(),
            positions: searched().count(),
            length: share(games.iter().map(|game| game.moves.len()).sum()),
            first_wins: share(won(Some(Player::First))),
            draws: share(won(None)),
            entropy: ratio(searched().map(entropy).sum(), searched().count() as f64),
            resign_errors: resign_errors(games),
            steps: trained.steps,
            learning_rate: trained.rate.into(),
            loss: mean(|losses| losses.total),
            policy_loss: mean(|losses| losses.policy),
            value_loss: mean(|losses| losses.value),
            other_losses: OtherLosses {
                margin_loss: mean(|losses| losses.margin),
                moves_left_loss: mean(|losses| losses.moves_left),
                ownership_loss: mean(|losses| losses.ownership),
                reply_loss: mean(|losses| losses.reply),
            },
            play_seconds: played.seconds,
            evaluations: played.evaluations,
            evaluations_per_second: played.evaluations_per_second(),
            mean_batch: played.mean_batch(),
            train_seconds: trained.seconds,
            samples_per_second: ratio((trained.steps * trained.batch as u64) as f64, trained.seconds),
            ..Generation::default()
        }
    }

    /// Asks the new network about positions of the games.
    pub(crate) fn ask(
        &mut self,
        network: &Network,
        learner: &dyn Learner,
        encoder: &str,
        games: &[GameRecord],
    ) -> Result<(), RunError> {
        // Whole games, from all over the generation.
        let count = ASKED * games.len() / self.positions.max(1);
        let every = games.len().div_ceil(count.max(1)).max(1);
        let mut samples: Vec<(usize, Sample)> = Vec::new();
        for game in games.iter().step_by(every) {
            let length = game.moves.len();
            let third =
                |sample: &Sample| 3 * (length.saturating_sub(sample.moves_left as usize)) / length.max(1);
            let mut see = |sample: Sample| {
                if !sample.policy.is_empty() {
                    samples.push((third(&sample).min(2), sample));
                }
            };
            // The near future is not asked about.
            let sampling = Sampling { symmetries: false, soon_plies: 1.0 };
            learner.samples(game, encoder, sampling, &mut see)?;
        }
        self.surprise =
            ratio(samples.iter().map(|(_, sample)| f64::from(sample.surprise)).sum(), samples.len() as f64);
        let backend = Processor::new(network, Arithmetic::Exact)?;
        let (mut runner, mut outputs) = (backend.begin(), Outputs::default());
        let (mut losses, mut undecided) = ([(0.0, 0.0); 3], 0.0);
        for part in samples.chunks(AT_ONCE) {
            let positions: Vec<&[u64]> = part.iter().map(|(_, sample)| &sample.words[..]).collect();
            runner.run(&positions, &mut outputs)?;
            for (place, (third, sample)) in part.iter().enumerate() {
                let (loss, entropy) = cross_entropy(outputs.policy_of(place), &sample.policy);
                let (sum, count) = &mut losses[*third];
                (*sum, *count) = (*sum + loss, *count + 1.0);
                undecided += entropy;
            }
        }
        let [opening, middle, end] = losses.map(|(sum, count)| (count > 0.0).then(|| sum / count));
        self.asked = Asked {
            policy_loss_opening: opening,
            policy_loss_middle: middle,
            policy_loss_end: end,
            network_entropy: (!samples.is_empty()).then(|| undecided / samples.len() as f64),
        };
        Ok(())
    }

    /// A line for the log.
    pub(crate) fn in_words(&self) -> String {
        format!(
            "generation {}: {} games, {} positions, {} steps, policy loss {:.3}, value loss {:.3}, {:.1} s of play, {:.1} s of training",
            self.generation,
            self.games,
            self.positions,
            self.steps,
            self.policy_loss,
            self.value_loss,
            self.play_seconds,
            self.train_seconds
        )
    }
}

/// The share of resignations that would have been wrong, of those that were played on.
fn resign_errors(games: &[GameRecord]) -> Option<f64> {
    let played_on =
        games.iter().flat_map(|game| Player::BOTH.map(|player| game.is_false_resignation(player)));
    let played_on: Vec<bool> = played_on.flatten().collect();
    let wrong = played_on.iter().filter(|&&is_wrong| is_wrong).count();
    (!played_on.is_empty()).then(|| wrong as f64 / played_on.len() as f64)
}

/// The cross-entropy of logits with a policy, in nats, and the entropy of what they say, in bits; only legal moves count.
fn cross_entropy(logits: &[f32], policy: &[(u16, f32)]) -> (f64, f64) {
    let logit = |index: u16| f64::from(logits[usize::from(index)]);
    let most = policy.iter().map(|&(index, _)| logit(index)).fold(f64::NEG_INFINITY, f64::max);
    let whole = policy.iter().map(|&(index, _)| (logit(index) - most).exp()).sum::<f64>().ln() + most;
    let (mut loss, mut entropy) = (0.0, 0.0);
    for &(index, share) in policy {
        let logarithm = logit(index) - whole;
        loss -= f64::from(share) * logarithm;
        entropy -= logarithm.exp() * logarithm / std::f64::consts::LN_2;
    }
    (loss, entropy)
}

/// The entropy of a policy, in bits.
fn entropy(searched: &Searched) -> f64 {
    let whole: f64 = searched.policy.iter().map(|&(_, share)| f64::from(share)).sum();
    let chances = searched.policy.iter().map(|&(_, share)| f64::from(share) / whole.max(1.0));
    chances.filter(|&chance| chance > 0.0).map(|chance| chance * (1.0 / chance).log2()).sum()
}

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(loss: &f64) -> bool {
    *loss == 0.0
}

#[cfg(test)]
mod tests {
    use outplay_core::Outcome;
    use outplay_engine::selfplay::Ending;

    use super::*;

    #[test]
    fn wrong_resignations_are_counted_among_those_that_were_played_on() {
        assert_eq!(resign_errors(&[GameRecord::new(0)]), None);
        let game = |resignations, winner, ending| GameRecord {
            resignations,
            outcome: Outcome::win(winner),
            ending,
            ..GameRecord::new(0)
        };
        let games = [
            game([Some(3), None], Player::First, Ending::Rules),
            game([Some(3), None], Player::Second, Ending::Rules),
            game([Some(3), Some(4)], Player::Second, Ending::Rules),
            // It has ended so: nobody knows.
            game([Some(3), None], Player::Second, Ending::Resigned),
        ];
        assert_eq!(resign_errors(&games), Some(0.5));
    }

    #[test]
    fn the_loss_of_a_policy_is_that_of_the_textbook() {
        // Chances of ½, ¼ and ¼ over legal moves; the likeliest number belongs to a move that is not legal.
        let logits = [2f32.ln(), 9.0, 0.0, 0.0];
        let (loss, entropy) = cross_entropy(&logits, &[(0, 0.5), (2, 0.5), (3, 0.0)]);
        assert!((loss - (0.5 * 2f64.ln() + 0.5 * 4f64.ln())).abs() < 1e-6, "{loss}");
        assert!((entropy - 1.5).abs() < 1e-6, "{entropy}");
        assert_eq!(cross_entropy(&logits, &[]), (0.0, 0.0));
    }
}
