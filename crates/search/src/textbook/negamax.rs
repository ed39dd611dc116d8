//! Negamax: minimax with one rule for both players.

use outplay_core::{Game, MoveList};

use super::{Horizon, Observer, Walk};
use crate::Score;

/// The value of `position` for the player to move there, who picks the move that is best in their own view. The
/// sign changes where the player does, which is not at every ply in every game.
pub fn negamax<G: Game, H: Horizon<G>, O: Observer>(walk: &mut Walk<H, O>, position: &G) -> Score {
    if let Some(value) = walk.leaf(position) {
        return value;
    }
    let mut best = -Score::INFINITE;
    for m in position.legal_moves().each() {
        let child = walk.down(position, m);
        let value = negamax(walk, &child).seen_by(position.to_move(), child.to_move());
        walk.up::<G>(value);
        if value > best {
            best = value;
            walk.keep(m);
        }
    }
    best
}
