//! How far a network is from what it should say, and in which direction.

use super::map::Map;
use crate::description::{Description, ValueKind};
use crate::network::NetError;

/// Positions and what should be said of them, one after the other. What is not known of a position is `NaN` in `margin`, `moves_left` and `ownership`, and
/// all zeros in `reply`; heads that the network does not have may be left empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Packed positions.
    pub positions: Vec<u64>,
    /// The share of each policy index; below zero where the move is not legal, which then has no say.
    pub policy: Vec<f32>,
    /// Chances to win, to draw and to lose.
    pub value: Vec<[f32; 3]>,
    /// How much a position counts; 1 is usual.
    pub weight: Vec<f32>,
    /// By how much the player to move wins.
    pub margin: Vec<f32>,
    /// How many plies are left.
    pub moves_left: Vec<f32>,
    /// Whose each cell is in the end, from -1 to 1.
    pub ownership: Vec<f32>,
    /// The share of each reply of the opponent; below zero where it has no say.
    pub reply: Vec<f32>,
}

impl Samples {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.value.len()
    }

    /// Whether they have the sizes that a network needs.
    ///
    /// # Errors
    /// If they have not; the message says which.
    pub fn check(&self, description: &Description) -> Result<(), NetError> {
        check(description, self).map_err(NetError::Misfit)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }
}

/// What each head counts in the sum of losses.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the heads by their names")]
pub struct LossWeights {
    pub policy: f32,
    pub value: f32,
    pub margin: f32,
    pub moves_left: f32,
    pub ownership: f32,
    pub reply: f32,
}

impl Default for LossWeights {
    fn default() -> LossWeights {
        LossWeights { policy: 1.0, value: 1.0, margin: 0.02, moves_left: 0.02, ownership: 0.15, reply: 0.15 }
    }
}

/// The mean losses of a batch, by head; zero where there is no such head.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the heads by their names")]
pub struct Losses {
    /// The sum, weighted, that is made small.
    pub total: f32,
    pub policy: f32,
    pub value: f32,
    pub margin: f32,
    pub moves_left: f32,
    pub ownership: f32,
    pub reply: f32,
    /// How long the gradient was.
    pub gradient: f32,
}

/// Margins and plies are counted in units of so many, and errors beyond one unit count linearly, lest a far one outweigh all others.
pub const UNIT: f32 = 8.0;

/// The cross-entropy of distributions, by logits; logits become their gradients. A row counts as its weight says, and not at all if nothing is known.
pub(super) fn cross_entropy(
    logits: &mut Map,
    targets: &[f32],
    weights: &[f32],
    size: usize,
    factor: f32,
) -> f32 {
    let mut loss = 0.0;
    let share = 1.0 / weights.len() as f32;
    let channels = logits.channels();
    for ((row, target), weight) in
        logits.numbers_mut().chunks_exact_mut(channels).zip(targets.chunks_exact(size)).zip(weights)
    {
        let row = &mut row[..size];
        let legal = |&(_, &target): &(f32, &f32)| target >= 0.0;
        let known: f32 = target.iter().filter(|&&target| target > 0.0).sum();
        if known <= 0.0 {
            row.fill(0.0);
            continue;
        }
        let most = row
            .iter()
            .copied()
            .zip(target)
            .filter(legal)
            .map(|(logit, _)| logit)
            .fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 =
            row.iter().copied().zip(target).filter(legal).map(|(logit, _)| (logit - most).exp()).sum();
        let (weight, log_sum) = (weight * share, sum.ln() + most);
        for (logit, &target) in row.iter_mut().zip(target) {
            if target > 0.0 {
                loss += weight * target / known * (log_sum - *logit);
            }
            let chance = (*logit - log_sum).exp();
            *logit = if target >= 0.0 { factor * weight * (chance - target / known) } else { 0.0 };
        }
    }
    loss
}

/// The loss of values; what came out becomes its gradient.
pub(super) fn value_loss(kind: ValueKind, out: &mut Map, samples: &Samples, factor: f32) -> f32 {
    match kind {
        ValueKind::WinDrawLoss { .. } => {
            cross_entropy(out, samples.value.as_flattened(), &samples.weight, 3, factor)
        }
        ValueKind::Scalar { .. } => {
            let mut loss = 0.0;
            let share = 1.0 / samples.len() as f32;
            let channels = out.channels();
            for ((row, [win, _, lose]), weight) in
                out.numbers_mut().chunks_exact_mut(channels).zip(&samples.value).zip(&samples.weight)
            {
                let (value, weight) = (row[0].tanh(), weight * share);
                let error = value - (win - lose);
                loss += weight * error * error;
                row[0] = factor * weight * 2.0 * error * (1.0 - value * value);
            }
            loss
        }
    }
}

/// The loss of a number in units of the game; what came out becomes its gradient. In play nothing below zero is said of moves left; here it is, lest a
/// head that has fallen silent learn nothing any more.
pub(super) fn distance_loss(out: &mut Map, targets: &[f32], weights: &[f32], factor: f32) -> f32 {
    let mut loss = 0.0;
    let share = 1.0 / weights.len() as f32;
    let channels = out.channels();
    for ((row, target), weight) in out.numbers_mut().chunks_exact_mut(channels).zip(targets).zip(weights) {
        let error = if target.is_nan() { 0.0 } else { (row[0] - target) / UNIT };
        let weight = weight * share;
        loss += weight * if error.abs() > 1.0 { 2.0 * error.abs() - 1.0 } else { error * error };
        row[0] = factor * weight * 2.0 * error.clamp(-1.0, 1.0) / UNIT;
    }
    loss
}

/// The loss of cells from -1 to 1, by a hyperbolic tangent; what came out becomes its gradient.
pub(super) fn ownership_loss(out: &mut Map, targets: &[f32], weights: &[f32], factor: f32) -> f32 {
    let mut loss = 0.0;
    let cells = out.cells;
    let share = 1.0 / (weights.len() * cells) as f32;
    let channels = out.channels();
    for (i, (row, target)) in out.numbers_mut().chunks_exact_mut(channels).zip(targets).enumerate() {
        let (said, weight) = (row[0].tanh(), weights[i / cells] * share);
        let error = if target.is_nan() { 0.0 } else { said - target };
        loss += weight * error * error;
        row[0] = factor * weight * 2.0 * error * (1.0 - said * said);
    }
    loss
}

/// Whether samples have the sizes that a network needs.
fn check(description: &Description, samples: &Samples) -> Result<(), String> {
    let (heads, board, n) = (&description.heads, description.board, samples.len());
    let one = |has: bool| if has { n } else { 0 };
    let wanted = [
        ("positions", samples.positions.len(), n * description.planes().words()),
        ("policy", samples.policy.len(), n * heads.policy.size(board)),
        ("weight", samples.weight.len(), n),
        ("margin", samples.margin.len(), one(heads.margin.is_some())),
        ("moves_left", samples.moves_left.len(), one(heads.moves_left.is_some())),
        ("ownership", samples.ownership.len(), one(heads.ownership.is_some()) * board.cells()),
        ("reply", samples.reply.len(), n * heads.reply.map_or(0, |reply| reply.size(board))),
    ];
    match wanted.into_iter().find(|(_, given, wanted)| given < wanted) {
        Some((name, given, wanted)) => {
            Err(format!("{n} samples have {given} numbers of {name}, expected {wanted}"))
        }
        None if n < 2 => Err(format!("{n} samples, expected two at least")),
        None => Ok(()),
    }
}
