//! Networks in the searches of a game: the evaluation `net`.
//!
//! A game offers its [`Encoders`]; a network file says which of them it was made for (`fitting.rs`). A file is open once in the process
//! (`opened.rs`) for each device that computes it (`device.rs`; `reserve.rs` goes on where a device fails), found by name in folders (`folders.rs`) or in the program itself (`shipped.rs`). Tree searches evaluate leaves by it (`evaluator.rs`), on the searching threads or, if
//! asked, in batches that all searches of the process share (`served.rs`); alpha-beta judges positions by it (`judged.rs`). `networked.rs` puts all
//! that together as an evaluation by name.

mod device;
mod evaluator;
mod fitted;
mod fitting;
mod folders;
mod judged;
mod networked;
mod opened;
mod options;
mod remote;
mod reserve;
mod served;
mod shipped;
mod symmetry;
mod trouble;
mod words;

use outplay_core::{Game, Line};
use outplay_search::mcts::LeafEncoder;

pub use device::{NetworkDevice, backend};
pub use evaluator::NetworkEvaluator;
pub use fitting::{EncoderInfo, Encoders};
pub use folders::{FoundNetwork, folders, found, look_in, resolve};
pub(crate) use networked::Networked;
pub use opened::{OpenNetwork, content_hash};
pub use options::{NetworkArithmetic, NetworkOptions, Symmetry};
pub use reserve::{MakeReserve, WithReserve};
pub use shipped::{Place, Shipped};
pub(crate) use trouble::failed;
pub use words::{NetworkOpinion, OwnedCell, PolicyMove};

/// The positions before the end of a line, the latest first: as many as an encoder wants to see.
pub(crate) fn past_of<G: Game>(line: &Line<G>, encoder: &dyn LeafEncoder<G>) -> Vec<G> {
    line.positions().iter().rev().skip(1).take(encoder.past_positions()).cloned().collect()
}

/// Probabilities in proportion to `exp(logit)`.
pub(crate) fn softmax(logits: &[f32]) -> Vec<f32> {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| (logit - top).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}
