//! Minimax: the definition itself.

use outplay_core::{Game, MoveList, Player};

use super::{Horizon, Observer, Walk};
use crate::Score;

/// The value of `position` for `max`, when `max` picks the highest value and the opponent the lowest.
pub fn minimax<G: Game, H: Horizon<G>, O: Observer>(
    walk: &mut Walk<H, O>,
    position: &G,
    max: Player,
) -> Score {
    if let Some(value) = walk.leaf(position) {
        return value.seen_by(max, position.to_move());
    }
    let maximising = position.to_move() == max;
    let mut best = if maximising { -Score::INFINITE } else { Score::INFINITE };
    for m in position.legal_moves().each() {
        let child = walk.down(position, m);
        let value = minimax(walk, &child, max);
        walk.up::<G>(value.seen_by(position.to_move(), max));
        if (maximising && value > best) || (!maximising && value < best) {
            best = value;
            walk.keep(m);
        }
    }
    best
}
