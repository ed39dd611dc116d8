//! Alpha-beta: negamax that does not look where the value cannot matter.

use outplay_core::{Game, MoveList};

use super::{Horizon, Observer, Walk};
use crate::Score;

/// The value of `position` for the player to move, fail-soft: exact if it lies strictly between `alpha` and `beta`,
/// an upper bound if it is `alpha` or less, a lower bound if it is `beta` or more.
///
/// `alpha` is what the mover is already sure of elsewhere, `beta` what the opponent is: as soon as a move is worth
/// `beta`, the opponent will not let this position come about, and the other moves need not be looked at.
pub fn alphabeta<G: Game, H: Horizon<G>, O: Observer>(
    walk: &mut Walk<H, O>,
    position: &G,
    alpha: Score,
    beta: Score,
) -> Score {
    walk.window(alpha, beta);
    if let Some(value) = walk.leaf(position) {
        return value;
    }
    let mut best = -Score::INFINITE;
    let moves = position.legal_moves();
    let mut rest = moves.each();
    let mut at_first_move = true;
    while let Some(m) = rest.next() {
        let floor = alpha.max(best);
        let child = walk.down(position, m);
        let value = if child.to_move() == position.to_move() {
            alphabeta(walk, &child, floor, beta)
        } else {
            -alphabeta(walk, &child, -beta, -floor)
        };
        walk.up::<G>(value);
        if value > best {
            best = value;
            walk.keep(m);
        }
        if best >= beta {
            walk.cutoff(at_first_move, rest);
            break;
        }
        at_first_move = false;
    }
    best
}
