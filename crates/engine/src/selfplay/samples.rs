//! What there is to learn from a game.

use std::sync::Arc;

use outplay_core::{Line, Move, Player, Symmetric};
use outplay_search::mcts::LeafEncoder;

use super::record::{Ending, GameRecord, SHARES, Searched};

/// How samples are made of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Whether each position is shown in all symmetries of the game.
    pub symmetries: bool,
    /// How many plies ahead the near future is, on average.
    pub soon_plies: f64,
}

/// A position as a network is shown it, and what should be said of it, for the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The packed position.
    pub words: Vec<u64>,
    /// The policy index of each legal move and its share; empty if there is nothing to learn of it.
    pub policy: Vec<(u16, f32)>,
    /// How the game ended, or would with best play if that is exact: 1 for a win, 0 for a draw, -1 for a loss.
    pub result: f32,
    /// By how much.
    pub margin: f32,
    /// Whether a solver says so, rather than how the game went.
    pub is_exact: bool,
    /// What the search thought: wins minus losses.
    pub value: f32,
    /// What the searches of the next few positions thought, the nearest counting most; the end of the game is its result.
    pub soon: f32,
    /// How far the search's policy is from what the network had said: the Kullback-Leibler divergence in nats, 0 where it is not known.
    pub surprise: f32,
    /// Whose each cell was in the end, in the order of the encoder's cells: 1 for the player to move, -1 for the opponent. Empty where the game has no such thing, or
    /// was not played to its end.
    pub ownership: Vec<f32>,
    /// How many plies the game still lasted, as far as it was played.
    pub moves_left: f32,
    /// The reply of the opponent, as `policy` is; empty if it is not the opponent's turn then, or nothing is known of it.
    pub reply: Vec<(u16, f32)>,
}

/// The samples of a game: one for each position that was searched in full, in each symmetry if that is asked for.
///
/// # Errors
/// If the game is not one by the rules.
pub fn samples<G: Symmetric>(
    rules: &G::Rules,
    encoder: &Arc<dyn LeafEncoder<G>>,
    record: &GameRecord,
    sampling: Sampling,
    see: &mut dyn FnMut(Sample),
) -> Result<(), String> {
    let line = replayed::<G>(rules, record)?;
    let positions = line.positions();
    let soon = near_future(positions, record, sampling.soon_plies);
    for (ply, searched) in record.searched.iter().enumerate().filter(|(_, searched)| searched.in_full) {
        let position = &positions[ply];
        let mover = position.to_move();
        let past = encoder.past_positions().min(ply);
        let result = searched.exact.unwrap_or(record.outcome.for_player(mover));
        let reply =
            record.searched.get(ply + 1).filter(|next| next.in_full && positions[ply + 1].to_move() != mover);
        for symmetry in 0..if sampling.symmetries { position.symmetries() } else { 1 } {
            let image = position.transformed(symmetry);
            let past: Vec<G> = (1..=past).map(|back| positions[ply - back].transformed(symmetry)).collect();
            let mut words = Vec::new();
            encoder.encode(&image, &past, &mut words);
            see(Sample {
                words,
                policy: policy(&**encoder, position, searched, symmetry),
                result: f32::from(result.signum()),
                margin: f32::from(result),
                is_exact: searched.exact.is_some(),
                value: searched.value,
                soon: seen_by(mover, soon[ply]),
                surprise: searched.surprise,
                ownership: ownership(&**encoder, line.position(), record, mover, symmetry),
                moves_left: (record.moves.len() - ply) as f32,
                reply: reply
                    .map_or_else(Vec::new, |next| policy(&**encoder, &positions[ply + 1], next, symmetry)),
            });
        }
    }
    Ok(())
}

/// A value for the first player, seen by `player`, or the other way round.
fn seen_by(player: Player, value: f32) -> f32 {
    if player == Player::First { value } else { -value }
}

/// For each position, what the searches of those after it thought, for the first player: an average in which the weight of each is smaller than that of the one before, by the same
/// factor, so that they are so many plies away in the mean. What lies beyond the end is the result.
fn near_future<G: Symmetric>(positions: &[G], record: &GameRecord, plies: f64) -> Vec<f32> {
    let kept = (1.0 - 1.0 / plies.max(1.0)) as f32;
    let mut soon = vec![f32::from(record.outcome.for_player(Player::First).signum()); record.searched.len()];
    for ply in (1..record.searched.len()).rev() {
        let thought = seen_by(positions[ply].to_move(), record.searched[ply].value);
        soon[ply - 1] = thought + kept * (soon[ply] - thought);
    }
    soon
}

/// Whose each cell is in the end, in an image of the last position.
fn ownership<G: Symmetric>(
    encoder: &dyn LeafEncoder<G>,
    end: &G,
    record: &GameRecord,
    mover: Player,
    symmetry: usize,
) -> Vec<f32> {
    let mut owners = Vec::new();
    if record.ending == Ending::Rules {
        encoder.owners(&end.transformed(symmetry), &mut owners);
    }
    owners.iter().map(|owner| owner.map_or(0.0, |owner| if owner == mover { 1.0 } else { -1.0 })).collect()
}

/// The share of each legal move, by its policy index in an image of the position.
fn policy<G: Symmetric>(
    encoder: &dyn LeafEncoder<G>,
    position: &G,
    searched: &Searched,
    symmetry: usize,
) -> Vec<(u16, f32)> {
    use outplay_core::MoveList;
    let image = position.transformed(symmetry);
    let share = |m: Move| searched.policy.iter().find(|(of, _)| *of == m).map_or(0, |&(_, share)| share);
    let index = |m: Move| encoder.policy_index(&image, position.transformed_move(m, symmetry));
    let moves = position.legal_moves();
    moves.each().map(|m| (index(m), f32::from(share(m)) / f32::from(SHARES))).collect()
}

/// The line of a game.
pub(super) fn replayed<G: Symmetric>(rules: &G::Rules, record: &GameRecord) -> Result<Line<G>, String> {
    let mut line = Line::new(G::start(rules));
    for (ply, &m) in record.moves.iter().enumerate() {
        if !line.position().can_play_on() || !line.legal_moves().contains(&m) {
            return Err(format!("move {} of game {} is not legal", ply + 1, record.number));
        }
        line.play(m);
    }
    Ok(line)
}
